//! Visits that people book from a call: its own figure, and no merit or fault of the agent's.

use caller::BusinessId;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        events::v1::Event,
        scheduling::v1::Amount,
        telemetry::{
            internal::v1::{
                CallFacts, FindCallRequest, call_directory_service_client::CallDirectoryServiceClient,
            },
            v1::{CallFigures, CallFilter, CallOutcome, MissedReason, Speaker},
        },
    },
};
use testkit::as_service;
use uuid::Uuid;

use crate::{
    call_filters::export_all,
    desk::{Desk, OTHER, SALON, book, ended, field, said, search},
    following::{CUT, by_person, follow_visits, visit},
};

const DAY: &str = "2026-06-01";
const VISIT: Uuid = Uuid::from_u128(0xb1);

/// A call in which a cut was looked for in vain, in a salon where one costs £45.
async fn missed() -> (Desk, String) {
    let desk = Desk::open().await;
    desk.scheduling.offer(CUT, "Haircut", 4500, "GBP");
    desk.tool("missed", "s1", &search(CUT, 0), 40).await;
    let facts = CallFacts { turns: vec![said(Speaker::Caller, "A haircut, please")], ..ended("missed") };
    let call = desk.record("e1", facts).await.unwrap().call_id;
    (desk, call)
}

fn booked(call: &str) -> Event {
    by_person(visit(1, call, VISIT, 1, (5200, "GBP"), false))
}

fn cancelled(call: &str) -> Event {
    visit(2, call, VISIT, 2, (5200, "GBP"), true)
}

async fn figures(desk: &Desk) -> CallFigures {
    desk.figures(DAY, DAY).await.unwrap().figures.unwrap()
}

fn pounds(minor: i64) -> Vec<Amount> {
    vec![Amount { minor, currency: "GBP".to_owned() }]
}

#[tokio::test]
async fn a_visit_that_a_person_books_from_a_lost_call_is_the_team_s_and_the_call_is_lost_no_more() {
    let (desk, call) = missed().await;
    let before = figures(&desk).await;
    assert_eq!((before.wanted_booking, before.missed.len(), before.lost_value), (1, 1, pounds(4500)));
    assert_eq!((before.booked_by_team, before.team_value), (0, vec![]));

    follow_visits(&desk, vec![booked(&call)]).await;
    let after = figures(&desk).await;
    assert_eq!((after.booked_by_team, after.team_value), (1, pounds(5200)));
    assert_eq!((after.missed.len(), after.lost_value.len()), (0, 0));
    assert_eq!((after.wanted_booking, after.booked), (1, 0), "the agent's conversion is what it was");
    assert!(after.booked_value.is_empty());
    let service = desk.figures(DAY, DAY).await.unwrap().services.remove(0);
    assert_eq!((service.asked, service.booked, service.missed), (1, 1, 0));

    let read = desk.get(&call).await.unwrap().call.unwrap();
    assert_eq!((&read.team_appointment_ids, read.booked_by_team), (&vec![VISIT.to_string()], true));
    assert_eq!((read.outcome(), read.missed_reason()), (CallOutcome::Answered, MissedReason::Unspecified));
    assert!(read.appointment_ids.is_empty(), "the agent touched none");
}

#[tokio::test]
async fn a_booking_that_is_undone_leaves_the_call_as_lost_as_it_was_and_still_names_the_visit() {
    let (desk, call) = missed().await;
    let before = figures(&desk).await;
    follow_visits(&desk, vec![booked(&call), cancelled(&call)]).await;
    assert_eq!(figures(&desk).await, before);
    let read = desk.get(&call).await.unwrap().call.unwrap();
    assert_eq!((read.team_appointment_ids.len(), read.booked_by_team), (1, false));
    assert_eq!(read.missed_reason(), MissedReason::NoFreeTime);
    let service = desk.figures(DAY, DAY).await.unwrap().services.remove(0);
    assert_eq!((service.asked, service.booked, service.missed), (1, 0, 1));
}

#[tokio::test]
async fn the_agent_s_booking_stays_its_own_beside_one_of_the_team() {
    let desk = Desk::open().await;
    let agents = Uuid::from_u128(0xa9);
    desk.tool("both", "b1", &book(agents), 40).await;
    let call = desk.record("e1", ended("both")).await.unwrap().call_id;
    let moved = by_person(visit(3, &call, agents, 2, (900, "GBP"), false));
    let told = vec![visit(1, &call, agents, 1, (900, "GBP"), false), booked(&call), moved];
    follow_visits(
        &desk,
        told.into_iter().zip(1..).map(|(event, position)| Event { position, ..event }).collect(),
    )
    .await;
    let all = figures(&desk).await;
    assert_eq!((all.booked, all.booked_value), (1, pounds(900)), "a person moved it later");
    assert_eq!((all.booked_by_team, all.team_value), (1, pounds(5200)));
    let noted = desk.count("SELECT count(*) FROM product_event WHERE kind = 'CALL_BOOKED'").await;
    assert_eq!(noted, 1, "the agent's alone");
}

#[tokio::test]
async fn the_calls_behind_the_team_s_figure_are_found_and_exported() {
    let (desk, call) = missed().await;
    desk.record("e2", ended("other")).await.unwrap();
    let by_team = || CallFilter { booked_by_team: Some(true), ..CallFilter::default() };
    assert!(desk.filtered(by_team()).await.unwrap().is_empty());
    let ids = async |filter| -> Vec<String> {
        desk.filtered(filter).await.unwrap().into_iter().map(|call| call.id).collect()
    };
    follow_visits(&desk, vec![booked(&call)]).await;
    assert_eq!(ids(by_team()).await, [call.as_str()]);
    let others = ids(CallFilter { booked_by_team: Some(false), ..CallFilter::default() }).await;
    assert!(others.len() == 1 && !others.contains(&call));
    assert_eq!(ids(CallFilter { words: "haircut".to_owned(), ..by_team() }).await, [call.as_str()]);
    let of_service =
        || CallFilter { service_id: CUT.to_string(), service_booked: true, ..CallFilter::default() };
    assert_eq!(ids(of_service()).await, [call.as_str()]);
    let csv = export_all(&desk, "").await.csv;
    assert_eq!(csv.matches("\"YES\"").count(), 1);
    assert!(csv.contains(&VISIT.to_string()));

    follow_visits(&desk, vec![booked(&call), cancelled(&call)]).await;
    assert!(ids(by_team()).await.is_empty() && ids(of_service()).await.is_empty());
}

#[tokio::test]
async fn services_that_keep_a_call_s_id_are_told_which_calls_a_business_has_and_others_are_not() {
    let (desk, call) = missed().await;
    let find = async |service: &'static str, business: BusinessId, call: &str| {
        let message = FindCallRequest { business_id: business.to_string(), call_id: call.to_owned() };
        let mut client = CallDirectoryServiceClient::new(desk.channel.clone());
        let found = client.find_call(as_service(service, &desk.host, Some(business), message)).await;
        found.map(|answer| answer.into_inner().is_known)
    };
    for service in ["scheduling", "tenancy"] {
        assert!(find(service, SALON, &call).await.unwrap(), "{service}");
        assert!(!find(service, OTHER, &call).await.unwrap(), "another business's");
        assert!(!find(service, SALON, &VISIT.to_string()).await.unwrap(), "{service}");
    }
    assert_eq!(field(&find("scheduling", SALON, "7").await.unwrap_err()), "call_id");
    assert_eq!(reason_of(&find("auth", SALON, &call).await.unwrap_err()), Some(Reason::RoleTooLow));
}
