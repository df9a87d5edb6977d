//! What platforms deliver that names no call.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::{Delivery, RecordNoticeRequest, RecordNoticeResponse},
        v1::{GetNoticesRequest, GetNoticesResponse},
    },
    time::to_proto,
};
use testkit::{as_agent, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::desk::{Desk, LINE, OTHER, SALON, SECOND_LINE, field};

/// A notice on the salon's line.
pub async fn told(desk: &Desk, key: &str, kind: &str) -> Result<RecordNoticeResponse, Status> {
    record(desk, desk.delivery(LINE, key), kind).await
}

async fn record(desk: &Desk, delivery: Delivery, kind: &str) -> Result<RecordNoticeResponse, Status> {
    let message = RecordNoticeRequest {
        business_id: SALON.to_string(),
        delivery: Some(delivery),
        kind: kind.to_owned(),
    };
    let request = as_agent(&desk.host, LINE, SALON, message);
    Ok(desk.intake().record_notice(request).await?.into_inner())
}

async fn notices(desk: &Desk, role: Role, line: Uuid) -> Result<GetNoticesResponse, Status> {
    let message = GetNoticesRequest { business_id: SALON.to_string(), voice_connection_id: line.to_string() };
    Ok(desk.calls().get_notices(as_user(&desk.host, role, SALON, message)).await?.into_inner())
}

#[tokio::test]
async fn a_delivery_that_names_no_call_is_kept_once_and_counted_with_its_connection() {
    let desk = Desk::open().await;
    assert_eq!(notices(&desk, Role::Owner, LINE).await.unwrap(), GetNoticesResponse::default());
    let first = told(&desk, "a", "chat.created").await.unwrap();
    desk.time.advance(SignedDuration::from_mins(1));
    told(&desk, "b", "session.created").await.unwrap();
    desk.time.advance(SignedDuration::from_mins(1));
    assert_eq!(told(&desk, "a", "chat.created").await.unwrap(), first);
    let shown = notices(&desk, Role::Owner, LINE).await.unwrap();
    assert_eq!((shown.count, shown.last_kind.as_str()), (2, "session.created"));
    let opened = desk.time.now() - SignedDuration::from_mins(1);
    assert_eq!(shown.last_received_at, Some(to_proto(opened)));
    assert_eq!(notices(&desk, Role::Owner, SECOND_LINE).await.unwrap().count, 0);
    assert_eq!(desk.count("SELECT count(*) FROM notice WHERE body = '{\"key\":\"a\"}'").await, 1);
    assert!(desk.list(0, "").await.unwrap().calls.is_empty(), "no call comes of it");
}

#[tokio::test]
async fn notices_are_the_owners_to_see_and_a_lines_own_to_tell() {
    let desk = Desk::open().await;
    told(&desk, "a", "chat.created").await.unwrap();
    let refused = notices(&desk, Role::Manager, LINE).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let message = GetNoticesRequest { business_id: OTHER.to_string(), voice_connection_id: LINE.to_string() };
    let of_another = as_user(&desk.host, Role::Owner, OTHER, message);
    assert_eq!(desk.calls().get_notices(of_another).await.unwrap().into_inner().count, 0);
    let foreign = record(&desk, desk.delivery(SECOND_LINE, "b"), "chat.created").await.unwrap_err();
    assert_eq!(field(&foreign), "delivery.connection_id");
    assert_eq!(field(&told(&desk, "c", "").await.unwrap_err()), "kind");
}

#[tokio::test]
async fn notices_are_deleted_as_old_as_deliveries_are_emptied() {
    let desk = Desk::open().await;
    told(&desk, "a", "chat.created").await.unwrap();
    desk.time.advance(SignedDuration::from_hours(24 * 31));
    told(&desk, "b", "chat.created").await.unwrap();
    for kept in telemetry::retention::KEPT {
        desk.app.delete_old(kept).await.unwrap();
    }
    assert_eq!(notices(&desk, Role::Owner, LINE).await.unwrap().count, 1);
}
