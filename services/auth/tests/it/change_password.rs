//! Setting another password while signed in.

use boot::environment::Environment;
use proto::{
    error::Reason,
    frontdesk::auth::{internal::v1::Tokens, v1::ChangePasswordRequest},
};
use tonic::{Code, Status};

use crate::fixture::{Auth, EMAIL, PASSWORD, at, fields, reason};

const NEW: &str = "a whole new password";

impl Auth {
    pub async fn change(&self, tokens: &Tokens, current: &str, new: &str) -> Result<(), Status> {
        let message =
            ChangePasswordRequest { current_password: current.to_owned(), new_password: new.to_owned() };
        self.accounts().change_password(self.person(1, tokens, message)).await.map(drop)
    }
}

#[tokio::test]
async fn a_changed_password_ends_every_other_session_and_keeps_this_one() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.add(2, "other@demo.test").await;
    let others = [auth.sign_in(EMAIL, PASSWORD).await.unwrap(), auth.sign_in(EMAIL, PASSWORD).await.unwrap()];
    let stranger = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    auth.change(&tokens, PASSWORD, NEW).await.unwrap();
    for other in &others {
        assert!(!auth.admit(other, None).await.alive);
        assert_eq!(reason(&auth.refresh(&other.refresh_token).await.unwrap_err()), Reason::Unauthenticated);
    }
    assert!(auth.admit(&tokens, None).await.alive);
    auth.refresh(&tokens.refresh_token).await.unwrap();
    auth.refresh(&stranger.refresh_token).await.unwrap();
    assert_eq!(reason(&auth.sign_in(EMAIL, PASSWORD).await.unwrap_err()), Reason::WrongCredentials);
    auth.sign_in(EMAIL, NEW).await.unwrap();
    assert!(auth.kinds(1).await.contains("PASSWORD_CHANGED"));
    let [subject, text] = auth.mail_to(EMAIL).await;
    assert_eq!(subject, "Your password was changed");
    assert!(text.contains("every other browser was signed out"), "{text}");
}

#[tokio::test]
async fn a_wrong_current_password_and_a_new_one_that_breaks_a_rule_are_named_and_change_nothing() {
    let (auth, tokens) = Auth::signed_in().await;
    for (current, new, field) in [
        ("", NEW, "current_password"),
        ("incorrect horse", NEW, "current_password"),
        (PASSWORD, "short", "new_password"),
        (PASSWORD, EMAIL, "new_password"),
        (PASSWORD, "", "new_password"),
    ] {
        let refused = auth.change(&tokens, current, new).await.unwrap_err();
        assert_eq!((refused.code(), fields(&refused)), (Code::InvalidArgument, vec![field.to_owned()]));
    }
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn wrong_current_passwords_count_like_failed_sign_ins() {
    let auth = Auth::start_in(Environment::Production).await;
    auth.add(1, EMAIL).await;
    let tokens = auth.sign_in_as(EMAIL, PASSWORD, at("192.0.2.1")).await.unwrap();
    for _ in 0..5 {
        let refused = auth.change(&tokens, "incorrect horse", NEW).await.unwrap_err();
        assert_eq!(fields(&refused), ["current_password"]);
    }
    assert_eq!(reason(&auth.change(&tokens, PASSWORD, NEW).await.unwrap_err()), Reason::Blocked);
    let there = auth.sign_in_as(EMAIL, PASSWORD, at("192.0.2.1")).await.unwrap_err();
    assert_eq!(reason(&there), Reason::Blocked, "it is one limit");
    auth.sign_in_as(EMAIL, PASSWORD, at("198.51.100.7")).await.unwrap();
}

#[tokio::test]
async fn who_has_no_password_yet_sets_one_without_showing_any() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.peek("UPDATE account SET password_hash = NULL RETURNING email", []).await;
    auth.change(&tokens, "", NEW).await.unwrap();
    auth.sign_in(EMAIL, NEW).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_changes_at_the_same_time_one_wins() {
    let (auth, tokens) = Auth::signed_in().await;
    let (one, other) =
        tokio::join!(auth.change(&tokens, PASSWORD, NEW), auth.change(&tokens, PASSWORD, "another new one"));
    assert!(one.is_ok() ^ other.is_ok(), "{one:?} {other:?}");
    let set = if one.is_ok() { NEW } else { "another new one" };
    auth.sign_in(EMAIL, set).await.unwrap();
}
