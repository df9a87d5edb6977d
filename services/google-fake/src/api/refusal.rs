//! Errors as Google words them.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

/// An error as Google words it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: &'static str,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: &'static str, message: impl Into<String>) -> Self {
        Self { status, reason, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", message)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "notFound", "Not Found")
    }

    pub(crate) fn limited(reason: &'static str) -> Self {
        Self::new(StatusCode::FORBIDDEN, reason, "Rate Limit Exceeded")
    }

    pub(crate) fn forgotten() -> Self {
        Self::new(
            StatusCode::GONE,
            "fullSyncRequired",
            "Sync token is no longer valid, a full sync is required.",
        )
    }

    pub(crate) fn read_only() -> Self {
        let message = "You need to have writer access to this calendar.";
        Self::new(StatusCode::FORBIDDEN, "requiredAccessLevel", message)
    }

    pub(super) fn changed() -> Self {
        Self::new(StatusCode::PRECONDITION_FAILED, "conditionNotMet", "Precondition Failed")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let domain = if self.reason.contains("Limit") { "usageLimits" } else { "global" };
        let error = json!({ "domain": domain, "reason": self.reason, "message": self.message });
        let body = json!({ "error": {
            "code": self.status.as_u16(), "message": self.message, "errors": [error],
        } });
        (self.status, Json(body)).into_response()
    }
}
