//! Joining a business by an invitation: who may, in which role, and how often.

use boot::environment::Environment;
use database::named;
use futures::future::join_all;
use jiff::SignedDuration;
use proto::{error::Reason, frontdesk::auth::internal::v1::RegisterRequest};

use super::NEW;
use crate::fixture::{Auth, PASSWORD, business, reason, user};

#[tokio::test]
async fn who_has_an_account_signs_in_and_accepts() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    let token = auth.invited(NEW, "MANAGER").await;
    assert!(auth.show(&token).await.unwrap().has_account);
    assert_eq!(reason(&auth.join(NEW, &token).await.unwrap_err()), Reason::AccountExists);
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!(auth.accept(2, &tokens, &token).await.unwrap(), business(1).to_string());
    assert_eq!(auth.refresh(&tokens.refresh_token).await.unwrap().role, "MANAGER");
    assert_eq!(auth.kinds(2).await, "JOINED SIGNED_IN");
    let joined =
        "SELECT concat_ws(' ', detail, actor_id = :inviter, business_id = :business) FROM security_event
        WHERE kind = 'JOINED' AND account_id = :person";
    let values = named! { inviter: user(1).0, business: business(1).0, person: user(2).0 };
    assert_eq!(auth.peek(joined, values).await.unwrap(), "MANAGER t t");
    assert_eq!(reason(&auth.accept(2, &tokens, &token).await.unwrap_err()), Reason::TokenSpent);
}

#[tokio::test]
async fn an_invitation_takes_no_higher_role_away() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    let token = auth.invited(NEW, "GUEST").await;
    auth.set_role(user(2), business(1), "MANAGER").await.unwrap();
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    auth.accept(2, &tokens, &token).await.unwrap();
    assert_eq!(auth.refresh(&tokens.refresh_token).await.unwrap().role, "MANAGER");
}

#[tokio::test]
async fn an_invitation_is_accepted_only_by_its_address_and_once_that_is_proved() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    auth.add(3, "other@demo.test").await;
    let token = auth.invited(NEW, "MANAGER").await;
    let other = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    assert_eq!(reason(&auth.accept(3, &other, &token).await.unwrap_err()), Reason::WrongState);
    assert_eq!(reason(&auth.accept(3, &other, "guessed").await.unwrap_err()), Reason::TokenSpent);
    let unproved = "UPDATE account SET email_verified_at = NULL WHERE email = :email RETURNING email";
    auth.peek(unproved, named! { email: NEW }).await;
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!(reason(&auth.accept(2, &tokens, &token).await.unwrap_err()), Reason::WrongState);
    assert_eq!(auth.invitations(0, "").await.unwrap().invitations.len(), 1);
}

#[tokio::test]
async fn an_earlier_account_of_the_address_is_taken_over_by_its_owner() {
    let auth = Auth::with_owner(Environment::Test).await;
    let squatter = RegisterRequest {
        name: "Stranger".to_owned(),
        email: NEW.to_owned(),
        password: "the first one's password".to_owned(),
        invitation: String::new(),
        client: None,
    };
    auth.register(squatter).await.unwrap();
    let session = auth.sign_in(NEW, "the first one's password").await.unwrap();
    let identity = "INSERT INTO identity (id, account_id, issuer, subject, email, connected_at)
        SELECT gen_random_uuid(), id, 'https://issuer.test', 'squatter', email, created_at FROM account
        WHERE email = :email RETURNING email";
    auth.peek(identity, named! { email: NEW }).await;
    auth.advance(SignedDuration::from_secs(1));
    let token = auth.invited(NEW, "EMPLOYEE").await;
    assert!(!auth.show(&token).await.unwrap().has_account);
    auth.join(NEW, &token).await.unwrap();
    assert_eq!(auth.sign_in(NEW, PASSWORD).await.unwrap().role, "EMPLOYEE");
    assert!(auth.sign_in(NEW, "the first one's password").await.is_err());
    assert!(auth.refresh(&session.refresh_token).await.is_err());
    assert_eq!(auth.proofs().await, "0");
    assert_eq!(auth.peek("SELECT count(*)::text FROM identity", []).await.unwrap(), "0");
    let ended = "SELECT end_reason FROM session WHERE ended_at IS NOT NULL";
    assert_eq!(auth.peek(ended, []).await.unwrap(), "TAKEN_OVER");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_acceptances_at_once_one_joins() {
    let auth = Auth::with_owner(Environment::Test).await;
    auth.add(2, NEW).await;
    let token = auth.invited(NEW, "MANAGER").await;
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    let outcomes = join_all((0..4).map(|_| auth.accept(2, &tokens, &token))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(lost.map(reason).all(|reason| reason == Reason::TokenSpent));
    assert_eq!(auth.kinds(2).await.matches("JOINED").count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_registrations_by_one_invitation_at_once_one_makes_the_account() {
    let auth = Auth::with_owner(Environment::Test).await;
    let token = auth.invited(NEW, "EMPLOYEE").await;
    let outcomes = join_all((0..4).map(|_| auth.join(NEW, &token))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{outcomes:?}");
    let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(lost.map(reason).all(|reason| reason == Reason::TokenSpent));
}
