//! Writes unmet demand, off the path of the searches that found nothing.

use core::time::Duration;

use boot::{Host, random::jitter};

use crate::store::Store;

const EVERY: Duration = Duration::from_secs(30);

/// Writes counts until the host shuts down, and then once more.
pub(crate) async fn write_demand(store: Store, host: Host) {
    loop {
        let is_over = tokio::select! {
            () = host.shutdown.cancelled() => true,
            () = tokio::time::sleep(jitter(EVERY)) => false,
        };
        if let Err(error) = store.write_demand().await {
            tracing::warn!(%error, "counts of searches were lost");
        }
        if is_over {
            return;
        }
    }
}
