//! The connections to a peer.

use core::task::{Context, Poll};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use bytes::Bytes;
use futures::{FutureExt, future::BoxFuture};
use http::{Request, Response, request::Parts};
use http_body_util::{BodyExt, Full};
use opentelemetry::KeyValue;
use tonic::{
    Code, Status, TimeoutExpired,
    body::Body,
    transport::{self, Channel},
};
use tower::{
    Service, ServiceExt,
    retry::budget::{Budget, TpsBudget},
};
use tracing::Instrument;

use crate::{
    call::{Call, Meter, Side},
    causes, telemetry,
};

/// How often a call that was never begun is taken to the next connection.
const RESENDS: usize = 3;

/// Connections to a peer: calls take turns, are traced and measured.
///
/// Requests are held whole, so that one whose connection closed before the peer began
/// on it (every connection does, at its age) goes out again on another. To a peer that begins
/// nothing, such calls are not repeated without end: all of them draw on one budget.
#[derive(Debug, Clone)]
pub struct PeerChannel {
    service: &'static str,
    /// A fifth of the calls of the last ten seconds, and ten a second.
    retries: Arc<TpsBudget>,
    connections: Arc<[Channel]>,
    next: Arc<AtomicUsize>,
    meter: Meter,
}

impl PeerChannel {
    pub(super) fn new(service: &'static str, connections: Arc<[Channel]>, attributes: Vec<KeyValue>) -> Self {
        Self {
            service,
            retries: Arc::default(),
            connections,
            next: Arc::default(),
            meter: Meter::new(Side::Client, attributes),
        }
    }

    /// Takes one retry from the budget, if there is one left.
    pub(super) fn may_retry(&self) -> bool {
        self.retries.withdraw()
    }

    async fn send(&self, parts: Parts, body: Bytes) -> Result<Response<Body>, transport::Error> {
        self.retries.deposit();
        let mut resends = 0;
        loop {
            let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len();
            let request = Request::from_parts(parts.clone(), Body::new(Full::new(body.clone())));
            match self.connections[turn].clone().oneshot(request).await {
                Err(error) if resends < RESENDS && never_begun(&error) && self.may_retry() => resends += 1,
                outcome => return outcome,
            }
        }
    }
}

impl Service<Request<Body>> for PeerChannel {
    type Response = Response<Body>;
    type Error = Status;
    type Future = BoxFuture<'static, Result<Response<Body>, Status>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Status>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let call = Call::begin(self.meter.clone(), request.uri().path(), self.service);
        telemetry::propagate(call.span(), request.headers_mut());
        let span = call.span().clone();
        let channel = self.clone();
        async move {
            let (parts, body) = request.into_parts();
            let body = body.collect().await?.to_bytes();
            match channel.send(parts, body).await {
                Ok(response) => Ok(call.end_with(response)),
                Err(error) => {
                    let status = failure(channel.service, error);
                    call.end(status.code());
                    Err(status)
                }
            }
        }
        .instrument(span)
        .boxed()
    }
}

/// Whether the peer has certainly not begun the call: its connection closed while the
/// request still waited, or the peer said goodbye to (or refused) the request's stream.
fn never_begun(error: &transport::Error) -> bool {
    causes::of(error).any(|source| {
        if let Some(error) = source.downcast_ref::<hyper::Error>() {
            return error.is_canceled();
        }
        let Some(error) = source.downcast_ref::<h2::Error>() else { return false };
        let reason = error.reason();
        error.is_remote()
            && (error.is_go_away() && reason == Some(h2::Reason::NO_ERROR)
                || error.is_reset() && reason == Some(h2::Reason::REFUSED_STREAM))
    })
}

/// What became of a call that no answer came to.
fn failure(service: &str, error: transport::Error) -> Status {
    // tonic calls it CANCELLED when the time that this side set has passed.
    if causes::of(&error).any(|source| source.is::<TimeoutExpired>()) {
        return Status::deadline_exceeded(format!("{service} did not answer in time"));
    }
    let spared = never_begun(&error);
    let status = Status::from_error(error.into());
    match status.code() {
        _ if spared => Status::unavailable(format!("{service} closed its connections")),
        Code::Unknown => Status::unavailable(format!("the connection to {service} broke")),
        _ => status,
    }
}
