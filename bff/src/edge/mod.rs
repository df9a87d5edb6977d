//! What every request passes before a door and every answer passes after it:
//! limits, deadline, the end of panics, headers, span and measurement.
//!
//! It is one service around the whole router, because routes added after a
//! router's layers are not covered by them.

mod address;
mod admission;
mod headers;
mod lease;
mod limited;
mod limits;
mod listen;
mod per_network_limits;
mod prompt;
mod sampling;
mod visit;

use core::{panic::AssertUnwindSafe, time::Duration};
use std::{net::IpAddr, sync::Arc, time::Instant};

use axum::{Router, body::Body, extract::Request, response::IntoResponse, response::Response};
use futures::FutureExt;
use http::{HeaderValue, StatusCode, header};
use http_body_util::Limited;
use proto::error::Reason;
use tower::ServiceExt;
use tracing::Instrument;

pub use address::{Address, TrustedProxies};
pub use admission::Probation;
pub use limited::{Limit, LimitCounter};
pub use limits::{Limits, TOOL_TIME, body_too_large, busy, crowded, no_such_verb};
pub use listen::listen;
pub use per_network_limits::{Rate, Share, Shares};
pub use sampling::Sampling;
pub use visit::{Route, session};

use crate::{contract, refusal::Refusal};
use admission::DoorAdmission;
use headers::SecurityHeaders;
use visit::{Meter, Visit};

/// Probes: under load they must not be refused, restarts would make it worse.
pub const LIVENESS: &str = "/healthz";
/// See [`LIVENESS`].
pub const READINESS: &str = "/readyz";

/// When an answer must be there, as a request extension.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Instant);

impl Deadline {
    /// A deadline `left` from now.
    #[must_use]
    pub fn after(left: Duration) -> Self {
        Self(Instant::now() + left)
    }

    /// Time left.
    #[must_use]
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// The edge around a router.
#[derive(Debug)]
pub struct Edge {
    router: Router,
    limits: Limits,
    proxies: TrustedProxies,
    headers: SecurityHeaders,
    meter: Meter,
    sampling: Sampling,
    admission: DoorAdmission,
    shares: Arc<Shares>,
    limited: LimitCounter,
}

impl Edge {
    /// An edge for answers under a public address that is https or not.
    #[must_use]
    pub fn new(
        router: Router,
        limits: Limits,
        proxies: TrustedProxies,
        https: bool,
        sampling: Sampling,
    ) -> Self {
        Self {
            router,
            limits,
            proxies,
            headers: SecurityHeaders::new(https),
            meter: Meter::new(if https { "https" } else { "http" }),
            sampling,
            admission: DoorAdmission::of(limits.in_flight),
            shares: Shares::of(limits.in_flight, limits.parts),
            limited: LimitCounter::new(),
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(crate) fn proxies(&self) -> &TrustedProxies {
        &self.proxies
    }

    pub(crate) fn limited(&self) -> &LimitCounter {
        &self.limited
    }

    /// Answers one request that came over a connection from `peer`.
    pub async fn answer(&self, peer: IpAddr, mut request: Request) -> Response {
        let address = self.proxies.address(peer, request.headers());
        request.extensions_mut().insert(address);
        let visit = Visit::begin(self.meter.clone(), &self.sampling, &request);
        let span = visit.span().clone();
        let mut response = self.guarded(address, request).instrument(span).await;
        self.headers.add(&mut response);
        visit.end(&response);
        response
    }

    async fn guarded(&self, Address(address): Address, mut request: Request) -> Response {
        if matches!(request.uri().path(), LIVENESS | READINESS) {
            // A name of their own keeps probes out of what is measured about people.
            let route = Route(request.uri().path().to_owned());
            let mut response = self.route(request).await;
            response.extensions_mut().insert(route);
            return response;
        }
        if let Err(refusal) = self.limits.check(&request) {
            return refusal.into_response();
        }
        let Some(_place) = self.admission.admit(address, &mut request) else {
            self.limited.count(Limit::Requests);
            return busy().into_response();
        };
        let Some(_share) = self.shares.take(address) else {
            self.limited.count(Limit::NetworkRequests);
            return crowded().into_response();
        };
        let time = self.time_for(&request);
        request.extensions_mut().insert(Deadline::after(time));
        let most = self.limits.body_bytes_of(&request);
        let request = request.map(|body| Body::new(Limited::new(body, most)));
        match tokio::time::timeout(time, AssertUnwindSafe(self.route(request)).catch_unwind()).await {
            Ok(Ok(response)) => in_our_words(response),
            // The panic hook has logged what is not for the visitor to know.
            Ok(Err(_panic)) => Refusal::new(Reason::Internal, "an internal error").into_response(),
            Err(_elapsed) => limits::too_late().into_response(),
        }
    }

    async fn route(&self, request: Request) -> Response {
        self.router.clone().oneshot(request).await.unwrap_or_else(|never| match never {})
    }

    fn time_for(&self, request: &Request) -> Duration {
        let method = contract::find(request.method(), request.uri().path(), |_| true);
        let long = matches!(method, contract::Found::Method(method) if method.rule.long_running);
        if long || limits::has_recording(request) {
            self.limits.long_request_time
        } else {
            self.limits.request_time
        }
    }
}

/// Refusals of the router and its extractors, which know nothing of our shape.
fn in_our_words(response: Response) -> Response {
    let status = response.status();
    let refused = status.is_client_error() || status.is_server_error();
    let json = HeaderValue::from_static("application/json");
    if !refused || response.headers().get(header::CONTENT_TYPE) == Some(&json) {
        return response;
    }
    let refusal = match status {
        StatusCode::PAYLOAD_TOO_LARGE => body_too_large(),
        // The router has named the verbs, and its headers stay.
        StatusCode::METHOD_NOT_ALLOWED => no_such_verb(&[]),
        StatusCode::NOT_FOUND => Refusal::new(Reason::NotFound, "there is nothing at this path"),
        _ if status.is_server_error() => Refusal::new(Reason::Internal, "an internal error"),
        _ => Refusal::new(Reason::InvalidField, "the request is malformed").with_http(status),
    };
    let (mut parts, _) = response.into_parts();
    let mut answer = refusal.into_response();
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.remove(header::CONTENT_LENGTH);
    answer.headers_mut().extend(parts.headers);
    *answer.extensions_mut() = parts.extensions;
    answer
}
