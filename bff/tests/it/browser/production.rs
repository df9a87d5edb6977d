//! What is different in production.

use bff::browser::by_hand;
use boot::environment::Environment;
use http::{Method, StatusCode};
use proto::frontdesk::{
    scheduling::v1::{
        appointment_export_service_methods::BEGIN_APPOINTMENT_EXPORT,
        catalogue_service_methods::LIST_SERVICES,
    },
    telemetry::v1::call_service_methods::EXPORT_CALLS,
    tenancy::v1::{
        customer_export_service_methods::BEGIN_CUSTOMER_EXPORT,
        import_service_methods::{CREATE_IMPORT, START_IMPORT},
    },
};
use serde_json::json;

use super::stage::{ANA, ANAS_SESSION, DEVICE_CODE, Stage, WILLOW, rest_methods};

#[tokio::test]
async fn nothing_for_developers_exists_in_production() {
    let stage = Stage::production().await;
    stage.auth.make_admin(ANA);
    let mut ana = stage.ana().await;
    let contract = rest_methods().filter(|method| method.rule.development_only);
    let contract = contract.map(|method| method.rest.split_once(' ').unwrap().1);
    let production = by_hand(Environment::Production);
    let by_hand = by_hand(Environment::Development).into_iter().map(|route| route.path);
    let by_hand = by_hand.filter(|path| production.iter().all(|route| route.path != *path));
    let paths: Vec<&str> = contract.chain(by_hand).collect();
    assert!(paths.contains(&"/api/auth/diagnose-user") && paths.contains(&"/api/v1/debug/cache-stats"));
    let nothing = ana.get("/api/v1/nothing").await;
    for path in paths {
        for verb in [Method::GET, Method::POST] {
            let answer = ana.send(verb.clone(), path, Some("{}".to_owned())).await;
            assert_eq!(
                (answer.status, answer.json()),
                (StatusCode::NOT_FOUND, nothing.json()),
                "{verb} {path}"
            );
        }
    }
    assert_eq!(stage.services.overheard(), Vec::<String>::new());
}

#[tokio::test]
async fn the_published_contract_says_nothing_of_what_does_not_exist_there() {
    let described = |document: serde_json::Value, path: &str| document["paths"][path].is_object();
    for (stage, there) in [(Stage::production().await, false), (Stage::open().await, true)] {
        let document = stage.stranger().get("/api/openapi.json").await.json();
        assert_eq!(described(document.clone(), "/api/v1/debug/cache-stats"), there);
        assert!(described(document, "/api/v1/businesses/{business_id}/services"));
    }
}

#[tokio::test]
async fn what_is_sensitive_waits_for_a_trusted_device_and_not_a_moment_longer() {
    let stage = Stage::production().await;
    stage.auth.make_admin(ANA);
    let mut ana = stage.ana().await;
    let willow = WILLOW.to_string();
    let sensitive: Vec<_> = rest_methods().filter(|method| method.rule.sensitive).collect();
    assert!(sensitive.len() >= 8);
    // What takes people's data away, and what invites many.
    for method in
        [&BEGIN_APPOINTMENT_EXPORT, &BEGIN_CUSTOMER_EXPORT, &EXPORT_CALLS, &CREATE_IMPORT, &START_IMPORT]
    {
        assert!(sensitive.iter().any(|known| known.path == method.path), "{}", method.path);
    }
    for method in &sensitive {
        let answer = ana.call(method, &willow).await;
        let refused = (StatusCode::FORBIDDEN, "DEVICE_NOT_TRUSTED".to_owned());
        assert_eq!((answer.status, answer.reason()), refused, "{}", method.path);
    }
    assert_eq!(stage.services.count(), 0);
    assert_eq!(ana.call(&LIST_SERVICES, &willow).await.status, StatusCode::OK);
    let confirmed = ana.post("/api/v1/me/trusted-devices:confirm", &json!({ "code": DEVICE_CODE })).await;
    assert_eq!(confirmed.status, StatusCode::OK);
    for method in &sensitive {
        assert_eq!(ana.call(method, &willow).await.status, StatusCode::OK, "{}", method.path);
    }
    stage.auth.trusted.lock().unwrap().remove(&ANAS_SESSION);
    assert_eq!(ana.call(sensitive[0], &willow).await.reason(), "DEVICE_NOT_TRUSTED", "revoked at once");
}

#[tokio::test]
async fn elsewhere_a_trusted_device_is_not_asked_for() {
    let stage = Stage::open().await;
    stage.auth.make_admin(ANA);
    let mut ana = stage.ana().await;
    for method in rest_methods().filter(|method| method.rule.sensitive) {
        assert_eq!(ana.call(method, &WILLOW.to_string()).await.status, StatusCode::OK, "{}", method.path);
    }
}

#[tokio::test]
async fn production_stops_what_writes_html_from_strings_and_development_has_tools_that_do() {
    for (stage, stops) in [(Stage::production().await, true), (Stage::open().await, false)] {
        let answer = stage.stranger().get("/").await;
        let policy = answer.header("content-security-policy");
        assert_eq!(
            policy.contains("; require-trusted-types-for 'script'; trusted-types 'none'"),
            stops,
            "{policy}"
        );
    }
}
