//! Accepting connections. `axum::serve` knows no time limit for heads and no
//! end of its drain.

use core::{convert::Infallible, pin::pin, time::Duration};
use std::{net::IpAddr, sync::Arc};

use boot::drain;
use hyper::{body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto::Builder,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use super::{Edge, Limit, Limits, Shares, lease::Lease, prompt::Prompt};

/// For a network that holds its share of connections.
const CROWDED: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\
    Connection: close\r\n\r\n";
/// After the system refused a connection, most likely for want of descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown`, then lets requests under way finish for as long as the drain lasts. From
/// `leaving` on, clients are asked to take their next request elsewhere.
pub async fn listen(
    listener: TcpListener,
    edge: Arc<Edge>,
    leaving: CancellationToken,
    shutdown: CancellationToken,
) {
    let limits = *edge.limits();
    let builder = builder(&limits);
    let room = Arc::new(Semaphore::new(limits.connections));
    let shares = Shares::of(limits.connections, limits.parts);
    let mut connections = JoinSet::new();
    loop {
        let (stream, peer, permit) = tokio::select! {
            accepted = accept(&listener, &room) => accepted,
            () = shutdown.cancelled() => break,
        };
        while connections.try_join_next().is_some() {}
        // Everybody comes through our own proxies.
        let ours = edge.proxies().trusts(peer);
        let share = if ours { None } else { shares.take(peer) };
        if !ours && share.is_none() {
            edge.limited().count(Limit::NetworkConnections);
            refuse(&stream);
            continue;
        }
        let lease = Arc::new(Lease::begin(limits.connection_age, leaving.clone()));
        let answer = {
            let (edge, lease) = (edge.clone(), lease.clone());
            service_fn(move |request: hyper::Request<Incoming>| {
                let (edge, lease) = (edge.clone(), lease.clone());
                async move {
                    let version = request.version();
                    lease.used_by(version);
                    let mut response = edge.answer(peer, request.map(axum::body::Body::new)).await;
                    lease.sign(version, &mut response);
                    Ok::<_, Infallible>(response)
                }
            })
        };
        let io = TokioIo::new(Box::pin(Prompt::new(stream, limits.header_time)));
        let connection = builder.serve_connection_with_upgrades(io, answer).into_owned();
        let shutdown = shutdown.clone();
        connections.spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = lease.over(&shutdown) => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(error, "a connection broke");
            }
            drop((permit, share));
        });
    }
    drop(listener);
    let finished = async { while connections.join_next().await.is_some() {} };
    if drain::within(limits.drain, &shutdown, finished).await.is_none() {
        tracing::warn!("requests were still open after the drain");
    }
    connections.shutdown().await;
}

/// Refuses a connection without serving it: what fits into its empty buffer, and no more.
fn refuse(stream: &TcpStream) {
    if let Err(error) = stream.try_write(CROWDED) {
        tracing::debug!(%error, "a refused connection was not told");
    }
}

async fn accept(listener: &TcpListener, room: &Arc<Semaphore>) -> (TcpStream, IpAddr, OwnedSemaphorePermit) {
    let permit = room.clone().acquire_owned().await.expect("the room is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "TCP_NODELAY refused");
                }
                return (stream, peer.ip(), permit);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                sleep(PAUSE).await;
            }
        }
    }
}

fn builder(limits: &Limits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // Heads above the limit but below these are refused in our words.
        .max_headers(limits.headers * 2)
        .max_buf_size((limits.header_bytes * 2).max(32 << 10));
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(limits.header_bytes * 2).unwrap_or(u32::MAX))
        .max_concurrent_streams(limits.streams_per_connection)
        .keep_alive_interval(Duration::from_secs(20))
        .keep_alive_timeout(Duration::from_secs(10));
    builder
}
