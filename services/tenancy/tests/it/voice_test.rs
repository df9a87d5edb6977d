//! A sample event through a connection's public address.

use std::sync::{Arc, Mutex};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{TestVoiceConnectionRequest, TestVoiceConnectionResponse, WebhookTestOutcome},
};
use serde_json::{Value, json};
use tenancy::Addresses;
use tonic::Status;
use uuid::Uuid;

use crate::stage::{LINDE, Stage, WILLOW, assert_refused, nowhere};

/// What the address answers: a door that believes, one that refuses, or something else.
#[derive(Debug, Clone, Copy)]
enum Answers {
    Door,
    Refusal,
    Page,
}

#[derive(Clone)]
struct Address {
    answers: Answers,
    seen: Arc<Mutex<Vec<(String, HeaderMap, Value)>>>,
}

async fn receive(
    State(address): State<Address>,
    Path((platform, connection)): Path<(String, Uuid)>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let answer = match address.answers {
        Answers::Door => Json(json!({"testedCall": body["call"]["call_id"]})).into_response(),
        Answers::Refusal => {
            let refusal = json!({"code": 16, "message": "the signature is too old", "details": []});
            (StatusCode::UNAUTHORIZED, Json(refusal)).into_response()
        }
        Answers::Page => "<html>Welcome</html>".into_response(),
    };
    address.seen.lock().unwrap().push((format!("{platform}/{connection}"), headers, body));
    answer
}

async fn open(answers: Answers) -> (Stage, Address) {
    let address = Address { answers, seen: Arc::default() };
    let routes = Router::new().route("/api/webhooks/voice/{platform}/{connection}", post(receive));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = routes.with_state(address.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let addresses = Addresses { public_url: url.parse().unwrap(), ..nowhere() };
    (Stage::reaching(addresses).await, address)
}

async fn test(stage: &Stage, id: Uuid) -> Result<TestVoiceConnectionResponse, Status> {
    let message =
        TestVoiceConnectionRequest { business_id: WILLOW.to_string(), voice_connection_id: id.to_string() };
    let answer = stage.voice_connections().test_voice_connection(stage.owner_of(WILLOW, message)).await?;
    Ok(answer.into_inner())
}

#[tokio::test]
async fn a_sample_is_signed_and_sent_to_the_public_address() {
    let (stage, address) = open(Answers::Door).await;
    let id = stage.voice_connection(WILLOW, "Main line", "key_hunter2").await;
    let tested = test(&stage, id).await.unwrap();
    assert_eq!(
        (tested.outcome(), tested.status, tested.reason.as_str()),
        (WebhookTestOutcome::Accepted, 200, "")
    );
    assert!(tested.url.ends_with(&format!("/api/webhooks/voice/retell/{id}")), "{}", tested.url);
    let seen = address.seen.lock().unwrap();
    let (path, headers, body) = &seen[0];
    assert_eq!(path, &format!("retell/{id}"));
    assert!(headers["x-retell-signature"].to_str().unwrap().starts_with("v=1780300800000,d="));
    assert!(body["call"]["call_id"].as_str().unwrap().starts_with("frontdesk-test-"));
}

#[tokio::test]
async fn a_refusal_is_told_in_the_doors_words() {
    let (stage, _) = open(Answers::Refusal).await;
    let id = stage.voice_connection(WILLOW, "Main line", "key_hunter2").await;
    let tested = test(&stage, id).await.unwrap();
    assert_eq!((tested.outcome(), tested.status), (WebhookTestOutcome::Refused, 401));
    assert_eq!(tested.reason, "the signature is too old");
}

#[tokio::test]
async fn what_is_no_door_is_not_taken_for_one() {
    let (stage, _) = open(Answers::Page).await;
    let id = stage.voice_connection(WILLOW, "Main line", "key_hunter2").await;
    let tested = test(&stage, id).await.unwrap();
    assert_eq!((tested.outcome(), tested.status), (WebhookTestOutcome::Elsewhere, 200));
}

#[tokio::test]
async fn an_address_where_nothing_answers_is_said_to_be_one() {
    let addresses = Addresses { public_url: "http://127.0.0.1:9".parse().unwrap(), ..nowhere() };
    let stage = Stage::reaching(addresses).await;
    let id = stage.voice_connection(WILLOW, "Main line", "key_hunter2").await;
    let tested = test(&stage, id).await.unwrap();
    assert_eq!((tested.outcome(), tested.status), (WebhookTestOutcome::Unreachable, 0));
    assert_eq!(tested.reason, "the server can't be reached");
}

#[tokio::test]
async fn a_connection_of_another_business_is_not_tested() {
    let (stage, address) = open(Answers::Door).await;
    let theirs = stage.voice_connection(LINDE, "Main line", "key_hunter2").await;
    assert_refused(test(&stage, theirs).await, Reason::NotFound);
    assert!(address.seen.lock().unwrap().is_empty());
}
