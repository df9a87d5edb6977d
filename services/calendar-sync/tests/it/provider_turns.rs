//! How often a booking system is called, and by whom: one worker at a time, no more calls than it allows, and one
//! bad record alone.

use caller::Role;
use demo_provider::Fault;
use proto::frontdesk::calendarsync::v1::{
    CompareProviderAvailabilityRequest, CompareProviderAvailabilityResponse, DisconnectProviderRequest,
};
use testkit::as_user;

use crate::{
    desk::DAY,
    provider::{client, connected, map, own, sync},
    salon::{MIA, SALON, Salon, TOM, visit},
};

async fn compare(salon: &Salon, connection: &str) -> CompareProviderAvailabilityResponse {
    let message = CompareProviderAvailabilityRequest {
        business_id: SALON.to_string(),
        connection_id: connection.to_owned(),
        date: DAY.to_owned(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    client(salon).compare_provider_availability(request).await.unwrap().into_inner()
}

#[tokio::test]
async fn two_replicas_never_work_on_one_connection_at_once() {
    let (salon, system, connection) = connected().await;
    salon.replica().await;
    sync(&salon, &connection, false).await;
    for (record, employee) in [("P1", MIA), ("P2", TOM)] {
        map(&salon, &connection, record, Some(employee)).await.unwrap();
    }
    system.forget_concurrency();
    for n in 0..20 {
        let employee = if n % 2 == 0 { MIA } else { TOM };
        let hour = 9 + i64::try_from(n / 2).unwrap();
        salon.scheduling.publish(
            &salon.host,
            &SALON.to_string(),
            visit(0xF00 + n, 1, &[(employee, "Cut", hour, 30)]),
        );
    }
    salon
        .until(async || {
            // A turn that met another one is handed back.
            salon.meddle("UPDATE calendar_write SET due_at = '2026-06-01' WHERE written < wanted").await;
            salon.count("SELECT count(*) FROM calendar_write WHERE written = wanted").await == 20
        })
        .await;
    assert_eq!(system.edit(|book| book.appointments().len()), 20);
    assert_eq!(system.most_at_once(), 1);
}

#[tokio::test]
async fn a_connection_that_used_up_its_calls_waits_and_nothing_counts_as_failed() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    salon.meddle("UPDATE provider_connection SET called_up_to = '2036-06-01'").await;
    salon.scheduling.publish(&salon.host, &SALON.to_string(), visit(0xF1, 1, &[(MIA, "Cut", 9, 30)]));
    let waits = "SELECT count(*) FROM calendar_write WHERE due_at > '2030-01-01' AND failures = 0
        AND last_error IS NULL AND written < wanted";
    salon.until(async || salon.count(waits).await == 1).await;
    assert!(system.edit(|book| book.appointments().is_empty()));
    // Interactively, that is said.
    let compared = compare(&salon, &connection).await;
    assert!(compared.employees[0].fault.contains("no more calls"), "{:?}", compared.employees);

    salon.meddle("UPDATE provider_connection SET called_up_to = '2000-01-01'").await;
    salon.meddle("UPDATE calendar_write SET due_at = '2026-06-01'").await;
    salon.until_written().await;
    assert_eq!(system.edit(|book| book.appointments().len()), 1);
}

#[tokio::test]
async fn a_system_that_asks_to_be_left_alone_is_left_alone_for_as_long() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    system.fail(Fault::TooManyRequests, 1);
    salon.read_again().await;
    let rests = "SELECT count(*) FROM provider_connection WHERE called_up_to > '2026-01-01'
        AND called_up_to > connected_at + interval '1 second'";
    salon.until(async || salon.count(rests).await == 1).await;
    assert_eq!(salon.calendar().await.last_error, "");
}

#[tokio::test]
async fn an_appointment_that_makes_no_sense_is_put_aside_alone() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    let now = salon.time.now();
    system.edit(|book| book.put("A1", own("P1", 11), None, "Mia", now).map(drop)).unwrap();
    system.edit(|book| book.garble("A2", "P1", now));
    system.edit(|book| book.put("A3", own("P1", 14), None, "Mia", now).map(drop)).unwrap();
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 2).await;
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    assert_eq!(salon.count("SELECT count(*) FROM unread_entry").await, 1);
    assert_eq!(salon.calendar().await.last_error, "");
}

#[tokio::test]
async fn free_time_is_compared_and_a_system_that_is_away_leaves_its_side_unknown() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    // The first reading meets no fault that is meant for a comparison.
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    let now = salon.time.now();
    // 11:00 to 11:30 UTC is noon in London.
    system.edit(|book| book.put("A1", own("P1", 11), None, "Mia", now).map(drop)).unwrap();
    let compared = compare(&salon, &connection).await;
    let [mia] = &compared.employees[..] else { panic!("{:?}", compared.employees) };
    let spans: Vec<(i32, i32, bool, bool)> = mia
        .spans
        .iter()
        .map(|span| (span.from_minute, span.to_minute, span.is_free_here, span.is_free_there))
        .collect();
    assert_eq!(spans, [(540, 720, true, true), (720, 750, true, false), (750, 1080, true, true)]);
    assert_eq!((mia.difference_minutes, mia.fault.as_str()), (30, ""));

    system.fail(Fault::Unavailable, 1);
    let unknown = compare(&salon, &connection).await;
    let [mia] = &unknown.employees[..] else { panic!("{:?}", unknown.employees) };
    assert!(mia.fault.contains("503"), "{}", mia.fault);
    assert_eq!((mia.difference_minutes, mia.spans.len()), (0, 1));
    assert!(mia.spans[0].is_free_here);
}

#[tokio::test]
async fn a_disconnected_system_is_forgotten_and_its_busy_time_is_taken_back() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    let now = salon.time.now();
    system.edit(|book| book.put("A1", own("P1", 11), None, "Mia", now).map(drop)).unwrap();
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
    let message = DisconnectProviderRequest {
        business_id: SALON.to_string(),
        connection_id: connection.clone(),
        take_out: false,
    };
    client(&salon).disconnect_provider(as_user(&salon.host, Role::Owner, SALON, message)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.is_empty()).await;
    salon.until(async || salon.count("SELECT count(*) FROM calendar").await == 0).await;
    for table in ["provider_connection", "provider_record", "provider_calendar", "provider_run"] {
        assert_eq!(salon.count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}
