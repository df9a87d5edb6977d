//! Visits whose customer goes by another name since they were booked.

use jiff::SignedDuration;
use proto::{
    frontdesk::{
        calendarsync::v1::DemoEvent,
        events::v1::{CustomerRenamed, Event, event::Payload},
        scheduling::v1::Appointment,
    },
    time::to_proto,
};
use testkit::event_log;
use uuid::Uuid;

use crate::salon::{CALENDAR, MIA, SALON, Salon, TOM, TOMS, visit};

const VISIT: u128 = 0xF1;
pub const ANA: Uuid = Uuid::from_u128(0xA4A);

impl Salon {
    /// Has scheduling tell that visits go by another name, by a version of their customer, and waits until that is
    /// planned.
    pub async fn tell_of_name(&self, name: &str, version: i64, appointment_ids: Vec<String>) {
        let renamed = CustomerRenamed { customer_name: name.to_owned(), appointment_ids };
        let occurred_at = Some(to_proto(self.host.clock.now()));
        let position = self.scheduling.append(|position| Event {
            occurred_at,
            ..event_log::event(position, SALON, ANA, version, Payload::CustomerRenamed(renamed))
        });
        self.until(async || {
            outbox::caught_up(&self.app, calendar_sync::FOLLOWER, "scheduling", position).await.unwrap()
        })
        .await;
    }

    /// As [`Self::tell_of_name`], and waits until it is written.
    async fn rename(&self, name: &str, version: i64, visits: &[u128]) {
        let ids = visits.iter().map(|visit| Uuid::from_u128(*visit).to_string()).collect();
        self.tell_of_name(name, version, ids).await;
        self.until_written().await;
    }

    async fn titles(&self, calendar: Uuid) -> Vec<String> {
        self.events(calendar).await.into_iter().map(|event| event.title).collect()
    }
}

#[tokio::test]
async fn entries_of_a_customer_who_is_renamed_are_written_with_the_new_name() {
    let salon = Salon::with_calendar().await;
    salon.connect(TOMS, TOM).await.unwrap();
    salon
        .publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30), (TOM, "Colour", 10, 30), (MIA, "Wash", 11, 30)]))
        .await;
    salon.publish(visit(VISIT + 1, 1, &[(MIA, "Blow-dry", 13, 30)])).await;
    let before = salon.events(CALENDAR).await;
    salon.rename("Ana Costa", 1, &[VISIT]).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – Ana Costa", "Wash – Ana Costa", "Blow-dry – Ana"]);
    assert_eq!(salon.titles(TOMS).await, ["Colour – Ana Costa"]);
    let ids = |events: &[DemoEvent]| events.iter().map(|event| event.id.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&salon.events(CALENDAR).await), ids(&before), "no entry is a new one");
}

#[tokio::test]
async fn entries_of_a_merged_customer_carry_the_survivors_name_until_the_merge_is_undone() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.rename("Anastasia Costa", 2, &[VISIT]).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – Anastasia Costa"]);
    salon.rename("Ana", 3, &[VISIT]).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – Ana"]);
}

#[tokio::test]
async fn the_entry_of_a_visit_that_was_booked_before_its_customer_was_known_gets_the_name() {
    let salon = Salon::with_calendar().await;
    let unknown = Appointment { customer_name: String::new(), ..visit(VISIT, 1, &[(MIA, "Cut", 9, 30)]) };
    salon.publish(unknown).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – Walk-in"]);
    salon.rename("Ana", 1, &[VISIT]).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – Ana"]);
}

#[tokio::test]
async fn the_entry_of_a_visit_under_way_is_renamed_and_that_of_a_past_one_stays() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.publish(visit(VISIT + 1, 1, &[(MIA, "Colour", 10, 45)])).await;
    salon.time.advance(SignedDuration::from_mins(135));
    salon.rename("Ana Costa", 1, &[VISIT, VISIT + 1]).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – Ana", "Colour – Ana Costa"]);
}

#[tokio::test]
async fn a_name_that_is_told_again_is_not_written_again() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.rename("Ana Costa", 1, &[VISIT]).await;
    let wanted = "SELECT wanted + (SELECT count(*) FROM sync_history) FROM calendar_write";
    let before = salon.count(wanted).await;
    for version in [1, 2] {
        salon.rename("Ana Costa", version, &[VISIT]).await;
        assert_eq!(salon.count(wanted).await, before);
    }
}

#[tokio::test]
async fn a_name_and_a_service_may_have_the_separator_of_titles() {
    let salon = Salon::with_calendar().await;
    let named = |name: &str| Appointment {
        customer_name: name.to_owned(),
        ..visit(VISIT, 1, &[(MIA, "Cut – short", 9, 30)])
    };
    salon.publish(named("Ana – with Leo")).await;
    salon.rename("Ana", 1, &[VISIT]).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – short – Ana"]);
    // As a release before planned it.
    salon.meddle("UPDATE booked_part SET services = NULL").await;
    salon.rename("Ana Costa", 2, &[VISIT]).await;
    assert_eq!(salon.titles(CALENDAR).await, ["Cut – short – Ana Costa"]);
}

#[tokio::test]
async fn a_name_brings_no_entry_of_a_cancelled_visit_back() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.publish(visit(VISIT, 2, &[])).await;
    salon.rename("Ana Costa", 1, &[VISIT]).await;
    assert!(salon.events(CALENDAR).await.is_empty());
    assert_eq!(salon.count("SELECT count(*) FROM calendar_write").await, 0);
}
