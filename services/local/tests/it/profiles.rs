//! The security profiles as a browser meets them: the door's HTTP in front of a real auth, on a clock
//! that the test sets.

use std::collections::BTreeSet;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::environment::Environment;
use jiff::SignedDuration;
use local::visitor::Visitor;
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

use crate::desk::{Desk, NAME};

/// Status and reason of an attempt to sign in with a wrong password.
async fn fail(browser: &Visitor) -> (StatusCode, String) {
    let body = json!({ "email": format!("{NAME}@demo.test"), "password": "not the password" });
    told(browser.send(Method::POST, "/api/auth/login", Some(&body), None).await.unwrap()).await
}

async fn told(answer: Response) -> (StatusCode, String) {
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    (status, body["details"][0]["reason"].as_str().unwrap_or_default().to_owned())
}

fn wrong() -> (StatusCode, String) {
    (StatusCode::UNAUTHORIZED, "WRONG_CREDENTIALS".to_owned())
}

async fn is_let_in(browser: &Visitor) -> bool {
    browser.log_in(NAME).await.unwrap().status() == StatusCode::OK
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_many_failures_in_a_quarter_of_an_hour_block_for_as_long_as_the_profile_says() {
    for (profile, attempts, block) in [(Environment::Production, 5, 60), (Environment::Development, 10, 5)] {
        let desk = Desk::under(profile).await;
        let browser = desk.browser().await;
        for _ in 1..attempts {
            assert_eq!(fail(&browser).await, wrong(), "{profile:?}");
        }
        // A quarter of an hour later these are forgotten.
        desk.pass(SignedDuration::from_mins(15));
        for _ in 0..attempts {
            assert_eq!(fail(&browser).await, wrong(), "{profile:?}");
        }
        let blocked = browser.log_in(NAME).await.unwrap();
        let wait: i64 = blocked.headers()["retry-after"].to_str().unwrap().parse().unwrap();
        assert_eq!(wait, block * 60, "{profile:?}");
        assert_eq!(told(blocked).await, (StatusCode::TOO_MANY_REQUESTS, "BLOCKED".to_owned()));
        desk.pass(SignedDuration::from_secs(block * 60 - 1));
        assert!(!is_let_in(&browser).await, "{profile:?}: the block ends too early");
        desk.pass(SignedDuration::from_secs(1));
        assert!(is_let_in(&browser).await, "{profile:?}: the block does not end");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn under_test_no_number_of_failures_blocks() {
    let desk = Desk::under(Environment::Test).await;
    let browser = desk.browser().await;
    for _ in 0..20 {
        assert_eq!(fail(&browser).await, wrong());
    }
    assert!(is_let_in(&browser).await);
}

/// Seconds from an access token's beginning to its end.
fn life(token: &str) -> i64 {
    let claims = token.split('.').nth(1).unwrap();
    let claims: Value = serde_json::from_slice(&B64.decode(claims).unwrap()).unwrap();
    claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap()
}

/// Seconds that the browser keeps the refresh token.
fn kept(answer: &Response) -> i64 {
    let cookies = answer.headers().get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let mut cookies = cookies.filter(|line| line.starts_with("__Host-refresh="));
    let attributes = cookies.next().unwrap().split("; ");
    attributes.filter_map(|attribute| attribute.strip_prefix("Max-Age=")).next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn access_and_refresh_tokens_live_as_long_as_the_profile_says() {
    for (profile, minutes, days) in
        [(Environment::Production, 15, 7), (Environment::Development, 60, 30), (Environment::Test, 60, 1)]
    {
        let desk = Desk::under(profile).await;
        let answer = desk.browser().await.log_in(NAME).await.unwrap();
        assert_eq!(kept(&answer), days * 24 * 3600, "{profile:?}");
        let mut browser = Visitor::sign_in(&desk.url, NAME).await.unwrap();
        assert_eq!(life(browser.token()), minutes * 60, "{profile:?}");
        desk.pass(SignedDuration::from_secs(minutes * 60 - 1));
        browser.get("/api/auth/me").await.unwrap();
        // Two machines' clocks may differ by five seconds.
        desk.pass(SignedDuration::from_secs(1 + 5));
        let refused = browser.send(Method::GET, "/api/auth/me", None, None).await.unwrap();
        assert_eq!(told(refused).await.0, StatusCode::UNAUTHORIZED, "{profile:?}");
        let left = SignedDuration::from_secs(days * 24 * 3600 - minutes * 60 - 5 - 1);
        desk.pass(left);
        browser.refresh().await.unwrap();
        desk.pass(SignedDuration::from_secs(1));
        let over = browser.refresh().await.unwrap_err().to_string();
        assert!(over.contains("UNAUTHENTICATED"), "{profile:?}: {over}");
    }
}

/// Kinds of the person's record, read page by page, the latest first.
async fn record(desk: &Desk) -> Vec<String> {
    let browser = Visitor::sign_in(&desk.url, NAME).await.unwrap();
    let events = browser.list("/api/v1/me/security-events", "events").await.unwrap();
    let kind = |event: &Value| event["kind"].as_str().unwrap().replace("SECURITY_EVENT_KIND_", "");
    events.iter().map(kind).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_shows_as_many_events_and_as_old_ones_as_the_profile_says() {
    for (profile, most, days) in
        [(Environment::Production, 1000, 30), (Environment::Development, 200, 7), (Environment::Test, 50, 1)]
    {
        let desk = Desk::under(profile).await;
        desk.note_failures(most + 20).await;
        let mut kept = vec!["SIGNED_IN"];
        kept.resize(most.try_into().unwrap(), "SIGN_IN_FAILED");
        assert_eq!(record(&desk).await, kept, "{profile:?}");
        desk.pass(SignedDuration::from_hours(days * 24));
        kept.pop();
        kept.insert(0, "SIGNED_IN");
        assert_eq!(record(&desk).await, kept, "{profile:?}: what is just old enough is there");
        desk.pass(SignedDuration::from_secs(1));
        assert_eq!(record(&desk).await, ["SIGNED_IN", "SIGNED_IN"], "{profile:?}: what is older is not");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_is_told_its_environment_and_no_renewal_threshold() {
    for (profile, name) in [
        (Environment::Production, "production"),
        (Environment::Development, "development"),
        (Environment::Test, "test"),
    ] {
        let desk = Desk::under(profile).await;
        let told = desk.browser().await.get("/api/config/frontend").await.unwrap();
        let parts: BTreeSet<&str> = told.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(parts, BTreeSet::from(["app", "features", "oauth"]), "{profile:?}");
        assert_eq!(told["app"], json!({ "environment": name }));
        assert_eq!(told["features"], json!({ "googleSignIn": false }));
    }
}
