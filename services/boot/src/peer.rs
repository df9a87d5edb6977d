//! Calling another service of the installation.

use core::{
    task::{Context, Poll},
    time::Duration,
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use anyhow::Context as _;
use caller::{BusinessId, PASSPORT_HEADER, Signer};
use futures::{FutureExt, future::BoxFuture};
use http::{Request, Response};
use opentelemetry::KeyValue;
use tonic::{
    Code, Status, TimeoutExpired,
    body::Body,
    transport::{Channel, Endpoint},
};
use tower::{Service, ServiceExt};
use tracing::Instrument;

use crate::{
    Host,
    call::{Call, Meter, Side},
    clock::Clock,
    telemetry,
};

/// Connections to one peer: more than one, so that one lost packet or one busy replica is not all.
const CONNECTIONS: usize = 2;

/// Another service.
#[derive(Debug, Clone)]
pub struct Peer {
    service: &'static str,
    channel: PeerChannel,
    signer: Signer,
    clock: Clock,
}

impl Peer {
    /// A peer at `url` that is connected to when it is first called. Needs a runtime.
    ///
    /// # Errors
    /// A malformed URL.
    pub fn lazy(service: &'static str, url: &str, host: &Host) -> anyhow::Result<Self> {
        let endpoint = Endpoint::from_shared(url.to_owned())
            .with_context(|| format!("the URL of {service}"))?
            .tcp_nodelay(true)
            .connect_timeout(Duration::from_secs(3))
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10))
            .keep_alive_while_idle(true);
        let mut attributes = vec![];
        if let Some(name) = endpoint.uri().host() {
            attributes.push(KeyValue::new("server.address", name.to_owned()));
        }
        if let Some(port) = endpoint.uri().port_u16() {
            attributes.push(KeyValue::new("server.port", i64::from(port)));
        }
        let channel = PeerChannel {
            service,
            connections: (0..CONNECTIONS).map(|_| endpoint.connect_lazy()).collect(),
            next: Arc::default(),
            meter: Meter::new(Side::Client, attributes),
        };
        Ok(Self { service, channel, signer: host.signer.clone(), clock: host.clock.clone() })
    }

    /// The peer's name.
    #[must_use]
    pub fn service(&self) -> &'static str {
        self.service
    }

    /// What a generated client is made of.
    #[must_use]
    pub fn channel(&self) -> PeerChannel {
        self.channel.clone()
    }

    /// A request in one's own name, for a business or none, that must be answered within `timeout`.
    pub fn as_service<T>(
        &self,
        business: Option<BusinessId>,
        message: T,
        timeout: Duration,
    ) -> tonic::Request<T> {
        let passport = self.signer.as_service(self.service, business, self.clock.now());
        self.carrying(&passport, message, timeout)
    }

    /// As [`Self::as_service`], for a stream that stays open: it has no deadline.
    pub fn as_service_stream<T>(&self, business: Option<BusinessId>, message: T) -> tonic::Request<T> {
        let passport = self.signer.as_service(self.service, business, self.clock.now());
        let mut request = tonic::Request::new(message);
        let passport = passport.parse().expect("a signed passport is ASCII");
        request.metadata_mut().insert(PASSPORT_HEADER, passport);
        request
    }

    /// A request that carries a passport signed elsewhere, such as a door's for a person.
    pub fn carrying<T>(&self, passport: &str, message: T, timeout: Duration) -> tonic::Request<T> {
        let mut request = tonic::Request::new(message);
        let passport = passport.parse().expect("a signed passport is ASCII");
        request.metadata_mut().insert(PASSPORT_HEADER, passport);
        request.set_timeout(timeout);
        request
    }
}

/// Connections to a peer: calls take turns, are traced and measured.
#[derive(Debug, Clone)]
pub struct PeerChannel {
    service: &'static str,
    connections: Arc<[Channel]>,
    next: Arc<AtomicUsize>,
    meter: Meter,
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
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len();
        let connection = self.connections[turn].clone();
        let span = call.span().clone();
        let service = self.service;
        async move {
            match connection.oneshot(request).await {
                Ok(response) => Ok(call.end_with(response)),
                Err(error) => {
                    let status = failure(service, error);
                    call.end(status.code());
                    Err(status)
                }
            }
        }
        .instrument(span)
        .boxed()
    }
}

/// What became of a call that no answer came to.
fn failure(service: &str, error: tonic::transport::Error) -> Status {
    // tonic calls it CANCELLED when the time that this side set has passed.
    if sources(&error).any(|source| source.is::<TimeoutExpired>()) {
        return Status::deadline_exceeded(format!("{service} did not answer in time"));
    }
    let status = Status::from_error(error.into());
    match status.code() {
        Code::Unknown => Status::unavailable(format!("the connection to {service} broke")),
        _ => status,
    }
}

fn sources<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'a (dyn std::error::Error + 'static)> {
    core::iter::successors(Some(error), |error| error.source())
}
