//! Employees of a booking system who are mapped to none once what was written for them is taken out there.

use caller::Role;
use demo_provider::Fault;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{ListProviderRecordsRequest, ProviderRecord, ProviderRecordKind},
};
use testkit::as_user;

use crate::{
    disconnecting::{disconnect, end_system, hold_writes, keep, let_write, mapped, there},
    others::write_out,
    provider::{client, map, unmap},
    salon::{MIA, SALON, Salon, TOM},
};

/// What is known of an employee there.
async fn record(salon: &Salon, connection: &str, external: &str) -> ProviderRecord {
    let message =
        ListProviderRecordsRequest { business_id: SALON.to_string(), connection_id: connection.to_owned() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let records = client(salon).list_provider_records(request).await.unwrap().into_inner().records;
    let found = records
        .into_iter()
        .find(|one| one.kind() == ProviderRecordKind::Employee && one.external_id == external);
    found.unwrap()
}

async fn until_free(salon: &Salon, connection: &str, external: &str) {
    salon
        .until(async || {
            salon.meddle("UPDATE sync_state SET due_at = '2026-06-01'").await;
            record(salon, connection, external).await.calendar_id.is_empty()
                && salon.count("SELECT count(*) FROM provider_calendar").await == 1
        })
        .await;
}

#[tokio::test]
async fn what_was_written_for_an_employee_is_taken_out_and_they_can_be_mapped_to_another_then() {
    let (salon, system, connection) = mapped().await;
    let before = record(&salon, &connection, "P1").await;
    assert_eq!((before.written_count, before.cleanup.is_none()), (1, true));
    assert!(!before.calendar_id.is_empty());
    hold_writes(&salon).await;
    let ending = unmap(&salon, &connection, "P1").await.unwrap();
    let cleanup = ending.cleanup.as_ref().unwrap();
    assert_eq!((cleanup.left_count, cleanup.event_count, ending.written_count), (1, 1, 0));
    assert_eq!((ending.mapped_id.as_str(), &ending.calendar_id), ("", &before.calendar_id));
    let refused = map(&salon, &connection, "P1", Some(MIA)).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::InUse));
    assert!(refused.message().contains("still taken out"), "{refused:?}");
    assert_eq!(there(&system), 3);
    let_write(&salon).await;
    until_free(&salon, &connection, "P1").await;
    assert_eq!(there(&system), 2, "Tom's and the system's own stay");
    map(&salon, &connection, "P2", None).await.unwrap();
    salon
        .until(async || {
            salon.meddle("UPDATE sync_state SET due_at = '2026-06-01'").await;
            salon.count("SELECT count(*) FROM provider_calendar").await == 0
        })
        .await;
    assert_eq!(there(&system), 2, "what was to stay is there");
    map(&salon, &connection, "P1", Some(TOM)).await.unwrap();
    write_out(&salon).await;
    assert_eq!(there(&system), 3, "his is written for his new mapping");
}

#[tokio::test]
async fn what_can_not_be_taken_out_says_why_and_can_be_left_or_kept() {
    let (salon, system, connection) = mapped().await;
    system.fail(Fault::Unavailable, 1_000);
    unmap(&salon, &connection, "P1").await.unwrap();
    let fault = async |external: &str| {
        record(&salon, &connection, external).await.cleanup.is_some_and(|cleanup| !cleanup.fault.is_empty())
    };
    salon.until(async || fault("P1").await).await;
    assert!(unmap(&salon, &connection, "P1").await.unwrap().cleanup.is_some(), "it is tried again");
    map(&salon, &connection, "P1", None).await.unwrap();
    until_free(&salon, &connection, "P1").await;
    unmap(&salon, &connection, "P2").await.unwrap();
    let ending = record(&salon, &connection, "P2").await;
    keep(&salon, &ending.calendar_id).await.unwrap();
    let kept = record(&salon, &connection, "P2").await;
    assert_eq!((kept.mapped_id, kept.cleanup), (TOM.to_string(), None));
    system.mend();
    salon.time.advance(SignedDuration::from_mins(10));
    write_out(&salon).await;
    assert_eq!(there(&system), 3);
}

#[tokio::test]
async fn a_system_that_is_disconnected_ends_what_is_still_taken_out_of_it_as_its_owner_says() {
    let (salon, _, connection) = mapped().await;
    hold_writes(&salon).await;
    unmap(&salon, &connection, "P1").await.unwrap();
    end_system(&salon, &connection, false).await;
    salon
        .until(async || {
            salon.meddle("UPDATE sync_state SET due_at = '2026-06-01'").await;
            salon.count("SELECT count(*) FROM provider_connection").await == 0
        })
        .await;
    assert_eq!(salon.count("SELECT count(*) FROM calendar_cleanup").await, 0);
}

#[tokio::test]
async fn the_calendar_of_a_mapped_employee_ends_by_either_way() {
    let (salon, system, connection) = mapped().await;
    let calendar = record(&salon, &connection, "P1").await.calendar_id;
    hold_writes(&salon).await;
    disconnect(&salon, &calendar, true).await.unwrap();
    assert!(record(&salon, &connection, "P1").await.cleanup.is_some());
    let_write(&salon).await;
    until_free(&salon, &connection, "P1").await;
    assert_eq!(there(&system), 2);
}
