//! Seals and opens secrets, with data keys that the master keys wrap.

use boot::random;
use caller::BusinessId;
use sealing::{
    KEY, NONCE,
    envelope::{DataKey, DataKeyId, MasterKeys, Part, WrappedKey},
};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{Error, domain::VoiceSecret, store::SealedConnection};

/// Seals and opens.
#[derive(Debug)]
pub struct Vault {
    keys: MasterKeys,
}

/// The secrets of a connection.
#[derive(Debug)]
pub struct VoiceSecrets {
    /// What deliveries are checked with.
    pub secret: VoiceSecret,
    /// The one that it replaced, if any.
    pub old: Option<VoiceSecret>,
    /// The key for the platform's API, where it has its own.
    pub api_key: Option<VoiceSecret>,
}

impl Vault {
    /// A vault under these master keys.
    #[must_use]
    pub fn new(keys: MasterKeys) -> Self {
        Self { keys }
    }

    /// The master keys.
    #[must_use]
    pub fn keys(&self) -> &MasterKeys {
        &self.keys
    }

    /// A new data key for a business, wrapped.
    #[must_use]
    pub fn new_data_key(&self, business: BusinessId, id: DataKeyId) -> WrappedKey {
        let bytes = Zeroizing::new(random::bytes::<KEY>());
        self.keys.wrap(&DataKey::new(business, id, *bytes), random::bytes::<NONCE>())
    }

    /// A stored data key.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn unwrap(&self, business: BusinessId, key: &WrappedKey) -> Result<DataKey, Error> {
        Ok(self.keys.unwrap(business, key)?)
    }

    /// Seals a secret for `row`.
    #[must_use]
    pub fn seal(&self, key: &DataKey, part: Part, row: Uuid, secret: &VoiceSecret) -> Vec<u8> {
        key.seal(part, row, secret.expose(), random::bytes::<NONCE>())
    }

    /// Opens a connection's secrets.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn open(&self, sealed: &SealedConnection) -> Result<VoiceSecrets, Error> {
        let key = self.unwrap(sealed.business, &sealed.key)?;
        let open = |part, bytes: &[u8]| key.open(part, sealed.connection.id.0, bytes).map(VoiceSecret::new);
        let optional = |part, bytes: Option<&Vec<u8>>| bytes.map(|bytes| open(part, bytes)).transpose();
        Ok(VoiceSecrets {
            secret: open(Part::Secret, &sealed.secret)?,
            old: optional(Part::Secret, sealed.old_secret.as_ref().map(|(bytes, _)| bytes))?,
            api_key: optional(Part::ApiKey, sealed.api_key.as_ref())?,
        })
    }
}
