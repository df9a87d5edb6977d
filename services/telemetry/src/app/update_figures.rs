//! Brings the figures up to date with the calls.

use caller::{BusinessId, InstallationScope, Worker};

use crate::{error::Error, store::Store};

const WORKER: &str = "update-figures";

/// Takes what calls changed into the figures of up to two hundred businesses; says how many changes there were.
///
/// # Errors
/// When the businesses can't be read. One whose figures can't be changed holds no other up.
pub async fn update_figures(store: &Store) -> Result<u64, Error> {
    let tx = store.begin_installation(&InstallationScope::worker(WORKER));
    let businesses = tx.some_with_changes().await?;
    tx.commit().await?;
    let mut all = 0;
    for business in businesses {
        match of_business(store, business).await {
            Ok(changes) => all += changes,
            Err(error) => tracing::warn!(%error, %business, "figures were not brought up to date"),
        }
    }
    Ok(all)
}

async fn of_business(store: &Store, business: BusinessId) -> Result<u64, Error> {
    let tx = store.begin(&Worker::new(WORKER, business));
    let changes = tx.update_figures().await?;
    tx.commit().await?;
    Ok(changes)
}
