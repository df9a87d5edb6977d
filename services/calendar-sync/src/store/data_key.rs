//! Data keys, wrapped.

use caller::{BusinessId, InstallationScope};
use sealing::envelope::WrappedKey;

use super::Store;
use crate::error::Error;

impl Store {
    /// Wraps up to a hundred data keys that another master key than `current` wraps; says how many there were.
    pub async fn rewrap_data_keys(
        &self,
        current: &str,
        rewrap: impl Fn(BusinessId, &WrappedKey) -> Result<WrappedKey, Error>,
    ) -> Result<usize, Error> {
        let tx = self.database.installation_tx::<Error>(&InstallationScope::worker("rewrap"));
        let stale = tx.data_keys_not_under(current).await?;
        for (business, key) in &stale {
            tx.rewrap_data_key(*business, &rewrap(*business, key)?).await?;
        }
        tx.commit().await?;
        Ok(stale.len())
    }
}
