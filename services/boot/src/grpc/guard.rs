//! The layer every call to a service passes: span, measurement, admission,
//! deadline, and the end of panics.

use core::{
    convert::Infallible,
    panic::AssertUnwindSafe,
    task::{Context, Poll},
    time::Duration,
};
use std::{collections::HashMap, sync::Arc};

use caller::DEADLINE_HEADER;
use futures::{FutureExt, future::BoxFuture};
use http::{HeaderMap, Request, Response};
use opentelemetry::{global, metrics::Counter};
use tokio::sync::Semaphore;
use tonic::{Code, Status, body::Body, service::Routes};
use tonic_types::{ErrorDetails, StatusExt};
use tower::{Layer, Service};
use tracing::Instrument;

use crate::{
    call::{Call, Meter, Side},
    telemetry,
};

const HEALTH: &str = "/grpc.health.v1.Health/";
/// The longest a call takes when its caller named no deadline: that of long-running routes.
const LONGEST: Duration = Duration::from_secs(600);

tokio::task_local! {
    static METHOD: Arc<str>;
}

/// Path of the RPC whose handler is running.
pub fn current_method() -> Option<Arc<str>> {
    METHOD.try_with(Arc::clone).ok()
}

/// Puts a [`Guard`] before the routes.
#[derive(Debug, Clone)]
pub(super) struct GuardLayer {
    service: &'static str,
    meter: Meter,
    admission: Arc<Semaphore>,
    shed: Counter<u64>,
}

impl GuardLayer {
    pub(super) fn new(service: &'static str, in_flight: usize) -> Self {
        let meter = Meter::new(Side::Server, Vec::new());
        let shed = global::meter("frontdesk")
            .u64_counter("frontdesk.rpc.server.shed")
            .with_description("Calls refused because as many as the service takes on were being served.")
            .with_unit("{call}")
            .build();
        shed.add(0, &[]);
        Self { service, meter, admission: Arc::new(Semaphore::new(in_flight)), shed }
    }
}

impl Layer<Routes> for GuardLayer {
    type Service = Guard;
    fn layer(&self, routes: Routes) -> Guard {
        Guard { layer: self.clone(), routes }
    }
}

/// See the module.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    layer: GuardLayer,
    routes: Routes,
}

impl Service<Request<Body>> for Guard {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request<Body>>::poll_ready(&mut self.routes, context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let path: Arc<str> = request.uri().path().into();
        // Under load a probe must not be refused: restarts would make it worse.
        if path.starts_with(HEALTH) {
            return self.routes.call(request).boxed();
        }
        let call = Call::begin(self.layer.meter.clone(), &path, self.layer.service);
        telemetry::adopt(call.span(), request.headers());
        let span = call.span().clone();
        let answer = answer(self.routes.clone(), self.layer.clone(), path, request);
        async move { Ok(call.end_with(answer.await)) }.instrument(span).boxed()
    }
}

async fn answer(
    mut routes: Routes,
    layer: GuardLayer,
    path: Arc<str>,
    request: Request<Body>,
) -> Response<Body> {
    let Ok(_permit) = layer.admission.try_acquire() else {
        layer.shed.add(1, &[]);
        return busy().into_http();
    };
    let left = deadline(request.headers());
    let handled = METHOD.scope(path, async move { routes.call(request).await });
    match tokio::time::timeout(left, AssertUnwindSafe(handled).catch_unwind()).await {
        Ok(Ok(Ok(response))) => response,
        // The panic hook has logged what is not for the caller to know.
        Ok(Err(_panic)) => refuse(Code::Internal, "INTERNAL", "an internal error").into_http(),
        Err(_elapsed) => Status::deadline_exceeded("the caller's deadline has passed").into_http(),
    }
}

fn deadline(headers: &HeaderMap) -> Duration {
    let named = headers.get(DEADLINE_HEADER).and_then(|value| value.to_str().ok());
    named.and_then(caller::parse_timeout).unwrap_or(LONGEST)
}

fn busy() -> Status {
    let mut details = reason("BUSY");
    details.set_retry_info(Some(Duration::from_secs(1)));
    Status::with_error_details(Code::Unavailable, "too many calls at once", details)
}

fn refuse(code: Code, name: &str, message: &str) -> Status {
    Status::with_error_details(code, message, reason(name))
}

/// A reason as the contract's error package has it.
fn reason(name: &str) -> ErrorDetails {
    ErrorDetails::with_error_info(name, "frontdesk", HashMap::new())
}
