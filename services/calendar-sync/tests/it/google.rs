//! Calendars at Google, against a strict one of the test's own.

mod world;

use std::collections::BTreeSet;

use caller::Role;
use google_fake::Fault;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{calendarsync::v1::CalendarKind, scheduling::v1::AppointmentState},
};
use serde_json::{Value, json};

pub use world::{ACCOUNT, World, event, start, start_with};

use crate::{
    calendars::field,
    salon::{MIA, TOM, visit},
};

fn with(mut event: Value, more: Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        event[name] = value.clone();
    }
    event
}

#[tokio::test]
async fn what_is_entered_there_keeps_the_employee_busy_and_what_goes_frees_them() {
    let (world, calendar) = World::connected().await;
    assert_eq!((calendar.kind(), calendar.name.as_str()), (CalendarKind::Google, ACCOUNT));
    world.put("dentist", event("Dentist", 1, 10));
    world.put("gym", with(event("Gym", 1, 12), json!({ "transparency": "transparent" })));
    let day = json!({ "start": { "date": "2026-06-03" }, "end": { "date": "2026-06-04" } });
    world.put("holiday", with(event("Holiday", 3, 0), day));
    let floating = json!({ "start": { "dateTime": "2026-06-04T09:00:00" }, "end": { "dateTime": "2026-06-04T10:00:00" } });
    world.put("floating", with(event("School", 4, 0), floating));
    let held = [
        "Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z",
        "Holiday 2026-06-02T23:00:00Z 2026-06-03T23:00:00Z",
        "School 2026-06-04T08:00:00Z 2026-06-04T09:00:00Z",
    ];
    world.until_held(&held).await;
    world.google.delete(ACCOUNT, ACCOUNT, "dentist");
    world.until_held(&held[1..]).await;
}

#[tokio::test]
async fn a_series_keeps_its_exceptions_and_ends_at_the_horizon() {
    let (world, _) = World::connected().await;
    world.put("yoga", with(event("Yoga", 1, 7), json!({ "recurrence": ["RRULE:FREQ=DAILY;COUNT=4"] })));
    let exception = |day: u8, status: &str| {
        let original = json!({ "dateTime": format!("2026-06-{day:02}T07:00:00Z") });
        json!({ "recurringEventId": "yoga", "originalStartTime": original, "status": status })
    };
    world.put("yoga_20260602T070000Z", with(event("Yoga", 2, 7), exception(2, "cancelled")));
    world.put("yoga_20260603T070000Z", with(event("Late yoga", 3, 15), exception(3, "confirmed")));
    world
        .until_held(&[
            "Yoga 2026-06-01T07:00:00Z 2026-06-01T07:30:00Z",
            "Late yoga 2026-06-03T15:00:00Z 2026-06-03T15:30:00Z",
            "Yoga 2026-06-04T07:00:00Z 2026-06-04T07:30:00Z",
        ])
        .await;
    // An exception alone changes, and its series is not listed with it.
    world.put("yoga_20260604T070000Z", with(event("No yoga", 4, 7), exception(4, "cancelled")));
    world
        .until_held(&[
            "Yoga 2026-06-01T07:00:00Z 2026-06-01T07:30:00Z",
            "Late yoga 2026-06-03T15:00:00Z 2026-06-03T15:30:00Z",
        ])
        .await;
    world.google.delete(ACCOUNT, ACCOUNT, "yoga");
    world.until_held(&[]).await;
    world.put("forever", with(event("Standing", 1, 7), json!({ "recurrence": ["RRULE:FREQ=WEEKLY"] })));
    world.salon.read_again().await;
    let held = world.salon.scheduling.until(|imported| imported.busy.len() > 50).await;
    assert!(held.busy.len() < 60, "{}", held.busy.len());
}

#[tokio::test]
async fn an_invitation_to_one_day_of_a_series_stands_alone() {
    let (world, _) = World::connected().await;
    let original = json!({ "dateTime": "2026-06-02T07:00:00Z" });
    let lone = json!({ "recurringEventId": "elsewhere", "originalStartTime": original });
    world.put("elsewhere_20260602T070000Z", with(event("Meeting", 2, 7), lone));
    world.until_held(&["Meeting 2026-06-02T07:00:00Z 2026-06-02T07:30:00Z"]).await;
    let original = json!({ "dateTime": "2026-06-02T07:00:00Z" });
    let gone =
        json!({ "recurringEventId": "elsewhere", "originalStartTime": original, "status": "cancelled" });
    world.put("elsewhere_20260602T070000Z", with(event("Meeting", 2, 7), gone));
    world.until_held(&[]).await;
}

#[tokio::test]
async fn a_forgotten_token_reads_all_anew_and_frees_what_went_meanwhile() {
    let (world, _) = World::connected().await;
    world.google.page_of(1);
    world.put("dentist", event("Dentist", 1, 10));
    world.put("school", event("School", 2, 10));
    let both = [
        "Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z",
        "School 2026-06-02T10:00:00Z 2026-06-02T10:30:00Z",
    ];
    world.until_held(&both).await;
    world.google.delete(ACCOUNT, ACCOUNT, "dentist");
    // The tombstone is in no listing: what is held is compared with what is there.
    world.google.forget(ACCOUNT, ACCOUNT);
    world.until_held(&both[1..]).await;
    let first = world.salon.calendar().await.synced_at;
    world.salon.let_pass(SignedDuration::from_hours(8 * 24)).await;
    world.salon.read_again().await;
    world.salon.until(async || world.salon.calendar().await.synced_at != first).await;
    assert_eq!(world.salon.calendar().await.last_error, "", "after a week all is read again by itself");
}

#[tokio::test]
async fn one_event_that_cannot_be_read_stops_no_other() {
    let (world, _) = World::connected().await;
    world.put("riddle", with(event("Riddle", 1, 9), json!({ "start": { "dateTime": "noon" } })));
    world.put("dentist", event("Dentist", 1, 10));
    world.until_held(&["Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z"]).await;
    world.salon.until(async || world.salon.calendar().await.unread_count == 1).await;
    assert_eq!(world.salon.calendar().await.unread[0].reason, "has an invalid time: noon");
    world.put("riddle", event("Riddle", 1, 9));
    world
        .until_held(&[
            "Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z",
            "Riddle 2026-06-01T09:00:00Z 2026-06-01T09:30:00Z",
        ])
        .await;
    world.salon.until(async || world.salon.calendar().await.unread_count == 0).await;
}

/// The one event of ours.
fn ours(world: &World) -> Value {
    let events = world.google.events(ACCOUNT, ACCOUNT);
    assert_eq!(events.len(), 1, "{events:?}");
    events.into_iter().next().unwrap()
}

#[tokio::test]
async fn an_appointment_is_one_event_there_through_moves_lost_answers_and_other_hands() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    world.google.fail(Fault::LostAnswer, 1);
    salon.publish_and_wait_out(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let event = ours(&world);
    assert_eq!(event["summary"], "Cut – Ana");
    assert_eq!(event["extendedProperties"]["private"]["frontdeskEvent"], event["id"]);
    let id = event["id"].as_str().unwrap().to_owned();

    // Someone else moved it: the appointment is what counts, and the event stays the same one.
    world.google.put(ACCOUNT, ACCOUNT, &id, with(event.clone(), json!({ "summary": "Lunch" })));
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 11, 30)])).await;
    let moved = ours(&world);
    assert_eq!((moved["id"].as_str(), moved["summary"].as_str()), (Some(id.as_str()), Some("Cut – Ana")));
    assert_eq!(moved["start"]["dateTime"], "2026-06-01T11:00:00Z");

    // Someone else deleted it: its id is used up, and comes to life again.
    world.google.delete(ACCOUNT, ACCOUNT, &id);
    salon.publish(visit(0xF1, 3, &[(MIA, "Cut", 12, 30)])).await;
    assert_eq!(
        (ours(&world)["id"].as_str(), ours(&world)["status"].as_str()),
        (Some(id.as_str()), Some("confirmed"))
    );

    world.google.fail(Fault::LostAnswer, 1);
    let mut cancelled = visit(0xF1, 4, &[(MIA, "Cut", 12, 30)]);
    cancelled.state = AppointmentState::Cancelled.into();
    salon.publish_and_wait_out(cancelled).await;
    assert!(world.google.events(ACCOUNT, ACCOUNT).is_empty());
    world.until_held(&[]).await;
}

#[tokio::test]
async fn an_event_of_ours_is_not_busy_time_and_a_copy_of_it_is() {
    let (world, _) = World::connected().await;
    world.salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let event = ours(&world);
    world.put("copy", with(event, json!({ "id": "copy" })));
    world.until_held(&["Cut – Ana 2026-06-01T09:00:00Z 2026-06-01T09:30:00Z"]).await;
}

#[tokio::test]
async fn google_is_left_alone_when_it_says_so_and_nothing_is_called_a_failure() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    for fault in [Fault::RateLimited, Fault::TooManyRequests] {
        world.google.fail(fault, 1);
        salon.read_again().await;
        let rests = "SELECT count(*) FROM google_grant WHERE throttled > 0";
        salon.until(async || salon.count(rests).await == 1).await;
        salon
            .until(async || salon.count("SELECT count(*) FROM sync_state WHERE lease IS NOT NULL").await == 0)
            .await;
        let calendar = salon.calendar().await;
        assert_eq!(calendar.last_error, "");
        world.put("dentist", event("Dentist", 1, 10));
        salon.let_pass(SignedDuration::from_mins(11)).await;
        world.until_held(&["Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z"]).await;
        salon.until(async || salon.count(rests).await == 0).await;
    }
}

#[tokio::test]
async fn a_calendar_that_may_only_be_read_or_that_is_connected_is_refused() {
    let world = World::open().await;
    let fake = &world.google;
    fake.add_calendar(ACCOUNT, "holidays", "Holidays", google_fake::Role::Reader);
    fake.add_calendar(ACCOUNT, "work/1#a", "Work", google_fake::Role::Writer);
    let missing = world.connect(ACCOUNT, MIA).await.unwrap_err();
    assert_eq!(field(&missing), "external_id");
    world.allow().await;
    let listed = world.calendars().await.unwrap().calendars;
    let names: BTreeSet<_> = listed.iter().map(|found| (found.name.as_str(), found.kind())).collect();
    assert_eq!(names, BTreeSet::from([(ACCOUNT, CalendarKind::Google), ("Work", CalendarKind::Google)]));
    for wrong in ["holidays", "made-up"] {
        assert_eq!(field(&world.connect(wrong, MIA).await.unwrap_err()), "external_id", "{wrong}");
    }
    world.connect("work/1#a", MIA).await.unwrap();
    let again = world.connect("work/1#a", TOM).await.unwrap_err();
    assert_eq!(reason_of(&again), Some(Reason::AlreadyExists));
    let below = world.connect_as(Role::Employee, ACCOUNT, TOM).await.unwrap_err();
    assert_eq!(reason_of(&below), Some(Reason::RoleTooLow));
}

#[tokio::test]
async fn disconnecting_takes_back_what_was_told() {
    let (world, calendar) = World::connected().await;
    world.put("dentist", event("Dentist", 1, 10));
    world.until_held(&["Dentist 2026-06-01T10:00:00Z 2026-06-01T10:30:00Z"]).await;
    world.disconnect(&calendar).await;
    world.salon.until(async || world.salon.count("SELECT count(*) FROM google_calendar").await == 0).await;
    assert!(world.salon.scheduling.imported().busy.is_empty());
    world.connect(ACCOUNT, MIA).await.unwrap();
}
