//! Seals and opens the secrets of connections, with data keys that the master keys wrap.

use std::sync::Arc;

use boot::random;
use caller::{BusinessId, UserId};
use sealing::{
    KEY, NONCE,
    envelope::{DataKey, DataKeyId, MasterKeys, Part, SealError, WrappedKey},
};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{domain::caldav::Password, error::Error, store::Tx};

/// Seals and opens.
#[derive(Debug, Clone)]
pub struct Vault {
    keys: Arc<MasterKeys>,
}

/// A secret as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// The key it is sealed with.
    pub key: WrappedKey,
    /// Nonce and ciphertext.
    pub secret: Vec<u8>,
}

impl Vault {
    /// A vault under these master keys.
    #[must_use]
    pub fn new(keys: MasterKeys) -> Self {
        Self { keys: Arc::new(keys) }
    }

    /// The master keys.
    #[must_use]
    pub fn keys(&self) -> &MasterKeys {
        &self.keys
    }

    /// Seals the secret that belongs into `row`, with the data key of the transaction's business; it is made when
    /// it is first needed.
    ///
    /// # Errors
    /// When the data key can't be unwrapped or stored.
    pub async fn seal(&self, tx: &Tx, row: Uuid, secret: &Password) -> Result<Sealed, Error> {
        let business = tx.business();
        let wrapped = match tx.data_key().await? {
            Some(wrapped) => wrapped,
            None => {
                tx.add_data_key(&self.new_key(business, tx.new_id())).await?;
                // Another transaction's key may have come first.
                tx.data_key().await?.ok_or(Error::NotFound("data key"))?
            }
        };
        let sealed = self.keys.unwrap(business, &wrapped)?.seal(
            Part::Secret,
            row,
            secret.expose(),
            random::bytes::<NONCE>(),
        );
        Ok(Sealed { key: wrapped, secret: sealed })
    }

    /// Opens the secret of `row`.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn open(&self, business: BusinessId, row: Uuid, sealed: &Sealed) -> Result<Password, Error> {
        Ok(Password::new(self.keys.unwrap(business, &sealed.key)?.open(Part::Secret, row, &sealed.secret)?))
    }

    /// A new key for what a person gave us, wrapped.
    #[must_use]
    pub fn new_person_key(&self, user: UserId, id: DataKeyId) -> WrappedKey {
        self.new_key(owner(user), id)
    }

    /// Seals a person's secret that belongs into `row`.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn seal_of_person(
        &self,
        user: UserId,
        key: &WrappedKey,
        (part, row): (Part, Uuid),
        secret: &Password,
    ) -> Result<Vec<u8>, Error> {
        let key = self.keys.unwrap(owner(user), key)?;
        Ok(key.seal(part, row, secret.expose(), random::bytes::<NONCE>()))
    }

    /// Opens a person's secret of `row`.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn open_of_person(
        &self,
        user: UserId,
        key: &WrappedKey,
        (part, row): (Part, Uuid),
        sealed: &[u8],
    ) -> Result<Password, Error> {
        Ok(Password::new(self.keys.unwrap(owner(user), key)?.open(part, row, sealed)?))
    }

    /// Seals a person's secret that is kept by itself for a short time, with a key of its own.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn seal_alone(&self, user: UserId, id: DataKeyId, secret: &Password) -> Result<Sealed, Error> {
        let key = self.new_person_key(user, id);
        let secret = self.seal_of_person(user, &key, (Part::Secret, id.0), secret)?;
        Ok(Sealed { key, secret })
    }

    /// Opens a person's secret that is kept by itself.
    ///
    /// # Errors
    /// [`Error::Seal`].
    pub fn open_alone(&self, user: UserId, sealed: &Sealed) -> Result<Password, Error> {
        self.open_of_person(user, &sealed.key, (Part::Secret, sealed.key.id.0), &sealed.secret)
    }

    /// A person's stored key, wrapped with the current master key.
    ///
    /// # Errors
    /// [`SealError`].
    pub fn rewrap_of_person(&self, user: UserId, key: &WrappedKey) -> Result<WrappedKey, SealError> {
        self.keys.rewrap(owner(user), key, random::bytes())
    }

    fn new_key(&self, business: BusinessId, id: DataKeyId) -> WrappedKey {
        let bytes = Zeroizing::new(random::bytes::<KEY>());
        self.keys.wrap(&DataKey::new(business, id, *bytes), random::bytes::<NONCE>())
    }
}

/// A person's key is wrapped under the person's id, where a business's is under the business's.
fn owner(user: UserId) -> BusinessId {
    BusinessId(user.0)
}
