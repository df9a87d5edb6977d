//! Entries in employees' calendars of the visits of a person who is erased.

use proto::frontdesk::{
    erasure::internal::v1::{
        ErasePersonRequest, ErasePersonResponse, KnownRecord,
        person_erasure_service_client::PersonErasureServiceClient,
    },
    scheduling::v1::Appointment,
};
use uuid::Uuid;

use crate::{
    consistency::check,
    renaming::ANA,
    salon::{CALENDAR, MIA, SALON, Salon, visit},
};

const VISIT: u128 = 0xF1;

async fn erase(salon: &Salon, version: i64) -> ErasePersonResponse {
    let message = ErasePersonRequest {
        business_id: SALON.to_string(),
        customers: vec![KnownRecord { id: ANA.to_string(), version: 2 }],
        visits: vec![KnownRecord { id: Uuid::from_u128(VISIT).to_string(), version }],
        ..Default::default()
    };
    let request = testkit::as_service("tenancy", &salon.host, Some(SALON), message);
    let mut erasures = PersonErasureServiceClient::new(salon.channel.clone());
    erasures.erase_person(request).await.unwrap().into_inner()
}

fn unnamed(version: i64) -> Appointment {
    Appointment {
        customer_name: "Erased customer".to_owned(),
        ..visit(VISIT, version, &[(MIA, "Cut", 9, 30)])
    }
}

#[tokio::test]
async fn entries_lose_the_name_before_it_is_confirmed() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    assert_eq!(salon.events(CALENDAR).await[0].title, "Cut – Ana");
    assert_eq!(erase(&salon, 2).await.waiting_for, "calendar-sync to hear of the visits");
    salon.publish(unnamed(2)).await;
    let done = erase(&salon, 2).await;
    assert_eq!((done.waiting_for.as_str(), done.record_count), ("", 1));
    assert_eq!(salon.events(CALENDAR).await[0].title, "Cut – Erased customer");
    let titles =
        "SELECT count(*) FROM (SELECT title FROM booked_part UNION ALL SELECT title FROM calendar_write
        UNION ALL SELECT title FROM demo_event) t WHERE title LIKE '%Ana%'";
    assert_eq!(salon.count(titles).await, 0);
}

#[tokio::test]
async fn a_calendar_that_was_connected_since_gets_nothing_of_what_is_over() {
    let salon = Salon::open().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 6, 30)])).await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon
        .publish(Appointment {
            customer_name: "Erased customer".to_owned(),
            ..visit(VISIT, 2, &[(MIA, "Cut", 6, 30)])
        })
        .await;
    assert_eq!(erase(&salon, 2).await.waiting_for, "");
    assert!(salon.events(CALENDAR).await.is_empty());
}

#[tokio::test]
async fn an_entry_that_is_not_written_is_waited_for() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon
        .meddle(
            "UPDATE calendar_write SET wanted = wanted + 1, parked_at = wanted_at, last_error = 'refused'",
        )
        .await;
    assert_eq!(erase(&salon, 1).await.waiting_for, "an entry in an employee's calendar to be written");
    salon.meddle("UPDATE calendar_write SET written = wanted, parked_at = NULL, last_error = NULL").await;
    assert_eq!(erase(&salon, 1).await.waiting_for, "");
}

#[tokio::test]
async fn a_name_in_an_event_that_could_not_be_read_is_gone() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.tell_of_name("Ana Costa", 1, vec!["no id".to_owned()]).await;
    let parked = "SELECT count(*) FROM outbox_parked WHERE encode(event, 'escape') LIKE '%Ana Costa%'";
    assert_eq!(salon.count(parked).await, 1);
    salon.publish(unnamed(2)).await;
    assert_eq!(erase(&salon, 2).await.waiting_for, "");
    assert_eq!(salon.count(parked).await, 0);
}

#[tokio::test]
async fn what_was_deleted_keeps_no_title() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.publish(Appointment { items: vec![], ..unnamed(2) }).await;
    assert_eq!(erase(&salon, 2).await.waiting_for, "");
    assert_eq!(salon.count("SELECT count(*) FROM demo_event WHERE title <> ''").await, 0);
}

#[tokio::test]
async fn what_a_check_of_consistency_found_keeps_no_name() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(VISIT, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.publish(visit(VISIT + 1, 1, &[(MIA, "Wash", 12, 30)])).await;
    for event in salon.events(CALENDAR).await {
        salon.delete(&event.id).await.unwrap();
    }
    assert_eq!(check(&salon).await.differences.len(), 2);
    let kept = "SELECT jsonb_array_length(findings->'differences')::bigint FROM consistency_check";
    assert_eq!(salon.count(kept).await, 2);
    salon.publish(unnamed(2)).await;
    assert_eq!(erase(&salon, 2).await.waiting_for, "");
    assert_eq!(salon.count(kept).await, 1, "the other visit's stays");
    assert_eq!(salon.count("SELECT difference_count::bigint FROM consistency_check").await, 1);
    let named = format!(
        "SELECT count(*) FROM consistency_check WHERE findings::text LIKE '%{}%'",
        Uuid::from_u128(VISIT)
    );
    assert_eq!(salon.count(&named).await, 0);
}
