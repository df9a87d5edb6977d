//! Serving gRPC: tracing, measuring, limits, deadlines, health, drain.

mod guard;

use core::time::Duration;

use anyhow::Context;
use futures::FutureExt;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{service::Routes, transport::Server};
use tonic_health::ServingStatus;

use crate::{Host, drain, random};
use guard::GuardLayer;
pub use guard::{current_method, current_priority};

/// How much a port takes on, and how long it takes to let go.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Calls worked on at the same time, a fifth of them voice's alone; more are refused with BUSY.
    pub in_flight: usize,
    /// Calls open on one connection, streams among them.
    pub streams_per_connection: u32,
    /// Calls under way get this long when no more are taken.
    pub drain: Duration,
    /// A connection is asked to reconnect after about this long, so that replicas share the load. Each
    /// process draws its own, so that not all replicas send their callers away at once.
    pub connection_age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            in_flight: 256,
            streams_per_connection: 1024,
            drain: Duration::from_secs(10),
            connection_age: Duration::from_secs(300),
        }
    }
}

/// Serves `routes` and the health service until the host is asked to stop.
///
/// # Errors
/// When the port can't be served.
pub async fn serve(listener: TcpListener, routes: Routes, host: &Host) -> anyhow::Result<()> {
    serve_within(listener, routes, host, Limits { drain: host.drain, ..Limits::default() }).await
}

/// [`serve`] with limits of one's own.
///
/// # Errors
/// When the port can't be served.
pub async fn serve_within(
    listener: TcpListener,
    routes: Routes,
    host: &Host,
    limits: Limits,
) -> anyhow::Result<()> {
    let address = listener.local_addr().context("the port")?;
    let (health, health_server) = tonic_health::server::health_reporter();
    health.set_service_status("", ServingStatus::Serving).await;
    if let Some(address) = host.health_listen {
        let probes = TcpListener::bind(address).await.with_context(|| format!("HEALTH_LISTEN {address}"))?;
        // Ends with the process: it has to say NOT_SERVING for as long as calls are drained.
        tokio::spawn(
            Server::builder()
                .add_service(health_server.clone())
                .serve_with_incoming(TcpListenerStream::new(probes)),
        );
    }
    let incoming = host.transport.incoming(listener);
    let leaving = {
        let (leaving, shutdown) = (host.leaving.clone(), host.shutdown.clone());
        async move {
            tokio::select! {
                () = leaving.cancelled() => {}
                () = shutdown.cancelled() => {}
            }
            health.set_service_status("", ServingStatus::NotServing).await;
        }
    };
    tokio::spawn(leaving);
    // No grace after the connection's age: with one, tonic 0.14 never asks the client
    // to leave and cuts its calls when both have passed.
    let served = Server::builder()
        .http2_keepalive_interval(Some(Duration::from_secs(20)))
        .http2_keepalive_timeout(Some(Duration::from_secs(10)))
        .tcp_keepalive(Some(Duration::from_secs(60)))
        .max_concurrent_streams(limits.streams_per_connection)
        .max_connection_age(random::spread(limits.connection_age))
        .layer(GuardLayer::new(host, limits.in_flight))
        .add_routes(routes.add_service(health_server).prepare())
        .serve_with_incoming_shutdown(incoming, host.shutdown.cancelled())
        .boxed();
    tracing::info!(%address, service = host.service, "serving");
    // hyper can wait for an unfinished handshake for as long as the client likes.
    let Some(served) = drain::within(limits.drain, &host.shutdown, served).await else {
        tracing::warn!(service = host.service, "calls were still open after the drain");
        return Ok(());
    };
    served.context("serving gRPC")
}
