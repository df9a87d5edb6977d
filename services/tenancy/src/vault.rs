//! Seals and opens secrets, with data keys that the master keys wrap.

use boot::random;
use caller::BusinessId;
use sealing::{KEY, NONCE};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{
    Error,
    domain::{
        VoiceSecret,
        seal::{DataKey, DataKeyId, MasterKeys, WrappedKey},
    },
    store::SealedConnection,
};

/// Seals and opens.
#[derive(Debug)]
pub struct Vault {
    keys: MasterKeys,
}

impl Vault {
    /// A vault under these master keys.
    #[must_use]
    pub fn new(keys: MasterKeys) -> Self {
        Self { keys }
    }

    /// The id of the current master key.
    #[must_use]
    pub fn current(&self) -> &str {
        self.keys.current()
    }

    /// A new data key for a business, wrapped.
    #[must_use]
    pub fn new_data_key(&self, business: BusinessId, id: DataKeyId) -> WrappedKey {
        let bytes = Zeroizing::new(random::bytes::<KEY>());
        self.wrap(&DataKey::new(business, id, *bytes))
    }

    /// A stored data key.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn unwrap(&self, business: BusinessId, key: &WrappedKey) -> Result<DataKey, Error> {
        Ok(self.keys.unwrap(business, key)?)
    }

    /// A stored data key, wrapped with the current master key.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn rewrap(&self, business: BusinessId, key: &WrappedKey) -> Result<WrappedKey, Error> {
        Ok(self.wrap(&self.unwrap(business, key)?))
    }

    fn wrap(&self, key: &DataKey) -> WrappedKey {
        self.keys.wrap(key, random::bytes::<NONCE>())
    }

    /// Seals a secret for `row`.
    #[must_use]
    pub fn seal(&self, key: &DataKey, row: Uuid, secret: &VoiceSecret) -> Vec<u8> {
        key.seal(row, secret.expose(), random::bytes::<NONCE>())
    }

    /// Opens a connection's secret.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn open(&self, sealed: &SealedConnection) -> Result<VoiceSecret, Error> {
        let key = self.unwrap(sealed.business, &sealed.key)?;
        Ok(VoiceSecret::new(key.open(sealed.connection.id.0, &sealed.secret)?))
    }
}
