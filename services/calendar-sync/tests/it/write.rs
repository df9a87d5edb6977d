//! Appointments in calendars.

use jiff::SignedDuration;
use proto::{
    frontdesk::scheduling::v1::{Appointment, AppointmentState},
    time::to_proto,
};
use uuid::Uuid;

use crate::salon::{CALENDAR, MIA, SALON, Salon, TOM, TOMS, at, visit};

const VISIT: u128 = 0xF1;

/// Titles and hours of what is in a calendar.
async fn shown(salon: &Salon, calendar: Uuid) -> Vec<(String, i64)> {
    let events = salon.events(calendar).await;
    let hour = |seconds: i64| (seconds - at(0, 0).as_second()) / 3600;
    events.into_iter().map(|event| (event.title, hour(event.starts_at.unwrap().seconds))).collect()
}

fn entry(title: &str, hour: i64) -> (String, i64) {
    (title.to_owned(), hour)
}

#[tokio::test]
async fn each_booked_employee_has_their_part_in_their_own_calendars() {
    let salon = Salon::open().await;
    let second = Uuid::from_u128(0xCA9);
    for (calendar, employee) in [(CALENDAR, MIA), (second, MIA), (TOMS, TOM)] {
        salon.connect(calendar, employee).await.unwrap();
    }
    let items =
        [(MIA, "Wash", 9, 60), (MIA, "Cut", 10, 30), (TOM, "Colour", 11, 45), (MIA, "Blow-dry", 13, 30)];
    salon.publish(visit(VISIT, 1, &items)).await;
    let mias = [entry("Wash + Cut – Ana", 9), entry("Blow-dry – Ana", 13)];
    assert_eq!(shown(&salon, CALENDAR).await, mias);
    assert_eq!(shown(&salon, second).await, mias);
    assert_eq!(shown(&salon, TOMS).await, [entry("Colour – Ana", 11)]);
    let event = salon.events(CALENDAR).await.remove(0);
    assert_eq!(event.appointment_id, Uuid::from_u128(VISIT).to_string());
    assert_eq!(event.ends_at, Some(to_proto(at(10, 30))));
}

#[tokio::test]
async fn a_moved_appointment_moves_its_events_and_a_cancelled_one_takes_them_away() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.connect(TOMS, TOM).await.unwrap();
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    let id = salon.events(CALENDAR).await.remove(0).id;
    salon.publish(visit(VISIT, 2, &[(MIA, "Cut", 14, 30)])).await;
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Cut – Ana", 14)]);
    assert_eq!(salon.events(CALENDAR).await[0].id, id);
    salon.publish(visit(VISIT, 3, &[(TOM, "Cut", 14, 30)])).await;
    assert!(shown(&salon, CALENDAR).await.is_empty());
    assert_eq!(shown(&salon, TOMS).await, [entry("Cut – Ana", 14)]);
    let cancelled = AppointmentState::Cancelled.into();
    salon.publish(Appointment { state: cancelled, ..visit(VISIT, 4, &[(TOM, "Cut", 14, 30)]) }).await;
    assert!(shown(&salon, TOMS).await.is_empty());
    assert_eq!(salon.count("SELECT count(*) FROM calendar_write").await, 0);
    assert_eq!(salon.count("SELECT count(*) FROM booked_part").await, 0);
}

#[tokio::test]
async fn a_change_that_does_not_show_is_not_written() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    let change = salon.count("SELECT change FROM demo_calendar").await;
    let arrived = AppointmentState::Arrived.into();
    salon.publish(Appointment { state: arrived, ..visit(VISIT, 2, &[(MIA, "Cut", 9, 30)]) }).await;
    assert_eq!(salon.count("SELECT change FROM demo_calendar").await, change);
}

#[tokio::test]
async fn a_calendar_connected_later_gets_what_is_still_to_be_done() {
    let salon = Salon::open().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.publish(visit(VISIT + 1, 1, &[(MIA, "Early cut", 6, 30)])).await;
    salon.publish(visit(VISIT + 2, 1, &[(TOM, "Colour", 9, 30)])).await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.until_written().await;
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Cut – Ana", 9)]);
    salon.publish(visit(VISIT, 2, &[(MIA, "Cut", 10, 30)])).await;
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Cut – Ana", 10)]);
}

#[tokio::test]
async fn a_write_whose_outcome_was_lost_is_repeated_without_a_second_event() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    let before = salon.events(CALENDAR).await;
    // As after a crash between the calendar's answer and its record.
    salon.meddle("UPDATE calendar_write SET written = 0, etag = NULL").await;
    salon.until_written().await;
    assert_eq!(salon.events(CALENDAR).await, before);
    assert_eq!(salon.count("SELECT count(*) FROM demo_event").await, 1);
}

#[tokio::test]
async fn what_the_owner_did_to_our_event_is_written_over_by_the_next_change() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    let id = salon.events(CALENDAR).await.remove(0).id;
    salon.put(&id, 20).await.unwrap();
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Dentist", 20)]);
    salon.publish(visit(VISIT, 2, &[(MIA, "Cut", 10, 30)])).await;
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Cut – Ana", 10)]);
    salon.delete(&id).await.unwrap();
    salon.publish(visit(VISIT, 3, &[(MIA, "Cut", 11, 30)])).await;
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Cut – Ana", 11)]);
    salon.put(&id, 20).await.unwrap();
    let cancelled = AppointmentState::Cancelled.into();
    salon.publish(Appointment { state: cancelled, ..visit(VISIT, 4, &[]) }).await;
    assert!(shown(&salon, CALENDAR).await.is_empty());
}

#[tokio::test]
async fn a_calendar_that_can_t_be_written_says_why_and_is_tried_again_later() {
    let salon = Salon::with_calendar().await;
    salon.meddle("ALTER TABLE demo_event ADD CONSTRAINT broken CHECK (title <> 'Cut – Ana')").await;
    salon.scheduling.publish(&salon.host, &SALON.to_string(), visit(VISIT, 1, &[(MIA, "Cut", 9, 30)]));
    salon.until(async || salon.calendar().await.unwritten_count == 1).await;
    let calendar = salon.calendar().await;
    let unwritten = &calendar.unwritten[0];
    assert_eq!((unwritten.title.as_str(), unwritten.fault.as_str()), ("Cut – Ana", "the database failed"));
    assert!(!unwritten.is_refused, "it is tried again");
    assert_eq!(calendar.last_error, "", "it is read as it should be");
    salon.publish_another_employee().await;
    salon.meddle("ALTER TABLE demo_event DROP CONSTRAINT broken").await;
    salon.time.advance(jiff::SignedDuration::from_secs(4));
    salon.until_written().await;
    assert_eq!(salon.calendar().await.unwritten_count, 0);
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Cut – Ana", 9)]);
}

impl Salon {
    /// One calendar's failure is no other's.
    async fn publish_another_employee(&self) {
        self.connect(TOMS, TOM).await.unwrap();
        self.scheduling.publish(
            &self.host,
            &SALON.to_string(),
            visit(VISIT + 1, 1, &[(TOM, "Colour", 9, 30)]),
        );
        self.until(async || !self.events(TOMS).await.is_empty()).await;
    }
}

#[tokio::test]
async fn an_appointment_that_can_t_be_read_is_parked_and_others_go_on() {
    let salon = Salon::with_calendar().await;
    let mut endless = visit(VISIT, 1, &[(MIA, "Cut", 9, 30)]);
    endless.items[0].ends_at = endless.items[0].starts_at;
    salon.publish(endless).await;
    salon.publish(visit(VISIT + 1, 1, &[(MIA, "Colour", 10, 30)])).await;
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Colour – Ana", 10)]);
    assert_eq!(salon.count("SELECT count(*) FROM outbox_parked").await, 1);
}

#[tokio::test]
async fn two_replicas_write_each_event_once() {
    let salon = Salon::with_calendar().await;
    let _second = salon.replica().await;
    for n in 0..20 {
        salon.scheduling.publish(
            &salon.host,
            &SALON.to_string(),
            visit(VISIT + n, 1, &[(MIA, "Cut", 9, 30)]),
        );
    }
    salon.publish(visit(VISIT + 20, 1, &[(MIA, "Cut", 9, 30)])).await;
    assert_eq!(salon.events(CALENDAR).await.len(), 21);
    assert_eq!(salon.count("SELECT change FROM demo_calendar").await, 21);
}

#[tokio::test]
async fn a_calendar_of_a_kind_that_this_release_does_not_know_stops_no_other() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.connect(TOMS, TOM).await.unwrap();
    let read = "SELECT count(*) FROM sync_state WHERE synced_at IS NOT NULL";
    salon.until(async || salon.count(read).await == 2).await;
    salon
        .meddle(&format!(
            "ALTER TABLE calendar DROP CONSTRAINT calendar_kind_check;
             UPDATE calendar SET kind = 'LATER' WHERE id = '{TOMS}';
             UPDATE sync_state SET synced_at = NULL, due_at = '2000-01-01', report_due_at = '2000-01-01'"
        ))
        .await;
    let told = salon.time.now() + SignedDuration::from_secs(60);
    let read_and_told = format!("{read} AND report_due_at = '{told}'");
    salon.until(async || salon.count(&read_and_told).await == 1).await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30), (TOM, "Cut", 10, 30)])).await;
    assert_eq!(shown(&salon, CALENDAR).await, [entry("Cut – Ana", 9)]);
}
