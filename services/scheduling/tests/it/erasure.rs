//! What is left in the book of a person who is erased.

use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::{
        erasure::internal::v1::{
            ErasePersonRequest, ErasePersonResponse, KnownRecord,
            person_erasure_service_client::PersonErasureServiceClient,
        },
        scheduling::v1::{
            Appointment, AppointmentState, BookAppointmentRequest, GetAppointmentRequest, JoinWaitlistRequest,
        },
    },
};
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    following::{MIA, customer, follow, part},
    salon::{ANA, CUT, Salon, WILLOW, booking, by, local, reason, with_key},
    waitlist,
};

const PHONE: &str = "+447700900123";

fn asked(version: i64) -> ErasePersonRequest {
    ErasePersonRequest {
        business_id: WILLOW.to_string(),
        customers: vec![KnownRecord { id: MIA.to_string(), version }],
        names: vec!["Mia Wong".to_owned()],
        phones: vec![PHONE.to_owned()],
        ..Default::default()
    }
}

async fn ask(salon: &Salon, request: Request<ErasePersonRequest>) -> Result<ErasePersonResponse, Status> {
    let mut erasures = PersonErasureServiceClient::new(salon.channel());
    Ok(erasures.erase_person(request).await?.into_inner())
}

async fn erase(salon: &Salon, version: i64) -> ErasePersonResponse {
    let request = testkit::as_service("tenancy", &salon.host, Some(WILLOW), asked(version));
    ask(salon, request).await.unwrap()
}

async fn visit(salon: &Salon, id: &str) -> Appointment {
    let request = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: id.to_owned() };
    salon
        .appointments()
        .get_appointment(salon.manager(request))
        .await
        .unwrap()
        .into_inner()
        .appointment
        .unwrap()
}

#[tokio::test]
async fn visits_that_were_stay_without_the_person_and_those_to_come_are_cancelled() {
    let salon = Salon::open().await;
    follow(&salon, vec![customer(1, "Mia Wong", PHONE)]).await;
    let request = |date: &str, time: &str| BookAppointmentRequest {
        customer_id: MIA.to_string(),
        notes: "Mia is afraid of dogs".to_owned(),
        ..booking(vec![by(CUT, ANA)], local(date, time))
    };
    let keyed = || with_key(salon.manager(request("2026-06-04", "10:00")), "once");
    let was = salon.book_as(salon.manager(request("2026-06-02", "10:00"))).await.unwrap();
    let gone = salon.book_as(salon.manager(request("2026-06-04", "12:00"))).await.unwrap();
    salon.cancel(&gone.id).await.unwrap();
    let other = salon.book(vec![by(CUT, ANA)], local("2026-06-04", "15:00")).await.unwrap();
    let waits = JoinWaitlistRequest {
        customer_id: MIA.to_string(),
        note: "after her exam".to_owned(),
        ..waitlist::request(vec![by(CUT, ANA)])
    };
    waitlist::join(&salon, waits).await.unwrap();
    salon.time.advance(local("2026-06-03", "09:00").duration_since(salon.time.now()));
    let to_come = salon.book_as(keyed()).await.unwrap();

    let early = erase(&salon, 2).await;
    assert_eq!(early.waiting_for, "scheduling to hear of the erasure");
    assert_eq!(visit(&salon, &to_come.id).await.state(), AppointmentState::Booked, "nothing is done yet");
    follow(&salon, vec![customer(1, "Mia Wong", PHONE), customer(2, "Erased customer", "")]).await;
    let done = erase(&salon, 2).await;
    assert_eq!((done.waiting_for.as_str(), done.cancelled_count, done.record_count), ("", 1, 3));

    let kept = visit(&salon, &was.id).await;
    assert_eq!((kept.customer_name.as_str(), kept.notes.as_str()), ("Erased customer", ""));
    assert_eq!((kept.state(), kept.price_minor, &kept.items), (was.state(), was.price_minor, &was.items));
    for id in [&to_come.id, &gone.id] {
        let visit = visit(&salon, id).await;
        assert_eq!((visit.state(), visit.notes.as_str()), (AppointmentState::Cancelled, ""));
    }
    assert_eq!(visit(&salon, &other.id).await.state(), AppointmentState::Booked, "others' visits stay");
    let versions = done.visits.iter().map(|record| (record.id.clone(), record.version));
    for (id, version) in versions {
        assert_eq!(visit(&salon, &id).await.version, version);
    }
    for (table, words) in [
        ("appointment", "notes || COALESCE(cancel_reason, '')"),
        ("waitlist_entry", "note || COALESCE(reason, '')"),
        ("customer", "name || phone"),
        ("outbox", "encode(event, 'escape')"),
        ("idempotency_key", "encode(COALESCE(response, ''), 'escape')"),
    ] {
        for text in ["Mia", "7700900123", "afraid", "exam", "ill"] {
            let sql = format!("SELECT count(*) FROM {table} WHERE {words} LIKE '%{text}%'");
            assert_eq!(salon.count(&sql).await, 0, "{text} is left in {table}");
        }
    }
    let waiting = "SELECT count(*) FROM waitlist_entry WHERE state = 'WAITING'";
    assert_eq!(salon.count(waiting).await, 0);
    // What was answered is forgotten, and is still done once.
    assert_eq!(reason(&salon.book_as(keyed()).await.unwrap_err()), Reason::IdempotencyKeyReused);

    let again = erase(&salon, 2).await;
    assert_eq!((again.cancelled_count, again.record_count), (0, 3), "asked again, it does no more");
}

#[tokio::test]
async fn what_visits_were_renamed_to_is_not_left_in_the_log() {
    let salon = Salon::open().await;
    let mut told = vec![customer(1, "Mia Wong", PHONE)];
    follow(&salon, told.clone()).await;
    let request = BookAppointmentRequest {
        customer_id: MIA.to_string(),
        ..booking(vec![by(CUT, ANA)], local("2026-06-04", "10:00"))
    };
    salon.book_as(salon.manager(request)).await.unwrap();
    told.push(customer(2, "Mia Li", PHONE));
    follow(&salon, told.clone()).await;
    let named = "SELECT count(*) FROM outbox WHERE encode(event, 'escape') LIKE '%Mia Li%'";
    assert_eq!(salon.count(named).await, 1);
    told.push(customer(3, "Erased customer", ""));
    follow(&salon, told).await;
    assert_eq!(erase(&salon, 3).await.waiting_for, "");
    assert_eq!(salon.count(named).await, 0);
}

#[tokio::test]
async fn a_name_that_anothers_visits_went_by_during_a_merge_is_not_left_in_the_log() {
    const TWIN: Uuid = Uuid::from_u128(0x71b);
    let salon = Salon::open().await;
    let mut told = vec![part(1, MIA, 1, "Mia Li", None), part(2, TWIN, 1, "M. Wong", None)];
    follow(&salon, told.clone()).await;
    let request = BookAppointmentRequest {
        customer_id: TWIN.to_string(),
        ..booking(vec![by(CUT, ANA)], local("2026-06-04", "10:00"))
    };
    let booked = salon.book_as(salon.manager(request)).await.unwrap();
    told.push(part(3, TWIN, 2, "M. Wong", Some(MIA)));
    told.push(part(4, TWIN, 3, "M. Wong", None));
    // The person may have another name by the time of the erasure.
    told.push(part(5, MIA, 2, "Mia Costa", None));
    follow(&salon, told.clone()).await;
    let named = |name: &str| {
        format!(
            "SELECT count(*) FROM outbox WHERE encode(event, 'escape') LIKE '%{name}%'
            AND aggregate_id <> '{}'",
            booked.id
        )
    };
    assert_eq!(salon.count(&named("Mia Li")).await, 1);
    assert_eq!(salon.count(&named("M. Wong")).await, 1);
    told.push(part(6, MIA, 3, "Erased customer", None));
    follow(&salon, told).await;
    assert_eq!(erase(&salon, 3).await.waiting_for, "");
    assert_eq!(salon.count(&named("Mia Li")).await, 0);
    assert_eq!(salon.count(&named("M. Wong")).await, 1, "the other customer's own name stays");
}

#[tokio::test]
async fn phrases_of_the_persons_calls_and_what_could_be_undone_are_gone() {
    let salon = Salon::open().await;
    follow(&salon, vec![customer(1, "Mia Wong", PHONE), customer(2, "Erased customer", "")]).await;
    let call = "01900000-0000-7000-8000-00000000c001";
    for (id, phrase, call) in
        [(1, "my own words", call), (2, "balayage", "01900000-0000-7000-8000-00000000c002")]
    {
        let heard = format!(
            "INSERT INTO unmatched_phrase (business_id, id, phrase, count, first_at, last_at, last_call_id)
            VALUES ('{WILLOW}', '01900000-0000-7000-8000-00000000000{id}', '{phrase}', 1, '2026-06-01', '2026-06-01', '{call}')"
        );
        sqlx::query(sqlx::AssertSqlSafe(heard)).execute(&mut salon.superuser().await).await.unwrap();
    }
    let undoable = format!(
        "INSERT INTO undoable_change (business_id, id, made_at, made_by, content)
        VALUES ('{WILLOW}', gen_random_uuid(), '2026-06-01', 'user:1', jsonb_build_object('of', '{MIA}')),
            ('{WILLOW}', gen_random_uuid(), '2026-06-01', 'user:1', jsonb_build_object('of', '{ANA}'))"
    );
    sqlx::query(sqlx::AssertSqlSafe(undoable)).execute(&mut salon.superuser().await).await.unwrap();
    let message = ErasePersonRequest { call_ids: vec![call.to_owned()], ..asked(2) };
    let request = testkit::as_service("tenancy", &salon.host, Some(WILLOW), message);
    assert_eq!(ask(&salon, request).await.unwrap().waiting_for, "");
    assert_eq!(salon.count("SELECT count(*) FROM unmatched_phrase WHERE phrase = 'balayage'").await, 1);
    assert_eq!(salon.count("SELECT count(*) FROM unmatched_phrase").await, 1);
    for (subject, left) in [(MIA.to_string(), 0), (ANA.to_string(), 1)] {
        let undoable = format!("SELECT count(*) FROM undoable_change WHERE content ->> 'of' = '{subject}'");
        assert_eq!(salon.count(&undoable).await, left);
    }
    salon.time.advance(SignedDuration::from_mins(1));
}

#[tokio::test]
async fn tenancy_alone_asks() {
    let salon = Salon::open().await;
    let request = testkit::as_service("telemetry", &salon.host, Some(WILLOW), asked(1));
    assert!(ask(&salon, request).await.is_err());
    assert!(ask(&salon, salon.manager(asked(1))).await.is_err());
    let nobody = ErasePersonRequest { customers: vec![], ..asked(1) };
    let request = testkit::as_service("tenancy", &salon.host, Some(WILLOW), nobody);
    assert_eq!(reason(&ask(&salon, request).await.unwrap_err()), Reason::InvalidField);
}
