//! Scheduling is told as of when each calendar is known.

use std::sync::atomic::Ordering;

use caller::Role;
use demo_provider::Fault;
use jiff::SignedDuration;
use proto::{
    frontdesk::{calendarsync::v1::DisconnectCalendarRequest, scheduling::v1::BusySourceKind},
    time::to_proto,
};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    provider::{connected, map, sync},
    salon::{CALENDAR, MIA, SALON, Salon},
};

#[tokio::test]
async fn a_calendar_that_was_read_is_reported_with_when_and_then_once_a_minute() {
    let salon = Salon::with_calendar().await;
    let first = to_proto(salon.time.now());
    let told = salon
        .scheduling
        .until_reported(|told| told.of(CALENDAR).is_some_and(|report| report.read_at == Some(first)));
    let told = told.await;
    let report = told.of(CALENDAR).unwrap();
    assert_eq!((report.employee_id.as_str(), report.name.as_str()), (MIA.to_string().as_str(), "Private"));
    assert_eq!((report.kind(), report.failing_since, report.gone), (BusySourceKind::Demo, None, false));
    // Readings within the minute are reported together.
    let in_a_minute = "SELECT count(*) FROM sync_state WHERE report_due_at = timestamptz '2026-06-01 08:01Z'";
    salon.until(async || salon.count(in_a_minute).await == 1).await;
    salon.time.advance(SignedDuration::from_secs(30));
    salon.until(async || salon.calendar().await.synced_at == Some(to_proto(salon.time.now()))).await;
    assert_eq!(salon.count(in_a_minute).await, 1);
    salon.time.advance(SignedDuration::from_secs(31));
    salon.read_again().await;
    let later = salon.scheduling.until_reported(|now| now.calls > told.calls).await;
    assert!(later.of(CALENDAR).unwrap().read_at.unwrap().seconds > first.seconds);
}

#[tokio::test]
async fn a_booking_system_that_stops_answering_is_reported_with_its_last_reading_and_again_once_it_answers() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    let calendar: Uuid = salon.calendar().await.id.parse().unwrap();
    let read_at = salon.calendar().await.synced_at;
    salon
        .scheduling
        .until_reported(|told| told.of(calendar).is_some_and(|report| report.read_at == read_at))
        .await;
    system.fail(Fault::Unavailable, 1_000);
    salon.time.advance(SignedDuration::from_secs(60));
    salon.read_again().await;
    let failing = salon
        .scheduling
        .until_reported(|told| told.of(calendar).is_some_and(|report| report.failing_since.is_some()));
    let failing = failing.await;
    let report = failing.of(calendar).unwrap();
    assert_eq!((report.kind(), report.read_at), (BusySourceKind::Provider, read_at));
    assert!(!report.reason.is_empty());
    let since = report.failing_since;
    // More failures don't move the beginning.
    salon.time.advance(SignedDuration::from_secs(120));
    salon.read_again().await;
    salon.until(async || salon.count("SELECT max(failures)::bigint FROM sync_state").await >= 2).await;
    let still = salon.scheduling.until_reported(|told| told.calls > failing.calls).await;
    assert_eq!(still.of(calendar).unwrap().failing_since, since);
    system.mend();
    salon.time.advance(SignedDuration::from_secs(600));
    salon.read_again().await;
    let now = to_proto(salon.time.now());
    let again = salon
        .scheduling
        .until_reported(|told| told.of(calendar).is_some_and(|report| report.read_at == Some(now)));
    assert_eq!(again.await.of(calendar).unwrap().failing_since, None);
}

#[tokio::test]
async fn a_report_that_got_lost_is_made_again() {
    let salon = Salon::open().await;
    salon.scheduling.lost_reports.store(1, Ordering::SeqCst);
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.until(async || salon.scheduling.lost_reports.load(Ordering::SeqCst) == 0).await;
    salon.time.advance(SignedDuration::from_secs(10));
    let told = salon.scheduling.until_reported(|told| told.of(CALENDAR).is_some()).await;
    assert!(!told.of(CALENDAR).unwrap().gone);
}

#[tokio::test]
async fn a_calendar_that_is_disconnected_is_reported_as_gone() {
    let salon = Salon::with_calendar().await;
    salon.scheduling.until_reported(|told| told.of(CALENDAR).is_some()).await;
    let message = DisconnectCalendarRequest {
        business_id: SALON.to_string(),
        calendar_id: CALENDAR.to_string(),
        take_out: false,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().disconnect_calendar(request).await.unwrap();
    salon.scheduling.until_reported(|told| told.of(CALENDAR).is_some_and(|report| report.gone)).await;
    salon.until(async || salon.count("SELECT count(*) FROM calendar").await == 0).await;
}
