//! A gRPC service behind its gate: a call without a valid passport is refused from its headers alone.

use core::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready as polled},
};

use caller::{Gate, Method, PASSPORT_HEADER, Watch};
use futures::future::{Either, Ready, ready};
use pin_project_lite::pin_project;
use tonic::{
    Code, Status,
    body::Body,
    codegen::{Service, http},
    server::NamedService,
};

use crate::error::{Reason, denied, reason_of};

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
    type Future = Either<Ready<Result<http::Response<Body>, Infallible>>, Watched<S::Future>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let path = request.uri().path();
        let passport = request.headers().get(PASSPORT_HEADER).and_then(|value| value.to_str().ok());
        let method = self.methods.iter().copied().find(|method| method.path == path);
        match method.map_or(Ok(()), |method| self.gate.admit(passport, method)) {
            Ok(()) => {
                let watch = method.and_then(|method| self.gate.watch(passport, method));
                let answering = self.service.call(request);
                Either::Right(Watched { answering, watch })
            }
            Err(refusal) => Either::Left(ready(Ok(denied(refusal).into_http()))),
        }
    }
}

pin_project! {
    /// A call whose refusal is kept, where it is one that changes something.
    #[derive(Debug)]
    pub struct Watched<F> {
        #[pin]
        answering: F,
        watch: Option<Watch>,
    }
}

impl<F: Future<Output = Result<http::Response<Body>, Infallible>>> Future for Watched<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let answer = polled!(this.answering.poll(context));
        if let Ok(response) = &answer
            && let Some(watch) = this.watch.take()
            && let Some(status) = Status::from_header_map(response.headers())
            && is_refusal(status.code())
        {
            watch.refused(reason_of(&status).map_or("", Reason::name));
        }
        Poll::Ready(answer)
    }
}

/// Whether the caller was told no, rather than that something failed.
fn is_refusal(code: Code) -> bool {
    !matches!(
        code,
        Code::Ok
            | Code::Internal
            | Code::Unavailable
            | Code::Unknown
            | Code::Cancelled
            | Code::DeadlineExceeded
    )
}
