//! Which access tokens are believed.

use std::sync::atomic::Ordering;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use futures::future::join_all;
use http::StatusCode;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::stage::{Setting, Stage, TokenKey};

/// What the door says to a token.
async fn said(stage: &Stage, token: &str) -> (StatusCode, String) {
    let mut browser = stage.stranger();
    browser.token = Some(token.to_owned());
    let answer = browser.get("/api/auth/me").await;
    (answer.status, answer.reason())
}

async fn is_refused(stage: &Stage, token: &str, why: &str) {
    let expected = (StatusCode::UNAUTHORIZED, "UNAUTHENTICATED".to_owned());
    assert_eq!(said(stage, token).await, expected, "{why}");
}

fn changed(stage: &Stage, change: impl FnOnce(&mut Value)) -> String {
    let mut claims = stage.claims();
    change(&mut claims);
    stage.auth.key().sign(&claims)
}

#[tokio::test]
async fn a_token_of_auth_is_believed() {
    let stage = Stage::open().await;
    assert_eq!(said(&stage, &stage.token()).await.0, StatusCode::OK);
}

#[tokio::test]
async fn an_empty_or_malformed_token_is_refused() {
    let stage = Stage::open().await;
    is_refused(&stage, "", "empty").await;
    is_refused(&stage, "a.b.c", "garbage").await;
    let answer = stage.stranger().with("authorization", "Basic b3duZXI6cHc=").get("/api/auth/me").await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn every_claim_must_be_there_and_right() {
    let stage = Stage::open().await;
    for claim in ["iss", "aud", "sub", "sid", "iat", "exp"] {
        let token = changed(&stage, |claims| drop(claims.as_object_mut().unwrap().remove(claim)));
        is_refused(&stage, &token, &format!("without {claim}")).await;
    }
    let now = stage.time.now().as_second();
    for (claim, value) in [
        ("iss", json!("https://evil.test")),
        ("aud", json!("scheduling")),
        ("aud", json!(["frontdesk", "evil"])),
        ("exp", json!("9999999999")),
        ("exp", json!(now - 6)),
        ("iat", json!(now + 60)),
        ("nbf", json!(now + 60)),
        ("sub", json!("ana")),
    ] {
        let token = changed(&stage, |claims| claims[claim] = value.clone());
        is_refused(&stage, &token, &format!("{claim}: {value}")).await;
    }
}

#[tokio::test]
async fn a_token_ends_on_time() {
    let stage = Stage::open().await;
    let token = stage.token();
    stage.time.advance(jiff::SignedDuration::from_secs(899));
    assert_eq!(said(&stage, &token).await.0, StatusCode::OK);
    stage.time.advance(jiff::SignedDuration::from_secs(6));
    is_refused(&stage, &token, "15 minutes and the leeway have passed").await;
}

#[tokio::test]
async fn no_other_algorithm_type_or_key_is_believed() {
    let stage = Stage::open().await;
    let (key, claims) = (stage.auth.key(), stage.claims());
    let payload = B64.encode(claims.to_string());
    for alg in ["none", "None", "NONE", "EdDSA"] {
        let header = B64.encode(json!({ "alg": alg, "typ": "at+jwt", "kid": key.kid }).to_string());
        is_refused(&stage, &format!("{header}.{payload}."), alg).await;
    }
    let mut header = key.header();
    header.alg = Algorithm::HS256;
    let public = EncodingKey::from_secret(key.public.as_bytes());
    is_refused(&stage, &jsonwebtoken::encode(&header, &claims, &public).unwrap(), "HS256").await;
    let stranger = TokenKey::new(&key.kid, 66);
    is_refused(&stage, &stranger.sign(&claims), "another key under a known name").await;
    let with = |change: fn(&mut Header)| {
        let mut header = key.header();
        change(&mut header);
        key.sign_under(&header, &claims)
    };
    is_refused(&stage, &with(|header| header.typ = Some("JWT".to_owned())), "typ JWT").await;
    is_refused(&stage, &with(|header| header.typ = Some("passport+jwt".to_owned())), "passport").await;
    is_refused(&stage, &with(|header| header.kid = None), "no kid").await;
    is_refused(&stage, &with(|header| header.jku = Some("https://evil.test".to_owned())), "jku").await;
    is_refused(&stage, &with(|header| header.crit = Some(vec!["b64".to_owned()])), "crit").await;
    is_refused(&stage, &with(|header| header.x5u = Some("https://evil.test".to_owned())), "x5u").await;
    is_refused(&stage, &with(|header| header.x5c = Some(vec!["AAAA".to_owned()])), "x5c").await;
    // The attacker's own key, brought along.
    let mut header = key.header();
    header.jwk = Some(stranger.jwk());
    is_refused(&stage, &stranger.sign_under(&header, &claims), "jwk").await;
}

#[tokio::test]
async fn a_thousand_unknown_keys_ask_auth_once() {
    let stage = Stage::open().await;
    assert_eq!(said(&stage, &stage.token()).await.0, StatusCode::OK);
    let before = stage.auth.jwks_asked.load(Ordering::SeqCst);
    let tokens: Vec<String> =
        (0..1000).map(|n| TokenKey::new(&format!("unknown-{n}"), 9).sign(&stage.claims())).collect();
    // A hundred at a time, as a storm comes.
    for storm in tokens.chunks(100) {
        join_all(storm.iter().map(|token| is_refused(&stage, token, "unknown key"))).await;
    }
    assert!(stage.auth.jwks_asked.load(Ordering::SeqCst) <= before + 1);
}

#[tokio::test]
async fn a_new_key_is_believed_beside_the_old_one_and_a_withdrawn_one_no_longer() {
    let stage = Stage::open().await;
    let old = stage.token();
    assert_eq!(said(&stage, &old).await.0, StatusCode::OK);
    let new = TokenKey::new("second", 8);
    stage.auth.keys.lock().unwrap().push(new.clone());
    stage.time.advance(jiff::SignedDuration::from_secs(11));
    assert_eq!(said(&stage, &new.sign(&stage.claims())).await.0, StatusCode::OK);
    assert_eq!(said(&stage, &old).await.0, StatusCode::OK);
    assert_eq!(stage.auth.jwks_asked.load(Ordering::SeqCst), 2);
    stage.auth.keys.lock().unwrap().remove(0);
    stage.time.advance(jiff::SignedDuration::from_secs(301));
    is_refused(&stage, &old, "its key was withdrawn").await;
    assert_eq!(said(&stage, &new.sign(&stage.claims())).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_token_can_not_be_checked_without_keys() {
    let stage = Stage::set(Setting { down: &["auth"], ..Setting::default() }).await;
    let expected = (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE".to_owned());
    assert_eq!(said(&stage, &stage.token()).await, expected);
}
