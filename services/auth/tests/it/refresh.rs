use std::collections::BTreeSet;

use database::named;
use futures::future::join_all;
use jiff::SignedDuration;
use proto::error::Reason;
use tonic::Code;

use crate::fixture::{Auth, business, claims, reason, user};

fn seconds(seconds: i64) -> SignedDuration {
    SignedDuration::from_secs(seconds)
}

async fn assert_over(auth: &Auth, refresh_token: &str) {
    let refused = auth.refresh(refresh_token).await.unwrap_err();
    assert_eq!((refused.code(), reason(&refused)), (Code::Unauthenticated, Reason::Unauthenticated));
    assert_eq!(refused.message(), "The session has ended.");
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_parallel_refreshes_all_succeed_with_one_successor() {
    let (auth, first) = Auth::signed_in().await;
    let answers = join_all((0..50).map(|_| auth.refresh(&first.refresh_token))).await;
    let successors: BTreeSet<_> =
        answers.into_iter().map(|answer| answer.expect("every tab stays signed in").refresh_token).collect();
    assert_eq!(successors.len(), 1);
    assert_eq!(auth.peek("SELECT generation::text FROM session", []).await.unwrap(), "2");
    auth.refresh(successors.first().unwrap()).await.unwrap();
}

#[tokio::test]
async fn a_refresh_renews_the_access_token_and_what_it_says() {
    let (auth, first) = Auth::signed_in().await;
    auth.set_role(user(1), business(1), "MANAGER").await.unwrap();
    auth.advance(seconds(600));
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    assert_eq!(second.session_id, first.session_id);
    assert_eq!(
        (second.role.as_str(), second.business_ids.as_slice()),
        ("MANAGER", &[business(1).to_string()][..])
    );
    assert_eq!(second.refresh_max_age_seconds, first.refresh_max_age_seconds - 600);
    let keys = auth.jwks().await;
    let (before, after) = (claims(&first.access_token, &keys), claims(&second.access_token, &keys));
    assert_eq!(after["iat"].as_i64().unwrap(), before["iat"].as_i64().unwrap() + 600);
    assert_ne!(after["jti"], before["jti"]);
}

#[tokio::test]
async fn a_lost_answer_is_given_again_for_ten_seconds() {
    let (auth, first) = Auth::signed_in().await;
    let lost = auth.refresh(&first.refresh_token).await.unwrap();
    auth.advance(seconds(10));
    for _ in 0..3 {
        let again = auth.refresh(&first.refresh_token).await.unwrap();
        assert_eq!(again.refresh_token, lost.refresh_token);
    }
    auth.advance(seconds(3600));
    auth.refresh(&lost.refresh_token).await.unwrap();
}

#[tokio::test]
async fn the_token_before_revokes_the_family_after_ten_seconds() {
    let (auth, first) = Auth::signed_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    auth.advance(seconds(11));
    assert_over(&auth, &first.refresh_token).await;
    assert_over(&auth, &second.refresh_token).await;
}

#[tokio::test]
async fn an_older_token_revokes_the_family_even_within_ten_seconds() {
    let (auth, first) = Auth::signed_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    let third = auth.refresh(&second.refresh_token).await.unwrap();
    assert!(auth.admit(&third, None).await.alive);
    assert_over(&auth, &first.refresh_token).await;
    assert_over(&auth, &third.refresh_token).await;
    assert!(!auth.admit(&third, None).await.alive);
    assert_eq!(auth.peek("SELECT end_reason FROM session", []).await.unwrap(), "TOKEN_REUSED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replayed_token_racing_with_honest_tabs_ends_in_a_revoked_family() {
    let (auth, first) = Auth::signed_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    let third = auth.refresh(&second.refresh_token).await.unwrap();
    let honest = join_all((0..10).map(|_| auth.refresh(&third.refresh_token)));
    let replays = join_all((0..10).map(|_| auth.refresh(&first.refresh_token)));
    let (_, replayed) = tokio::join!(honest, replays);
    assert!(replayed.iter().all(Result::is_err));
    assert_over(&auth, &third.refresh_token).await;
    assert!(!auth.admit(&third, None).await.alive);
}

#[tokio::test]
async fn refreshing_never_extends_the_sessions_absolute_life() {
    let (auth, mut tokens) = Auth::signed_in().await;
    for hour in 1..24 {
        auth.advance(SignedDuration::from_hours(1));
        tokens = auth.refresh(&tokens.refresh_token).await.unwrap();
        assert_eq!(tokens.refresh_max_age_seconds, (24 - hour) * 3600);
    }
    auth.advance(SignedDuration::from_mins(59));
    let last = auth.refresh(&tokens.refresh_token).await.unwrap();
    let claims = claims(&last.access_token, &auth.jwks().await);
    let life = claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap();
    assert_eq!(life, 60, "an access token ends with its session");
    auth.advance(SignedDuration::from_mins(1));
    assert_over(&auth, &last.refresh_token).await;
    assert!(!auth.admit(&last, None).await.alive);
}

#[tokio::test]
async fn a_forged_token_is_over_and_hurts_no_session() {
    let (auth, first) = Auth::signed_in().await;
    let mac = first.refresh_token.rsplit('.').next().unwrap();
    let forged = [
        String::new(),
        "nonsense".to_owned(),
        format!("{}.0.{mac}", first.session_id),
        format!("{}.2.{mac}", first.session_id),
        format!("{}.1.{}", first.session_id, "A".repeat(43)),
    ];
    for token in &forged {
        assert_over(&auth, token).await;
        auth.sign_out(token).await.unwrap();
    }
    auth.refresh(&first.refresh_token).await.unwrap();
}

#[tokio::test]
async fn a_token_of_another_session_key_is_over() {
    let (auth, first) = Auth::signed_in().await;
    let mut config = crate::fixture::config(&auth.database);
    config.session_key = config.sealing_key.clone();
    let message = proto::frontdesk::auth::internal::v1::RefreshRequest {
        refresh_token: first.refresh_token,
        client: None,
    };
    let refused = auth.replica(&config).await.refresh(auth.door(message)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Unauthenticated);
}

#[tokio::test]
async fn the_database_holds_no_token() {
    let (auth, first) = Auth::signed_in().await;
    let second = auth.refresh(&first.refresh_token).await.unwrap();
    let secret = second.refresh_token.rsplit('.').next().unwrap();
    let sql = "SELECT (position(:secret in (SELECT string_agg(session::text, '') FROM session)) > 0)::text";
    assert_eq!(auth.peek(sql, named! { secret }).await.unwrap(), "false");
}
