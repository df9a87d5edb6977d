//! Data keys, wrapped.

use sealing::envelope::WrappedKey;

use super::{Tx, no_business, refused};
use crate::Error;

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
