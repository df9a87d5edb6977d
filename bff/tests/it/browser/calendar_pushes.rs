//! What calendar providers push.

use http::{Method, StatusCode};
use proto::{
    error::{Reason, refuse},
    frontdesk::calendarsync::internal::v1::{
        TakePushRequest, TakePushResponse, calendar_push_service_methods::TAKE_PUSH,
    },
};

use super::stage::{Stage, Visitor};

const PATH: &str = "/api/webhooks/calendars/01900000-0000-7000-8000-000000000009";

fn google(stage: &Stage) -> Visitor {
    let google = stage.stranger().with("x-goog-channel-id", "channel-1");
    google.with("x-goog-channel-token", "secret").with("x-goog-resource-state", "exists")
}

#[tokio::test]
async fn a_push_is_handed_on_with_its_channel_and_token_and_needs_no_xsrf_pair() {
    let stage = Stage::open().await;
    stage.services.reply(&TAKE_PUSH, &TakePushResponse {});
    let answer = google(&stage).send(Method::POST, PATH, None).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NO_CONTENT, ""));
    let asked: TakePushRequest = prost::Message::decode(stage.services.last().message).unwrap();
    let expected = TakePushRequest {
        connection_id: "01900000-0000-7000-8000-000000000009".to_owned(),
        channel_id: "channel-1".to_owned(),
        token: "secret".to_owned(),
    };
    assert_eq!(asked, expected);
}

#[tokio::test]
async fn a_push_of_no_channel_is_not_found_and_of_a_busy_service_comes_again() {
    let stage = Stage::open().await;
    stage.services.refuse(&TAKE_PUSH, refuse(Reason::NotFound, "there is no such channel"));
    assert_eq!(google(&stage).send(Method::POST, PATH, None).await.status, StatusCode::NOT_FOUND);
    stage.services.refuse(&TAKE_PUSH, refuse(Reason::Unavailable, "the database is busy"));
    assert_eq!(google(&stage).send(Method::POST, PATH, None).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(google(&stage).get(PATH).await.status, StatusCode::METHOD_NOT_ALLOWED);
}
