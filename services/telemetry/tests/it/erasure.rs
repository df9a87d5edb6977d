//! What is left of the calls of a person who is erased.

use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        erasure::internal::v1::{
            ErasePersonRequest, ErasePersonResponse, KnownRecord,
            person_erasure_service_client::PersonErasureServiceClient,
        },
        telemetry::{
            internal::v1::CallFacts,
            v1::{CallFilter, Speaker},
        },
    },
};
use uuid::Uuid;

use crate::{
    call_notes, call_views,
    desk::{Desk, SALON, answered, ended, said, started},
    following::{MIA, customer, follow},
    notices,
};

const PHONE: &str = "+447700900123";
const MIAS: &str = "call_mia";
const UNKNOWN: &str = "call_unknown";
const OTHERS: &str = "call_other";

async fn erase(desk: &Desk) -> ErasePersonResponse {
    let message = ErasePersonRequest {
        business_id: SALON.to_string(),
        customers: vec![KnownRecord { id: MIA.to_string(), version: 2 }],
        names: vec!["Mia Wong".to_owned()],
        phones: vec![PHONE.to_owned()],
        ..Default::default()
    };
    let request = testkit::as_service("tenancy", &desk.host, Some(SALON), message);
    let mut erasures = PersonErasureServiceClient::new(desk.channel.clone());
    erasures.erase_person(request).await.unwrap().into_inner()
}

/// A call that says who calls, from `phone`.
fn spoken(call: &str, phone: &str, text: &str) -> CallFacts {
    CallFacts {
        from_number: phone.to_owned(),
        summary: text.to_owned(),
        turns: vec![said(Speaker::Caller, text)],
        ..ended(call)
    }
}

#[tokio::test]
async fn calls_keep_what_they_came_to_and_nothing_of_the_person() {
    let desk = Desk::open().await;
    let mut log = vec![customer(1, 1, MIA, "Mia Wong", None)];
    follow(&desk, log.clone()).await;
    for (call, phone, text) in [
        (MIAS, PHONE, "This is Mia Wong"),
        (UNKNOWN, PHONE, "It is Mia again"),
        (OTHERS, "+447700900999", "This is Tom"),
    ] {
        desk.record(&format!("{call}-start"), started(call)).await.unwrap();
        desk.record(&format!("{call}-end"), spoken(call, phone, text)).await.unwrap();
    }
    let run = desk.begin_in(MIAS, "run").await.unwrap();
    let mut answer = answered(&run.tool_call_id);
    answer.customer_id = MIA.to_string();
    answer.customer_name = "Mia Wong".to_owned();
    desk.finish(answer).await.unwrap();
    let swept = call_notes::keyed(&desk, &run.call_id, "k0", "Mia was late").await.unwrap();
    call_notes::delete_own(&desk, &run.call_id, &swept.id).await;
    desk.time.advance(SignedDuration::from_mins(11));
    for kept in telemetry::retention::KEPT {
        desk.app.delete_old(kept).await.unwrap();
    }
    assert_eq!(desk.count("SELECT count(*) FROM deleted_call_note").await, 0);
    call_notes::keyed(&desk, &run.call_id, "k1", "Mia was kind").await.unwrap();
    let gone = call_notes::keyed(&desk, &run.call_id, "k2", "Mia was rude").await.unwrap();
    call_notes::delete_own(&desk, &run.call_id, &gone.id).await;
    desk.save_view("Calls of Mia Wong", "outcome=BOOKED").await.unwrap();
    desk.save_view("Search", "q=mia+wong").await.unwrap();
    call_views::keyed(&desk, "k3", "Booked", "q=mia+wong").await.unwrap();
    desk.save_view("Booked", "outcome=BOOKED").await.unwrap();
    let figures = || async { desk.figures("2026-01-01", "2026-12-31").await.unwrap() };
    let before = figures().await;
    notices::told(&desk, "chat", "chat.created").await.unwrap();

    assert_eq!(erase(&desk).await.waiting_for, "telemetry to hear of the erasure");
    log.push(customer(2, 2, MIA, "Erased customer", None));
    follow(&desk, log).await;
    let done = erase(&desk).await;
    assert_eq!((done.waiting_for.as_str(), done.record_count, done.call_ids.len()), ("", 2, 2));

    for sql in [
        "SELECT count(*) FROM turn t JOIN call c ON c.id = t.call_id WHERE c.erased_at IS NOT NULL",
        "SELECT count(*) FROM call WHERE erased_at IS NOT NULL
            AND (from_number IS NOT NULL OR summary IS NOT NULL OR customer_name <> '')",
        "SELECT count(*) FROM delivery d JOIN call c ON c.id = d.call_id WHERE c.erased_at IS NOT NULL AND body <> ''",
        "SELECT count(*) FROM tool_call WHERE arguments <> '{}' OR result <> '{}'",
        "SELECT count(*) FROM notice WHERE body <> ''",
        "SELECT count(*) FROM call_note",
        "SELECT count(*) FROM deleted_call_note",
        "SELECT count(*) FROM idempotency_key WHERE response IS NOT NULL OR request_hash <> ''",
        "SELECT count(*) FROM call_words WHERE words::text LIKE '%mia%'",
        "SELECT count(*) FROM call_view WHERE name <> 'Booked'",
        "SELECT count(*) FROM customer WHERE name LIKE '%Mia%'",
    ] {
        assert_eq!(desk.count(sql).await, 0, "{sql}");
    }
    assert_eq!(desk.count("SELECT count(*) FROM turn").await, 1, "what others said stays");
    assert_eq!(desk.count("SELECT count(*) FROM call_view").await, 1);
    assert_eq!(figures().await, before, "the figures stay");
    assert_eq!(desk.count("SELECT count(*) FROM notice").await, 1, "that it came stays");
    let retried = call_notes::keyed(&desk, &run.call_id, "k0", "Mia was late").await.unwrap_err();
    assert_eq!(reason_of(&retried), Some(Reason::IdempotencyKeyReused));
    let found = desk.filtered(CallFilter { words: "Mia".to_owned(), ..Default::default() }).await.unwrap();
    assert!(found.is_empty());
    let calls = desk.list(50, "").await.unwrap().calls;
    let named = calls.iter().filter(|call| call.customer_name == "Erased customer");
    assert_eq!((calls.len(), named.count()), (3, 2));

    // Platforms tell of a call for minutes after its end.
    desk.record("late", spoken(MIAS, PHONE, "This is Mia Wong, once more")).await.unwrap();
    assert_eq!(desk.count("SELECT count(*) FROM turn").await, 1);
    assert_eq!(desk.count("SELECT count(*) FROM delivery WHERE event_key = 'late' AND body = ''").await, 1);
    let again = erase(&desk).await;
    assert_eq!((again.record_count, again.call_ids), (2, done.call_ids), "asked again, it answers the same");
}

#[tokio::test]
async fn a_person_without_calls_is_erased_at_once() {
    let desk = Desk::open().await;
    follow(&desk, vec![customer(1, 2, MIA, "Erased customer", None)]).await;
    assert_eq!(erase(&desk).await, ErasePersonResponse::default());
    let message = ErasePersonRequest { business_id: SALON.to_string(), ..Default::default() };
    let mut erasures = PersonErasureServiceClient::new(desk.channel.clone());
    let request = testkit::as_service("bff", &desk.host, Some(SALON), message);
    assert!(erasures.erase_person(request).await.is_err(), "tenancy alone asks");
    assert_ne!(MIA, Uuid::nil());
}
