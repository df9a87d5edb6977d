//! Sign-in with an identity provider.

use http::{Method, StatusCode};
use jsonwebtoken::Header;
use prost::Message;
use proto::{
    error::{Reason, refuse, retry_later},
    frontdesk::auth::internal::v1::{
        BeginRedirectRequest, BeginRedirectResponse, DescribeProviderResponse, FinishRedirectRequest,
        FinishRedirectResponse, RedeemHandoffRequest, RedeemHandoffResponse, SignInWithCodeRequest,
        SignInWithCodeResponse, Tokens, provider_service_methods as methods,
    },
};
use serde_json::json;

use super::stage::{REFRESH_LIFE, Setting, Stage, WILLOW};
use bff::edge::Limits;
use boot::environment::Environment;

pub const BEGIN: &str = "/oauth2/authorization/google";
const CALLBACK: &str = "/oauth2/callback/google";
const AT_PROVIDER: &str = "https://provider.test/auth?state=s";

fn tokens() -> Option<Tokens> {
    Some(Tokens {
        access_token: "access-7".to_owned(),
        refresh_token: format!("{}.1.mac", uuid::Uuid::from_u128(7)),
        session_id: uuid::Uuid::from_u128(7).to_string(),
        refresh_max_age_seconds: REFRESH_LIFE,
        role: "OWNER".to_owned(),
        business_ids: vec![WILLOW.to_string()],
    })
}

fn begun(stage: &Stage) {
    let (authorization_url, binding) = (AT_PROVIDER.to_owned(), "bound".to_owned());
    stage.services.reply(&methods::BEGIN_REDIRECT, &BeginRedirectResponse { authorization_url, binding });
}

fn handoff(stage: &Stage) -> String {
    let mut header: Header = stage.auth.key().header();
    header.typ = Some("handoff+jwt".to_owned());
    stage.auth.key().sign_under(&header, &json!({ "jti": "once" }))
}

#[tokio::test]
async fn a_code_of_the_page_becomes_a_session_like_any_other() {
    let stage = Stage::open().await;
    stage.services.reply(&methods::SIGN_IN_WITH_CODE, &SignInWithCodeResponse { tokens: tokens() });
    let mut browser = stage.stranger();
    browser.get("/auth/callback").await;
    let before = browser.cookies["XSRF-TOKEN"].clone();
    let redirect_uri = "http://localhost:8080/auth/callback";
    let body = json!({ "code": "c", "codeVerifier": "v", "redirectUri": redirect_uri });
    let answer = browser.post("/api/auth/oauth2/callback", &body).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!((&answer.json()["token"], &answer.json()["role"]), (&json!("access-7"), &json!("OWNER")));
    assert!(browser.cookies.contains_key("__Host-refresh"));
    assert_ne!(browser.cookies["XSRF-TOKEN"], before, "the pair is the new session's");
    let sent = SignInWithCodeRequest::decode(stage.services.last().message).unwrap();
    assert_eq!((sent.code.as_str(), sent.code_verifier.as_str()), ("c", "v"));
    assert_eq!(sent.redirect_uri, redirect_uri);
    assert!(!sent.client.unwrap().address.is_empty());
}

#[tokio::test]
async fn a_person_of_another_account_is_told_so_and_stays_who_they_were() {
    let stage = Stage::open().await;
    stage.services.refuse(&methods::SIGN_IN_WITH_CODE, refuse(Reason::AccountExists, "You have one."));
    let mut browser = stage.stranger();
    let family = format!("{}.1.mac", uuid::Uuid::from_u128(1));
    browser.cookies.insert("__Host-refresh".to_owned(), family.clone());
    browser.get("/").await;
    let body = json!({ "code": "c", "codeVerifier": "v", "redirectUri": "r" });
    let answer = browser.post("/api/auth/oauth2/callback", &body).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::CONFLICT, "ACCOUNT_EXISTS"));
    assert_eq!(browser.cookies["__Host-refresh"], family);
    assert!(stage.auth.signed_out.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_doors_flow_leads_to_the_provider_bound_to_this_browser() {
    let stage = Stage::open().await;
    begun(&stage);
    let mut browser = stage.stranger();
    let answer = browser.get(BEGIN).await;
    assert_eq!((answer.status, answer.header("location")), (StatusCode::FOUND, AT_PROVIDER));
    let line = answer.cookie_line("__Host-oauth").unwrap();
    assert_eq!(line, "__Host-oauth=bound; HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=600");
    let sent = BeginRedirectRequest::decode(stage.services.last().message).unwrap();
    assert_eq!(sent.redirect_uri, "http://localhost:8080/oauth2/callback/google");
}

#[tokio::test]
async fn the_provider_answers_to_our_own_origins_whatever_the_address_or_host_says() {
    let stage = Stage::open().await;
    begun(&stage);
    for frontend in ["https://evil.test", "//evil.test", "%2F%5Cevil.test", "http://localhost:8080.evil.test"]
    {
        let mut browser = stage.stranger().with("host", "evil.test").with("x-forwarded-host", "evil.test");
        browser.get(&format!("{BEGIN}?frontend={frontend}")).await;
        let sent = BeginRedirectRequest::decode(stage.services.last().message).unwrap();
        assert_eq!(sent.redirect_uri, "http://localhost:8080/oauth2/callback/google", "{frontend}");
    }
}

#[tokio::test]
async fn the_providers_answer_becomes_a_handoff_for_the_page() {
    let stage = Stage::open().await;
    let handoff = handoff(&stage);
    stage.services.reply(&methods::FINISH_REDIRECT, &FinishRedirectResponse { handoff: handoff.clone() });
    let mut browser = stage.stranger().with("sec-fetch-site", "cross-site");
    browser.cookies.insert("__Host-oauth".to_owned(), "bound".to_owned());
    let answer = browser.get(&format!("{CALLBACK}?state=s&code=c&scope=openid")).await;
    assert_eq!(answer.status, StatusCode::FOUND);
    assert_eq!(answer.header("location"), format!("/auth/callback?token={handoff}"));
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(answer.header("cache-control"), "no-store");
    let sent = FinishRedirectRequest::decode(stage.services.last().message).unwrap();
    assert_eq!((sent.state.as_str(), sent.code.as_str(), sent.binding.as_str()), ("s", "c", "bound"));
    assert!(!browser.cookies.contains_key("__Host-refresh"), "the redirect opens no session");
}

#[tokio::test]
async fn what_went_wrong_is_told_to_the_page_as_a_code_and_never_as_a_sentence_of_others() {
    let stage = Stage::open().await;
    let away = retry_later(Reason::Unavailable, "away", core::time::Duration::from_secs(1));
    for (status, code) in [
        (refuse(Reason::AccountExists, "You have one."), "account_exists"),
        (refuse(Reason::ProviderRefused, "No."), "provider_refused"),
        (refuse(Reason::TokenSpent, "Again."), "token_spent"),
        (away, "unavailable"),
    ] {
        stage.services.refuse(&methods::FINISH_REDIRECT, status);
        let mut browser = stage.stranger();
        browser.cookies.insert("__Host-oauth".to_owned(), "bound".to_owned());
        let answer = browser.get(&format!("{CALLBACK}?state=s&code=c")).await;
        assert_eq!(answer.header("location"), format!("/auth/callback?error={code}"));
        assert!(!browser.cookies.contains_key("__Host-oauth"));
    }
    for (error, code) in [
        ("access_denied", "access_denied"),
        ("Call+0800+EVIL", "server_error"),
        ("x%0d%0aset-cookie:a=b", "server_error"),
    ] {
        let before = stage.services.count();
        let answer = stage.stranger().get(&format!("{CALLBACK}?state=s&error={error}")).await;
        assert_eq!(answer.header("location"), format!("/auth/callback?error={code}"));
        assert_eq!(stage.services.count(), before, "auth is not asked");
    }
}

#[tokio::test]
async fn a_handoff_shown_at_refresh_opens_its_session_and_ends_the_one_before() {
    let stage = Stage::open().await;
    stage.services.reply(&methods::REDEEM_HANDOFF, &RedeemHandoffResponse { tokens: tokens() });
    let mut browser = stage.stranger();
    let before = format!("{}.1.mac", uuid::Uuid::from_u128(1));
    browser.cookies.insert("__Host-refresh".to_owned(), before.clone());
    browser.cookies.insert("__Host-oauth".to_owned(), "bound".to_owned());
    browser.get("/auth/callback").await;
    browser.token = Some(handoff(&stage));
    let answer = browser.get("/api/auth/refresh").await;
    assert_eq!((answer.status, &answer.json()["token"]), (StatusCode::OK, &json!("access-7")));
    let sent = RedeemHandoffRequest::decode(stage.services.last().message).unwrap();
    assert_eq!((sent.handoff, sent.binding.as_str()), (handoff(&stage), "bound"));
    assert_eq!(*stage.auth.signed_out.lock().unwrap(), [before]);
    assert!(!browser.cookies.contains_key("__Host-oauth"));
    browser.token = None;
    assert_eq!(browser.get("/api/auth/refresh").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_handoff_needs_the_xsrf_pair_and_is_no_access_token() {
    let stage = Stage::open().await;
    let mut browser = stage.ana().await;
    browser.token = Some(handoff(&stage));
    assert_eq!(browser.without_xsrf().get("/api/auth/refresh").await.reason(), "XSRF");
    assert_eq!(browser.get("/api/auth/me").await.reason(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn a_spent_handoff_leaves_the_session_that_was_there() {
    let stage = Stage::open().await;
    stage.services.refuse(&methods::REDEEM_HANDOFF, refuse(Reason::TokenSpent, "Please start again."));
    let mut browser = stage.stranger();
    let family = format!("{}.1.mac", uuid::Uuid::from_u128(1));
    browser.cookies.insert("__Host-refresh".to_owned(), family.clone());
    browser.get("/").await;
    browser.token = Some(handoff(&stage));
    let answer = browser.get("/api/auth/refresh").await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::UNAUTHORIZED, "TOKEN_SPENT"));
    assert_eq!(browser.cookies["__Host-refresh"], family);
}

#[tokio::test]
async fn developers_see_how_the_provider_is_configured_and_production_shows_nothing() {
    let path = "/api/auth/debug/oauth-config";
    let stage = Stage::open().await;
    let issuer = "https://accounts.google.com".to_owned();
    let described = DescribeProviderResponse { issuer, ..DescribeProviderResponse::default() };
    stage.services.reply(&methods::DESCRIBE_PROVIDER, &described);
    assert_eq!(stage.stranger().get(path).await.json()["issuer"], "https://accounts.google.com");
    let production = Setting {
        environment: Environment::Production,
        public_url: "https://desk.test",
        ..Setting::default()
    };
    let stage = Stage::set(production).await;
    let answer = stage.stranger().send(Method::GET, path, None).await;
    assert_eq!((answer.status, stage.services.count()), (StatusCode::NOT_FOUND, 0));
}

#[tokio::test]
async fn a_network_begins_only_so_many_sign_ins_and_others_are_not_kept_from_theirs() {
    let limits = Limits { flows: 3, ..Limits::default() };
    let stage = Stage::set(Setting { limits, trusted_proxies: "127.0.0.1", ..Setting::default() }).await;
    begun(&stage);
    let browser = stage.stranger();
    let from = |address: &str| browser.with("x-forwarded-for", address);
    for host in 1..=3 {
        let answer = from(&format!("2001:db8::{host}")).get(BEGIN).await;
        assert_eq!(answer.header("location"), AT_PROVIDER);
    }
    let begun = stage.services.count();
    let refused = from("2001:db8::4").get(BEGIN).await;
    assert_eq!(refused.header("location"), "/auth/callback?error=busy");
    assert_eq!(stage.services.count(), begun, "auth keeps nothing of it");
    assert_eq!(from("198.51.100.7").get(BEGIN).await.header("location"), AT_PROVIDER);
}

#[tokio::test]
async fn a_network_has_only_so_many_codes_exchanged_and_others_are_not_kept_from_theirs() {
    let limits = Limits { flows: 3, ..Limits::default() };
    let stage = Stage::set(Setting { limits, trusted_proxies: "127.0.0.1", ..Setting::default() }).await;
    stage.services.reply(&methods::SIGN_IN_WITH_CODE, &SignInWithCodeResponse { tokens: tokens() });
    let body = json!({ "code": "c", "codeVerifier": "v", "redirectUri": "r" });
    let exchange = async |address: &str| {
        let mut browser = stage.stranger().with("x-forwarded-for", address);
        browser.get("/auth/callback").await;
        browser.post("/api/auth/oauth2/callback", &body).await
    };
    for host in 1..=3 {
        assert_eq!(exchange(&format!("2001:db8::{host}")).await.status, StatusCode::OK);
    }
    let asked = stage.services.count();
    let refused = exchange("2001:db8::4").await;
    assert_eq!((refused.status, refused.reason().as_str()), (StatusCode::TOO_MANY_REQUESTS, "BUSY"));
    assert_eq!(refused.header("retry-after"), "1");
    assert_eq!(stage.services.count(), asked, "the provider is not asked");
    assert_eq!(exchange("198.51.100.7").await.status, StatusCode::OK);
}
