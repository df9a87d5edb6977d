//! Services that go well with each other: made by hand, and measured.

use caller::Role;
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            CreatePairingRequest, DeletePairingRequest, ListMeasuredPairingsRequest,
            ListMeasuredPairingsResponse, ListPairingsRequest, Pairing,
        },
    },
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    events::events,
    salon::{ANA, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, field, local, reason, service, with_key},
};

fn suggestion(service: Uuid, suggested: Uuid) -> CreatePairingRequest {
    CreatePairingRequest {
        business_id: WILLOW.to_string(),
        service_id: service.to_string(),
        suggested_service_id: suggested.to_string(),
        note: "lasts longer".to_owned(),
    }
}

async fn suggest(salon: &Salon, service: Uuid, suggested: Uuid) -> Result<Pairing, Status> {
    let request = salon.manager(suggestion(service, suggested));
    Ok(salon.pairings().create_pairing(request).await?.into_inner().pairing.unwrap())
}

fn deletion(id: &str) -> DeletePairingRequest {
    DeletePairingRequest { business_id: WILLOW.to_string(), pairing_id: id.to_owned() }
}

fn list(service: Option<Uuid>) -> ListPairingsRequest {
    ListPairingsRequest {
        business_id: WILLOW.to_string(),
        service_id: service.map(|service| service.to_string()).unwrap_or_default(),
        ..ListPairingsRequest::default()
    }
}

async fn listed(salon: &Salon, service: Option<Uuid>) -> Vec<Pairing> {
    salon.pairings().list_pairings(salon.employee(list(service))).await.unwrap().into_inner().pairings
}

/// Visits of services, each at its own time from `first` on, as the database may hold them.
async fn visited(salon: &Salon, state: &str, first: Timestamp, visits: &[&[Uuid]]) {
    let mut superuser = salon.superuser().await;
    for (number, services) in visits.iter().enumerate() {
        let start = first + SignedDuration::from_hours(number as i64);
        let (cancelled, reason) = if state == "CANCELLED" { ("now()", "''") } else { ("NULL", "NULL") };
        let visit = format!(
            "WITH visit AS (INSERT INTO appointment VALUES ('{WILLOW}', gen_random_uuid(), '{state}', NULL, NULL,
                '{start}', '{start}'::timestamptz + interval '30 minutes', 1, 'GBP', '', 1, '{start}', {cancelled},
                {reason}, {reason}) RETURNING id)
            INSERT INTO appointment_item SELECT '{WILLOW}', visit.id, s.position, s.service, '{ANA}', '{start}',
                '{start}'::timestamptz + interval '30 minutes'
            FROM visit, unnest($1::uuid[]) WITH ORDINALITY AS s (service, position)"
        );
        let services = services.to_vec();
        sqlx::query(sqlx::AssertSqlSafe(visit)).bind(services).execute(&mut superuser).await.unwrap();
    }
}

async fn measured(salon: &Salon, service: Option<Uuid>, most: i32) -> ListMeasuredPairingsResponse {
    let request = ListMeasuredPairingsRequest {
        business_id: WILLOW.to_string(),
        service_id: service.map(|service| service.to_string()).unwrap_or_default(),
        most,
    };
    salon.pairings().list_measured_pairings(salon.employee(request)).await.unwrap().into_inner()
}

#[tokio::test]
async fn a_pairing_is_made_listed_and_deleted() {
    let salon = Salon::open().await;
    let made = suggest(&salon, COLOUR, CUT).await.unwrap();
    assert_eq!((made.service_name.as_str(), made.suggested_service_name.as_str()), ("Colour", "Cut"));
    assert_eq!(made.note, "lasts longer");
    salon.time.advance(SignedDuration::from_mins(1));
    let other = suggest(&salon, CUT, COLOUR).await.unwrap();
    assert_eq!(listed(&salon, None).await, [made.clone(), other.clone()]);
    assert_eq!(listed(&salon, Some(CUT)).await, [other]);
    salon.pairings().delete_pairing(salon.manager(deletion(&made.id))).await.unwrap();
    assert_eq!(listed(&salon, Some(COLOUR)).await, []);
    let again = salon.pairings().delete_pairing(salon.manager(deletion(&made.id))).await.unwrap_err();
    assert_eq!(reason(&again), Reason::NotFound);
    let told = events(&salon).await.into_iter().filter_map(|event| match event.payload {
        Some(Payload::Pairing(pairing)) => Some((pairing.pairing_id == made.id, event.version)),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), [(true, 1), (false, 1), (true, 2)]);
    let trail = salon.trail().await;
    let trail: Vec<_> = trail.iter().rev().take(3).map(|(action, _)| action.as_str()).collect();
    assert_eq!(trail, ["DeletePairing", "CreatePairing", "CreatePairing"]);
}

#[tokio::test]
async fn pairings_are_listed_a_page_at_a_time() {
    let salon = Salon::open().await;
    for (service, suggested) in [(CUT, COLOUR), (COLOUR, CUT), (MASSAGE, CUT)] {
        suggest(&salon, service, suggested).await.unwrap();
    }
    let first = ListPairingsRequest { page_size: 2, ..list(None) };
    let first = salon.pairings().list_pairings(salon.employee(first)).await.unwrap().into_inner();
    let rest = ListPairingsRequest { page_size: 2, page_token: first.next_page_token, ..list(None) };
    let rest = salon.pairings().list_pairings(salon.employee(rest)).await.unwrap().into_inner();
    assert_eq!((first.pairings.len(), rest.pairings.len(), rest.next_page_token.as_str()), (2, 1, ""));
}

#[tokio::test]
async fn a_repeated_pairing_is_made_once() {
    let salon = Salon::open().await;
    let attempt = || with_key(salon.manager(suggestion(COLOUR, CUT)), "k1");
    let first = salon.pairings().create_pairing(attempt()).await.unwrap().into_inner();
    assert_eq!(salon.pairings().create_pairing(attempt()).await.unwrap().into_inner(), first);
    assert_eq!(reason(&suggest(&salon, COLOUR, CUT).await.unwrap_err()), Reason::AlreadyExists);
    let gone = || with_key(salon.manager(deletion(&first.pairing.as_ref().unwrap().id)), "k2");
    salon.pairings().delete_pairing(gone()).await.unwrap();
    salon.pairings().delete_pairing(gone()).await.unwrap();
}

#[tokio::test]
async fn a_service_has_20_suggestions_at_most_however_many_ask_at_once() {
    let salon = Salon::open().await;
    for number in 0..25 {
        let name = format!("Extra {number}");
        salon.create_service(service(Uuid::from_u128(100 + number), &name, &[5], &[ANA])).await.unwrap();
    }
    let attempts = (0..25).map(|number| suggest(&salon, CUT, Uuid::from_u128(100 + number)));
    let done = futures::future::join_all(attempts).await;
    assert_eq!(done.iter().filter(|done| done.is_ok()).count(), 20);
    let refused = done.into_iter().find_map(Result::err).unwrap();
    assert_eq!(field(&refused), "service_id");
}

#[tokio::test]
async fn a_refused_pairing_says_why() {
    let salon = Salon::open().await;
    let unknown = Uuid::from_u128(404);
    assert_eq!(field(&suggest(&salon, CUT, CUT).await.unwrap_err()), "suggested_service_id");
    assert_eq!(reason(&suggest(&salon, unknown, CUT).await.unwrap_err()), Reason::NotFound);
    assert_eq!(reason(&suggest(&salon, CUT, unknown).await.unwrap_err()), Reason::NotFound);
    let long = CreatePairingRequest { note: "x".repeat(201), ..suggestion(CUT, COLOUR) };
    let long = salon.pairings().create_pairing(salon.manager(long)).await.unwrap_err();
    assert_eq!(field(&long), "note");
    for (role, business, expected) in
        [(Role::Employee, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, suggestion(CUT, COLOUR));
        assert_eq!(reason(&salon.pairings().create_pairing(request).await.unwrap_err()), expected);
    }
    let foreign = ListPairingsRequest { page_token: "bm9wZQ".into(), ..list(None) };
    let foreign = salon.pairings().list_pairings(salon.employee(foreign)).await.unwrap_err();
    assert_eq!(field(&foreign), "page_token");
    let greedy =
        ListMeasuredPairingsRequest { most: 201, business_id: WILLOW.to_string(), ..Default::default() };
    let greedy = salon.pairings().list_measured_pairings(salon.employee(greedy)).await.unwrap_err();
    assert_eq!(field(&greedy), "most");
}

#[tokio::test]
async fn services_bought_together_are_measured_over_visits_that_took_place() {
    let salon = Salon::open().await;
    let may = local("2026-05-04", "08:00");
    // 6 of 20 visits have both, 10 the one, 8 the other: 6 * 20 / (10 * 8).
    visited(&salon, "COMPLETED", may, &[&[CUT, COLOUR][..]; 6]).await;
    visited(&salon, "BOOKED", may, &[&[CUT][..]; 4]).await;
    visited(&salon, "COMPLETED", may, &[&[COLOUR][..]; 2]).await;
    visited(&salon, "COMPLETED", may, &[&[MASSAGE][..]; 8]).await;
    // None of these took place, or not within the year.
    visited(&salon, "CANCELLED", may, &[&[CUT, MASSAGE][..]; 9]).await;
    visited(&salon, "NO_SHOW", may, &[&[CUT, MASSAGE][..]; 9]).await;
    visited(&salon, "BOOKED", local("2026-06-02", "09:00"), &[&[CUT, MASSAGE][..]; 9]).await;
    visited(&salon, "COMPLETED", local("2025-05-01", "09:00"), &[&[CUT, MASSAGE][..]; 9]).await;
    let found = measured(&salon, None, 0).await;
    assert_eq!(found.visits, 20);
    let [pair] = found.pairings.as_slice() else { panic!("{found:?}") };
    assert_eq!((pair.service_name.as_str(), pair.other_service_name.as_str()), ("Cut", "Colour"));
    assert_eq!((pair.visits_with_both, pair.visits_with_service, pair.visits_with_other), (6, 10, 8));
    assert_eq!(pair.lift, 1.5);
    assert_eq!(measured(&salon, Some(COLOUR), 0).await.pairings, found.pairings);
    assert_eq!(measured(&salon, Some(MASSAGE), 0).await.pairings, []);
}

#[tokio::test]
async fn a_service_that_is_done_twice_in_a_visit_counts_once_and_what_is_rare_not_at_all() {
    let salon = Salon::open().await;
    let may = local("2026-05-04", "08:00");
    visited(&salon, "COMPLETED", may, &[&[CUT, CUT, COLOUR][..]; 5]).await;
    visited(&salon, "COMPLETED", may, &[&[MASSAGE, COLOUR][..]; 4]).await;
    visited(&salon, "COMPLETED", may, &[&[MASSAGE][..]; 3]).await;
    let found = measured(&salon, None, 0).await;
    let [pair] = found.pairings.as_slice() else { panic!("{found:?}") };
    assert_eq!((pair.visits_with_both, pair.visits_with_service), (5, 5));
    assert_eq!(measured(&Salon::open().await, None, 0).await, ListMeasuredPairingsResponse::default());
}
