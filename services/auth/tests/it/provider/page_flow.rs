//! The flow that the page drives, and whose account its person has.

use core::time::Duration;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::environment::Environment;
use proto::{
    error::Reason,
    frontdesk::auth::{
        internal::v1::DescribeProviderRequest,
        v1::{GetFrontendConfigurationRequest, frontend_service_client::FrontendServiceClient},
    },
};
use tokio::{net::TcpListener, time::timeout};
use tonic::Code;

use super::{CLIENT_ID, PAGE, PageFlow, Person, Scene};
use crate::fixture::{Auth, EMAIL, PASSWORD, claims, fields, reason};

#[tokio::test]
async fn a_new_person_gets_an_account_without_a_password_and_with_a_proved_address() {
    let scene = Scene::open().await;
    let tokens = scene.sign_in(Person::new("1", "Nora@Demo.test")).await.unwrap();
    let claims = claims(&tokens.access_token, &scene.auth.jwks().await);
    assert_eq!((&claims["email"], &claims["name"]), (&"nora@demo.test".into(), &"Nora New".into()));
    assert_eq!((tokens.role.as_str(), tokens.business_ids.len()), ("GUEST", 0));
    let proved = "account WHERE email_verified_at IS NOT NULL AND password_hash IS NULL AND NOT admin";
    assert_eq!(scene.count(proved).await, 1);
    let refused = scene.auth.sign_in("nora@demo.test", PASSWORD).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::WrongCredentials);
}

#[tokio::test]
async fn a_person_is_known_by_issuer_and_subject_whatever_their_e_mail_is_today() {
    let scene = Scene::open().await;
    scene.auth.add(1, EMAIL).await;
    let first = scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    let second = scene.sign_in(Person::new("1", "renamed@demo.test")).await.unwrap();
    // Not even when the new address is another account's.
    let third = scene.sign_in(Person::new("1", EMAIL)).await.unwrap();
    let jwks = scene.auth.jwks().await;
    let subject = |token: &str| claims(token, &jwks)["sub"].clone();
    assert_eq!(subject(&first.access_token), subject(&second.access_token));
    assert_eq!(subject(&first.access_token), subject(&third.access_token));
    assert_eq!(scene.count("identity").await, 1);
}

#[tokio::test]
async fn an_account_that_proved_its_address_is_never_joined_silently() {
    let scene = Scene::open().await;
    scene.auth.add(1, EMAIL).await;
    let refused = scene.sign_in(Person::new("1", EMAIL)).await.unwrap_err();
    assert_eq!((refused.code(), reason(&refused)), (Code::AlreadyExists, Reason::AccountExists));
    assert_eq!(scene.count("identity").await, 0);
    scene.auth.sign_in(EMAIL, PASSWORD).await.unwrap();
}

#[tokio::test]
async fn an_account_that_never_proved_its_address_goes_to_the_addresss_owner_with_nothing_left_in_it() {
    let scene = Scene::open().await;
    scene.auth.add(1, EMAIL).await;
    let squatter = scene.auth.sign_in(EMAIL, PASSWORD).await.unwrap();
    scene.unprove(EMAIL).await;
    let tokens = scene.sign_in(Person::new("1", EMAIL)).await.unwrap();
    assert!(!scene.auth.admit(&squatter, None).await.alive);
    assert!(scene.auth.refresh(&squatter.refresh_token).await.is_err());
    assert!(scene.auth.sign_in(EMAIL, PASSWORD).await.is_err());
    assert!(scene.auth.admit(&tokens, None).await.alive);
    assert_eq!(scene.count("account WHERE email_verified_at IS NOT NULL").await, 1);
    scene.sign_in(Person::new("1", EMAIL)).await.unwrap();
}

#[tokio::test]
async fn concurrent_first_sign_ins_create_one_account() {
    let scene = Scene::open().await;
    let attempts = (0..8).map(|_| scene.sign_in(Person::new("1", "nora@demo.test")));
    for outcome in futures::future::join_all(attempts).await {
        outcome.unwrap();
    }
    assert_eq!((scene.count("account").await, scene.count("identity").await), (1, 1));
    assert_eq!(scene.count("session").await, 8);
}

#[tokio::test]
async fn a_disabled_account_is_not_opened_by_its_provider() {
    let scene = Scene::open().await;
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    scene.auth.peek("UPDATE account SET disabled_at = created_at RETURNING email", []).await;
    let refused = scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
    assert_eq!(refused.message(), "This account is disabled.");
}

#[tokio::test]
async fn a_code_is_good_once_and_with_its_own_verifier_alone() {
    let scene = Scene::open().await;
    let person = || Person::new("1", "nora@demo.test");
    let PageFlow { code, .. } = scene.agreed(person());
    let stolen = PageFlow { code, verifier: B64.encode([8; 32]) };
    let refused = scene.exchange(stolen, PAGE).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::ProviderRefused);
    let PageFlow { code, verifier } = scene.agreed(person());
    let again = PageFlow { code: code.clone(), verifier: verifier.clone() };
    scene.exchange(PageFlow { code, verifier }, PAGE).await.unwrap();
    assert_eq!(reason(&scene.exchange(again, PAGE).await.unwrap_err()), Reason::ProviderRefused);
}

#[tokio::test]
async fn an_empty_code_a_weak_verifier_and_a_foreign_address_are_named() {
    let scene = Scene::open().await;
    let flow = |code: &str, verifier: &str| PageFlow { code: code.to_owned(), verifier: verifier.to_owned() };
    let verifier = B64.encode([7; 32]);
    let refused =
        |outcome: Result<_, _>| fields(&Result::<(), _>::unwrap_err(outcome.map(|_: super::Tokens| ())));
    assert_eq!(refused(scene.exchange(flow("", &verifier), PAGE).await), ["code"]);
    assert_eq!(refused(scene.exchange(flow("c", "short"), PAGE).await), ["code_verifier"]);
    for address in
        ["https://evil.test/auth/callback", "https://desk.test/auth/callback/", "//evil", super::DOOR]
    {
        assert_eq!(refused(scene.exchange(flow("c", &verifier), address).await), ["redirect_uri"]);
    }
}

#[tokio::test]
async fn the_page_is_told_where_the_provider_is() {
    let scene = Scene::open().await;
    let message = scene.auth.door(DescribeProviderRequest {});
    let described = scene.providers().describe_provider(message).await.unwrap().into_inner();
    assert_eq!((described.issuer, described.client_id), (scene.provider.issuer(), CLIENT_ID.to_owned()));
    let message = scene.auth.door(GetFrontendConfigurationRequest {});
    let told = scene.frontend().get_frontend_configuration(message).await.unwrap().into_inner();
    let oauth = told.oauth.unwrap();
    assert_eq!(oauth.google_client_id, CLIENT_ID);
    assert_eq!(oauth.google_auth_url, format!("{}/authorize", scene.provider.issuer()));
    assert_eq!(oauth.scopes, "openid email profile");
    assert_eq!(told.app.unwrap().environment, "test");
    assert!(told.features["googleSignIn"]);
}

#[tokio::test]
async fn the_page_does_not_wait_for_a_provider_that_says_nothing() {
    // Connections to this listener are never accepted.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", silent.local_addr().unwrap());
    let auth = Auth::start_with(Environment::Test, None, super::registered_at(issuer)).await;
    let mut frontend = FrontendServiceClient::new(auth.channel.clone());
    let ask = frontend.get_frontend_configuration(auth.door(GetFrontendConfigurationRequest {}));
    let refused = timeout(Duration::from_secs(3), ask).await.expect("it waits").unwrap_err();
    assert_eq!(reason(&refused), Reason::Unavailable);
}

#[tokio::test]
async fn without_a_provider_the_page_is_told_so_and_sign_in_is_refused() {
    let auth = Auth::start_in(Environment::Development).await;
    let mut frontend = FrontendServiceClient::new(auth.channel.clone());
    let message = auth.door(GetFrontendConfigurationRequest {});
    let told = frontend.get_frontend_configuration(message).await.unwrap().into_inner();
    assert_eq!(told.oauth.unwrap().google_client_id, "");
    assert_eq!(
        (told.features["googleSignIn"], told.app.unwrap().environment.as_str()),
        (false, "development")
    );
    let mut providers = super::ProviderServiceClient::new(auth.channel.clone());
    let message = auth.door(DescribeProviderRequest {});
    assert_eq!(reason(&providers.describe_provider(message).await.unwrap_err()), Reason::NotFound);
}
