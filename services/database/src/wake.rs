//! Waking readers early. Nothing depends on it: the poll is the truth.

use core::time::Duration;
use std::sync::Arc;

use boot::Host;
use futures::StreamExt;
use redis::aio::ConnectionManager;
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

/// Before a lost connection to Redis is tried again.
const RECONNECT: Duration = Duration::from_secs(2);

/// Tells this process's log, and through Redis every other replica's, that
/// something was committed.
#[derive(Debug, Clone)]
pub struct Wake {
    local: Arc<Notify>,
    publish: Option<mpsc::Sender<()>>,
}

impl Wake {
    /// Starts publishing and listening where the host has Redis.
    #[must_use]
    pub fn new(host: &Host) -> Self {
        let local = Arc::new(Notify::new());
        let publish = host.redis.clone().map(|client| {
            let channel = format!("wake:{}", host.service);
            // One slot: wake-ups coalesce, and a slow Redis delays no caller.
            let (sender, receiver) = mpsc::channel(1);
            let name = host.clock.new_id().simple().to_string();
            tokio::spawn(publish(client.clone(), channel.clone(), name.clone(), receiver));
            tokio::spawn(listen(client, channel, name, local.clone(), host.shutdown.clone()));
            sender
        });
        Self { local, publish }
    }

    /// Resolves when something was committed after this call.
    pub fn woken(&self) -> impl Future<Output = ()> + use<> {
        self.local.clone().notified_owned()
    }

    /// Wakes readers; call it after a commit.
    pub fn wake(&self) {
        self.local.notify_waiters();
        if let Some(publish) = &self.publish {
            // A full slot means a wake-up is on its way already.
            publish.try_send(()).ok();
        }
    }
}

async fn publish(client: redis::Client, channel: String, name: String, mut wakes: mpsc::Receiver<()>) {
    let mut connection: Option<ConnectionManager> = None;
    while wakes.recv().await.is_some() {
        if connection.is_none() {
            connection = client.get_connection_manager().await.ok();
        }
        let Some(manager) = &mut connection else { continue };
        let sent: redis::RedisResult<()> =
            redis::cmd("PUBLISH").arg(&channel).arg(&name).query_async(manager).await;
        if let Err(error) = sent {
            tracing::debug!(%error, "wake-up not published; readers poll");
        }
    }
}

/// Wakes this process's log when another replica, not called `name`, has committed.
async fn listen(
    client: redis::Client,
    channel: String,
    name: String,
    local: Arc<Notify>,
    shutdown: CancellationToken,
) {
    let listening = async {
        loop {
            if let Ok(mut pubsub) = client.get_async_pubsub().await
                && pubsub.subscribe(&channel).await.is_ok()
            {
                let mut messages = pubsub.on_message();
                while let Some(message) = messages.next().await {
                    if message.get_payload_bytes() != name.as_bytes() {
                        local.notify_waiters();
                    }
                }
            }
            tokio::time::sleep(boot::random::jitter(RECONNECT)).await;
        }
    };
    tokio::select! {
        () = shutdown.cancelled() => {}
        () = listening => {}
    }
}
