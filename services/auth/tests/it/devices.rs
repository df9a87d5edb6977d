//! Trusted devices: a mailed code, shown in the session that asked.

use boot::environment::Environment;
use database::named;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::{Client, ConfirmDeviceRequest, ConfirmDeviceResponse, Tokens},
        v1::{
            ListTrustedDevicesRequest, RequestDeviceCodeRequest, RevokeTrustedDeviceRequest, TrustedDevice,
        },
    },
};
use tonic::{Code, Status};

use crate::fixture::{Auth, EMAIL, PASSWORD, at, fields, reason, user};

const HERE: &str = "192.0.2.1";

impl Auth {
    /// Asks for a code and reads it in the mail.
    async fn code(&self, n: u128, tokens: &Tokens) -> String {
        // Mails are read in the order of their milliseconds.
        self.advance(SignedDuration::from_millis(1));
        let request = self.person(n, tokens, RequestDeviceCodeRequest {});
        self.security().request_device_code(request).await.unwrap();
        let [_, _, text] = self.mails().await.pop().unwrap();
        text.split_once("Your code is ").unwrap().1[..6].to_owned()
    }

    async fn confirm(&self, n: u128, tokens: &Tokens, code: &str) -> Result<ConfirmDeviceResponse, Status> {
        let message = ConfirmDeviceRequest {
            session_id: tokens.session_id.clone(),
            user_id: user(n).to_string(),
            code: code.to_owned(),
            client: Some(at(HERE)),
        };
        Ok(self.sessions().confirm_device(self.door(message)).await?.into_inner())
    }

    /// Signs the person 1 in on a device that is trusted from then on.
    async fn trusted() -> (Self, Tokens, Client) {
        let (auth, tokens) = Self::signed_in().await;
        let code = auth.code(1, &tokens).await;
        let device = auth.confirm(1, &tokens, &code).await.unwrap().device;
        (auth, tokens, Client { device, ..at(HERE) })
    }

    async fn devices(&self, tokens: &Tokens) -> Vec<TrustedDevice> {
        let request = self.person(1, tokens, ListTrustedDevicesRequest {});
        self.security().list_trusted_devices(request).await.unwrap().into_inner().devices
    }

    async fn revoke(&self, n: u128, tokens: &Tokens, device: &str) -> Result<(), Status> {
        let message = RevokeTrustedDeviceRequest { device_id: device.to_owned() };
        self.security().revoke_trusted_device(self.person(n, tokens, message)).await.map(drop)
    }
}

#[tokio::test]
async fn a_mailed_code_trusts_the_sessions_device_at_once_and_its_cookie_the_sessions_after_it() {
    let (auth, tokens) = Auth::signed_in().await;
    assert!(!auth.admit(&tokens, None).await.trusted_device);
    let code = auth.code(1, &tokens).await;
    let typed = format!(" {} {} ", &code[..3], &code[3..]);
    let confirmed = auth.confirm(1, &tokens, &typed).await.unwrap();
    assert_eq!(confirmed.max_age_seconds, 90 * 24 * 3600);
    assert!(auth.admit(&tokens, None).await.trusted_device);

    let device = Client { device: confirmed.device, ..at(HERE) };
    let later = auth.sign_in_as(EMAIL, PASSWORD, device.clone()).await.unwrap();
    assert!(auth.admit(&later, None).await.trusted_device);
    let elsewhere = auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap();
    assert!(!auth.admit(&elsewhere, None).await.trusted_device);
    let seen = auth.devices(&elsewhere).await;
    assert_eq!((seen.len(), seen[0].browser.as_str(), seen[0].current), (1, "Chrome on Windows", false));
    assert!(auth.devices(&later).await[0].current);
    assert!(auth.kinds(1).await.contains("DEVICE_TRUSTED"));
}

#[tokio::test]
async fn a_copied_cookie_makes_no_other_persons_session_trusted() {
    let (auth, _, device) = Auth::trusted().await;
    auth.add(2, "other@demo.test").await;
    let other = auth.sign_in_as("other@demo.test", PASSWORD, device.clone()).await.unwrap();
    let trusted = "SELECT (device_id IS NULL)::text FROM session WHERE id::text = :session_id";
    assert_eq!(auth.peek(trusted, named! { session_id: other.session_id }).await.unwrap(), "true");
    let (id, secret) = device.device.split_once('.').unwrap();
    let forged = Client { device: format!("{id}.{}", "A".repeat(secret.len())), ..at(HERE) };
    let own = auth.sign_in_as(EMAIL, PASSWORD, forged).await.unwrap();
    assert!(!auth.admit(&own, None).await.trusted_device);
}

#[tokio::test]
async fn five_wrong_codes_spend_the_right_one() {
    let (auth, tokens) = Auth::signed_in().await;
    let code = auth.code(1, &tokens).await;
    let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    for _ in 0..5 {
        let refused = auth.confirm(1, &tokens, &wrong).await.unwrap_err();
        assert_eq!((refused.code(), reason(&refused)), (Code::FailedPrecondition, Reason::WrongCode));
    }
    assert_eq!(reason(&auth.confirm(1, &tokens, &code).await.unwrap_err()), Reason::WrongCode);
    assert!(!auth.admit(&tokens, None).await.trusted_device);
    assert_eq!(auth.kinds(1).await.matches("DEVICE_CODE_FAILED").count(), 5);
}

#[tokio::test]
async fn a_code_works_once_for_ten_minutes_in_the_session_that_asked_and_a_new_one_replaces_it() {
    let (auth, tokens) = Auth::signed_in().await;
    let other = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    let first = auth.code(1, &tokens).await;
    assert_eq!(reason(&auth.confirm(1, &other, &first).await.unwrap_err()), Reason::WrongCode);
    let second = auth.code(1, &tokens).await;
    if first != second {
        assert_eq!(reason(&auth.confirm(1, &tokens, &first).await.unwrap_err()), Reason::WrongCode);
    }
    auth.advance(SignedDuration::from_mins(10));
    assert_eq!(reason(&auth.confirm(1, &tokens, &second).await.unwrap_err()), Reason::WrongCode);
    let third = auth.code(1, &tokens).await;
    auth.confirm(1, &tokens, &third).await.unwrap();
    assert_eq!(reason(&auth.confirm(1, &tokens, &third).await.unwrap_err()), Reason::WrongCode);
}

#[tokio::test]
async fn what_is_no_code_is_named_and_a_session_that_ended_confirms_nothing() {
    let (auth, tokens) = Auth::signed_in().await;
    let code = auth.code(1, &tokens).await;
    assert_eq!(fields(&auth.confirm(1, &tokens, "12345").await.unwrap_err()), ["code"]);
    auth.sign_out(&tokens.refresh_token).await.unwrap();
    let refused = auth.confirm(1, &tokens, &code).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Unauthenticated);
}

#[tokio::test]
async fn a_person_asks_for_five_codes_an_hour_and_no_more() {
    let (auth, tokens) = Auth::signed_in().await;
    for _ in 0..5 {
        auth.code(1, &tokens).await;
    }
    let request = || auth.person(1, &tokens, RequestDeviceCodeRequest {});
    assert_eq!(
        reason(&auth.security().request_device_code(request()).await.unwrap_err()),
        Reason::RateLimited
    );
    auth.advance(SignedDuration::from_hours(1));
    auth.security().request_device_code(request()).await.unwrap();
}

#[tokio::test]
async fn a_revoked_device_is_trusted_no_more_not_even_in_the_session_it_is_in() {
    let (auth, tokens, device) = Auth::trusted().await;
    auth.add(2, "other@demo.test").await;
    let other = auth.sign_in("other@demo.test", PASSWORD).await.unwrap();
    let id = auth.devices(&tokens).await[0].id.clone();
    assert_eq!(reason(&auth.revoke(2, &other, &id).await.unwrap_err()), Reason::NotFound);
    assert_eq!(fields(&auth.revoke(1, &tokens, "x").await.unwrap_err()), ["device_id"]);
    auth.revoke(1, &tokens, &id).await.unwrap();
    assert!(!auth.admit(&tokens, None).await.trusted_device);
    assert!(auth.devices(&tokens).await.is_empty());
    let later = auth.sign_in_as(EMAIL, PASSWORD, device).await.unwrap();
    assert!(!auth.admit(&later, None).await.trusted_device);
    assert!(auth.kinds(1).await.contains("DEVICE_REVOKED"));
}

#[tokio::test]
async fn trust_ends_after_ninety_days() {
    let (auth, _, device) = Auth::trusted().await;
    auth.advance(SignedDuration::from_hours(90 * 24 - 1));
    let before = auth.sign_in_as(EMAIL, PASSWORD, device.clone()).await.unwrap();
    assert!(auth.admit(&before, None).await.trusted_device);
    auth.advance(SignedDuration::from_hours(1));
    assert!(!auth.admit(&before, None).await.trusted_device);
    let after = auth.sign_in_as(EMAIL, PASSWORD, device).await.unwrap();
    assert!(!auth.admit(&after, None).await.trusted_device);
}

#[tokio::test]
async fn a_trusted_device_enters_through_the_block_that_others_caused_and_is_counted_by_itself() {
    let auth = Auth::start_in(Environment::Production).await;
    auth.add(1, EMAIL).await;
    let tokens = auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap();
    let code = auth.code(1, &tokens).await;
    let device = auth.confirm(1, &tokens, &code).await.unwrap().device;
    let trusted = Client { device, ..at(HERE) };
    for _ in 0..5 {
        auth.sign_in_as(EMAIL, "incorrect horse", at(HERE)).await.unwrap_err();
    }
    let stranger = auth.sign_in_as(EMAIL, PASSWORD, at(HERE)).await.unwrap_err();
    assert_eq!(reason(&stranger), Reason::Blocked);
    auth.sign_in_as(EMAIL, PASSWORD, trusted.clone()).await.unwrap();
    for _ in 0..5 {
        auth.sign_in_as(EMAIL, "incorrect horse", trusted.clone()).await.unwrap_err();
    }
    assert_eq!(reason(&auth.sign_in_as(EMAIL, PASSWORD, trusted).await.unwrap_err()), Reason::Blocked);
}

#[tokio::test]
async fn the_database_holds_neither_code_nor_cookie() {
    let (auth, tokens, device) = Auth::trusted().await;
    let code = auth.code(1, &tokens).await;
    let secret = device.device.split_once('.').unwrap().1;
    let sql = "SELECT (SELECT string_agg(code::text, '') FROM device_code AS code)
        || (SELECT string_agg(device::text, '') FROM trusted_device AS device)";
    let held = auth.peek(sql, []).await.unwrap();
    assert!(!held.contains(&format!(",{code},")) && !held.contains(secret), "{held}");
}
