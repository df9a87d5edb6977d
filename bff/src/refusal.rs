//! Refusals as the outside reads them: `google.rpc.Status` JSON.

use core::time::Duration;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use opentelemetry::trace::TraceContextExt;
use proto::error::{DOMAIN, Reason};
use serde_json::{Value, json};
use tonic::{Code, Status};
use tonic_types::StatusExt;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// A refused request.
#[derive(Debug, Clone)]
pub struct Refusal {
    http: StatusCode,
    status: Status,
    allow: Option<HeaderValue>,
}

impl Refusal {
    /// Refuses for `reason`; the message is for people.
    #[must_use]
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        proto::error::refuse(reason, message).into()
    }

    /// The same refusal under an HTTP status that gRPC has no code for.
    #[must_use]
    pub fn with_http(mut self, http: StatusCode) -> Self {
        self.http = http;
        self
    }

    /// The same refusal, naming the verbs that the path does have.
    #[must_use]
    pub fn allowing(mut self, verbs: &[&'static str]) -> Self {
        self.allow = HeaderValue::try_from(verbs.join(", ")).ok().filter(|_| !verbs.is_empty());
        self
    }

    /// The refusal as `google.rpc.Status` JSON.
    #[must_use]
    pub fn body(&self) -> Value {
        let code = self.status.code() as i32;
        json!({ "code": code, "message": message(&self.status), "details": details(&self.status) })
    }

    /// What is refused, in gRPC's terms.
    #[must_use]
    pub fn status(&self) -> &Status {
        &self.status
    }
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Self {
        Self { http: http_status(&status), status, allow: None }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = (self.http, axum::Json(self.body())).into_response();
        if let Some(wait) = retry_after(&self.status) {
            response.headers_mut().insert(header::RETRY_AFTER, wait);
        }
        if let Some(verbs) = self.allow {
            response.headers_mut().insert(header::ALLOW, verbs);
        }
        response
    }
}

/// The HTTP status of a refusal, as `google.rpc.Code` maps them.
#[must_use]
pub fn http_status(status: &Status) -> StatusCode {
    if proto::error::reason_of(status) == Some(Reason::TooLarge) {
        return StatusCode::PAYLOAD_TOO_LARGE;
    }
    rest_over_grpc::handling::Code::from_i32(status.code() as i32)
        .map_or(StatusCode::INTERNAL_SERVER_ERROR, rest_over_grpc::handling::Code::to_http_status)
}

/// The message the outside may read. Faults keep theirs to the log, and so does what names no reason
/// of ours: it comes from the transport, and speaks of addresses and sockets.
#[must_use]
pub fn message(status: &Status) -> &str {
    let ours = proto::error::reason_of(status).is_some();
    match status.code() {
        Code::Internal | Code::Unknown | Code::DataLoss => "an internal error",
        _ if ours => status.message(),
        Code::Unavailable | Code::ResourceExhausted => "a part of Frontdesk can't be reached right now",
        Code::DeadlineExceeded | Code::Cancelled => "there was no answer in time",
        Code::Unimplemented => "an internal error",
        _ => "the request was refused",
    }
}

/// Seconds to wait, where the refusal says so.
#[must_use]
pub fn retry_after(status: &Status) -> Option<HeaderValue> {
    let delay = status.get_details_retry_info()?.retry_delay?;
    Some(HeaderValue::from(seconds(delay)))
}

/// The details in proto3 JSON; there is always one `ErrorInfo`.
#[must_use]
pub fn details(status: &Status) -> Vec<Value> {
    let known = status.get_error_details();
    let mut metadata = known.error_info().map(|info| info.metadata.clone()).unwrap_or_default();
    if is_ours(status)
        && let Some(trace) = trace_id()
    {
        metadata.insert("traceId".to_owned(), trace);
    }
    let reason = known.error_info().map_or_else(|| reason(status.code()).name(), |info| &info.reason);
    let mut details = vec![json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": DOMAIN,
        "metadata": metadata,
    })];
    if let Some(request) = known.bad_request() {
        let violations: Vec<Value> = request
            .field_violations
            .iter()
            .map(|violation| json!({ "field": violation.field, "description": violation.description }))
            .collect();
        details.push(
            json!({ "@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations }),
        );
    }
    if let Some(delay) = known.retry_info().and_then(|info| info.retry_delay) {
        let delay = format!("{}s", seconds(delay));
        details.push(json!({ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay }));
    }
    details
}

/// Whole seconds, rounded up: `Retry-After` knows no smaller unit.
fn seconds(delay: Duration) -> u64 {
    delay.as_secs() + u64::from(delay.subsec_nanos() > 0)
}

/// Whether what went wrong is ours to look for, with the trace that leads to it.
fn is_ours(status: &Status) -> bool {
    http_status(status).is_server_error()
}

/// The reason of a status that names none, such as the transport's.
fn reason(code: Code) -> Reason {
    match code {
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled | Code::ResourceExhausted => {
            Reason::Unavailable
        }
        Code::InvalidArgument | Code::FailedPrecondition | Code::OutOfRange => Reason::InvalidField,
        Code::NotFound => Reason::NotFound,
        Code::AlreadyExists | Code::Aborted => Reason::WrongState,
        Code::PermissionDenied => Reason::RoleTooLow,
        Code::Unauthenticated => Reason::Unauthenticated,
        Code::Ok | Code::Unknown | Code::Unimplemented | Code::Internal | Code::DataLoss => Reason::Internal,
    }
}

/// The id that leads from an answer to its trace.
#[must_use]
pub fn trace_id() -> Option<String> {
    let context = tracing::Span::current().context();
    let span = context.span().span_context().clone();
    span.is_valid().then(|| span.trace_id().to_string())
}
