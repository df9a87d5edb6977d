//! A network between the processes that can be slow, or swallow everything.

use core::time::Duration;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
    time::{Instant, sleep_until},
};

/// How the network behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// As if it were not there.
    Fine,
    /// Everything arrives this much later.
    Slow(Duration),
    /// Nothing arrives, and no connection ends; what was swallowed arrives once it is fine again.
    Silent,
}

/// Listens above the ports that it passes to, until dropped.
pub struct Proxy {
    network: watch::Sender<Network>,
    _links: JoinSet<()>,
}

impl Proxy {
    /// Passes what arrives `through` above each of `ports` on to it.
    pub fn start(ports: &[u16], through: u16) -> Self {
        let (network, behaviour) = watch::channel(Network::Fine);
        let mut links = JoinSet::new();
        for &port in ports {
            let listener = std::net::TcpListener::bind(("127.0.0.1", port + through)).unwrap();
            listener.set_nonblocking(true).unwrap();
            links.spawn(accept(TcpListener::from_std(listener).unwrap(), port, behaviour.clone()));
        }
        Self { network, _links: links }
    }

    /// Behaves otherwise from now on, on open connections, too.
    pub fn behave(&self, network: Network) {
        self.network.send_replace(network);
    }
}

async fn accept(listener: TcpListener, port: u16, network: watch::Receiver<Network>) {
    let mut open = JoinSet::new();
    loop {
        let Ok((from, _)) = listener.accept().await else { continue };
        while open.try_join_next().is_some() {}
        open.spawn(connect(from, port, network.clone()));
    }
}

async fn connect(from: TcpStream, port: u16, network: watch::Receiver<Network>) {
    // A server that is away refuses, and its client sees the connection end.
    let Ok(to) = TcpStream::connect(("127.0.0.1", port)).await else { return };
    drop((from.set_nodelay(true), to.set_nodelay(true)));
    let ((from_read, from_write), (to_read, to_write)) = (from.into_split(), to.into_split());
    tokio::join!(pass(from_read, to_write, network.clone()), pass(to_read, from_write, network));
}

/// One direction of a connection, until either side ends it.
async fn pass(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    mut network: watch::Receiver<Network>,
) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = from.read(&mut buffer).await.unwrap_or(0);
        let arrived = Instant::now();
        let behaviour = network.wait_for(|network| *network != Network::Silent).await.map(|network| *network);
        if let Ok(Network::Slow(by)) = behaviour {
            sleep_until(arrived + by).await;
        }
        if read == 0 || to.write_all(&buffer[..read]).await.is_err() {
            drop(to.shutdown().await);
            return;
        }
    }
}
