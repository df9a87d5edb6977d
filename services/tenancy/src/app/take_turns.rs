//! Takes turns at what is due, one after another.

use core::time::Duration;

use boot::{Host, random::jitter};
use tokio::sync::Notify;

use crate::Error;

/// How often a worker looks for what is due.
const EVERY: Duration = Duration::from_secs(1);

/// Takes turns until the host shuts down. `turn` returns whether something was due: after one that did nothing, or
/// failed as `rests` says, the worker waits for the hint or until it looks again.
pub(super) async fn take_turns<F>(host: &Host, hint: &Notify, rests: &str, turn: impl Fn() -> F)
where
    F: Future<Output = Result<bool, Error>>,
{
    while !host.shutdown.is_cancelled() {
        let worked = turn().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "{rests}");
            false
        });
        if !worked {
            tokio::select! {
                () = host.shutdown.cancelled() => {}
                () = hint.notified() => {}
                () = tokio::time::sleep(jitter(EVERY)) => {}
            }
        }
    }
}
