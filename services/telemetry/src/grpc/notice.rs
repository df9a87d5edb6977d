//! What connections deliver that names no call, as it travels.

use proto::{frontdesk::telemetry::v1::GetNoticesResponse, time::to_proto};

use crate::store::Notices;

/// What there is, or that there is nothing.
pub(super) fn answer(notices: Option<Notices>) -> GetNoticesResponse {
    notices.map_or_else(GetNoticesResponse::default, |notices| GetNoticesResponse {
        count: i32::try_from(notices.count).unwrap_or(i32::MAX),
        last_kind: notices.last_kind,
        last_received_at: Some(to_proto(notices.last_received)),
    })
}
