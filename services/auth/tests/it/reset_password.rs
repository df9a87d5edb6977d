use auth::{CreateAdmin, create_admin, domain::email::Email};
use database::named;
use jiff::{SignedDuration, Timestamp};
use proto::{error::Reason, frontdesk::auth::internal::v1::ResetPasswordRequest};
use sea_orm::ConnectionTrait;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::fixture::{Auth, EMAIL, PASSWORD, PUBLIC_URL, config, fields, reason};

const NEW: &str = "a whole new password";

impl Auth {
    /// A link as `create-admin` prints it. The test's clock is set to the command's.
    pub async fn link(&self, email: &str) -> String {
        let admin = CreateAdmin { email: Email::parse(email).unwrap(), name: Some("Ada Admin".to_owned()) };
        let link = create_admin(&config(&self.database), admin, CancellationToken::new()).await.unwrap();
        let issued = "SELECT floor(extract(epoch FROM max(created_at)))::bigint::text FROM one_time_token";
        let issued: i64 = self.peek(issued, []).await.unwrap().parse().unwrap();
        self.time.set(Timestamp::from_second(issued + 1).unwrap());
        link
    }

    pub async fn reset(&self, token: &str, password: &str) -> Result<(), Status> {
        self.reset_named(token, password, "").await
    }

    async fn reset_named(&self, token: &str, password: &str, name: &str) -> Result<(), Status> {
        let message = ResetPasswordRequest {
            token: token.to_owned(),
            new_password: password.to_owned(),
            client: None,
            name: name.to_owned(),
        };
        self.sessions().reset_password(self.door(message)).await.map(drop)
    }
}

fn token(link: &str) -> &str {
    link.strip_prefix(&format!("{PUBLIC_URL}/reset-password?token=")).expect("the link leads to the page")
}

#[tokio::test]
async fn the_first_admin_sets_a_password_by_the_printed_link_and_signs_in() {
    let auth = Auth::start().await;
    let link = auth.link("Ada@Demo.test").await;
    assert_eq!(auth.peek("SELECT password_hash FROM account", []).await, None);
    assert!(auth.sign_in("ada@demo.test", NEW).await.is_err());
    auth.reset(token(&link), NEW).await.unwrap();
    let tokens = auth.sign_in("ada@demo.test", NEW).await.unwrap();
    assert_eq!(tokens.role, "ADMIN");
    assert_eq!(auth.peek("SELECT name FROM account", []).await.unwrap(), "Ada Admin");
}

#[tokio::test]
async fn a_first_password_comes_with_a_name_and_a_later_one_changes_none() {
    let auth = Auth::start().await;
    let name = async || auth.peek("SELECT name FROM account", []).await.unwrap();
    let link = auth.link("ada@demo.test").await;
    let wrong = auth.reset_named(token(&link), NEW, "A\nda").await.unwrap_err();
    assert_eq!(fields(&wrong), ["name"]);
    auth.reset_named(token(&link), NEW, "Ada Lovelace").await.unwrap();
    assert_eq!(name().await, "Ada Lovelace");
    let again = auth.link("ada@demo.test").await;
    auth.reset_named(token(&again), "another password", "Mallory").await.unwrap();
    assert_eq!(name().await, "Ada Lovelace");
}

#[tokio::test]
async fn an_existing_account_is_promoted_and_keeps_its_password_until_the_link_is_used() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    let link = auth.link(EMAIL).await;
    let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert_eq!(tokens.role, "ADMIN");
    assert!(auth.admit(&tokens, None).await.admin);
    auth.reset(token(&link), NEW).await.unwrap();
    assert_eq!(reason(&auth.sign_in(EMAIL, PASSWORD).await.unwrap_err()), Reason::WrongCredentials);
}

#[tokio::test]
async fn a_reset_ends_every_session_of_its_person_and_no_others() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.add(2, "other@demo.test").await;
    let link = auth.link(EMAIL).await;
    let sessions =
        [auth.sign_in(EMAIL, PASSWORD).await.unwrap(), auth.sign_in(EMAIL, PASSWORD).await.unwrap()];
    let other = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    auth.reset(token(&link), NEW).await.unwrap();
    for session in &sessions {
        assert!(!auth.admit(session, None).await.alive);
        assert_eq!(reason(&auth.refresh(&session.refresh_token).await.unwrap_err()), Reason::Unauthenticated);
    }
    auth.refresh(&other.refresh_token).await.unwrap();
}

#[tokio::test]
async fn a_reset_ends_a_pending_change_of_address() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    let link = auth.link(EMAIL).await;
    let pending = "INSERT INTO email_proof (hash, account_id, email, created_at, expires_at)
        SELECT sha256('pending'), id, 'new@demo.test', created_at, 'infinity' FROM account RETURNING email";
    auth.peek(pending, []).await;
    auth.reset(token(&link), NEW).await.unwrap();
    assert_eq!(auth.proofs().await, "0");
}

#[tokio::test]
async fn a_link_works_once_and_takes_its_siblings_with_it() {
    let auth = Auth::start().await;
    let (first, second) = (auth.link(EMAIL).await, auth.link(EMAIL).await);
    auth.reset(token(&first), NEW).await.unwrap();
    for link in [&first, &second] {
        let refused = auth.reset(token(link), "yet another password").await.unwrap_err();
        assert_eq!(reason(&refused), Reason::TokenSpent);
    }
    auth.sign_in(EMAIL, NEW).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_links_used_at_the_same_time_one_wins() {
    let auth = Auth::start().await;
    let (first, second) = (auth.link(EMAIL).await, auth.link(EMAIL).await);
    let passwords: Vec<_> = (0..10).map(|n| format!("{NEW} {n}")).collect();
    let attempts = passwords.iter().enumerate().map(|(n, password)| {
        let link = if n % 2 == 0 { &first } else { &second };
        auth.reset(token(link), password)
    });
    let outcomes = futures::future::join_all(attempts).await;
    let won: Vec<_> = (0..10).filter(|n| outcomes[*n].is_ok()).collect();
    assert_eq!(won.len(), 1, "{outcomes:?}");
    let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(lost.map(reason).all(|reason| reason == Reason::TokenSpent));
    auth.sign_in(EMAIL, &passwords[won[0]]).await.unwrap();
}

#[tokio::test]
async fn a_link_works_for_an_hour() {
    let auth = Auth::start().await;
    let link = auth.link(EMAIL).await;
    auth.advance(SignedDuration::from_hours(1));
    assert_eq!(reason(&auth.reset(token(&link), NEW).await.unwrap_err()), Reason::TokenSpent);
    auth.advance(SignedDuration::from_mins(-1));
    auth.reset(token(&link), NEW).await.unwrap();
}

#[tokio::test]
async fn a_password_that_breaks_a_rule_is_named_and_spends_nothing() {
    let auth = Auth::start().await;
    let link = auth.link(EMAIL).await;
    for password in ["", "1234567", &"a".repeat(129), "Owner@demo.test"] {
        assert_eq!(fields(&auth.reset(token(&link), password).await.unwrap_err()), ["new_password"]);
    }
    auth.reset(token(&link), &"ü".repeat(128)).await.unwrap();
}

#[tokio::test]
async fn an_unknown_token_says_nothing_about_the_password() {
    let auth = Auth::start().await;
    for token in ["", "guessed"] {
        assert_eq!(reason(&auth.reset(token, "short").await.unwrap_err()), Reason::TokenSpent);
    }
}

#[tokio::test]
async fn the_database_holds_only_the_tokens_hash() {
    let auth = Auth::start().await;
    let link = auth.link(EMAIL).await;
    let sql = "SELECT (hash = sha256(convert_to(:token, 'UTF8')))::text FROM one_time_token";
    assert_eq!(auth.peek(sql, named! { token: token(&link) }).await.unwrap(), "true");
    assert!(token(&link).len() >= 43, "256 random bits");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_meets_a_reset_leaves_no_session_of_the_old_password() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    let link = auth.link(EMAIL).await;
    // Stands for a reset that has set the password and is about to end the sessions.
    let superuser = auth.superuser().await;
    superuser.execute_unprepared("BEGIN; UPDATE account SET password_hash = NULL").await.unwrap();
    let signing_in = auth.sign_in(EMAIL, PASSWORD);
    tokio::pin!(signing_in);
    let waiting = "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock'
        AND datname = current_database() AND query LIKE 'INSERT INTO session%'";
    while futures::poll!(&mut signing_in).is_pending() {
        if auth.peek(waiting, []).await.unwrap() == "1" {
            break;
        }
    }
    superuser.execute_unprepared("COMMIT").await.unwrap();
    assert_eq!(reason(&signing_in.await.unwrap_err()), Reason::WrongCredentials);
    assert_eq!(auth.peek("SELECT count(*)::text FROM session", []).await.unwrap(), "0");
    auth.reset(token(&link), NEW).await.unwrap();
}
