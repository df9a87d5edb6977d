//! Id tokens that do not hold.

use std::sync::atomic::Ordering;

use jiff::SignedDuration;
use proto::error::Reason;
use serde_json::json;

use super::{Forgery, Person, Scene};
use crate::fixture::reason;

#[tokio::test]
async fn no_forged_id_token_opens_a_session() {
    let scene = Scene::open().await;
    for forgery in [
        Forgery::Audience,
        Forgery::SecondAudience,
        Forgery::AuthorizedParty,
        Forgery::Issuer,
        Forgery::Nonce,
        Forgery::NoNonce,
        Forgery::Unsigned,
        Forgery::HmacWithPublicKey,
        Forgery::HmacWithSecret,
        Forgery::OtherKey,
        Forgery::UnknownKey,
        Forgery::Expired,
        Forgery::Payload,
        Forgery::Missing,
    ] {
        scene.provider.forge(forgery);
        let refused = scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::ProviderRefused, "{forgery:?}");
    }
    assert_eq!((scene.count("account").await, scene.count("session").await), (0, 0));
    // The same flow without the forgery is good.
    scene.provider.forge(Forgery::Nothing);
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
}

#[tokio::test]
async fn an_address_the_provider_has_not_verified_is_refused() {
    let scene = Scene::open().await;
    for verified in [json!(false), json!(null)] {
        let person = Person { verified, ..Person::new("1", "nora@demo.test") };
        let refused = scene.sign_in(person).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::ProviderRefused);
    }
    assert_eq!(scene.count("account").await, 0);
}

#[tokio::test]
async fn unknown_keys_trigger_one_fetch_in_ten_seconds() {
    let scene = Scene::open().await;
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    let asked = || scene.provider.jwks_asked.load(Ordering::SeqCst);
    assert_eq!(asked(), 1);
    scene.auth.advance(SignedDuration::from_secs(11));
    scene.provider.forge(Forgery::UnknownKey);
    for _ in 0..30 {
        scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap_err();
    }
    assert_eq!(asked(), 2);
    scene.auth.advance(SignedDuration::from_secs(10));
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap_err();
    assert_eq!((asked(), scene.provider.discovery_asked.load(Ordering::SeqCst)), (3, 3));
}

#[tokio::test]
async fn a_key_the_provider_signs_with_anew_is_found() {
    let scene = Scene::open().await;
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    scene.auth.advance(SignedDuration::from_secs(11));
    scene.provider.rotate("second");
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
}

#[tokio::test]
async fn a_provider_that_leads_elsewhere_is_not_followed_and_asked_again_after_a_second() {
    let scene = Scene::open_with(|provider| provider.leads_away.store(true, Ordering::SeqCst)).await;
    for _ in 0..3 {
        let refused = scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap_err();
        assert_eq!(reason(&refused), Reason::Unavailable);
    }
    let asked = |counter: &std::sync::atomic::AtomicUsize| counter.load(Ordering::SeqCst);
    assert_eq!((asked(&scene.provider.discovery_asked), asked(&scene.provider.jwks_asked)), (1, 0));
    scene.provider.leads_away.store(false, Ordering::SeqCst);
    scene.auth.advance(SignedDuration::from_secs(1));
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
}

#[tokio::test]
async fn a_provider_that_is_away_is_believed_in_what_it_said_before() {
    let scene = Scene::open().await;
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    scene.provider.leads_away.store(true, Ordering::SeqCst);
    scene.auth.advance(SignedDuration::from_hours(2));
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    scene.sign_in(Person::new("1", "nora@demo.test")).await.unwrap();
    assert_eq!(scene.provider.discovery_asked.load(Ordering::SeqCst), 2, "it is not asked again at once");
}
