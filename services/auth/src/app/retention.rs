//! Deletes expired rows, so that no table grows without end.

use core::time::Duration;

use boot::Host;
use jiff::SignedDuration;

use crate::{
    Error,
    store::{Stale, Store},
};

/// How often it is looked for; each look is one indexed query of each kind.
const EVERY: Duration = Duration::from_secs(10 * 60);
/// Rows of a transaction: few, so that no other transaction waits long for its locks.
const BATCH: i64 = 200;
/// Batches of a kind in one sweep: the rest waits for the next.
const BATCHES: u32 = 50;
/// How long an account may wait for its proof.
const UNPROVED: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Sweeps a store.
#[derive(Debug, Clone)]
pub struct Sweeper {
    store: Store,
    host: Host,
}

impl Sweeper {
    /// A sweeper of a store.
    #[must_use]
    pub fn new(store: Store, host: &Host) -> Self {
        Self { store, host: host.clone() }
    }

    /// Sweeps now and again until the host is told to stop. Replicas may sweep at the same time.
    pub async fn run(self) {
        while !self.host.shutdown.is_cancelled() {
            match self.sweep().await {
                Ok(0) => {}
                Ok(forgotten) => tracing::info!(forgotten, "what had expired is forgotten"),
                Err(error) => tracing::warn!(%error, "what has expired was not forgotten"),
            }
            tokio::select! {
                () = self.host.shutdown.cancelled() => {}
                () = tokio::time::sleep(EVERY) => {}
            }
        }
    }

    /// Forgets what there is to forget, up to a bound; how many rows it were.
    async fn sweep(&self) -> Result<u64, Error> {
        let mut forgotten = 0;
        for stale in Stale::ALL {
            for _ in 0..BATCHES {
                let batch = self.batch(stale).await?;
                forgotten += batch;
                if batch < BATCH.unsigned_abs() || self.host.shutdown.is_cancelled() {
                    break;
                }
            }
        }
        Ok(forgotten)
    }

    async fn batch(&self, stale: Stale) -> Result<u64, Error> {
        let now = self.host.clock.now();
        let before = match stale {
            Stale::PasswordChecks | Stale::Tokens | Stale::Invitations => now,
            Stale::Accounts => now - UNPROVED,
        };
        let tx = self.store.begin();
        let forgotten = tx.forget(stale, before, BATCH).await?;
        tx.commit().await?;
        Ok(forgotten)
    }
}

#[cfg(test)]
mod tests;
