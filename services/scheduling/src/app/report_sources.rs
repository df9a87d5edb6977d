//! Keeps how reading outside calendars and booking systems goes, and tells pages when one is no longer current or is
//! again.

use core::time::Duration;

use boot::{Host, random::jitter};
use jiff::Timestamp;

use crate::{
    Error,
    domain::busy_source::SourceReport,
    store::{Store, Tx},
};

/// How often sources are looked for that were not read in time.
const EVERY: Duration = Duration::from_secs(5);

/// Saves how some sources were read at `reported_at`, where no later report came.
///
/// # Errors
/// When the database fails.
pub async fn report_sources(tx: &Tx, reports: &[SourceReport], reported_at: Timestamp) -> Result<(), Error> {
    let changed = tx.save_sources(reports, reported_at).await?;
    tx.publish_sources(&changed).await
}

/// Tells pages of sources that were not read in time until the host shuts down: no report says so.
pub(crate) async fn tell_of_lapsed_sources(store: Store, host: Host) {
    let telling = async {
        loop {
            tokio::time::sleep(jitter(EVERY)).await;
            match store.publish_lapsed_sources().await {
                Ok(0) => {}
                Ok(lapsed) => tracing::info!(lapsed, "calendars are no longer current"),
                Err(error) => tracing::warn!(%error, "pages were not told of calendars that are not current"),
            }
        }
    };
    tokio::select! {
        () = host.shutdown.cancelled() => {}
        () = telling => {}
    }
}
