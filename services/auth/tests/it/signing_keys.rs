use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::config::Secret;
use jiff::SignedDuration;
use jsonwebtoken::jwk::JwkSet;
use proto::frontdesk::auth::internal::v1::{GetJwksRequest, RefreshRequest, SignInRequest};
use testkit::as_service;
use tonic::Code;

use crate::fixture::{Auth, EMAIL, PASSWORD, claims, config};

fn kid(access_token: &str) -> String {
    jsonwebtoken::decode_header(access_token).unwrap().kid.unwrap()
}

fn kids(keys: &JwkSet) -> Vec<String> {
    keys.keys.iter().map(|key| key.common.key_id.clone().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn replicas_that_start_together_make_one_key() {
    let auth = Auth::start().await;
    auth.superuser().await;
    auth.peek("WITH gone AS (DELETE FROM signing_key RETURNING kid) SELECT max(kid) FROM gone", []).await;
    let config = config(&auth.database);
    futures::future::join_all((0..4).map(|_| auth.replica(&config))).await;
    assert_eq!(kids(&auth.jwks().await).len(), 1);
}

#[tokio::test]
async fn a_new_key_is_published_before_it_signs_and_the_old_until_its_last_token_has_expired() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    let first = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    let old = kid(&first.access_token);
    assert_eq!(kids(&auth.jwks().await), std::slice::from_ref(&old));

    auth.advance(SignedDuration::from_hours(30 * 24));
    let before = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert_eq!(kid(&before.access_token), old, "no verifier may know the new key yet");
    let published = kids(&auth.jwks().await);
    assert_eq!((published.len(), &published[0]), (2, &old));

    auth.advance(SignedDuration::from_mins(10));
    let after = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert_eq!(kid(&after.access_token), published[1]);
    claims(&before.access_token, &auth.jwks().await);

    auth.advance(SignedDuration::from_mins(59));
    claims(&before.access_token, &auth.jwks().await);
    auth.advance(SignedDuration::from_hours(2));
    assert_eq!(kids(&auth.jwks().await), [published[1].clone()]);
}

#[tokio::test]
async fn a_new_sealing_key_brings_a_new_signing_key_and_leaves_issued_tokens_valid() {
    let (auth, issued) = Auth::signed_in().await;
    let mut config = config(&auth.database);
    config.sealing_key = Secret::new(B64.encode([9; 32]));
    let mut replica = auth.replica(&config).await;
    let message = RefreshRequest { refresh_token: issued.refresh_token.clone(), client: None };
    let renewed = replica.refresh(auth.door(message)).await.unwrap().into_inner().tokens.unwrap();
    assert_ne!(kid(&renewed.access_token), kid(&issued.access_token));
    let keys = auth.jwks().await;
    claims(&renewed.access_token, &keys);
    claims(&issued.access_token, &keys);
}

#[tokio::test]
async fn a_replica_notices_within_a_minute_what_another_has_made() {
    let (auth, _) = Auth::signed_in().await;
    let mut other = auth.replica(&config(&auth.database)).await;
    auth.advance(SignedDuration::from_hours(30 * 24));
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    auth.advance(SignedDuration::from_mins(10));
    let message = SignInRequest { email: EMAIL.to_owned(), password: PASSWORD.to_owned(), client: None };
    let tokens = other.sign_in(auth.door(message)).await.unwrap().into_inner().tokens.unwrap();
    assert_eq!(kid(&tokens.access_token), kids(&auth.jwks().await)[1]);
    assert_eq!(auth.peek("SELECT count(*)::text FROM signing_key", []).await.unwrap(), "2");
}

#[tokio::test]
async fn the_database_holds_no_private_key_in_the_clear() {
    let auth = Auth::start().await;
    let lengths = "SELECT (length(sealed_seed) = 24 + 32 + 16)::text FROM signing_key";
    assert_eq!(auth.peek(lengths, []).await.unwrap(), "true");
}

#[tokio::test]
async fn a_malformed_key_keeps_the_service_from_starting() {
    let auth = Auth::start().await;
    let database = auth.database.connect(&auth.host).await;
    for (name, short) in [("SESSION_KEY", true), ("SEALING_KEY", false)] {
        let mut config = config(&auth.database);
        let key = if short { &mut config.session_key } else { &mut config.sealing_key };
        *key = Secret::new("hunter2");
        let error = auth::routes(&config, database.clone(), &auth.host).await.unwrap_err();
        let told = format!("{error:#}");
        assert!(told.starts_with(name) && !told.contains("hunter2"), "{told}");
    }
}

#[tokio::test]
async fn only_the_door_asks_for_the_keys() {
    let auth = Auth::start().await;
    let request = as_service("tenancy", &auth.host, None, GetJwksRequest {});
    assert_eq!(auth.sessions().get_jwks(request).await.unwrap_err().code(), Code::PermissionDenied);
}

/// What a door does: it keeps the published keys, and reads them anew for one it doesn't know.
struct Verifier {
    keys: JwkSet,
    asked: u32,
}

impl Verifier {
    async fn verify(&mut self, auth: &Auth, token: &str) {
        if self.keys.find(&kid(token)).is_none() {
            self.keys = auth.jwks().await;
            self.asked += 1;
        }
        claims(token, &self.keys);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_replaced_under_load_without_one_failed_request() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.advance(SignedDuration::from_hours(30 * 24) - SignedDuration::from_mins(5));
    let config = config(&auth.database);
    let replicas = [auth.replica(&config).await, auth.replica(&config).await, auth.sessions()];
    let mut tabs = Vec::new();
    for n in 0..6 {
        let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
        let verifier = Verifier { keys: auth.jwks().await, asked: 0 };
        tabs.push((n, tokens, verifier, vec![]));
    }
    // Two minutes go by after each round, until the old key's last token has expired.
    for round in 0..45_usize {
        let rounds = tabs.iter_mut().map(|(n, tokens, verifier, issued)| {
            let (auth, mut replica) = (&auth, replicas[(*n + round) % replicas.len()].clone());
            async move {
                for _ in 0..3 {
                    let message =
                        RefreshRequest { refresh_token: tokens.refresh_token.clone(), client: None };
                    let answer = replica.refresh(auth.door(message)).await.unwrap();
                    *tokens = answer.into_inner().tokens.unwrap();
                    verifier.verify(auth, &tokens.access_token).await;
                }
                issued.push(tokens.access_token.clone());
                // An access token lives an hour: the one of 58 minutes ago is the oldest still valid.
                verifier.verify(auth, &issued[issued.len().saturating_sub(30)]).await;
            }
        });
        futures::future::join_all(rounds).await;
        auth.advance(SignedDuration::from_mins(2));
    }
    for (_, tokens, verifier, issued) in &tabs {
        assert_ne!(kid(&tokens.access_token), kid(&issued[0]), "the key was replaced");
        assert_eq!(verifier.asked, 1, "and each door asked once");
    }
}
