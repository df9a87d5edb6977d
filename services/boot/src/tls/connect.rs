//! Connections that go out.

use core::{
    task::{Context, Poll},
    time::Duration,
};
use std::io;

use futures::{FutureExt, future::BoxFuture};
use http::Uri;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream, rustls::pki_types::ServerName};
use tower::Service;

use super::Tls;
use crate::peer::CONNECT_TIMEOUT;

const PORT: u16 = 443;
/// The longest a peer takes to shake hands: one that is still starting has bound its port, but accepts
/// nothing yet, and is waited for as long as a call's own deadline allows.
const HANDSHAKE: Duration = Duration::from_secs(30);

/// Connects to peers whose certificate names the host of their URL.
#[derive(Debug, Clone)]
pub struct Connector {
    tls: Tls,
}

impl Connector {
    pub(crate) fn new(tls: Tls) -> Self {
        Self { tls }
    }
}

impl Service<Uri> for Connector {
    type Response = TokioIo<TlsStream<TcpStream>>;
    type Error = io::Error;
    type Future = BoxFuture<'static, io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, peer: Uri) -> Self::Future {
        let tls = self.tls.clone();
        async move {
            let host = peer.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
            let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
            let connecting = TcpStream::connect((host, peer.port_u16().unwrap_or(PORT)));
            let stream = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await??;
            stream.set_nodelay(true)?;
            let connector = TlsConnector::from(tls.current().await?.client.clone());
            let shaken = tokio::time::timeout(HANDSHAKE, connector.connect(name, stream)).await;
            let shaken = shaken.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()));
            if let Err(error) = &shaken {
                tracing::warn!(%peer, %error, "TLS with a peer failed");
            }
            shaken.map(TokioIo::new)
        }
        .boxed()
    }
}
