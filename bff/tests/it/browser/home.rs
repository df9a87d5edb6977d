//! The first glance at a business, composed of several services' answers.

use caller::Role;
use http::StatusCode;
use proto::{
    error::{Reason, refuse},
    frontdesk::{
        scheduling::v1::{
            Appointment, GetDayResponse, ListAppointmentsRequest, ListAppointmentsResponse,
            appointment_service_methods::{LIST_APPOINTMENTS, LIST_CONFLICTS},
            day_service_methods::GET_DAY,
            schedule_service_methods::GET_OPENING_HOURS,
        },
        telemetry::v1::call_service_methods::LIST_CALLS,
        tenancy::v1::{Business, GetBusinessResponse, business_service_methods::GET_BUSINESS},
    },
};

use super::stage::{Stage, Standing, WILLOW, place};

fn path(query: &str) -> String {
    format!("/api/v1/businesses/{WILLOW}/home{query}")
}

/// Methods that were asked, sorted.
fn asked(stage: &Stage) -> Vec<String> {
    let mut asked: Vec<_> =
        stage.services.called.lock().unwrap().iter().map(|one| one.path.clone()).collect();
    asked.sort();
    asked
}

fn willow(stage: &Stage) {
    let business = Some(Business { name: "Willow".to_owned(), ..Business::default() });
    stage.services.reply(&GET_BUSINESS, &GetBusinessResponse { business });
}

#[tokio::test]
async fn the_home_is_one_answer_of_several_services() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    willow(&stage);
    let time_zone = "Europe/London".to_owned();
    stage.services.reply(&GET_DAY, &GetDayResponse { time_zone, ..GetDayResponse::default() });
    let next = Appointment { id: "next".to_owned(), ..Appointment::default() };
    stage.services.reply(
        &LIST_APPOINTMENTS,
        &ListAppointmentsResponse { appointments: vec![next], ..ListAppointmentsResponse::default() },
    );
    let answer = stage.ana().await.get(&path("?appointments=7&calls=20&conflicts=200")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let home = answer.json();
    assert_eq!(home["business"]["business"]["name"], "Willow");
    assert_eq!(home["today"]["timeZone"], "Europe/London");
    assert_eq!(home["appointments"]["appointments"][0]["id"], "next");
    assert_eq!(home["failures"], serde_json::json!([]));
    let mut all =
        [&GET_BUSINESS, &GET_OPENING_HOURS, &GET_DAY, &LIST_APPOINTMENTS, &LIST_CONFLICTS, &LIST_CALLS]
            .map(|method| method.path.to_owned());
    all.sort();
    assert_eq!(asked(&stage), all);
    let called = stage.services.called.lock().unwrap().clone();
    let listed = called.iter().find(|one| one.path == LIST_APPOINTMENTS.path).unwrap();
    let listed: ListAppointmentsRequest = prost::Message::decode(listed.message.clone()).unwrap();
    assert_eq!((listed.page_size, listed.business_id), (7, WILLOW.to_string()));
}

#[tokio::test]
async fn a_part_that_fails_is_named_and_the_others_are_there() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Manager));
    willow(&stage);
    stage.services.refuse(&LIST_CALLS, refuse(Reason::Unavailable, "away"));
    let home = stage.ana().await.get(&path("")).await.json();
    assert_eq!(home["business"]["business"]["name"], "Willow");
    assert_eq!(home["failures"], serde_json::json!([{"part": "calls", "reason": "UNAVAILABLE"}]));
    assert!(home["calls"].is_null() && home["conflicts"].is_object());
}

#[tokio::test]
async fn a_service_that_hangs_holds_no_other_part_up() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Manager));
    willow(&stage);
    stage.services.stuck.lock().unwrap().push(LIST_CALLS.path);
    let home = stage.ana().await.get(&path("")).await.json();
    assert_eq!(home["business"]["business"]["name"], "Willow");
    assert_eq!(home["failures"], serde_json::json!([{"part": "calls", "reason": "UNAVAILABLE"}]));
}

#[tokio::test]
async fn a_guest_is_shown_the_business_and_its_hours_alone() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Guest));
    let home = stage.ana().await.get(&path("")).await.json();
    assert_eq!(home["failures"], serde_json::json!([]));
    assert!(home["today"].is_null() && home["appointments"].is_null() && home["calls"].is_null());
    let mut both = [&GET_BUSINESS, &GET_OPENING_HOURS].map(|method| method.path.to_owned());
    both.sort();
    assert_eq!(asked(&stage), both);
    assert_eq!(stage.services.noted.borrow().len(), 0, "what is left out is no refused call");
}
