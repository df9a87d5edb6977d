//! REST from the contract: who reaches which service, with what, and what comes back.

use core::time::Duration;
use std::time::Instant;

use boot::config::Environment;
use caller::{Actor, Method as Rpc, PASSPORT_HEADER, Role, ScopeKind};
use http::{Method, StatusCode};
use proto::{
    error::{Reason, invalid, refuse, retry_later},
    frontdesk::{
        auth::v1::account_service_methods::{GET_ME, LIST_MY_BUSINESS_IDS},
        scheduling::v1::{
            SearchAvailabilityRequest,
            appointment_service_methods::{BOOK_APPOINTMENT, CANCEL_APPOINTMENT, LIST_APPOINTMENTS},
            availability_service_methods::SEARCH_AVAILABILITY,
            catalogue_service_methods::LIST_SERVICES,
        },
        tenancy::v1::{
            Business, GetBusinessResponse, business_service_methods::GET_BUSINESS,
            voice_connection_service_methods::CREATE_VOICE_CONNECTION,
        },
    },
};
use serde_json::{Value, json};
use tonic::Status;

use super::stage::{ANA, ANAS_SESSION, OTHER, Setting, Stage, WILLOW, passport};

/// Who may stand before a door.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Standing {
    Stranger,
    Member(Role),
    Admin,
}

const EVERYONE: [Standing; 6] = [
    Standing::Stranger,
    Standing::Member(Role::Guest),
    Standing::Member(Role::Employee),
    Standing::Member(Role::Manager),
    Standing::Member(Role::Owner),
    Standing::Admin,
];

fn rest_methods() -> impl Iterator<Item = &'static Rpc> {
    proto::methods::ALL.iter().copied().filter(|method| !method.rest.is_empty())
}

fn place(stage: &Stage, standing: Standing) {
    match standing {
        Standing::Stranger => {}
        Standing::Member(role) => stage.auth.set_role(ANA, WILLOW, Some(role)),
        Standing::Admin => stage.auth.make_admin(ANA),
    }
}

/// What the rule says, spelled out.
fn expected(method: &Rpc, standing: Standing) -> (StatusCode, &'static str) {
    let role = match standing {
        Standing::Stranger => None,
        Standing::Member(role) => Some(role),
        Standing::Admin => Some(Role::Admin),
    };
    match method.rule.scope {
        ScopeKind::Business if role.is_none() => (StatusCode::NOT_FOUND, "NOT_FOUND"),
        ScopeKind::Business if role < Some(method.rule.least_role) => (StatusCode::FORBIDDEN, "ROLE_TOO_LOW"),
        ScopeKind::Installation if role != Some(Role::Admin) => (StatusCode::FORBIDDEN, "ROLE_TOO_LOW"),
        _ => (StatusCode::OK, ""),
    }
}

#[tokio::test]
async fn every_method_lets_in_whom_its_rule_says_in_the_role_they_have() {
    for standing in EVERYONE {
        let stage = Stage::open().await;
        place(&stage, standing);
        let mut ana = stage.ana().await;
        for method in rest_methods() {
            let before = stage.services.count();
            let answer = ana.call(method, &WILLOW.to_string()).await;
            let seen = (answer.status, answer.reason());
            let (status, reason) = expected(method, standing);
            assert_eq!(seen, (status, reason.to_owned()), "{} as {standing:?}: {}", method.path, answer.text);
            let let_in = usize::from(status == StatusCode::OK);
            assert_eq!(stage.services.count(), before + let_in, "{} as {standing:?}", method.path);
            if let_in == 0 {
                continue;
            }
            let called = stage.services.last();
            assert_eq!(called.path, method.path);
            assert_eq!(called.actor, Some(Actor::Person { user: ANA, session: ANAS_SESSION }));
            if method.rule.scope == ScopeKind::Business {
                let role = if let Standing::Member(role) = standing { role } else { Role::Admin };
                assert_eq!((called.business, called.role), (Some(WILLOW), Some(role)));
            }
        }
    }
}

#[tokio::test]
async fn a_business_of_others_reads_as_one_that_does_not_exist() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    let mut ana = stage.ana().await;
    let missing = uuid::Uuid::from_u128(404).to_string();
    for method in rest_methods().filter(|method| method.rule.scope == ScopeKind::Business) {
        let of_others = ana.call(method, &OTHER.to_string()).await;
        let of_nobody = ana.call(method, &missing).await;
        assert_eq!(of_others.status, StatusCode::NOT_FOUND);
        assert_eq!(of_others.json(), of_nobody.json());
    }
    assert_eq!(stage.services.count(), 0);
}

#[tokio::test]
async fn nobody_is_let_in_without_a_token() {
    let stage = Stage::open().await;
    let mut nobody = stage.ana().await;
    nobody.token = None;
    for method in rest_methods() {
        let answer = nobody.call(method, &WILLOW.to_string()).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{}", method.path);
    }
    assert_eq!(stage.services.count(), 0);
}

#[tokio::test]
async fn a_lost_membership_a_lower_role_and_a_dead_session_are_refused_within_a_second() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    let mut ana = stage.ana().await;
    let willow = WILLOW.to_string();
    let mut changes: Vec<(Box<dyn Fn()>, StatusCode)> = Vec::new();
    let auth = stage.auth.clone();
    changes.push((Box::new(move || auth.set_role(ANA, WILLOW, Some(Role::Guest))), StatusCode::FORBIDDEN));
    let auth = stage.auth.clone();
    changes.push((Box::new(move || auth.set_role(ANA, WILLOW, None)), StatusCode::NOT_FOUND));
    let auth = stage.auth.clone();
    changes.push((Box::new(move || auth.end(ANAS_SESSION)), StatusCode::UNAUTHORIZED));
    for (change, refused) in changes {
        ana.call(&LIST_APPOINTMENTS, &willow).await;
        change();
        let since = Instant::now();
        loop {
            let asked = since.elapsed();
            if ana.call(&LIST_APPOINTMENTS, &willow).await.status == refused {
                break;
            }
            assert!(asked < Duration::from_secs(1), "{refused} came too late");
        }
    }
}

#[tokio::test]
async fn many_calls_at_once_ask_auth_once() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Owner));
    let ana = stage.ana().await;
    let mut asked = stage.auth.dawdle();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let mut ana = ana.clone();
            tokio::spawn(async move { ana.call(&LIST_SERVICES, &WILLOW.to_string()).await.status })
        })
        .collect();
    asked.changed().await.unwrap();
    stage.auth.hurry();
    for call in calls {
        assert_eq!(call.await.unwrap(), StatusCode::OK);
    }
    assert_eq!(*asked.borrow(), 1);
}

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
        ("x-user-id", "00000000-0000-0000-0000-000000000001"),
        ("x-role", "ADMIN"),
        ("x-forwarded-for", "10.0.0.1"),
        ("x-forwarded-host", "evil.test"),
        ("x-forwarded-proto", "https"),
        ("forwarded", "for=10.0.0.1"),
        ("host", "evil.test"),
        ("x-original-url", "/api/v1/admin/businesses"),
        ("x-http-method-override", "DELETE"),
        ("grpc-timeout", "1H"),
        ("idempotency-key", "not-taken-by-this-method"),
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
    stage.door.signer.sign("scheduling", &passport, stage.time.now())
}

#[tokio::test]
async fn a_passport_in_place_of_a_token_is_nobody() {
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
async fn refusals_of_services_keep_reason_and_details() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    let willow = WILLOW.to_string();
    for (refusal, status, reason) in [
        (refuse(Reason::SlotTaken, "taken"), StatusCode::CONFLICT, "SLOT_TAKEN"),
        (refuse(Reason::TooSoon, "too soon"), StatusCode::BAD_REQUEST, "TOO_SOON"),
        (refuse(Reason::NotFound, "no such appointment"), StatusCode::NOT_FOUND, "NOT_FOUND"),
        (refuse(Reason::TooLarge, "too large"), StatusCode::BAD_REQUEST, "TOO_LARGE"),
        (invalid("starts_at", "is required"), StatusCode::BAD_REQUEST, "INVALID_FIELD"),
        (Status::unavailable("no connection"), StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE"),
    ] {
        let said = refusal.message().to_owned();
        stage.services.refuse(&CANCEL_APPOINTMENT, refusal);
        let answer = ana.call(&CANCEL_APPOINTMENT, &willow).await;
        assert_eq!((answer.status, answer.reason().as_str()), (status, reason));
        assert_eq!(answer.json()["message"], said);
        assert_eq!(answer.detail("google.rpc.ErrorInfo")["domain"], "frontdesk");
    }
    stage.services.refuse(&CANCEL_APPOINTMENT, invalid("starts_at", "is required"));
    let answer = ana.call(&CANCEL_APPOINTMENT, &willow).await;
    let violation = &answer.detail("google.rpc.BadRequest")["fieldViolations"][0];
    assert_eq!(*violation, json!({ "field": "starts_at", "description": "is required" }));
    let busy = retry_later(Reason::Busy, "busy", Duration::from_millis(1500));
    stage.services.refuse(&CANCEL_APPOINTMENT, busy);
    let answer = ana.call(&CANCEL_APPOINTMENT, &willow).await;
    assert_eq!((answer.status, answer.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "2"));
}

#[tokio::test]
async fn a_fault_keeps_its_words_to_itself_and_signs_nobody_out() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    for fault in [
        Status::internal("relation \"visit\" does not exist"),
        Status::unknown("panicked at store.rs"),
        refuse(Reason::Unauthenticated, "malformed passport"),
    ] {
        stage.services.refuse(&LIST_SERVICES, fault);
        let answer = ana.call(&LIST_SERVICES, &WILLOW.to_string()).await;
        let seen = (answer.status, answer.reason(), answer.json()["message"].clone());
        assert_eq!(seen, (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL".into(), json!("an internal error")));
    }
    stage.services.refuse(&LIST_MY_BUSINESS_IDS, refuse(Reason::Unauthenticated, "the session has ended"));
    let answer = ana.call(&LIST_MY_BUSINESS_IDS, "").await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "auth itself may say so");
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
    assert_eq!((answer.status, answer.fields()), (StatusCode::BAD_REQUEST, vec!["business_id".to_owned()]));
    let answer = ana.with("content-type", "text/plain").send(Method::POST, &search, Some("{}".into())).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(stage.services.count(), 0);
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
    }
}

#[tokio::test]
async fn internal_methods_have_no_way_in() {
    let stage = Stage::open().await;
    stage.auth.make_admin(ANA);
    let mut ana = stage.ana().await;
    for method in proto::methods::ALL.iter().filter(|method| method.rest.is_empty()) {
        for path in [method.path.to_owned(), format!("/api{}", method.path)] {
            let answer = ana.send(Method::POST, &path, Some("{}".to_owned())).await;
            let closed = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED];
            assert!(closed.contains(&answer.status), "{path}: {}", answer.status);
        }
    }
    assert_eq!(stage.services.count(), 0);
}

#[tokio::test]
async fn what_needs_a_trusted_device_is_refused_in_production() {
    let production = Setting {
        environment: Environment::Production,
        public_url: "https://desk.example.com",
        ..Setting::default()
    };
    let stage = Stage::set(production).await;
    stage.auth.make_admin(ANA);
    let mut ana = stage.ana().await;
    ana.token = Some(stage.auth.key().sign(&{
        let mut claims = stage.claims();
        claims["iss"] = json!("https://desk.example.com");
        claims
    }));
    let answer = ana.call(&CREATE_VOICE_CONNECTION, &WILLOW.to_string()).await;
    assert_eq!((answer.status, answer.reason().as_str()), (StatusCode::FORBIDDEN, "ROLE_TOO_LOW"));
    assert_eq!(ana.call(&LIST_SERVICES, &WILLOW.to_string()).await.status, StatusCode::OK);
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
