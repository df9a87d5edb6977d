//! Whom the voice door doesn't let in.

use axum::body::Body;
use bff::{edge::Limits, voice::retell::signature};
use http::{Request, StatusCode};
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use super::{
    door::{Answer, Door, call, path},
    salon::{CONNECTION, SECRET},
};

const WINDOW: SignedDuration = SignedDuration::from_mins(5);

fn started() -> Vec<u8> {
    json!({"event": "call_started", "call": call()}).to_string().into_bytes()
}

impl Door {
    async fn post_signed(&self, key: &str, age: SignedDuration, body: Vec<u8>) -> Answer {
        let signature = signature::sign(key, &body, self.time.now() - age);
        self.post(&path("retell", &CONNECTION.to_string()), Some(&signature), body).await
    }

    fn is_untouched(&self) -> bool {
        let book = self.book();
        book.events.is_empty() && book.tools.is_empty() && book.holds.is_empty()
    }
}

#[tokio::test]
async fn a_signature_that_is_not_believed_is_refused_counted_and_nothing_is_kept() {
    let door = Door::open().await;
    let connection = path("retell", &CONNECTION.to_string());
    let second = SignedDuration::from_secs(1);
    let other_body = signature::sign(SECRET, b"{}", door.time.now());
    let refused = [
        ("missing", door.post(&connection, None, started()).await),
        ("malformed", door.post(&connection, Some("sha256=00"), started()).await),
        ("wrong", door.post(&connection, Some(&other_body), started()).await),
        ("wrong", door.post_signed("another key", SignedDuration::ZERO, started()).await),
        ("stale", door.post_signed(SECRET, WINDOW + second, started()).await),
        ("stale", door.post_signed(SECRET, -WINDOW - second, started()).await),
    ];
    for (reason, answer) in &refused {
        assert_eq!((answer.status, answer.reason()), (StatusCode::UNAUTHORIZED, "BAD_SIGNATURE"), "{reason}");
    }
    for (reason, times) in [("missing", 1), ("malformed", 1), ("wrong", 2), ("stale", 2)] {
        let attributes = [("reason", reason), ("frontdesk.voice.platform", "retell")];
        assert_eq!(door.recorded("frontdesk.voice.signature.rejected", &attributes), times, "{reason}");
    }
    assert_eq!(door.recorded("frontdesk.voice.deliveries", &[("outcome", "rejected")]), 6);
    assert!(door.is_untouched());
}

#[tokio::test]
async fn a_delivery_is_believed_until_its_window_closes() {
    let door = Door::open().await;
    for age in [WINDOW, -WINDOW] {
        assert_eq!(door.post_signed(SECRET, age, started()).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(door.recorded("frontdesk.voice.signature.rejected", &[]), 0);
}

#[tokio::test]
async fn a_connection_that_does_not_exist_is_not_found_and_asked_for_once() {
    let door = Door::open().await;
    let stranger = Uuid::from_u128(0xdead).to_string();
    let signature = signature::sign(SECRET, &started(), door.time.now());
    for _ in 0..3 {
        let answer = door.post(&path("retell", &stranger), Some(&signature), started()).await;
        assert_eq!((answer.status, answer.reason()), (StatusCode::NOT_FOUND, "NOT_FOUND"));
    }
    assert_eq!(door.book().opened, 1);
    door.advance(SignedDuration::from_secs(6));
    door.post(&path("retell", &stranger), Some(&signature), started()).await;
    assert_eq!(door.book().opened, 2);
    assert!(door.is_untouched());
}

#[tokio::test]
async fn a_path_that_names_no_connection_of_the_platform_is_not_found() {
    let door = Door::open().await;
    let signature = signature::sign(SECRET, &started(), door.time.now());
    let connection = CONNECTION.to_string();
    for path in [
        path("sipgate", &connection),
        path("Retell", &connection),
        path("retell", "7"),
        path("retell", "%ff"),
    ] {
        let answer = door.post(&path, Some(&signature), started()).await;
        assert_eq!((answer.status, answer.reason()), (StatusCode::NOT_FOUND, "NOT_FOUND"), "{path}");
    }
    assert_eq!(door.book().opened, 0);
}

#[tokio::test]
async fn a_body_above_two_mebibytes_is_too_large_and_one_below_is_not() {
    let door = Door::open().await;
    let padded = |size: usize| {
        let mut body = started();
        body.resize(size, b' ');
        body
    };
    let answer = door.post_signed(SECRET, SignedDuration::ZERO, padded((2 << 20) + 1)).await;
    assert_eq!((answer.status, answer.reason()), (StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE"));
    assert!(door.is_untouched());
    let answer = door.post_signed(SECRET, SignedDuration::ZERO, padded(2 << 20)).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_malformed_body_names_its_field_only_if_signed() {
    let door = Door::open().await;
    for (body, field) in [
        ("{", "body"),
        (r#"{"name":"hold_slot"}"#, "call"),
        (r#"{"name":"hold_slot","call":{}}"#, "call.call_id"),
        (r#"{"event":"call_started","call":{"call_id":7}}"#, "call.call_id"),
        (r#"{"call":{"call_id":"c"}}"#, "event"),
        (r#"{"name":"hold_slot","args":"","call":{"call_id":"c"}}"#, "args"),
    ] {
        let answer = door.post_signed(SECRET, SignedDuration::ZERO, body.into()).await;
        assert_eq!(
            (answer.status, answer.reason(), answer.field()),
            (StatusCode::BAD_REQUEST, "INVALID_FIELD", field)
        );
        let unsigned = door.post_signed("another key", SignedDuration::ZERO, body.into()).await;
        assert_eq!(unsigned.status, StatusCode::UNAUTHORIZED);
    }
    let deep =
        format!(r#"{{"name":"n","call":{{"call_id":"c"}},"args":{}{}}}"#, "[".repeat(1000), "]".repeat(1000));
    let answer = door.post_signed(SECRET, SignedDuration::ZERO, deep.into_bytes()).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(door.is_untouched());
}

#[tokio::test]
async fn a_body_that_is_compressed_is_refused_unread() {
    let door = Door::open().await;
    let path = path("retell", &CONNECTION.to_string());
    let signature = signature::sign(SECRET, &started(), door.time.now());
    let headers = |encoding: &str| {
        vec![
            (signature::HEADER.to_owned(), signature.clone()),
            ("content-encoding".to_owned(), encoding.to_owned()),
        ]
    };
    for encoding in ["gzip", "br", "identity, gzip", ""] {
        let answer = door.send(&path, "application/json", headers(encoding), started()).await;
        assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{encoding}");
        assert!(answer.body.contains("Content-Encoding"), "{answer:?}");
    }
    assert!(door.is_untouched());
    let plain = door.send(&path, "application/json", headers("Identity"), started()).await;
    assert_eq!(plain.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_changed_secret_is_believed_and_the_old_one_refused_within_a_minute() {
    let door = Door::open().await;
    for _ in 0..5 {
        door.post_signed(SECRET, SignedDuration::ZERO, started()).await;
    }
    assert_eq!(door.book().opened, 1);
    door.book().secret = "key_of_tomorrow".into();
    door.advance(SignedDuration::from_secs(60));
    let old = door.post_signed(SECRET, SignedDuration::ZERO, started()).await;
    assert_eq!(old.status, StatusCode::UNAUTHORIZED);
    let new = door.post_signed("key_of_tomorrow", SignedDuration::ZERO, started()).await;
    assert_eq!(new.status, StatusCode::NO_CONTENT);
    assert_eq!(door.book().opened, 2);
}

#[tokio::test]
async fn without_tenancy_deliveries_are_refused_for_now_and_taken_later() {
    let door = Door::open().await;
    door.book().down.insert("open");
    let answer = door.event("call_started").await;
    assert_eq!((answer.status, answer.reason()), (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE"));
    door.book().down.clear();
    assert_eq!(door.event("call_started").await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn deliveries_that_arrive_together_ask_for_the_secret_once() {
    let door = Door::open().await;
    let answers = futures::future::join_all((0..8).map(|_| door.event("call_started"))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::NO_CONTENT));
    assert_eq!(door.book().opened, 1);
}

#[tokio::test]
async fn a_body_that_does_not_arrive_ends_long_before_the_request_may() {
    let unsigned_body_time = core::time::Duration::from_millis(20);
    let door = Door::limited(Limits { unsigned_body_time, ..Limits::default() }).await;
    let slow = Body::from_stream(futures::stream::pending::<Result<bytes::Bytes, std::io::Error>>());
    let request = Request::post(path("retell", &CONNECTION.to_string())).body(slow).unwrap();
    let answer = door.edge.answer([127, 0, 0, 1].into(), request).await;
    assert_eq!(answer.status(), StatusCode::REQUEST_TIMEOUT);
    assert_eq!(Limits::default().unsigned_body_time, core::time::Duration::from_secs(10));
}
