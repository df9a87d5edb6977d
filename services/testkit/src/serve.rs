//! Services served in-process.

use std::net::SocketAddr;

use boot::{Host, grpc::Limits, peer::Peer};
use tokio::net::TcpListener;
use tonic::service::Routes;

/// Serves `routes` on a free port as in production, until the host is asked to stop.
///
/// # Panics
/// When no port is to be had.
pub async fn serve(routes: Routes, host: &Host) -> SocketAddr {
    serve_within(routes, host, Limits::default()).await
}

/// [`serve`] with limits of one's own.
///
/// # Panics
/// When no port is to be had.
pub async fn serve_within(routes: Routes, host: &Host, limits: Limits) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
    let address = listener.local_addr().expect("a bound port has an address");
    let host = host.clone();
    tokio::spawn(async move {
        boot::grpc::serve_within(listener, routes, &host, limits).await.expect("the port is served");
    });
    address
}

/// The service at `address`, as `host` calls it.
///
/// # Panics
/// Never: an address makes a URL.
#[must_use]
pub fn peer(service: &'static str, address: SocketAddr, host: &Host) -> Peer {
    Peer::lazy(service, &format!("http://{address}"), host).expect("an address makes a URL")
}
