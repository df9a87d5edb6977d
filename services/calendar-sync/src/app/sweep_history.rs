//! Forgets what happened too long ago.

use core::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::store::Store;

const EVERY: Duration = Duration::from_secs(3600);

/// Sweeps every hour until it is asked to stop.
pub async fn sweep_history(store: Store, shutdown: CancellationToken) {
    loop {
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = tokio::time::sleep(boot::random::spread(EVERY)) => {}
        }
        loop {
            match store.sweep_history().await {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "the history of appointments was not swept");
                    break;
                }
            }
        }
    }
}
