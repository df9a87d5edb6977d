//! Events whose time scheduling does not hold as a whole: each alone, and visibly.

use jiff::{SignedDuration, Timestamp};
use proto::{
    frontdesk::{
        calendarsync::v1::{EventShortfall, PutDemoEventRequest, ShortfallReason},
        scheduling::internal::v1::{OutOfRange, Refused, shortfall::Kind},
    },
    time::to_proto,
};
use tonic::Status;

use crate::{
    calendars::field,
    salon::{CALENDAR, SALON, Salon, at, putting},
    scheduling::Imported,
};

const HOUR: SignedDuration = SignedDuration::from_hours(1);

fn held(imported: &Imported) -> Vec<&str> {
    imported.busy.keys().map(|(_, id)| id.as_str()).collect()
}

fn times_told(imported: &Imported, event: &str) -> usize {
    let facts = imported.requests.iter().flat_map(|request| &request.facts);
    facts.filter(|fact| fact.external_id == event).count()
}

pub fn unreadable() -> Kind {
    Kind::Refused(Refused { field: "title".to_owned(), fault: "is a riddle".to_owned() })
}

async fn shown(salon: &Salon) -> (i32, Vec<EventShortfall>) {
    let calendar = salon.calendar().await;
    assert_eq!(calendar.last_error, "", "one event puts no calendar out of step");
    (calendar.shortfall_count, calendar.shortfalls)
}

/// Waits until the calendar was read through after `event` was put there.
async fn put(salon: &Salon, event: &str, hour: i64) {
    salon.put(event, hour).await.unwrap();
    let behind = "SELECT max(change) - (SELECT token::bigint FROM sync_state) FROM demo_event";
    salon.until(async || salon.count(behind).await == 0).await;
}

#[tokio::test]
async fn one_event_that_is_not_taken_is_shown_and_stops_no_other() {
    let salon = Salon::with_calendar().await;
    salon.scheduling.fall_short("riddle", unreadable());
    put(&salon, "riddle", 9).await;
    put(&salon, "dentist", 11).await;
    assert_eq!(held(&salon.scheduling.imported()), ["dentist"]);
    let riddle = EventShortfall {
        starts_at: Some(to_proto(at(9, 0))),
        ends_at: Some(to_proto(at(10, 0))),
        reason: ShortfallReason::Refused.into(),
        held_until: None,
        fault: "title is a riddle".to_owned(),
    };
    assert_eq!(shown(&salon).await, (1, vec![riddle]));
    // Told once, and not with every change.
    assert_eq!(times_told(&salon.scheduling.imported(), "riddle"), 1);
    salon.scheduling.fall_short("riddle", None);
    salon.time.advance(HOUR);
    salon.scheduling.until(|imported| held(imported) == ["dentist", "riddle"]).await;
    salon.until(async || shown(&salon).await.0 == 0).await;
}

#[tokio::test]
async fn a_shortfall_goes_when_its_event_is_changed_or_deleted() {
    let salon = Salon::with_calendar().await;
    for event in ["changed", "deleted"] {
        salon.scheduling.fall_short(event, Kind::OutOfRange(OutOfRange {}));
        put(&salon, event, 9).await;
    }
    let (count, shortfalls) = shown(&salon).await;
    assert_eq!(count, 2);
    assert!(shortfalls.iter().all(|shortfall| shortfall.reason() == ShortfallReason::OutOfRange));
    salon.scheduling.fall_short("changed", None);
    put(&salon, "changed", 12).await;
    salon.delete("deleted").await.unwrap();
    salon.until(async || shown(&salon).await.0 == 0).await;
    assert_eq!(held(&salon.scheduling.imported()), ["changed"]);
    // What lies where nothing is booked stays there: it is not told again.
    assert_eq!(times_told(&salon.scheduling.imported(), "deleted"), 2);
}

#[tokio::test]
async fn a_long_event_is_held_further_before_what_is_held_of_it_runs_out() {
    let salon = Salon::with_calendar().await;
    let days = |days: i64| salon.time.now() + SignedDuration::from_hours(24 * days);
    let until = days(365);
    salon.scheduling.fall_short("sabbatical", Kind::HeldUntil(to_proto(until)));
    put(&salon, "sabbatical", 9).await;
    let (_, shortfalls) = shown(&salon).await;
    assert_eq!(shortfalls[0].reason(), ShortfallReason::TooLong);
    assert_eq!(shortfalls[0].held_until, Some(to_proto(until)));
    salon.time.advance(SignedDuration::from_hours(24 * 100));
    put(&salon, "dentist", 11).await;
    assert_eq!(times_told(&salon.scheduling.imported(), "sabbatical"), 1);
    salon.scheduling.fall_short("sabbatical", None);
    salon.time.advance(SignedDuration::from_hours(24 * 100));
    salon.scheduling.until(|imported| times_told(imported, "sabbatical") == 2).await;
    salon.until(async || shown(&salon).await.0 == 0).await;
}

#[tokio::test]
async fn the_first_of_many_shortfalls_are_shown_and_all_are_counted() {
    let salon = Salon::with_calendar().await;
    for hour in (8..14).rev() {
        let event = format!("riddle-{hour}");
        salon.scheduling.fall_short(&event, unreadable());
        put(&salon, &event, hour).await;
    }
    let (count, shortfalls) = shown(&salon).await;
    let starts: Vec<_> = shortfalls.iter().map(|shortfall| shortfall.starts_at.unwrap()).collect();
    assert_eq!((count, starts), (6, [8, 9, 10].map(|hour| to_proto(at(hour, 0))).to_vec()));
}

#[tokio::test]
async fn a_demo_event_lies_where_something_can_be_booked_and_is_no_longer_than_is_held() {
    let salon = Salon::with_calendar().await;
    let put = async |from: &str, to: &str| -> Result<(), Status> {
        let time = |text: &str| Some(to_proto(text.parse::<Timestamp>().unwrap()));
        let message = PutDemoEventRequest { starts_at: time(from), ends_at: time(to), ..putting("event", 9) };
        let request = testkit::as_user(&salon.host, caller::Role::Employee, SALON, message);
        salon.demo().put_demo_event(request).await.map(drop)
    };
    let refused = async |from: &str, to: &str| field(&put(from, to).await.unwrap_err());
    assert_eq!(refused("1999-12-31T23:59:59Z", "2000-01-01T00:00:00Z").await, "starts_at");
    assert_eq!(refused("2199-12-31T00:00:00Z", "2200-01-01T00:00:00Z").await, "ends_at");
    assert_eq!(refused("2026-01-01T00:00:00Z", "2027-01-02T00:00:01Z").await, "ends_at");
    assert_eq!(refused("2026-01-01T00:00:00Z", "2025-01-01T00:00:00Z").await, "ends_at");
    assert_eq!(salon.events(CALENDAR).await, []);
    put("2026-01-01T00:00:00Z", "2027-01-02T00:00:00Z").await.unwrap();
}
