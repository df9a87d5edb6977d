use boot::environment::Environment;
use database::named;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::Tokens,
        v1::{
            CancelEmailChangeRequest, ChangeEmailRequest, GetMeRequest, GetMeResponse, RenameMeRequest,
            ResendVerificationRequest, SignOutEverywhereRequest,
        },
    },
};
use testkit::as_service;
use tonic::{Code, Status};

use crate::fixture::{Auth, EMAIL, PASSWORD, fields, reason};

const NEW: &str = "new@demo.test";
const CONFIRM: &str = "register?confirm=";

impl Auth {
    async fn me_of(&self, tokens: &Tokens) -> GetMeResponse {
        self.accounts().get_me(self.person(1, tokens, GetMeRequest {})).await.unwrap().into_inner()
    }

    async fn rename(&self, tokens: &Tokens, name: &str) -> Result<(), Status> {
        let message = RenameMeRequest { name: name.to_owned() };
        self.accounts().rename_me(self.person(1, tokens, message)).await.map(drop)
    }

    async fn change_email(&self, tokens: &Tokens, password: &str, email: &str) -> Result<(), Status> {
        let message =
            ChangeEmailRequest { current_password: password.to_owned(), new_email: email.to_owned() };
        self.accounts().change_email(self.person(1, tokens, message)).await.map(drop)
    }

    async fn keep_email(&self, tokens: &Tokens) {
        let request = self.person(1, tokens, CancelEmailChangeRequest {});
        self.accounts().cancel_email_change(request).await.unwrap();
    }

    pub async fn resend(&self, tokens: &Tokens) -> Result<(), Status> {
        self.accounts()
            .resend_verification(self.person(1, tokens, ResendVerificationRequest {}))
            .await
            .map(drop)
    }

    pub async fn unproved(&self) {
        self.peek("UPDATE account SET email_verified_at = NULL RETURNING email", []).await;
    }
}

#[tokio::test]
async fn a_person_is_called_what_they_say_from_the_next_token_on() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.rename(&tokens, "  Zoë Owner ").await.unwrap();
    assert_eq!(auth.me_of(&tokens).await.name, "Zoë Owner");
    let renewed = auth.refresh(&tokens.refresh_token).await.unwrap();
    let claims = crate::fixture::claims(&renewed.access_token, &auth.jwks().await);
    assert_eq!(claims["name"], "Zoë Owner");
    for name in ["", "  ", "two\nlines", &"a".repeat(201)] {
        assert_eq!(fields(&auth.rename(&tokens, name).await.unwrap_err()), ["name"]);
    }
}

#[tokio::test]
async fn another_address_takes_effect_when_its_link_is_opened_and_the_old_one_is_told() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.change_email(&tokens, PASSWORD, " New@demo.test").await.unwrap();
    let me = auth.me_of(&tokens).await;
    assert_eq!((me.email.as_str(), me.new_email.as_str(), me.email_verified), (EMAIL, NEW, true));
    assert_eq!(auth.mail_to(EMAIL).await[0], "Your e-mail address is about to change");
    assert_eq!(auth.mail_to(NEW).await[0], "Confirm your new e-mail address");
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();

    auth.verify(&tokens, &auth.token_to(NEW, CONFIRM).await).await.unwrap();
    let me = auth.me_of(&tokens).await;
    assert_eq!((me.email.as_str(), me.new_email.as_str(), me.email_verified), (NEW, "", true));
    auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!(reason(&auth.sign_in(EMAIL, PASSWORD).await.unwrap_err()), Reason::WrongCredentials);
    assert_eq!(auth.mail_to(EMAIL).await[0], "Your e-mail address was changed");
    assert!(auth.kinds(1).await.contains("EMAIL_CHANGED SIGNED_IN EMAIL_CHANGE_REQUESTED"));
}

#[tokio::test]
async fn a_change_asked_for_again_leaves_the_latest_link_alone() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    let first = auth.token_to(NEW, CONFIRM).await;
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    assert_eq!(reason(&auth.verify(&tokens, &first).await.unwrap_err()), Reason::TokenSpent);
    auth.verify(&tokens, &auth.token_to(NEW, CONFIRM).await).await.unwrap();
}

#[tokio::test]
async fn an_address_that_has_an_account_is_asked_for_in_vain_and_only_its_owner_hears_of_it() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.add(2, "other@demo.test").await;
    auth.change_email(&tokens, PASSWORD, "other@demo.test").await.unwrap();
    assert_eq!(auth.mail_to("other@demo.test").await[0], "This address has an account already");
    assert_eq!(auth.mails().await.len(), 2, "as many as for any other address");
    assert_eq!(auth.me_of(&tokens).await.email, EMAIL);
}

#[tokio::test]
async fn an_address_that_was_given_away_meanwhile_is_not_given_twice() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    auth.add(2, NEW).await;
    let refused = auth.verify(&tokens, &auth.token_to(NEW, CONFIRM).await).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::AlreadyExists);
    assert_eq!(auth.me_of(&tokens).await.email, EMAIL);
}

#[tokio::test]
async fn a_field_of_a_change_that_breaks_a_rule_is_named_and_nothing_is_mailed() {
    let (auth, tokens) = Auth::signed_in().await;
    for (password, email, field) in [
        ("", NEW, "current_password"),
        ("not the password", NEW, "current_password"),
        (PASSWORD, "", "new_email"),
        (PASSWORD, "new", "new_email"),
        (PASSWORD, "OWNER@demo.test", "new_email"),
    ] {
        assert_eq!(fields(&auth.change_email(&tokens, password, email).await.unwrap_err()), [field]);
    }
    assert!(auth.mails().await.is_empty());
}

#[tokio::test]
async fn a_proof_can_be_asked_for_again_until_the_address_is_proved() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.unproved().await;
    assert!(!auth.me_of(&tokens).await.email_verified);
    auth.resend(&tokens).await.unwrap();
    let first = auth.token_to(EMAIL, CONFIRM).await;
    auth.resend(&tokens).await.unwrap();
    assert_eq!(reason(&auth.verify(&tokens, &first).await.unwrap_err()), Reason::TokenSpent);
    auth.verify(&tokens, &auth.token_to(EMAIL, CONFIRM).await).await.unwrap();
    assert!(auth.me_of(&tokens).await.email_verified);
    assert!(auth.admit(&tokens, None).await.alive);
    assert_eq!(reason(&auth.resend(&tokens).await.unwrap_err()), Reason::WrongState);
}

#[tokio::test]
async fn a_proof_outlives_the_password_it_was_asked_for_with() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.unproved().await;
    auth.resend(&tokens).await.unwrap();
    let token = auth.token_to(EMAIL, CONFIRM).await;
    auth.change(&tokens, PASSWORD, "a whole new password").await.unwrap();
    auth.verify(&tokens, &token).await.unwrap();
    assert!(auth.me_of(&tokens).await.email_verified);
    auth.sign_in(EMAIL, "a whole new password").await.unwrap();
}

#[tokio::test]
async fn a_change_that_waits_can_be_dropped_and_its_link_works_no_more() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    let token = auth.token_to(NEW, CONFIRM).await;
    auth.keep_email(&tokens).await;
    assert_eq!(auth.me_of(&tokens).await.new_email, "");
    assert_eq!(reason(&auth.verify(&tokens, &token).await.unwrap_err()), Reason::TokenSpent);
    assert_eq!(auth.me_of(&tokens).await.email, EMAIL);
    auth.keep_email(&tokens).await;
    let told = "EMAIL_CHANGE_CANCELLED EMAIL_CHANGE_REQUESTED SIGNED_IN";
    assert_eq!(auth.kinds(1).await, told, "the second time there was nothing to drop");
}

#[tokio::test]
async fn dropping_a_change_leaves_the_proof_of_the_own_address_and_other_peoples_changes() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.add(2, "other@demo.test").await;
    auth.unproved().await;
    auth.resend(&tokens).await.unwrap();
    let own = auth.token_to(EMAIL, CONFIRM).await;
    let others = "INSERT INTO email_proof (hash, account_id, email, created_at, expires_at)
        SELECT sha256('theirs'), :account_id, 'else@demo.test', created_at, expires_at FROM email_proof RETURNING email";
    auth.peek(others, named! { account_id: crate::fixture::user(2).0 }).await;
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    auth.keep_email(&tokens).await;
    assert_eq!(auth.proofs().await, "2");
    auth.verify(&tokens, &own).await.unwrap();
}

#[tokio::test]
async fn a_link_that_changes_an_address_changes_no_other_persons() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.add(2, "other@demo.test").await;
    let other = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    let token = auth.token_to(NEW, CONFIRM).await;
    assert_eq!(reason(&auth.verify(&other, &token).await.unwrap_err()), Reason::WrongAccount);
    assert_eq!(auth.me_of(&tokens).await.new_email, NEW);
    auth.verify(&tokens, &token).await.unwrap();
    assert_eq!(auth.me_of(&tokens).await.email, NEW);
}

#[tokio::test]
async fn proofs_are_not_asked_for_without_end() {
    let auth = Auth::start_in(Environment::Development).await;
    auth.add(1, EMAIL).await;
    let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    for _ in 0..5 {
        auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    }
    assert_eq!(reason(&auth.change_email(&tokens, PASSWORD, NEW).await.unwrap_err()), Reason::RateLimited);
    auth.unproved().await;
    for _ in 0..5 {
        auth.resend(&tokens).await.unwrap();
    }
    assert_eq!(reason(&auth.resend(&tokens).await.unwrap_err()), Reason::RateLimited);
}

#[tokio::test]
async fn a_pending_change_of_address_ends_with_the_password_it_was_asked_for_with() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    auth.change(&tokens, PASSWORD, "a whole new password").await.unwrap();
    assert_eq!(auth.me_of(&tokens).await.new_email, "");
    assert_eq!(
        reason(&auth.verify(&tokens, &auth.token_to(NEW, CONFIRM).await).await.unwrap_err()),
        Reason::TokenSpent
    );
    auth.sign_in(EMAIL, "a whole new password").await.unwrap();
}

#[tokio::test]
async fn signing_out_everywhere_ends_a_pending_change_of_address_and_keeps_the_proof_of_the_own_one() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.unproved().await;
    auth.change_email(&tokens, PASSWORD, NEW).await.unwrap();
    let own = "INSERT INTO email_proof (hash, account_id, email, created_at, expires_at)
        SELECT sha256('mine'), account_id, :email, created_at, expires_at FROM email_proof RETURNING email";
    auth.peek(own, named! { email: EMAIL }).await;
    let request = auth.person(1, &tokens, SignOutEverywhereRequest {});
    auth.security().sign_out_everywhere(request).await.unwrap();
    let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    let refused = auth.verify(&tokens, &auth.token_to(NEW, CONFIRM).await).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::TokenSpent);
    auth.verify(&tokens, "mine").await.unwrap();
}

#[tokio::test]
async fn who_has_no_password_shows_none() {
    let (auth, tokens) = Auth::signed_in().await;
    assert!(auth.me_of(&tokens).await.has_password);
    auth.peek("UPDATE account SET password_hash = NULL RETURNING email", []).await;
    assert!(!auth.me_of(&tokens).await.has_password);
    auth.change_email(&tokens, "", NEW).await.unwrap();
}

#[tokio::test]
async fn only_people_change_their_accounts() {
    let auth = Auth::start().await;
    let rename = as_service("bff", &auth.host, None, RenameMeRequest { name: "X".to_owned() });
    assert_eq!(auth.accounts().rename_me(rename).await.unwrap_err().code(), Code::PermissionDenied);
    let resend = as_service("bff", &auth.host, None, ResendVerificationRequest {});
    assert_eq!(auth.accounts().resend_verification(resend).await.unwrap_err().code(), Code::PermissionDenied);
}
