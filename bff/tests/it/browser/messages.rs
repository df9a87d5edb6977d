//! Messages of the contract as JSON, and what is none.

use caller::Role;
use http::{Method, StatusCode};
use proto::{
    error::invalid,
    frontdesk::{
        auth::internal::v1::registration_service_methods::FORGOT_PASSWORD,
        scheduling::v1::{SearchAvailabilityRequest, availability_service_methods::SEARCH_AVAILABILITY},
        tenancy::v1::{Business, GetBusinessResponse, business_service_methods::GET_BUSINESS},
    },
};
use serde_json::{Value, json};

use super::stage::{OTHER, Setting, Stage, Standing, WILLOW, place};

#[tokio::test]
async fn messages_travel_as_proto3_json_from_body_path_and_query() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let name = "Willow <&> Co".to_owned();
    let business = Business { id: WILLOW.to_string(), name, ..Business::default() };
    stage.services.reply(&GET_BUSINESS, &GetBusinessResponse { business: Some(business) });
    let mut ana = stage.ana().await;
    let answer = ana.call(&GET_BUSINESS, &WILLOW.to_string()).await;
    assert_eq!(answer.json()["business"]["name"], "Willow <&> Co");
    assert_eq!(answer.header("content-type"), "application/json");
    let path = format!("/api/v1/businesses/{WILLOW}/availability:search");
    // The path says which business, whatever the body claims.
    let body = json!({
        "businessId": OTHER.to_string(), "items": [{ "serviceId": "s" }],
        "from": "2026-06-01T09:00:00Z", "pageSize": 5,
    });
    assert_eq!(ana.post(&path, &body).await.status, StatusCode::OK);
    let called = stage.services.last();
    assert_eq!((called.path.as_str(), called.business), (SEARCH_AVAILABILITY.path, Some(WILLOW)));
    let message: SearchAvailabilityRequest = prost::Message::decode(called.message).unwrap();
    assert_eq!((message.page_size, message.items[0].service_id.as_str()), (5, "s"));
    let list = format!("/api/v1/businesses/{WILLOW}/appointments?pageSize=7&from=2026-06-01T09%3A00%3A00Z");
    assert_eq!(ana.get(&list).await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_can_not_be_read_is_refused_by_name() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    let search = format!("/api/v1/businesses/{WILLOW}/availability:search");
    for (body, field) in [
        ("{", "body"),
        ("[]", "body"),
        ("nonsense", "body"),
        (r#"{"surprise": 1}"#, "surprise"),
        (r#"{"pageSize": "many"}"#, "pageSize"),
        (r#"{"items": [{"serviceId": "a"}, {"serviceId": 7}]}"#, "items[1].serviceId"),
        (r#"{"from": "yesterday"}"#, "from"),
    ] {
        let answer = ana.send(Method::POST, &search, Some(body.to_owned())).await;
        assert_eq!(
            (answer.status, answer.reason().as_str()),
            (StatusCode::BAD_REQUEST, "INVALID_FIELD"),
            "{body}"
        );
        assert_eq!(answer.fields(), [field], "{body}: {}", answer.text);
    }
    for (query, field) in
        [("pageSize=many", "pageSize"), ("pageSize=1&surprise=1", "surprise"), ("from=%zz", "from")]
    {
        let answer = ana.get(&format!("/api/v1/businesses/{WILLOW}/appointments?{query}")).await;
        assert_eq!(
            (answer.status, answer.reason().as_str()),
            (StatusCode::BAD_REQUEST, "INVALID_FIELD"),
            "{query}"
        );
        assert_eq!(answer.fields(), [field], "{query}: {}", answer.text);
    }
    let answer = ana.get("/api/v1/businesses/not-a-uuid/services").await;
    assert_eq!((answer.status, answer.fields()), (StatusCode::BAD_REQUEST, vec!["businessId".to_owned()]));
    let answer = ana.with("content-type", "text/plain").send(Method::POST, &search, Some("{}".into())).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(stage.services.count(), 0);
}

#[tokio::test]
async fn a_field_that_a_service_refuses_is_named_as_json_spells_it() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    let search = format!("/api/v1/businesses/{WILLOW}/availability:search");
    for (field, rule, told, message) in [
        ("page_size", "must lie between 0 and 200", "pageSize", "The page size must lie between 0 and 200."),
        ("page_token", "is not one of this list", "pageToken", "The page token is not one of this list."),
        ("items[1].service_id", "is required", "items[1].serviceId", "The service of item 2 is required."),
        ("ends_at", "is not after starts_at", "endsAt", "The end is not after the start."),
    ] {
        stage.services.refuse(&SEARCH_AVAILABILITY, invalid(field, rule));
        let answer = ana.post(&search, &json!({})).await;
        assert_eq!((answer.status, answer.fields()), (StatusCode::BAD_REQUEST, vec![told.to_owned()]));
        assert_eq!(answer.json()["message"], message);
        let violation = &answer.detail("google.rpc.BadRequest")["fieldViolations"][0];
        assert_eq!(violation["description"], message);
        assert!(!answer.text.contains("s_at") && !answer.text.contains(field), "{}", answer.text);
    }
    let mut stranger = stage.stranger();
    stranger.get("/").await;
    stage.services.refuse(&FORGOT_PASSWORD, invalid("client.user_agent", "is too long"));
    let answer = stranger.post("/api/auth/forgot-password", &json!({ "email": "mia@demo.test" })).await;
    assert_eq!(answer.fields(), ["client.userAgent"], "by a route written by hand as well");
}

#[tokio::test]
async fn paths_and_verbs_that_are_none_are_refused_in_the_same_shape() {
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    for path in ["/api", "/api/", "/api/v1/nothing", "/api/v1/businesses", "/oauth2/nothing", "/ws/nothing"] {
        let answer = ana.get(path).await;
        assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::NOT_FOUND, "NOT_FOUND"), "{path}");
    }
    for (verb, path) in [
        (Method::DELETE, "/api/auth/me"),
        (Method::PUT, "/api/auth/login"),
        (Method::OPTIONS, "/api/auth/me"),
    ] {
        let answer = ana.send(verb, path, None).await;
        assert_eq!(
            (answer.status, answer.reason().as_str()),
            (StatusCode::METHOD_NOT_ALLOWED, "NOT_FOUND"),
            "{path}"
        );
        assert!(!answer.header("allow").is_empty(), "{path}");
    }
}

#[tokio::test]
async fn a_verb_a_path_does_not_have_is_refused_with_those_it_has() {
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    let services = format!("/api/v1/businesses/{WILLOW}/services");
    for (verb, path, allowed) in [
        (Method::TRACE, "/", "GET, HEAD"),
        (Method::POST, "/onboarding", "GET, HEAD"),
        (Method::PUT, "/api/auth/login", "POST"),
        (Method::DELETE, &services, "GET, POST"),
        (Method::GET, "/api/v1/me/trusted-devices:confirm", "POST"),
    ] {
        let answer = ana.send(verb.clone(), path, None).await;
        let seen = (answer.status, answer.header("allow"));
        assert_eq!(seen, (StatusCode::METHOD_NOT_ALLOWED, allowed), "{verb} {path}");
    }
}

#[tokio::test]
async fn one_person_above_the_rate_waits_and_the_others_do_not() {
    let setting = Setting { requests_per_second: Some(1), ..Setting::default() };
    let stage = Stage::set(setting).await;
    let mut ana = stage.ana().await;
    let mut refused = None;
    for _ in 0..100 {
        let answer = ana.get("/api/auth/me").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
            break;
        }
        assert_eq!(answer.status, StatusCode::OK);
    }
    let refused = refused.expect("a hundred requests come within a hundred seconds");
    assert_eq!((refused.reason().as_str(), refused.header("retry-after")), ("RATE_LIMITED", "1"));
    // Without a person there is nothing to count, and the sign-in page still answers.
    assert_eq!(stage.stranger().get("/").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_contract_is_published() {
    let stage = Stage::open().await;
    let answer = stage.stranger().get("/api/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document: Value = answer.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(document["paths"]["/api/v1/businesses/{business_id}/appointments"]["post"].is_object());
}
