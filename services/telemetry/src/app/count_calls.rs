//! Counts calls of the release before, which are in no figures.

use caller::{BusinessId, InstallationScope, Worker};

use crate::{domain::CallId, error::Error, store::Store};

const WORKER: &str = "count-calls";

/// Counts every call that is in no figures yet; says how many there were.
///
/// # Errors
/// When one can't be read or kept. Those before it are counted.
pub async fn count_calls(store: &Store) -> Result<u64, Error> {
    let mut counted = 0;
    loop {
        let tx = store.begin_installation(&InstallationScope::worker(WORKER));
        let some = tx.some_uncounted().await?;
        tx.commit().await?;
        if some.is_empty() {
            return Ok(counted);
        }
        for (business, call) in some {
            counted += u64::from(count(store, business, call).await?);
        }
    }
}

/// Whether it was still to be counted: a delivery may have come first.
async fn count(store: &Store, business: BusinessId, call: CallId) -> Result<bool, Error> {
    let tx = store.begin(&Worker::new(WORKER, business));
    let call = tx.call_by_id(call).await?;
    if !call.counted {
        tx.count_call(&call).await?;
        tx.commit().await?;
    }
    Ok(!call.counted)
}
