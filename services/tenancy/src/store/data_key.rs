//! Data keys, wrapped.

use database::Rotation;
use sealing::envelope::{MasterKeys, WrappedKey};

use super::{Store, Tx, no_business, refused};
use crate::Error;

impl Store {
    /// Wraps the data keys of all businesses with the current master key.
    ///
    /// # Errors
    /// [`Error::Seal`] when the master key of one is not configured.
    pub async fn rewrap_data_keys(&self, keys: &MasterKeys) -> Result<Rotation, Error> {
        self.database.rewrap_data_keys(keys).await
    }
}

impl Tx {
    /// Adds the business's data key, unless it has one by now.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn add_data_key(&self, key: &WrappedKey) -> Result<(), Error> {
        let added = self.inner.add_data_key(key).await;
        added.map_err(|error| refused(error, &[("data_key_business", no_business)]))
    }
}
