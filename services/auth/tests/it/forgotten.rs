use boot::environment::Environment;
use jiff::SignedDuration;
use proto::{error::Reason, frontdesk::auth::internal::v1::ForgotPasswordRequest};
use testkit::as_service;
use tonic::{Code, Status};

use crate::{
    fixture::{Auth, EMAIL, PASSWORD, at, fields, reason},
    registration::applicant,
};

const RESET: &str = "reset-password?token=";
const NEW: &str = "a whole new password";

impl Auth {
    async fn forgot(&self, email: &str) -> Result<(), Status> {
        self.forgot_at(email, "192.0.2.7").await
    }

    async fn forgot_at(&self, email: &str, address: &str) -> Result<(), Status> {
        let message = ForgotPasswordRequest { email: email.to_owned(), client: Some(at(address)) };
        self.registration().forgot_password(self.door(message)).await.map(drop)
    }
}

#[tokio::test]
async fn who_has_forgotten_a_password_sets_another_by_the_mailed_link_and_is_told() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.forgot(" Owner@demo.TEST ").await.unwrap();
    assert_eq!(auth.mail_to(EMAIL).await[0], "Set a new password");
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    auth.advance(SignedDuration::from_secs(1));
    auth.reset(&auth.token_to(EMAIL, RESET).await, NEW).await.unwrap();
    assert!(!auth.admit(&tokens, None).await.alive);
    auth.sign_in(EMAIL, NEW).await.unwrap();
    assert_eq!(auth.mail_to(EMAIL).await[0], "Your password was changed");
    assert!(auth.kinds(1).await.contains("PASSWORD_RESET SIGNED_IN PASSWORD_RESET_REQUESTED"));
}

#[tokio::test]
async fn a_mailed_link_works_for_ten_minutes() {
    let (auth, _) = Auth::signed_in().await;
    auth.forgot(EMAIL).await.unwrap();
    let token = auth.token_to(EMAIL, RESET).await;
    auth.advance(SignedDuration::from_mins(10));
    assert_eq!(reason(&auth.reset(&token, NEW).await.unwrap_err()), Reason::TokenSpent);
    auth.advance(SignedDuration::from_secs(-1));
    auth.reset(&token, NEW).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_posts_of_one_token_one_sets_its_password() {
    let (auth, _) = Auth::signed_in().await;
    auth.forgot(EMAIL).await.unwrap();
    let token = auth.token_to(EMAIL, RESET).await;
    let (one, other) = tokio::join!(auth.reset(&token, NEW), auth.reset(&token, "yet another password"));
    let (won, lost) = if one.is_ok() { (NEW, other) } else { ("yet another password", one) };
    assert_eq!(reason(&lost.unwrap_err()), Reason::TokenSpent);
    auth.sign_in(EMAIL, won).await.unwrap();
}

#[tokio::test]
async fn an_address_without_an_account_gets_a_mail_without_a_link() {
    let auth = Auth::start().await;
    auth.forgot("unknown@demo.test").await.unwrap();
    let [subject, text] = auth.mail_to("unknown@demo.test").await;
    assert_eq!(subject, "There is no account with this address");
    assert!(!text.contains("token"), "{text}");
    assert_eq!(auth.mails().await.len(), 1);
}

#[tokio::test]
async fn a_reset_of_an_account_whose_address_was_not_proved_proves_it() {
    let (auth, _) = Auth::signed_in().await;
    auth.peek("UPDATE account SET email_verified_at = NULL RETURNING email", []).await;
    auth.forgot(EMAIL).await.unwrap();
    auth.reset(&auth.token_to(EMAIL, RESET).await, NEW).await.unwrap();
    let verified = "SELECT (email_verified_at IS NOT NULL)::text FROM account";
    assert_eq!(auth.peek(verified, []).await.unwrap(), "true");
}

#[tokio::test]
async fn who_never_registered_takes_the_account_of_their_address_from_who_did() {
    let auth = Auth::start().await;
    auth.register(applicant(EMAIL, PASSWORD)).await.unwrap();
    let squatter = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    let identity = "INSERT INTO identity (id, account_id, issuer, subject, email, connected_at)
        SELECT gen_random_uuid(), id, 'https://issuer.test', 'squatter', email, created_at FROM account
        RETURNING email";
    auth.peek(identity, []).await;
    auth.forgot(EMAIL).await.unwrap();
    auth.reset(&auth.token_to(EMAIL, RESET).await, NEW).await.unwrap();
    assert_eq!(reason(&auth.sign_in(EMAIL, PASSWORD).await.unwrap_err()), Reason::WrongCredentials);
    assert_eq!(reason(&auth.refresh(&squatter.refresh_token).await.unwrap_err()), Reason::Unauthenticated);
    let left = "SELECT concat_ws(' ', email_verified_at IS NOT NULL, (SELECT count(*) FROM identity),
        (SELECT count(*) FROM session WHERE ended_at IS NULL), (SELECT count(*) FROM email_proof))
        FROM account";
    assert_eq!(auth.peek(left, []).await.unwrap(), "t 0 0 0");
    auth.sign_in(EMAIL, NEW).await.unwrap();
}

#[tokio::test]
async fn a_letter_box_gets_five_links_an_hour_from_one_network_and_twenty_from_wherever() {
    let auth = Auth::start_in(Environment::Development).await;
    auth.add(1, EMAIL).await;
    for email in [EMAIL, "unknown@demo.test"] {
        for network in 0..4 {
            let network = format!("192.0.2.{network}");
            for _ in 0..5 {
                auth.forgot_at(email, &network).await.unwrap();
            }
            assert_eq!(reason(&auth.forgot_at(email, &network).await.unwrap_err()), Reason::RateLimited);
        }
        let refused = auth.forgot_at(email, "198.51.100.1").await.unwrap_err();
        assert_eq!(reason(&refused), Reason::RateLimited);
    }
}

#[tokio::test]
async fn what_strangers_ask_for_keeps_no_mail_from_who_is_signed_in() {
    let auth = Auth::start_in(Environment::Development).await;
    auth.add(1, EMAIL).await;
    auth.unproved().await;
    let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    for n in 0..20 {
        auth.forgot_at(EMAIL, &format!("192.0.2.{n}")).await.unwrap();
    }
    assert_eq!(reason(&auth.forgot_at(EMAIL, "198.51.100.1").await.unwrap_err()), Reason::RateLimited);
    auth.resend(&tokens).await.unwrap();
}

#[tokio::test]
async fn a_network_asks_for_a_hundred_mails_an_hour_and_no_other_is_held_up() {
    let auth = Auth::start_in(Environment::Development).await;
    for n in 0..100 {
        auth.forgot_at(&format!("unknown-{n}@demo.test"), "2001:db8:1:2::7").await.unwrap();
    }
    let refused = auth.forgot_at("one-more@demo.test", "2001:db8:1:2:ffff::").await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RateLimited);
    auth.forgot_at("one-more@demo.test", "2001:db8:1:3::7").await.unwrap();
    assert_eq!(auth.mails().await.len(), 101);
}

#[tokio::test]
async fn an_invalid_address_is_named_and_only_the_door_may_ask() {
    let auth = Auth::start().await;
    for email in ["", "owner"] {
        assert_eq!(fields(&auth.forgot(email).await.unwrap_err()), ["email"]);
    }
    let message = ForgotPasswordRequest { email: EMAIL.to_owned(), client: None };
    let request = as_service("tenancy", &auth.host, None, message);
    assert_eq!(
        auth.registration().forgot_password(request).await.unwrap_err().code(),
        Code::PermissionDenied
    );
}
