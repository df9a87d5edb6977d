//! Measures what is due, beside the workers: when they stand still it shows that it grows.

use core::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{
    measure::{Sync, Way},
    store::Store,
};

const EVERY: Duration = Duration::from_secs(10);

/// Measures until it is asked to stop.
pub async fn measure_due(store: Store, sync: Sync, shutdown: CancellationToken) {
    while !shutdown.is_cancelled() {
        match store.due_work().await {
            Ok((reads, writes)) => {
                sync.waits(Way::Read, reads);
                sync.waits(Way::Write, writes);
            }
            Err(error) => tracing::warn!(%error, "what is due was not measured"),
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}
