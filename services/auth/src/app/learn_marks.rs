//! Learns what lists show of businesses that an earlier release knew by name alone: their events are long gone.

use core::time::Duration;

use boot::Host;

use super::find_business::Businesses;
use crate::{Error, store::Store};

const AT_ONCE: u32 = 100;
/// After a failure: a list without a picture harms no one.
const PAUSE: Duration = Duration::from_secs(30);

/// Asks tenancy about every such business, until all are known or the host is told to stop.
pub async fn learn_marks(store: Store, businesses: Businesses, host: Host) {
    let learning = async {
        while let Err(error) = learn(&store, &businesses).await {
            tracing::warn!(%error, "what lists show of businesses is asked for again");
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::select! {
        () = host.shutdown.cancelled() => {}
        () = learning => {}
    }
}

async fn learn(store: &Store, businesses: &Businesses) -> Result<(), Error> {
    loop {
        let tx = store.begin();
        let unmarked = tx.unmarked_businesses(AT_ONCE).await?;
        tx.commit().await?;
        if unmarked.is_empty() {
            return Ok(());
        }
        for id in unmarked {
            let found = businesses.find(id).await?;
            let tx = store.begin();
            tx.mark_business(id, found.as_ref()).await?;
            tx.commit().await?;
        }
    }
}
