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
