//! What of a request reaches a service beside its message.

use core::time::Duration;

use caller::{PASSPORT_HEADER, Role};
use http::StatusCode;
use proto::frontdesk::{
    auth::v1::account_service_methods::GET_ME,
    scheduling::v1::{
        appointment_service_methods::BOOK_APPOINTMENT, catalogue_service_methods::LIST_SERVICES,
    },
};

use super::stage::{ANA, ANAS_SESSION, OTHER, Stage, Standing, WILLOW, passport, place};

#[tokio::test]
async fn nothing_but_what_is_allowed_reaches_a_service() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let forged = passport_of(&stage).await;
    let mut ana = stage.ana().await;
    let plain = {
        ana.call(&LIST_SERVICES, &WILLOW.to_string()).await;
        stage.services.last()
    };
    for (name, value) in [
        (PASSPORT_HEADER, forged.as_str()),
        ("x_frontdesk_passport", &forged),
        ("grpc-metadata-x-frontdesk-passport", &forged),
        ("x-user-id", "00000000-0000-0000-0000-000000000001"),
        ("x_user_id", "00000000-0000-0000-0000-000000000001"),
        ("grpc-metadata-x-user-id", "00000000-0000-0000-0000-000000000001"),
        ("x-role", "ADMIN"),
        ("x-frontdesk-role", "ADMIN"),
        ("x-business-id", "01900000-0000-7000-8000-000000000002"),
        ("x-forwarded-for", "10.0.0.1"),
        ("x_forwarded_for", "10.0.0.1"),
        ("x-real-ip", "10.0.0.1"),
        ("x_real_ip", "10.0.0.1"),
        ("true-client-ip", "10.0.0.1"),
        ("x-forwarded-user", "admin@demo.test"),
        ("x-forwarded-host", "evil.test"),
        ("x-forwarded-proto", "https"),
        ("forwarded", "for=10.0.0.1"),
        ("host", "evil.test"),
        ("x-original-url", "/api/v1/admin/businesses"),
        ("x-http-method-override", "DELETE"),
        ("grpc-timeout", "1H"),
        ("idempotency-key", "not-taken-by-this-method"),
        ("grpc-trace-bin", "AAAA"),
        ("baggage", "user=admin"),
        ("te", "trailers"),
    ] {
        let answer = ana.with(name, value).call(&LIST_SERVICES, &WILLOW.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{name}");
        let called = stage.services.last();
        assert_eq!((called.role, called.business), (plain.role, plain.business), "{name}");
        assert_ne!(passport(&called), forged, "{name}");
        let mut names: Vec<_> = called.metadata.keys().map(http::HeaderName::as_str).collect();
        names.sort_unstable();
        let expected = [
            "content-length",
            "content-type",
            "grpc-timeout",
            "te",
            "traceparent",
            "tracestate",
            "user-agent",
            PASSPORT_HEADER,
        ];
        assert!(names.iter().all(|name| expected.contains(name)), "{name}: {names:?}");
        assert!(!format!("{:?}", called.metadata).contains("evil.test"), "{name}");
        assert!(called.remaining <= Some(Duration::from_secs(30)), "{name}");
    }
}

/// A passport that would let in an owner.
async fn passport_of(stage: &Stage) -> String {
    let bearer = caller::Bearer::User { user: ANA, session: ANAS_SESSION, role: Some(Role::Owner) };
    let passport = caller::Passport { bearer, business: Some(OTHER) };
    stage.door.signer.sign("scheduling", &passport, stage.time.now()).to_string()
}

#[tokio::test]
async fn a_passport_in_place_of_a_token_is_refused() {
    let stage = Stage::open().await;
    let mut browser = stage.ana().await;
    browser.token = Some(passport_of(&stage).await);
    assert_eq!(browser.call(&LIST_SERVICES, &OTHER.to_string()).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_deadline_and_the_idempotency_key_reach_the_service() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let ana = stage.ana().await;
    let keyed = ana.with("idempotency-key", "attempt-1").call(&BOOK_APPOINTMENT, &WILLOW.to_string()).await;
    assert_eq!(keyed.status, StatusCode::OK);
    let called = stage.services.last();
    assert_eq!(called.metadata["idempotency-key"], "attempt-1");
    let remaining = called.remaining.unwrap();
    assert!(remaining > Duration::from_secs(25) && remaining <= Duration::from_secs(30), "{remaining:?}");
    let malformed =
        ana.with("idempotency-key", "two words").call(&BOOK_APPOINTMENT, &WILLOW.to_string()).await;
    assert_eq!(
        (malformed.status, malformed.fields()),
        (StatusCode::BAD_REQUEST, vec!["Idempotency-Key".into()])
    );
}

#[tokio::test]
async fn a_service_that_does_not_answer_in_time_is_given_up() {
    let limits = bff::edge::Limits { request_time: Duration::from_millis(300), ..Default::default() };
    let stage = Stage::limited(limits).await;
    stage.services.stuck.lock().unwrap().push(GET_ME.path);
    let answer = stage.ana().await.call(&GET_ME, "").await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::GATEWAY_TIMEOUT, "UNAVAILABLE"));
    assert!(stage.services.last().remaining <= Some(Duration::from_millis(300)));
}
