//! Reads the employees and services of booking systems in turn, so that who is new there can be mapped, and who left is
//! seen to have.

use core::time::Duration;

use caller::{BusinessId, Worker};
use futures::{StreamExt, stream};
use tokio_util::sync::CancellationToken;

use super::SyncProvider;
use crate::{SERVICE, domain::ConnectionId, error::Error};

const EVERY: Duration = Duration::from_secs(30);
/// How long one run is waited for; it goes on by itself.
const PATIENCE: Duration = Duration::from_secs(60);
/// Connections that are read at once: one slow system holds up no other.
const AT_ONCE: usize = 4;

/// Reads what is due until it is asked to stop.
pub async fn refresh_records(sync: SyncProvider, shutdown: CancellationToken) {
    while !shutdown.is_cancelled() {
        match refresh_due(&sync).await {
            Ok(AT_ONCE) => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "which booking systems are to be read can't be read"),
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(boot::random::spread(EVERY)) => {}
        }
    }
}

/// Reads some of what is due; says how many that were.
async fn refresh_due(sync: &SyncProvider) -> Result<usize, Error> {
    let due = sync.open.store.claim_records(AT_ONCE).await?;
    let count = due.len();
    stream::iter(due).for_each_concurrent(AT_ONCE, |(business, id)| refresh(sync, business, id)).await;
    Ok(count)
}

async fn refresh(sync: &SyncProvider, business: BusinessId, id: ConnectionId) {
    let worker = Worker::new(SERVICE, business);
    match tokio::time::timeout(PATIENCE, sync.sync(&worker, id, false)).await {
        // A person reads it just now, or it was disconnected.
        Ok(Ok(_) | Err(Error::Running | Error::NotFound(_))) => {}
        Err(_) => tracing::warn!(connection = %id, "a booking system takes long to read"),
        Ok(Err(error)) => tracing::warn!(connection = %id, %error, "a booking system was not read"),
    }
}
