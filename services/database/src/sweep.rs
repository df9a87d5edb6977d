//! Drops idempotency keys that no longer count.

use core::time::Duration;

use boot::{Host, random::jitter};
use caller::InstallationScope;
use sea_orm::DbErr;

use crate::{Database, named};

const EVERY: Duration = Duration::from_secs(600);

/// Skips rows that another replica has locked. Keys stay five minutes longer than they count: an attempt that
/// found one alive may be about to read it.
const SWEEP: &str = "DELETE FROM idempotency_key WHERE ctid IN (
    SELECT ctid FROM idempotency_key WHERE expires_at <= :now::timestamptz - interval '5 minutes'
    LIMIT 10000 FOR UPDATE SKIP LOCKED)";

/// Sweeps idempotency keys until the host shuts down.
pub async fn sweep(database: Database, host: Host) {
    let sweeping = async {
        loop {
            tokio::time::sleep(jitter(EVERY)).await;
            match database.sweep_idempotency_keys().await {
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

impl Database {
    /// Drops up to 10,000 idempotency keys that no longer count; returns how many. Several replicas may do so
    /// at once.
    pub async fn sweep_idempotency_keys(&self) -> Result<u64, DbErr> {
        let tx = self.installation_tx::<DbErr>(&InstallationScope::worker("sweep"));
        let swept = tx.execute(SWEEP, named! { now: tx.at() }).await?;
        tx.commit().await?;
        Ok(swept)
    }
}
