//! A gRPC service behind its gate: a call without a valid passport is refused from its headers alone.

use core::{
    convert::Infallible,
    task::{Context, Poll},
};

use caller::{Gate, Method, PASSPORT_HEADER};
use futures::future::{Either, Ready, ready};
use tonic::{
    body::Body,
    codegen::{Service, http},
    server::NamedService,
};

use crate::error::denied;

/// Lets calls through to `S` whose passport is valid for their method; of the others it reads no
/// byte of the message. Paths that are no method's go through, and are refused there.
#[derive(Debug, Clone)]
pub struct Gated<S> {
    service: S,
    gate: Gate,
    methods: &'static [&'static Method],
}

impl<S> Gated<S> {
    /// `service`, which serves `methods`, behind `gate`.
    pub fn new(service: S, gate: Gate, methods: &'static [&'static Method]) -> Self {
        Self { service, gate, methods }
    }
}

impl<S: NamedService> NamedService for Gated<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<http::Request<Body>> for Gated<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible>,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Either<Ready<Result<http::Response<Body>, Infallible>>, S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let path = request.uri().path();
        let passport = request.headers().get(PASSPORT_HEADER).and_then(|value| value.to_str().ok());
        let method = self.methods.iter().find(|method| method.path == path);
        match method.map_or(Ok(()), |method| self.gate.admit(passport, method)) {
            Ok(()) => Either::Right(self.service.call(request)),
            Err(refusal) => Either::Left(ready(Ok(denied(refusal).into_http()))),
        }
    }
}
