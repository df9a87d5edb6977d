//! Signing in, staying in, signing out.

use http::StatusCode;
use serde_json::{Value, json};

use super::stage::{EMAIL, PASSWORD, Setting, Stage, Visitor, WILLOW};

async fn signed_in(stage: &Stage) -> (Visitor, Value) {
    let mut browser = stage.stranger();
    browser.get("/").await;
    let answer = browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    assert_eq!(answer.status, StatusCode::OK);
    (browser, answer.json())
}

#[tokio::test]
async fn signing_in_grants_a_token_to_the_page_and_a_cookie_to_the_browser_alone() {
    let stage = Stage::open().await;
    let (browser, mut granted) = signed_in(&stage).await;
    let cursor = granted.as_object_mut().unwrap().remove("liveCursor");
    assert!(cursor.is_some_and(|cursor| cursor.is_string()));
    let expected = json!({
        "token": "access-0",
        "role": "OWNER",
        "businessIds": [WILLOW.to_string()],
        "sessionSecondsLeft": 604_800,
    });
    assert_eq!(granted, expected);
    assert!(browser.cookies["__Host-refresh"].ends_with(".0.mac"));
}

#[tokio::test]
async fn the_refresh_cookie_is_kept_from_scripts_other_hosts_and_other_sites() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    let answer = browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    let line = answer.cookie_line("__Host-refresh").unwrap();
    let (_, attributes) = line.split_once("; ").unwrap();
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Secure; Path=/; Max-Age=604800");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[tokio::test]
async fn a_wrong_password_is_told_in_auths_words() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    let answer = browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": "no" })).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::UNAUTHORIZED, "WRONG_CREDENTIALS"));
    assert_eq!(answer.json()["message"], "Wrong e-mail or password");
    assert!(!browser.cookies.contains_key("__Host-refresh"));
}

#[tokio::test]
async fn malformed_credentials_are_refused_by_name() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    for (body, field) in [(json!({ "email": 7 }), "email"), (json!({ "email": EMAIL }), "body")] {
        let answer = browser.post("/api/auth/login", &body).await;
        assert_eq!((answer.status, answer.fields()), (StatusCode::BAD_REQUEST, vec![field.to_owned()]));
    }
    let form = browser.with("content-type", "text/plain").post("/api/auth/login", &json!({})).await;
    assert_eq!(form.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn refreshing_renews_the_cookie_and_keeps_the_session() {
    let stage = Stage::open().await;
    let (mut browser, _) = signed_in(&stage).await;
    let (family, xsrf) = (browser.cookies["__Host-refresh"].clone(), browser.cookies["XSRF-TOKEN"].clone());
    let answer = browser.get("/api/auth/refresh").await;
    assert_eq!(answer.json()["token"], "access-1");
    assert_ne!(browser.cookies["__Host-refresh"], family);
    assert_eq!(browser.cookies["XSRF-TOKEN"], xsrf);
}

#[tokio::test]
async fn there_is_nothing_to_refresh_without_a_session() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    let answer = browser.get("/api/auth/refresh").await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::UNAUTHORIZED, "UNAUTHENTICATED"));
}

#[tokio::test]
async fn a_session_that_auth_refuses_leaves_the_browser() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.cookies.insert("__Host-refresh".to_owned(), "revoked.1.mac".to_owned());
    browser.get("/").await;
    let answer = browser.get("/api/auth/refresh").await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::UNAUTHORIZED, "TOKEN_SPENT"));
    assert!(!browser.cookies.contains_key("__Host-refresh"));
    let credentials = json!({ "email": EMAIL, "password": PASSWORD });
    assert_eq!(browser.post("/api/auth/login", &credentials).await.status, StatusCode::OK);
}

#[tokio::test]
async fn signing_out_ends_the_session_and_forgets_it() {
    let stage = Stage::open().await;
    let (mut browser, _) = signed_in(&stage).await;
    let refresh = browser.cookies["__Host-refresh"].clone();
    let answer = browser.post("/api/auth/logout", &json!({})).await;
    assert_eq!(answer.json(), json!({ "message": "Logged out successfully" }));
    assert_eq!(answer.header("clear-site-data"), "\"cache\"");
    assert_eq!(*stage.auth.signed_out.lock().unwrap(), [refresh]);
    assert!(!browser.cookies.contains_key("__Host-refresh"));
    assert_eq!(browser.post("/api/auth/logout", &json!({})).await.status, StatusCode::OK);
}

#[tokio::test]
async fn signing_in_again_ends_the_session_before() {
    let stage = Stage::open().await;
    let (mut browser, _) = signed_in(&stage).await;
    let refresh = browser.cookies["__Host-refresh"].clone();
    browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    assert_eq!(*stage.auth.signed_out.lock().unwrap(), [refresh]);
}

#[tokio::test]
async fn a_link_sets_a_password_once() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    let reset = |token: &str| json!({ "token": token, "newPassword": "another password" });
    let answer = browser.post("/api/auth/reset-password", &reset("fresh")).await;
    assert_eq!(answer.json(), json!({ "message": "Your password has been reset successfully" }));
    assert!(!browser.cookies.contains_key("__Host-refresh"), "the link opens no session");
    let answer = browser.post("/api/auth/reset-password", &reset("spent")).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::UNAUTHORIZED, "TOKEN_SPENT"));
}

#[tokio::test]
async fn an_unreachable_auth_ends_no_session() {
    let stage = Stage::set(Setting { down: &["auth"], ..Setting::default() }).await;
    let mut browser = stage.stranger();
    let refresh = format!("{}.1.mac", uuid::Uuid::from_u128(1));
    browser.cookies.insert("__Host-refresh".to_owned(), refresh.clone());
    browser.get("/").await;
    for path in ["/api/auth/refresh", "/api/auth/me", "/readyz"] {
        browser.token = Some(stage.token());
        let answer = browser.get(path).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{path}");
        assert_eq!(answer.reason(), "UNAVAILABLE", "{path}");
    }
    assert_eq!(browser.cookies["__Host-refresh"], refresh);
    assert_eq!(browser.get("/healthz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_refused_passport_of_the_door_ends_no_session() {
    let stage = Stage::set(Setting { believed: false, ..Setting::default() }).await;
    let mut browser = stage.stranger();
    let refresh = format!("{}.1.mac", uuid::Uuid::from_u128(1));
    browser.cookies.insert("__Host-refresh".to_owned(), refresh.clone());
    browser.get("/").await;
    browser.token = Some(stage.token());
    for path in ["/api/auth/refresh", "/api/auth/me"] {
        let answer = browser.get(path).await;
        let seen = (answer.status, answer.reason());
        assert_eq!(seen, (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE".to_owned()), "{path}");
    }
    browser.token = None;
    let answer = browser.get("/api/auth/refresh").await;
    assert_eq!((answer.status, answer.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "1"));
    let answer = browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(browser.cookies["__Host-refresh"], refresh);
}
