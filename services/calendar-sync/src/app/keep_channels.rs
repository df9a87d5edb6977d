//! Keeps a channel open for each calendar at Google, so that changes are read at once.

use core::time::Duration;

use futures::{StreamExt, stream};
use tokio_util::sync::CancellationToken;

use crate::{domain::calendar::Place, error::Error, outside::google::Google, store::Store};

const EVERY: Duration = Duration::from_secs(1);
/// Calendars that are looked after at once.
const AT_ONCE: usize = 4;

/// Looks after what is due until it is asked to stop.
pub async fn keep_channels(store: Store, google: Google, shutdown: CancellationToken) {
    if !google.pushes() {
        tracing::info!("Google pushes to https addresses alone: calendars are only read in turn");
        return;
    }
    while !shutdown.is_cancelled() {
        match keep_due(&store, &google).await {
            Ok(AT_ONCE) => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "which channels at Google are due can't be read"),
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = tokio::time::sleep(boot::random::spread(EVERY)) => {}
        }
    }
}

/// Looks after some of what is due; says how many that were.
async fn keep_due(store: &Store, google: &Google) -> Result<usize, Error> {
    let due = store.claim_channels(AT_ONCE).await?;
    let count = due.len();
    stream::iter(due).for_each_concurrent(AT_ONCE, |place| keep(google, place)).await;
    Ok(count)
}

/// Without a channel a calendar is read in turn, and a channel is tried for again in some minutes.
async fn keep(google: &Google, place: Place) {
    if let Err(error) = google.look_after_channel(place).await {
        tracing::warn!(calendar = %place.calendar, %error, "no channel at Google is open for a calendar");
    }
}
