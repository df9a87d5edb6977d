//! Data keys, wrapped.

use caller::{BusinessId, InstallationScope};
use sealing::envelope::{SealError, WrappedKey};

use super::Store;
use crate::error::Error;

impl Store {
    /// Wraps up to a hundred data keys that another master key than `current` wraps; says how many. One that was changed
    /// stays as it is: the secrets of its business don't open, and those of all others do.
    pub async fn rewrap_data_keys(
        &self,
        current: &str,
        rewrap: impl Fn(BusinessId, &WrappedKey) -> Result<WrappedKey, Error>,
    ) -> Result<usize, Error> {
        let tx = self.database.installation_tx::<Error>(&InstallationScope::worker("rewrap"));
        let mut rewrapped = 0;
        for (business, key) in tx.data_keys_not_under(current).await? {
            match rewrap(business, &key) {
                Err(Error::Seal(SealError::Broken)) => {
                    tracing::error!(%business, "the data key was changed: secrets of this business don't open");
                }
                key => {
                    tx.rewrap_data_key(business, &key?).await?;
                    rewrapped += 1;
                }
            }
        }
        tx.commit().await?;
        Ok(rewrapped)
    }
}
