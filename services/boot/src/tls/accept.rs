//! Connections that come in.

use core::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use std::io;

use futures::{Stream, StreamExt, stream::BoxStream};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::either::Either;
use tonic::transport::server::{Connected, TcpConnectInfo};

use super::Tls;

/// Handshakes at once; further connections wait in the system's backlog.
const AT_ONCE: usize = 256;
/// The longest a handshake takes.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// A connection, past its handshake where TLS is on.
#[derive(Debug)]
pub struct Accepted(Either<TcpStream, Box<TlsStream<TcpStream>>>);

impl Accepted {
    pub(crate) fn plain(stream: TcpStream) -> Self {
        Self(Either::Left(stream))
    }

    /// Shakes hands with all of `accepted`; a slow or refused one holds up no other.
    pub(crate) fn handshakes(
        accepted: impl Stream<Item = io::Result<TcpStream>> + Send + 'static,
        tls: Tls,
    ) -> BoxStream<'static, io::Result<Self>> {
        accepted
            .map(move |stream| {
                let tls = tls.clone();
                async move {
                    let stream = match stream {
                        Ok(stream) => stream,
                        Err(error) => return Some(Err(error)),
                    };
                    let from = stream.peer_addr().map(|address| address.to_string()).unwrap_or_default();
                    match timeout(HANDSHAKE, handshake(stream, &tls)).await {
                        Ok(Ok(stream)) => return Some(Ok(stream)),
                        // A probe that opens a connection and closes it.
                        Ok(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {}
                        Ok(Err(error)) => tracing::warn!(from, %error, "refused a connection"),
                        Err(_) => tracing::warn!(from, "refused a connection: its handshake takes too long"),
                    }
                    None
                }
            })
            .buffer_unordered(AT_ONCE)
            .filter_map(async |accepted| accepted)
            .boxed()
    }
}

async fn handshake(stream: TcpStream, tls: &Tls) -> io::Result<Accepted> {
    let acceptor = TlsAcceptor::from(tls.current().await?.server.clone());
    Ok(Accepted(Either::Right(Box::new(acceptor.accept(stream).await?))))
}

impl Connected for Accepted {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> TcpConnectInfo {
        match &self.0 {
            Either::Left(stream) => stream.connect_info(),
            Either::Right(stream) => stream.get_ref().0.connect_info(),
        }
    }
}

impl AsyncRead for Accepted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Accepted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.0.is_write_vectored()
    }
}
