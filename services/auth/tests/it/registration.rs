use boot::environment::Environment;
use database::named;
use futures::future::join_all;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::{Client, DiagnoseUserRequest, RegisterRequest, Tokens},
        v1::{GetMeRequest, VerifyEmailRequest},
    },
};
use testkit::as_service;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::fixture::{Auth, EMAIL, PASSWORD, at, business, fields, reason, user};

const NEW: &str = "new@demo.test";
const CONFIRM: &str = "register?confirm=";

pub fn applicant(email: &str, password: &str) -> RegisterRequest {
    RegisterRequest {
        name: "Nora New".to_owned(),
        email: email.to_owned(),
        password: password.to_owned(),
        invitation: String::new(),
        client: Some(at("192.0.2.7")),
    }
}

impl Auth {
    pub async fn register(&self, message: RegisterRequest) -> Result<(), Status> {
        self.registration().register(self.door(message)).await.map(drop)
    }

    /// Opens a proving link in a session.
    pub async fn verify(&self, tokens: &Tokens, token: &str) -> Result<(), Status> {
        let whose = "SELECT account_id::text FROM session WHERE id = :session_id::uuid";
        let person = self
            .peek(whose, named! { session_id: tokens.session_id.as_str() })
            .await
            .unwrap()
            .parse()
            .unwrap();
        let message = VerifyEmailRequest { token: token.to_owned() };
        let session = tokens.session_id.parse().unwrap();
        let request = testkit::as_person(&self.host, person, session, None, None, message);
        self.accounts().verify_email(request).await.map(drop)
    }

    /// Links that wait to be opened.
    pub async fn proofs(&self) -> String {
        self.peek("SELECT count(*)::text FROM email_proof", []).await.unwrap()
    }

    /// A person who has just registered, signed in, with the token of their confirmation link.
    async fn registered() -> (Self, Tokens, String) {
        let auth = Self::start().await;
        auth.register(applicant(NEW, PASSWORD)).await.unwrap();
        let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
        let token = auth.token_to(NEW, CONFIRM).await;
        (auth, tokens, token)
    }

    async fn diagnose(&self, email: &str) -> String {
        let message = DiagnoseUserRequest { email: email.to_owned() };
        self.registration().diagnose_user(self.door(message)).await.unwrap().into_inner().message
    }

    /// Kinds in the record of the account with this address, the latest first.
    pub async fn kinds_of(&self, email: &str) -> String {
        let sql = "SELECT COALESCE(string_agg(kind, ' ' ORDER BY at DESC, security_event.id DESC), '')
            FROM security_event JOIN account ON account.id = account_id WHERE email = :email";
        self.peek(sql, named! { email }).await.unwrap()
    }
}

#[tokio::test]
async fn who_registers_is_a_guest_of_nowhere_and_proves_the_address_by_the_mailed_link() {
    let auth = Auth::start().await;
    auth.register(applicant("  New@Demo.test ", PASSWORD)).await.unwrap();
    let tokens = auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!((tokens.role.as_str(), tokens.business_ids.len()), ("GUEST", 0));
    let id = auth.peek("SELECT id::text FROM account", []).await.unwrap();
    let request = |message| {
        let (id, session) = (id.parse().unwrap(), tokens.session_id.parse().unwrap());
        testkit::as_person(&auth.host, id, session, None, None, message)
    };
    let me = auth.accounts().get_me(request(GetMeRequest {})).await.unwrap().into_inner();
    assert_eq!((me.name.as_str(), me.email_verified, me.has_password), ("Nora New", false, true));

    let [subject, _] = auth.mail_to(NEW).await;
    assert_eq!(subject, "Confirm your e-mail address");
    auth.verify(&tokens, &auth.token_to(NEW, CONFIRM).await).await.unwrap();
    let me = auth.accounts().get_me(request(GetMeRequest {})).await.unwrap().into_inner();
    assert!(me.email_verified && me.new_email.is_empty());
    assert_eq!(auth.kinds_of(NEW).await, "EMAIL_VERIFIED SIGNED_IN REGISTERED");
}

#[tokio::test]
async fn a_proving_link_works_once_and_for_a_day() {
    let (auth, tokens, token) = Auth::registered().await;
    auth.advance(SignedDuration::from_hours(24));
    assert_eq!(reason(&auth.verify(&tokens, &token).await.unwrap_err()), Reason::TokenSpent);
    auth.advance(SignedDuration::from_mins(-1));
    auth.verify(&tokens, &token).await.unwrap();
    for spent in [token.as_str(), "", "guessed"] {
        assert_eq!(reason(&auth.verify(&tokens, spent).await.unwrap_err()), Reason::TokenSpent);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_open_one_link_at_once_one_is_told_that_it_is_spent() {
    let (auth, tokens, token) = Auth::registered().await;
    let outcomes = join_all((0..4).map(|_| auth.verify(&tokens, &token))).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    let lost = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(lost.map(reason).all(|reason| reason == Reason::TokenSpent));
}

#[tokio::test]
async fn the_database_holds_only_the_links_hash() {
    let (auth, _, token) = Auth::registered().await;
    let sql = "SELECT (hash = sha256(convert_to(:token, 'UTF8')))::text FROM email_proof";
    assert_eq!(auth.peek(sql, named! { token }).await.unwrap(), "true");
}

#[tokio::test]
async fn a_proving_link_counts_only_in_a_session_of_its_account() {
    let (auth, tokens, token) = Auth::registered().await;
    auth.add(2, "other@demo.test").await;
    let other = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    let refused = auth.verify(&other, &token).await.unwrap_err();
    assert_eq!((reason(&refused), refused.code()), (Reason::WrongAccount, Code::PermissionDenied));
    let request = auth.door(VerifyEmailRequest { token: token.clone() });
    assert_eq!(auth.accounts().verify_email(request).await.unwrap_err().code(), Code::PermissionDenied);
    assert!(auth.diagnose(NEW).await.contains("not confirmed"));
    auth.verify(&tokens, &token).await.expect("the refused ones spent nothing");
}

#[tokio::test]
async fn the_password_of_a_second_registration_never_becomes_the_accounts() {
    let (auth, tokens, _) = Auth::registered().await;
    auth.register(applicant(NEW, "a stranger's password")).await.unwrap();
    auth.verify(&tokens, &auth.token_to(NEW, CONFIRM).await).await.unwrap();
    assert!(auth.sign_in(NEW, "a stranger's password").await.is_err());
    auth.sign_in(NEW, PASSWORD).await.unwrap();
    assert_eq!(auth.proofs().await, "0", "the link before is spent as well");
}

#[tokio::test]
async fn who_has_an_account_is_told_so_by_mail_and_keeps_it_as_it_is() {
    let (auth, tokens) = Auth::signed_in().await;
    auth.register(applicant(EMAIL, "a stranger's password")).await.unwrap();
    assert!(auth.admit(&tokens, None).await.alive);
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert!(auth.sign_in(EMAIL, "a stranger's password").await.is_err());
    let [subject, text] = auth.mail_to(EMAIL).await;
    assert_eq!(subject, "You have an account already");
    assert!(text.contains("https://desk.test/login"), "{text}");
    auth.reset(&auth.token_to(EMAIL, "reset-password?token=").await, "a whole new password").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn registering_an_address_many_times_at_once_makes_one_account() {
    let auth = Auth::start().await;
    for outcome in join_all((0..4).map(|_| auth.register(applicant(NEW, PASSWORD)))).await {
        outcome.unwrap();
    }
    assert_eq!(auth.peek("SELECT count(*)::text FROM account", []).await.unwrap(), "1");
    assert_eq!(auth.mails().await.len(), 4);
}

#[tokio::test]
async fn a_field_of_an_applicant_that_breaks_a_rule_is_named_and_nothing_is_mailed() {
    let auth = Auth::start().await;
    let message = || applicant(NEW, PASSWORD);
    for (message, field) in [
        (RegisterRequest { name: " ".to_owned(), ..message() }, "name"),
        (RegisterRequest { name: "two\nlines".to_owned(), ..message() }, "name"),
        (RegisterRequest { email: "new".to_owned(), ..message() }, "email"),
        (RegisterRequest { email: String::new(), ..message() }, "email"),
        (applicant(NEW, "1234567"), "password"),
        (applicant(NEW, "Password1"), "password"),
        (applicant(NEW, NEW), "password"),
        (
            RegisterRequest {
                client: Some(Client { address: "x".to_owned(), ..Client::default() }),
                ..message()
            },
            "client.address",
        ),
    ] {
        assert_eq!(fields(&auth.register(message).await.unwrap_err()), [field]);
    }
    assert!(auth.mails().await.is_empty());
}

#[tokio::test]
async fn a_letter_box_gets_five_mails_an_hour_from_one_network_whether_it_has_an_account_or_not() {
    let auth = Auth::start_in(Environment::Development).await;
    auth.add(1, EMAIL).await;
    for email in [EMAIL, NEW] {
        for _ in 0..5 {
            auth.register(applicant(email, PASSWORD)).await.unwrap();
        }
        let refused = auth.register(applicant(email, PASSWORD)).await.unwrap_err();
        assert_eq!((reason(&refused), refused.code()), (Reason::RateLimited, Code::ResourceExhausted));
        let again = refused.get_details_retry_info().unwrap().retry_delay.unwrap();
        assert_eq!(again.as_secs(), 3600);
    }
    assert_eq!(auth.mails().await.len(), 10);
    auth.advance(SignedDuration::from_hours(1));
    auth.register(applicant(NEW, PASSWORD)).await.unwrap();
    assert_eq!(auth.peek("SELECT count(*)::text FROM mail_count", []).await.unwrap(), "3");
}

#[tokio::test]
async fn under_the_test_profile_nothing_is_limited() {
    let auth = Auth::start().await;
    for _ in 0..6 {
        auth.register(applicant(NEW, PASSWORD)).await.unwrap();
    }
    assert_eq!(auth.mails().await.len(), 6);
}

#[tokio::test]
async fn only_the_browser_door_registers_people() {
    let auth = Auth::start().await;
    let request = as_service("tenancy", &auth.host, None, applicant(NEW, PASSWORD));
    assert_eq!(auth.registration().register(request).await.unwrap_err().code(), Code::PermissionDenied);
    let request = as_service("tenancy", &auth.host, None, DiagnoseUserRequest { email: NEW.to_owned() });
    assert_eq!(auth.registration().diagnose_user(request).await.unwrap_err().code(), Code::PermissionDenied);
}

#[tokio::test]
async fn a_diagnosis_tells_what_stands_between_an_address_and_a_session() {
    let auth = Auth::start().await;
    assert_eq!(auth.diagnose(NEW).await, "There is no such account.");
    auth.register(applicant(NEW, PASSWORD)).await.unwrap();
    assert_eq!(
        auth.diagnose(NEW).await,
        "The account is not disabled, has an e-mail that is not confirmed, has a password, is not blocked, \
         belongs to 0 businesses."
    );
    auth.add(1, EMAIL).await;
    auth.set_role(user(1), business(1), "OWNER").await.unwrap();
    let sql =
        "UPDATE account SET disabled_at = now(), password_hash = NULL WHERE email = :email RETURNING email";
    auth.peek(sql, named! { email: EMAIL }).await;
    assert_eq!(
        auth.diagnose(EMAIL).await,
        "The account is disabled, has a confirmed e-mail, has no password, is not blocked, belongs to 1 \
         businesses."
    );
    let message = DiagnoseUserRequest { email: "new".to_owned() };
    let refused = auth.registration().diagnose_user(auth.door(message)).await.unwrap_err();
    assert_eq!(fields(&refused), ["email"]);
}
