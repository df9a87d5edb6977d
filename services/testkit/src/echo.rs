//! A gRPC service of one method, made without a contract.

use core::{
    convert::Infallible,
    task::{Context, Poll},
};
use std::{sync::Arc, time::Duration};

use boot::peer::Peer;
use futures::{FutureExt, future::BoxFuture};
use http::uri::PathAndQuery;
use tokio::sync::Notify;
use tonic::{
    Request, Response, Status, body::Body, client, server, server::NamedService, server::UnaryService,
    service::Routes,
};
use tonic_prost::ProstCodec;
use tower::Service;

/// Path of its one method.
pub const SAY: &str = "/test.v1.Echo/Say";

type Answer = BoxFuture<'static, Result<Response<String>, Status>>;

/// Answers each call to `Say` by a closure.
#[derive(Clone)]
pub struct Echo(Arc<dyn Fn(Request<String>) -> Answer + Send + Sync>);

impl Echo {
    /// The service, whose answers are those of `handler`.
    pub fn routes<F>(handler: impl Fn(Request<String>) -> F + Send + Sync + 'static) -> Routes
    where
        F: Future<Output = Result<String, Status>> + Send + 'static,
    {
        Routes::new(Self(Arc::new(move |request| {
            let answer = handler(request);
            async move { answer.await.map(Response::new) }.boxed()
        })))
    }
}

/// Has every call wait, once it has come, until a test lets it go on.
#[derive(Debug, Clone, Default)]
pub struct Held {
    /// A call has come.
    pub entered: Arc<Notify>,
    /// A call goes on, and is answered.
    pub release: Arc<Notify>,
}

impl Held {
    /// The service, whose calls wait.
    #[must_use]
    pub fn routes(&self) -> Routes {
        let held = self.clone();
        Echo::routes(move |_| {
            let held = held.clone();
            async move {
                held.entered.notify_one();
                held.release.notified().await;
                Ok("done".to_owned())
            }
        })
    }
}

impl NamedService for Echo {
    const NAME: &'static str = "test.v1.Echo";
}

impl UnaryService<String> for Echo {
    type Response = String;
    type Future = Answer;
    fn call(&mut self, request: Request<String>) -> Answer {
        (self.0)(request)
    }
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<http::Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let echo = self.clone();
        async move {
            if request.uri().path() != SAY {
                return Ok(Status::unimplemented("").into_http());
            }
            let codec = ProstCodec::<String, String>::default();
            Ok(server::Grpc::new(codec).unary(echo, request).await)
        }
        .boxed()
    }
}

/// Calls `path` on the peer with time to spare.
///
/// # Errors
/// What the service answers.
pub async fn call(peer: &Peer, path: &'static str) -> Result<String, Status> {
    call_within(peer, path, Duration::from_secs(20)).await
}

/// [`call`] with a deadline of one's own.
///
/// # Errors
/// What the service answers.
pub async fn call_within(peer: &Peer, path: &'static str, timeout: Duration) -> Result<String, Status> {
    send(peer, path, peer.as_service(None, "hello".to_owned(), timeout)).await
}

/// Sends a request as it is.
///
/// # Errors
/// What the service answers.
pub async fn send(peer: &Peer, path: &'static str, request: Request<String>) -> Result<String, Status> {
    let codec = ProstCodec::<String, String>::default();
    let path = PathAndQuery::from_static(path);
    let mut client = client::Grpc::new(peer.channel());
    client.ready().await?;
    client.unary(request, path, codec).await.map(Response::into_inner)
}
