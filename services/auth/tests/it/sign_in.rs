use boot::environment::Environment;
use database::named;
use futures::future::join_all;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::auth::internal::v1::{EnsureUserRequest, SignInRequest},
};
use testkit::{SESSION, as_person, as_service};
use tonic::Code;
use tonic_types::StatusExt;

use crate::fixture::{
    Auth, EMAIL, PASSWORD, PUBLIC_URL, business, claims, fields, reason, seconds, told, user,
};

#[tokio::test]
async fn the_right_password_opens_a_session_whose_token_says_who_it_is() {
    let auth = Auth::start().await;
    let person = auth.add(1, EMAIL).await;
    auth.set_role(person, business(1), "EMPLOYEE").await.unwrap();
    auth.set_role(person, business(2), "OWNER").await.unwrap();
    let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert_eq!(tokens.role, "OWNER");
    assert_eq!(tokens.business_ids, [business(1).to_string(), business(2).to_string()]);
    assert_eq!(tokens.refresh_max_age_seconds, 24 * 3600);
    assert!(tokens.refresh_token.starts_with(&format!("{}.1.", tokens.session_id)));

    let claims = claims(&tokens.access_token, &auth.jwks().await);
    let now = seconds(auth.host.clock.now());
    let expected = serde_json::json!({
        "iss": PUBLIC_URL, "aud": "frontdesk", "sub": person, "sid": tokens.session_id,
        "email": EMAIL, "name": "Olive Owner", "role": "OWNER",
        "iat": now, "exp": now + 3600, "jti": claims["jti"],
    });
    assert_eq!(claims, expected);
    assert!(claims["jti"].as_str().unwrap().parse::<uuid::Uuid>().is_ok());
}

#[tokio::test]
async fn an_e_mail_is_the_same_however_it_is_typed() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.sign_in("  OWNER@Demo.test ", PASSWORD).await.unwrap();
}

#[tokio::test]
async fn each_sign_in_opens_a_session_of_its_own() {
    let (auth, first) = Auth::signed_in().await;
    let second = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert_ne!(first.session_id, second.session_id);
    assert!(auth.admit(&first, None).await.alive);
}

#[tokio::test]
async fn unknown_account_wrong_password_and_no_password_yet_read_the_same() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    auth.add(2, "invited@demo.test").await;
    let superuser = auth.superuser().await;
    sea_orm::ConnectionTrait::execute_unprepared(
        &superuser,
        "UPDATE account SET password_hash = NULL WHERE email = 'invited@demo.test'",
    )
    .await
    .unwrap();
    let wrong = auth.sign_in(EMAIL, "incorrect horse").await.unwrap_err();
    let unknown = auth.sign_in("unknown@demo.test", PASSWORD).await.unwrap_err();
    let none_yet = auth.sign_in("invited@demo.test", PASSWORD).await.unwrap_err();
    let too_long = auth.sign_in(EMAIL, &"a".repeat(129)).await.unwrap_err();
    assert_eq!(reason(&wrong), Reason::WrongCredentials);
    assert_eq!(wrong.code(), Code::Unauthenticated);
    for other in [unknown, none_yet, too_long] {
        assert_eq!(told(&other), told(&wrong));
    }
}

#[tokio::test]
async fn an_empty_or_malformed_field_is_named() {
    let auth = Auth::start().await;
    assert_eq!(fields(&auth.sign_in("", PASSWORD).await.unwrap_err()), ["email"]);
    assert_eq!(fields(&auth.sign_in("owner", PASSWORD).await.unwrap_err()), ["email"]);
    assert_eq!(fields(&auth.sign_in(EMAIL, "").await.unwrap_err()), ["password"]);
}

#[tokio::test]
async fn only_the_browser_door_signs_people_in() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    let message = || SignInRequest { email: EMAIL.to_owned(), password: PASSWORD.to_owned(), client: None };
    let service = as_service("tenancy", &auth.host, None, message());
    let refused = auth.sessions().sign_in(service).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
    let person = as_person(&auth.host, user(1), SESSION, None, None, message());
    assert_eq!(auth.sessions().sign_in(person).await.unwrap_err().code(), Code::PermissionDenied);
    let anonymous = auth.sessions().sign_in(message()).await.unwrap_err();
    assert_eq!(reason(&anonymous), Reason::PassportRefused);
}

/// Unknown accounts, so that the test also shows that each costs a hash.
#[tokio::test(flavor = "multi_thread")]
async fn more_sign_ins_than_the_cores_can_hash_are_told_to_come_back() {
    let auth = Auth::start().await;
    let attempts = (0..200).map(|_| auth.sign_in("unknown@demo.test", PASSWORD));
    let refusals: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap_err).collect();
    let (busy, answered): (Vec<_>, Vec<_>) =
        refusals.iter().partition(|refused| reason(refused) == Reason::Busy);
    assert!(!busy.is_empty() && !answered.is_empty(), "{} busy of 200", busy.len());
    for refused in busy {
        assert_eq!(refused.code(), Code::Unavailable);
        let again = refused.get_details_retry_info().unwrap().retry_delay;
        assert_eq!(again, Some(std::time::Duration::from_secs(1)));
    }
    assert!(answered.iter().all(|refused| reason(refused) == Reason::WrongCredentials));
    let recovered = auth.sign_in("unknown@demo.test", PASSWORD).await.unwrap_err();
    assert_eq!(reason(&recovered), Reason::WrongCredentials);
}

#[tokio::test]
async fn a_password_hashed_with_outdated_parameters_is_hashed_anew_at_sign_in() {
    let auth = Auth::start().await;
    auth.add(1, EMAIL).await;
    let argon2 = argon2::Argon2::new(
        argon2::Algorithm::Argon2id,
        argon2::Version::V0x13,
        argon2::Params::new(64, 1, 1, None).unwrap(),
    );
    let salt = argon2::password_hash::SaltString::encode_b64(&[1; 16]).unwrap();
    let outdated = argon2::PasswordHasher::hash_password(&argon2, PASSWORD.as_bytes(), &salt).unwrap();
    let sql = "UPDATE account SET password_hash = :hash RETURNING password_hash";
    auth.peek(sql, named! { hash: outdated.to_string() }).await;
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    let stored = auth.peek("SELECT password_hash FROM account", []).await.unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn lifetimes_are_those_of_the_environments_security_profile() {
    for (environment, access, session_days) in [
        (Environment::Production, 15 * 60, 7),
        (Environment::Development, 3600, 30),
        (Environment::Test, 3600, 1),
    ] {
        let auth = Auth::start_in(environment).await;
        auth.add(1, EMAIL).await;
        let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
        let claims = claims(&tokens.access_token, &auth.jwks().await);
        assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), access);
        assert_eq!(tokens.refresh_max_age_seconds, session_days * 24 * 3600);
    }
}

#[tokio::test]
async fn signing_in_forgets_the_persons_expired_sessions() {
    let (auth, first) = Auth::signed_in().await;
    auth.advance(SignedDuration::from_hours(25));
    let second = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    let kept = auth.peek("SELECT string_agg(id::text, ',') FROM session", []).await.unwrap();
    assert_eq!(kept, second.session_id);
    assert!(!auth.admit(&first, None).await.alive);
}

#[tokio::test]
async fn an_admin_shows_as_admin_without_any_membership() {
    let auth = Auth::start().await;
    let message = EnsureUserRequest {
        user_id: user(1).to_string(),
        email: EMAIL.to_owned(),
        name: "Ada Admin".to_owned(),
        password: PASSWORD.to_owned(),
        admin: true,
    };
    auth.provisioning().ensure_user(as_service("local", &auth.host, None, message)).await.unwrap();
    let tokens = auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    assert_eq!((tokens.role.as_str(), tokens.business_ids.len()), ("ADMIN", 0));
}
