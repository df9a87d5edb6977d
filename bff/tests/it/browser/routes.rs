//! The routes written by hand.

use std::collections::BTreeSet;

use bff::browser::by_hand;
use boot::environment::Environment;
use http::{Method, StatusCode};

use super::stage::Stage;

#[tokio::test]
async fn every_route_written_by_hand_is_there_under_its_verb_alone() {
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    for route in by_hand(Environment::Test) {
        let nothing = (StatusCode::NOT_FOUND, "there is nothing at this path");
        let answer = ana.send(route.verb.clone(), route.path, Some("{}".to_owned())).await;
        let message = serde_json::from_str(&answer.text).unwrap_or_else(|_| serde_json::json!({}));
        let message = message["message"].as_str().unwrap_or_default();
        assert_ne!((answer.status, message), nothing, "{} {}", route.verb, route.path);
        assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{} {}", route.verb, route.path);
        for verb in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            if by_hand(Environment::Test).iter().all(|other| (&other.verb, other.path) != (&verb, route.path))
            {
                let answer = ana.send(verb.clone(), route.path, None).await;
                assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{verb} {}", route.path);
            }
        }
    }
}

#[tokio::test]
async fn the_published_document_describes_every_route_written_by_hand() {
    let stage = Stage::open().await;
    let document = stage.stranger().get("/api/openapi.json").await.json();
    for route in by_hand(Environment::Test) {
        let operation = &document["paths"][route.path][route.verb.as_str().to_lowercase()];
        assert!(operation["operationId"].is_string(), "{} {}", route.verb, route.path);
    }
    let verbs =
        document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values());
    let mut ids: Vec<_> = verbs.map(|operation| operation["operationId"].as_str().unwrap()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "an operation's id is its own: {ids:?}");
    let webhook = &document["paths"]["/api/webhooks/voice/{platform}/{connection_id}"]["post"];
    assert_eq!(webhook["parameters"][1]["name"], "connection_id");
    let login = &document["paths"]["/api/auth/login"]["post"];
    let body = &login["requestBody"]["content"]["application/json"]["schema"]["$ref"];
    assert_eq!(body, "#/components/schemas/Credentials");
    let credentials = &document["components"]["schemas"]["Credentials"];
    assert_eq!(credentials["required"], serde_json::json!(["email", "password"]));
    assert_eq!(credentials["additionalProperties"], false);
}

#[tokio::test]
async fn every_reference_of_the_published_document_leads_somewhere() {
    let document = Stage::open().await.stranger().get("/api/openapi.json").await.json();
    let mut open = vec![&document];
    let mut references = 0;
    while let Some(value) = open.pop() {
        if let Some(reference) = value.get("$ref").and_then(|reference| reference.as_str()) {
            references += 1;
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
        }
        open.extend(value.as_object().into_iter().flat_map(|object| object.values()));
        open.extend(value.as_array().into_iter().flatten());
    }
    assert!(references > 100, "{references}");
}

#[test]
fn the_calls_of_the_specification_are_all_there() {
    let contract = proto::methods::ALL.iter().filter_map(|method| method.rest.split_once(' '));
    let contract = contract.map(|(verb, path)| format!("{verb} {path}"));
    let by_hand = by_hand(Environment::Development).into_iter();
    let routes: BTreeSet<String> =
        contract.chain(by_hand.map(|route| format!("{} {}", route.verb, route.path))).collect();
    for call in [
        "POST /api/auth/login",
        "GET /api/auth/refresh",
        "POST /api/auth/logout",
        "POST /api/auth/register/employee",
        "POST /api/auth/diagnose-user",
        "POST /api/auth/forgot-password",
        "POST /api/auth/reset-password",
        "GET /api/auth/me/businesses",
        "GET /api/auth/me",
        "GET /api/config/frontend",
        "GET /api/v1/debug/cache-stats",
        "POST /api/v1/debug/reset-metrics",
        "POST /api/v1/debug/clear-cache",
        "POST /api/v1/debug/test-cache",
    ] {
        assert!(routes.contains(call), "{call}");
    }
}
