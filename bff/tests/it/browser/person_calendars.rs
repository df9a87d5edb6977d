//! The calendars of a person's own account.

use http::StatusCode;
use proto::{
    error::{Reason, refuse},
    frontdesk::calendarsync::{
        internal::v1::{
            ListPersonCalendarsRequest, ListPersonCalendarsResponse, PersonCalendar,
            person_calendar_service_methods::LIST_PERSON_CALENDARS,
        },
        v1::CalendarKind,
    },
};
use serde_json::json;

use super::stage::{ANA, Stage};

const CALENDARS: &str = "/api/me/calendars";

#[tokio::test]
async fn a_person_sees_the_calendars_of_their_account() {
    let stage = Stage::open().await;
    let calendar =
        PersonCalendar { id: "demo".to_owned(), kind: CalendarKind::Demo.into(), name: "Demo".to_owned() };
    let answer = ListPersonCalendarsResponse { authorization_required: false, calendars: vec![calendar] };
    stage.services.reply(&LIST_PERSON_CALENDARS, &answer);
    let mut ana = stage.ana().await;
    let answer = ana.get(CALENDARS).await;
    let calendars = json!([{ "id": "demo", "kind": "CALENDAR_KIND_DEMO", "name": "Demo" }]);
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "calendars": calendars })));
    let asked: ListPersonCalendarsRequest = prost::Message::decode(stage.services.last().message).unwrap();
    assert_eq!(asked.user_id, ANA.to_string());
}

#[tokio::test]
async fn a_missing_consent_is_told_from_a_missing_session() {
    let stage = Stage::open().await;
    let answer = ListPersonCalendarsResponse { authorization_required: true, calendars: vec![] };
    stage.services.reply(&LIST_PERSON_CALENDARS, &answer);
    let mut ana = stage.ana().await;
    let answer = ana.get(CALENDARS).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json()["authorizationRequired"], json!(true));
    assert_eq!(answer.json()["message"], json!("Frontdesk may not see your calendars yet"));
    ana.token = None;
    let answer = ana.get(CALENDARS).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json().get("authorizationRequired"), None);
}

#[tokio::test]
async fn a_service_that_fails_asks_for_no_consent() {
    let stage = Stage::open().await;
    stage.services.refuse(&LIST_PERSON_CALENDARS, refuse(Reason::Unavailable, "the database is busy"));
    let mut ana = stage.ana().await;
    let answer = ana.get(CALENDARS).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.json().get("authorizationRequired"), None);
}
