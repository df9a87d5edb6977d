//! Data keys, wrapped.

use database::Rotation;
use sealing::envelope::MasterKeys;

use super::Store;
use crate::error::Error;

impl Store {
    /// Wraps the data keys of all businesses with the current master key.
    ///
    /// # Errors
    /// [`Error::Seal`] when the master key of one is not configured.
    pub async fn rewrap_data_keys(&self, keys: &MasterKeys) -> Result<Rotation, Error> {
        self.database.rewrap_data_keys(keys).await
    }
}
