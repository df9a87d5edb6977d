//! What people read when a service refuses or fails.

use core::time::Duration;

use caller::Role;
use http::StatusCode;
use proto::{
    error::{Reason, invalid, refuse, retry_later},
    frontdesk::{
        auth::v1::account_service_methods::LIST_MY_BUSINESS_IDS,
        scheduling::v1::{
            appointment_service_methods::CANCEL_APPOINTMENT, catalogue_service_methods::LIST_SERVICES,
        },
    },
};
use serde_json::json;
use tonic::Status;

use super::stage::{Stage, Standing, WILLOW, place};

const TRACEPARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

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
    assert_eq!(*violation, json!({ "field": "startsAt", "description": "The start is required." }));
    let busy = retry_later(Reason::Busy, "busy", Duration::from_millis(1500));
    stage.services.refuse(&CANCEL_APPOINTMENT, busy);
    let answer = ana.call(&CANCEL_APPOINTMENT, &willow).await;
    assert_eq!((answer.status, answer.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "2"));
}

#[tokio::test]
async fn an_internal_error_hides_its_text_and_keeps_the_session() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    for fault in [
        Status::internal("relation \"visit\" does not exist"),
        Status::unknown("panicked at store.rs"),
        // What decoders and limits between our own services say is no fault of the caller's.
        Status::out_of_range("Error, decoded message length too large: found 6291456 bytes"),
        Status::resource_exhausted("the encoded message is too large"),
        Status::invalid_argument("failed to decode Protobuf message"),
        Status::failed_precondition("the transport"),
        Status::not_found("no such route"),
        Status::permission_denied("the mesh"),
    ] {
        stage.services.refuse(&LIST_SERVICES, fault);
        let answer = ana.call(&LIST_SERVICES, &WILLOW.to_string()).await;
        let seen = (answer.status, answer.reason(), answer.json()["message"].clone());
        assert_eq!(seen, (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL".into(), json!("an internal error")));
    }
}

#[tokio::test]
async fn auth_alone_says_that_a_session_is_over() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    let over = || refuse(Reason::Unauthenticated, "the session has ended");
    stage.services.refuse(&LIST_MY_BUSINESS_IDS, over());
    assert_eq!(ana.call(&LIST_MY_BUSINESS_IDS, "").await.status, StatusCode::UNAUTHORIZED);
    for (method, fault) in [
        (&LIST_SERVICES, over()),
        (&LIST_SERVICES, refuse(Reason::PassportRefused, "expired passport")),
        (&LIST_MY_BUSINESS_IDS, refuse(Reason::PassportRefused, "expired passport")),
        (&LIST_MY_BUSINESS_IDS, Status::unauthenticated("who are you?")),
    ] {
        stage.services.refuse(method, fault.clone());
        let answer = ana.call(method, &WILLOW.to_string()).await;
        let seen = (answer.status, answer.reason(), answer.header("retry-after"));
        assert_eq!(
            seen,
            (StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE".to_owned(), "1"),
            "{}: {fault:?}",
            method.path
        );
    }
}

#[tokio::test]
async fn what_the_transport_says_stays_in_the_log_under_the_answers_trace() {
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await.with("traceparent", TRACEPARENT);
    for (cause, status, told) in [
        (
            Status::unavailable("tcp connect error: 10.1.2.3:7103"),
            StatusCode::SERVICE_UNAVAILABLE,
            "a part of Frontdesk can't be reached right now",
        ),
        (
            Status::deadline_exceeded("scheduling did not answer in time"),
            StatusCode::GATEWAY_TIMEOUT,
            "there was no answer in time",
        ),
    ] {
        stage.services.refuse(&LIST_SERVICES, cause);
        let answer = ana.call(&LIST_SERVICES, &WILLOW.to_string()).await;
        assert_eq!((answer.status, answer.reason().as_str()), (status, "UNAVAILABLE"));
        assert_eq!(answer.json()["message"], told);
        let trace = answer.detail("google.rpc.ErrorInfo")["metadata"]["traceId"].clone();
        assert_eq!(trace, TRACEPARENT[3..35]);
    }
    // What the person did is no fault to look for.
    stage.services.refuse(&LIST_SERVICES, refuse(Reason::NotFound, "no such service"));
    let answer = ana.call(&LIST_SERVICES, &WILLOW.to_string()).await;
    assert_eq!(answer.detail("google.rpc.ErrorInfo")["metadata"], json!({}));
}
