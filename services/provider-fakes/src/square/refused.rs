//! Refusals in the words of Square's API.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

/// Why a request is refused: status, category, code and detail.
#[derive(Debug)]
pub(super) struct Refused(pub StatusCode, pub &'static str, pub &'static str, pub String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Self(status, category, code, detail) = self;
        let error = json!({ "category": category, "code": code, "detail": detail });
        (status, Json(json!({ "errors": [error] }))).into_response()
    }
}

pub(super) fn bad(code: &'static str, detail: &str) -> Refused {
    Refused(StatusCode::BAD_REQUEST, "INVALID_REQUEST_ERROR", code, detail.to_owned())
}

pub(super) fn unknown() -> Refused {
    Refused(StatusCode::NOT_FOUND, "INVALID_REQUEST_ERROR", "NOT_FOUND", "Resource not found.".to_owned())
}
