//! What booking systems push.

use http::{Method, StatusCode};
use proto::{
    error::{Reason, refuse},
    frontdesk::calendarsync::internal::v1::{
        TakeProviderPushRequest, TakeProviderPushResponse, provider_push_service_methods::TAKE_PROVIDER_PUSH,
    },
};
use serde_json::json;

use super::stage::{Stage, Visitor};

const ID: &str = "01900000-0000-7000-8000-000000000009";

fn path() -> String {
    format!("/api/webhooks/providers/{ID}")
}

fn square(stage: &Stage) -> Visitor {
    stage.stranger().with("x-square-hmacsha256-signature", "c2lnbmVk")
}

#[tokio::test]
async fn a_push_is_handed_on_with_its_signature_its_body_and_our_address_and_needs_no_xsrf_pair() {
    let stage = Stage::open().await;
    stage.services.reply(&TAKE_PROVIDER_PUSH, &TakeProviderPushResponse {});
    let said = json!({ "type": "booking.updated" });
    let answer = square(&stage).send(Method::POST, &path(), Some(said.to_string())).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NO_CONTENT, ""));
    let asked: TakeProviderPushRequest = prost::Message::decode(stage.services.last().message).unwrap();
    assert_eq!((asked.connection_id.as_str(), asked.signature.as_str()), (ID, "c2lnbmVk"));
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&asked.body).unwrap(), said);
    assert!(asked.url.starts_with("http") && asked.url.ends_with(&path()), "{}", asked.url);
}

#[tokio::test]
async fn a_push_that_is_too_long_goes_nowhere() {
    let stage = Stage::open().await;
    stage.services.reply(&TAKE_PROVIDER_PUSH, &TakeProviderPushResponse {});
    let long = json!({ "type": "x".repeat(70 << 10) });
    let answer = square(&stage).send(Method::POST, &path(), Some(long.to_string())).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_push_with_another_signature_is_not_found() {
    let stage = Stage::open().await;
    stage.services.refuse(&TAKE_PROVIDER_PUSH, refuse(Reason::NotFound, "provider connection"));
    let answer = square(&stage).send(Method::POST, &path(), Some(json!({}).to_string())).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(square(&stage).get(&path()).await.status, StatusCode::METHOD_NOT_ALLOWED);
}
