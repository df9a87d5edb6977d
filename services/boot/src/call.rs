//! One RPC under way: its span and its measurement, the same for either side.

use core::{
    pin::Pin,
    task::{Context, Poll},
};
use std::time::Instant;

use http::{HeaderMap, Response};
use http_body::Frame;
use opentelemetry::{
    KeyValue, global,
    metrics::{Histogram, UpDownCounter},
};
use pin_project_lite::pin_project;
use tonic::{Code, body::Body};
use tracing::{Span, field::Empty};

/// Advised by the conventions for durations in seconds.
const BUCKETS: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];
/// The conventions' name for a method that the server does not have.
const UNKNOWN_METHOD: &str = "_OTHER";

/// Which end of the call this process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Server,
    Client,
}

/// Measures the calls of one side.
#[derive(Debug, Clone)]
pub(crate) struct Meter {
    side: Side,
    duration: Histogram<f64>,
    active: Option<UpDownCounter<i64>>,
    attributes: Vec<KeyValue>,
}

impl Meter {
    /// Must be made after telemetry has started, or it measures nothing.
    pub(crate) fn new(side: Side, attributes: Vec<KeyValue>) -> Self {
        let (name, description) = match side {
            Side::Server => ("rpc.server.call.duration", "Duration of calls served."),
            Side::Client => ("rpc.client.call.duration", "Duration of calls made."),
        };
        let duration = global::meter("frontdesk")
            .f64_histogram(name)
            .with_description(description)
            .with_unit("s")
            .with_boundaries(BUCKETS.to_vec())
            .build();
        let active = (side == Side::Server).then(|| {
            global::meter("frontdesk")
                .i64_up_down_counter("rpc.server.active_requests")
                .with_description("Calls being served, open streams among them.")
                .with_unit("{request}")
                .build()
        });
        let meter = Self { side, duration, active, attributes };
        meter.count_active(0);
        meter
    }

    fn count_active(&self, change: i64) {
        if let Some(active) = &self.active {
            active.add(change, &[KeyValue::new("rpc.system.name", "grpc")]);
        }
    }
}

/// A call that is recorded when it is dropped.
#[derive(Debug)]
pub(crate) struct Call {
    meter: Meter,
    span: Span,
    method: String,
    started: Instant,
    /// `None` until the status is known; a call dropped before was cancelled.
    code: Option<Code>,
}

impl Call {
    /// Begins a call to `path` that `service` serves.
    pub(crate) fn begin(meter: Meter, path: &str, service: &'static str) -> Self {
        let method = path.trim_start_matches('/').to_owned();
        let span = match meter.side {
            Side::Server => tracing::info_span!(
                "rpc",
                otel.name = method,
                otel.kind = "server",
                otel.status_code = Empty,
                rpc.system.name = "grpc",
                rpc.method = method,
                rpc.method_original = Empty,
                rpc.response.status_code = Empty,
                error.type = Empty,
                frontdesk.service = service,
            ),
            Side::Client => tracing::info_span!(
                "rpc",
                otel.name = method,
                otel.kind = "client",
                otel.status_code = Empty,
                rpc.system.name = "grpc",
                rpc.method = method,
                rpc.method_original = Empty,
                rpc.response.status_code = Empty,
                error.type = Empty,
                peer.service = service,
            ),
        };
        meter.count_active(1);
        Self { meter, span, method, started: Instant::now(), code: None }
    }

    pub(crate) fn span(&self) -> &Span {
        &self.span
    }

    /// Ends the call with `code`.
    pub(crate) fn end(mut self, code: Code) {
        self.code = Some(code);
    }

    /// Ends the call with the response: now if its status is in the headers, else with its body.
    pub(crate) fn end_with(self, response: Response<Body>) -> Response<Body> {
        if let Some(code) = status(response.headers()) {
            self.end(code);
            return response;
        }
        response.map(|body| Body::new(Recorded { body, call: Some(self) }))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.meter.count_active(-1);
        let code = self.code.unwrap_or(Code::Cancelled);
        let name = name(code);
        let known = code != Code::Unimplemented;
        let method = if known { core::mem::take(&mut self.method) } else { UNKNOWN_METHOD.to_owned() };
        self.span.record("rpc.response.status_code", name);
        if !known {
            self.span.record("rpc.method", UNKNOWN_METHOD);
            self.span.record("rpc.method_original", &self.method);
            self.span.record("otel.name", UNKNOWN_METHOD);
        }
        let mut attributes = self.meter.attributes.clone();
        attributes.extend([
            KeyValue::new("rpc.system.name", "grpc"),
            KeyValue::new("rpc.method", method),
            KeyValue::new("rpc.response.status_code", name),
        ]);
        if failed(self.meter.side, code) {
            self.span.record("otel.status_code", "ERROR");
            self.span.record("error.type", name);
            attributes.push(KeyValue::new("error.type", name));
        }
        self.meter.duration.record(self.started.elapsed().as_secs_f64(), &attributes);
    }
}

pin_project! {
    /// A body whose trailers end the call.
    struct Recorded {
        #[pin]
        body: Body,
        call: Option<Call>,
    }
}

impl http_body::Body for Recorded {
    type Data = bytes::Bytes;
    type Error = tonic::Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.project();
        let polled = {
            let _entered = this.call.as_ref().map(|call| call.span.enter());
            this.body.poll_frame(context)
        };
        let code = match &polled {
            Poll::Ready(Some(Ok(frame))) => frame.trailers_ref().and_then(status),
            Poll::Ready(Some(Err(status))) => Some(status.code()),
            // A stream that ends without trailers broke the protocol.
            Poll::Ready(None) => Some(Code::Unknown),
            Poll::Pending => None,
        };
        if let Some((code, call)) = code.and_then(|code| this.call.take().map(|call| (code, call))) {
            call.end(code);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

fn status(headers: &HeaderMap) -> Option<Code> {
    headers.get(tonic::Status::GRPC_STATUS).map(|value| Code::from_bytes(value.as_bytes()))
}

/// Whether the conventions count `code` as an error on this side.
fn failed(side: Side, code: Code) -> bool {
    match side {
        Side::Client => code != Code::Ok,
        Side::Server => matches!(
            code,
            Code::Unknown
                | Code::DeadlineExceeded
                | Code::Unimplemented
                | Code::Internal
                | Code::Unavailable
                | Code::DataLoss
        ),
    }
}

fn name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}
