//! Where visitors come from, as auth is told.

use serde_json::json;

use super::stage::{EMAIL, PASSWORD, Setting, Stage, Visitor};

async fn seen_from(stage: &Stage, browser: &Visitor) -> String {
    let mut browser = browser.clone();
    let answer = browser.post("/api/auth/login", &json!({ "email": EMAIL, "password": PASSWORD })).await;
    assert!(answer.status.is_success(), "{}", answer.text);
    let address = stage.auth.client_of("SignIn").address;
    browser.get("/api/auth/refresh").await;
    assert_eq!(stage.auth.client_of("Refresh").address, address);
    browser
        .post("/api/auth/reset-password", &json!({ "token": "fresh", "newPassword": "another one" }))
        .await;
    assert_eq!(stage.auth.client_of("ResetPassword").address, address);
    address
}

#[tokio::test]
async fn no_header_of_a_visitor_changes_where_they_come_from() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    for (name, value) in [
        ("x-forwarded-for", "198.51.100.7"),
        ("x_forwarded_for", "198.51.100.7"),
        ("forwarded", "for=198.51.100.7"),
        ("x-real-ip", "198.51.100.7"),
        ("x_real_ip", "198.51.100.7"),
        ("x-client-ip", "198.51.100.7"),
        ("true-client-ip", "198.51.100.7"),
        ("cf-connecting-ip", "198.51.100.7"),
        ("host", "198.51.100.7"),
    ] {
        assert_eq!(seen_from(&stage, &browser.with(name, value)).await, "127.0.0.1", "{name}");
    }
}

#[tokio::test]
async fn a_trusted_proxy_says_who_is_behind_it_and_in_one_header_only() {
    let stage = Stage::set(Setting { trusted_proxies: "127.0.0.0/8,10.0.0.0/8", ..Setting::default() }).await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    for (name, value, seen) in [
        ("x-forwarded-for", "198.51.100.7", "198.51.100.7"),
        ("x-forwarded-for", "192.0.2.66, 198.51.100.7, 10.1.1.1", "198.51.100.7"),
        ("x-forwarded-for", "192.0.2.66, nonsense", "127.0.0.1"),
        ("x_forwarded_for", "198.51.100.7", "127.0.0.1"),
        ("forwarded", "for=198.51.100.7", "127.0.0.1"),
        ("x-real-ip", "198.51.100.7", "127.0.0.1"),
    ] {
        assert_eq!(seen_from(&stage, &browser.with(name, value)).await, seen, "{name}: {value}");
    }
}

#[tokio::test]
async fn what_a_browser_calls_itself_is_handed_on_up_to_a_length() {
    let stage = Stage::open().await;
    let mut browser = stage.stranger();
    browser.get("/").await;
    let credentials = json!({ "email": EMAIL, "password": PASSWORD });
    browser.with("user-agent", "Mozilla/5.0 (X11) Firefox/140.0").post("/api/auth/login", &credentials).await;
    assert_eq!(stage.auth.client_of("SignIn").user_agent, "Mozilla/5.0 (X11) Firefox/140.0");
    browser.with("user-agent", &"x".repeat(5000)).post("/api/auth/login", &credentials).await;
    assert_eq!(stage.auth.client_of("SignIn").user_agent, "x".repeat(512));
}
