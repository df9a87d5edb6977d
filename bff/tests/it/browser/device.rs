//! Trusting a device.

use http::StatusCode;
use serde_json::json;

use super::stage::{ANAS_SESSION, DEVICE_CODE, DEVICE_LIFE, EMAIL, PASSWORD, Stage};

const CONFIRM: &str = "/api/v1/me/trusted-devices:confirm";

#[tokio::test]
async fn the_right_code_leaves_a_cookie_that_comes_along_when_signing_in() {
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    let answer = ana.post(CONFIRM, &json!({ "code": DEVICE_CODE })).await;
    assert_eq!(answer.json(), json!({ "message": "This device is trusted now." }));
    let line = answer.cookie_line("__Host-device").unwrap();
    let attributes = format!("HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age={DEVICE_LIFE}");
    assert_eq!(line, format!("__Host-device=device.secret; {attributes}"));
    ana.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    assert_eq!(stage.auth.client_of("SignIn").device, "device.secret");
    ana.get("/api/auth/refresh").await;
    assert_eq!(stage.auth.client_of("Refresh").device, "device.secret");
    ana.post("/api/auth/logout", &json!({})).await;
    assert!(ana.cookies.contains_key("__Host-device"), "signing out leaves the device trusted");
}

#[tokio::test]
async fn a_wrong_code_leaves_none() {
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    let answer = ana.post(CONFIRM, &json!({ "code": "000000" })).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::BAD_REQUEST, "WRONG_CODE"));
    assert!(!ana.cookies.contains_key("__Host-device"));
}

#[tokio::test]
async fn a_device_is_confirmed_only_in_a_live_session() {
    let stage = Stage::open().await;
    let mut signed_out = stage.ana().await;
    signed_out.token = None;
    let code = json!({ "code": DEVICE_CODE });
    assert_eq!(signed_out.post(CONFIRM, &code).await.status, StatusCode::UNAUTHORIZED);
    stage.auth.end(ANAS_SESSION);
    let mut ana = stage.ana().await;
    assert_eq!(ana.post(CONFIRM, &code).await.status, StatusCode::UNAUTHORIZED);
    assert!(stage.auth.trusted.lock().unwrap().is_empty());
}
