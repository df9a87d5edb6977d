//! One address before the replicas of a part, as a Kubernetes service is: it knows connections and
//! probes, and nothing of what is sent.

use core::time::Duration;
use reqwest::StatusCode;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinSet,
    time::{interval, timeout},
};
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

/// The second replica's port lies this far above the first one's.
pub const SECOND: u16 = 10;
const PROBE_EVERY: Duration = Duration::from_millis(100);
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// How a replica is asked whether it is ready.
#[derive(Debug, Clone, Copy)]
pub enum Probe {
    Grpc,
    Http,
}

/// Takes connections to the next replica that is ready, until dropped.
pub struct Balancer {
    ready: watch::Receiver<[bool; 2]>,
    opened: watch::Receiver<[usize; 2]>,
    _tasks: JoinSet<()>,
}

impl Balancer {
    /// Listens at `port` before a first replica at `first`, and a second.
    pub fn start(port: u16, first: u16, probe: Probe) -> Self {
        let replicas = [first, first + SECOND];
        let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let listener = TcpListener::from_std(listener).unwrap();
        let ready = watch::Sender::new([false; 2]);
        let opened = watch::Sender::new([0; 2]);
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(listener, replicas, ready.subscribe(), opened.clone()));
        for (replica, port) in replicas.into_iter().enumerate() {
            tasks.spawn(watch_over(replica, port, probe, ready.clone()));
        }
        Self { ready: ready.subscribe(), opened: opened.subscribe(), _tasks: tasks }
    }

    /// Resolves when a replica is ready, or is not.
    pub async fn sees(&self, replica: usize, is_ready: bool) {
        self.ready.clone().wait_for(|ready| ready[replica] == is_ready).await.unwrap();
    }

    /// How many connections a replica was given.
    pub fn opened(&self, replica: usize) -> usize {
        self.opened.borrow()[replica]
    }

    /// Resolves when a replica was given more connections than so many.
    pub async fn opens_more(&self, replica: usize, than: usize) {
        self.opened.clone().wait_for(|opened| opened[replica] > than).await.unwrap();
    }
}

async fn accept(
    listener: TcpListener,
    replicas: [u16; 2],
    mut ready: watch::Receiver<[bool; 2]>,
    opened: watch::Sender<[usize; 2]>,
) {
    let mut open = JoinSet::new();
    let mut last = 0;
    loop {
        let Ok((mut from, _)) = listener.accept().await else { continue };
        while open.try_join_next().is_some() {}
        // Before the first is ready, connections wait.
        let is_ready = ready.wait_for(|ready| ready.contains(&true)).await.unwrap().to_owned();
        let next = (1..=replicas.len()).map(|step| (last + step) % replicas.len()).find(|&n| is_ready[n]);
        last = next.unwrap();
        opened.send_modify(|opened| opened[last] += 1);
        let port = replicas[last];
        open.spawn(async move {
            // What refuses is refused to the client, too: that no connection is lost is the replica's part.
            let Ok(mut to) = TcpStream::connect(("127.0.0.1", port)).await else { return };
            drop((from.set_nodelay(true), to.set_nodelay(true)));
            drop(copy_bidirectional(&mut from, &mut to).await);
        });
    }
}

async fn watch_over(replica: usize, port: u16, probe: Probe, ready: watch::Sender<[bool; 2]>) {
    let mut turn = interval(PROBE_EVERY);
    let (services, doors) = (service(port), reqwest::Client::new());
    loop {
        turn.tick().await;
        let asked = async {
            match probe {
                Probe::Grpc => serves(services.clone()).await,
                Probe::Http => {
                    let answer = doors.get(format!("http://127.0.0.1:{port}/readyz")).send().await;
                    answer.is_ok_and(|answer| answer.status() == StatusCode::OK)
                }
            }
        };
        let is_ready = timeout(PROBE_TIMEOUT, asked).await.unwrap_or_default();
        ready.send_if_modified(|ready| core::mem::replace(&mut ready[replica], is_ready) != is_ready);
    }
}

fn service(port: u16) -> Channel {
    Endpoint::from_shared(format!("http://127.0.0.1:{port}")).unwrap().connect_lazy()
}

async fn serves(channel: Channel) -> bool {
    let asked = HealthClient::new(channel).check(HealthCheckRequest { service: String::new() }).await;
    asked.is_ok_and(|answer| answer.into_inner().status() == ServingStatus::Serving)
}
