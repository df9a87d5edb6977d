//! Drops what no longer counts.

use core::time::Duration;

use boot::{Host, random::jitter};

use crate::store::Store;

const EVERY: Duration = Duration::from_secs(600);

/// Sweeps idempotency keys until the host shuts down.
pub(crate) async fn sweep(store: Store, host: Host) {
    let sweeping = async {
        loop {
            tokio::time::sleep(jitter(EVERY)).await;
            match store.sweep().await {
                Ok(swept) => tracing::debug!(swept, "idempotency keys swept"),
                Err(error) => tracing::warn!(%error, "idempotency keys were not swept"),
            }
        }
    };
    tokio::select! {
        () = host.shutdown.cancelled() => {}
        () = sweeping => {}
    }
}
