//! Where sealed secrets are made and opened: the master keys over the stored data keys.

use boot::random;
use caller::InstallationScope;
use sealing::{KEY, NONCE};
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::{
    Error,
    domain::{
        VoiceSecret,
        seal::{DataKey, DataKeyId, MasterKeys},
    },
    store::{SealedConnection, Store, Tx},
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

    /// The data key of the transaction's business, made when it is first needed.
    ///
    /// # Errors
    /// When it can't be unwrapped or stored.
    pub async fn data_key(&self, tx: &Tx, id: DataKeyId) -> Result<DataKey, Error> {
        let business = tx.business_id();
        if let Some(wrapped) = tx.data_key().await? {
            return Ok(self.keys.unwrap(business, &wrapped)?);
        }
        let bytes = Zeroizing::new(random::bytes::<KEY>());
        let key = DataKey::new(business, id, *bytes);
        tx.add_data_key(&self.keys.wrap(&key, random::bytes::<NONCE>())).await?;
        // Another transaction's key may have come first.
        let stored = tx.data_key().await?.ok_or(Error::NotFound("data key"))?;
        Ok(self.keys.unwrap(business, &stored)?)
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
        let key = self.keys.unwrap(sealed.business, &sealed.key)?;
        Ok(VoiceSecret::new(key.open(sealed.connection.id.0, &sealed.secret)?))
    }

    /// Wraps every data key with the current master key; says how many were not.
    ///
    /// # Errors
    /// When one can't be unwrapped or stored; those before it stay done.
    pub async fn rewrap(&self, store: &Store) -> Result<usize, Error> {
        let mut done = 0;
        loop {
            let tx = store.begin_installation(&InstallationScope::worker("rewrap"));
            let stale = tx.data_keys_not_under(self.keys.current()).await?;
            if stale.is_empty() {
                return Ok(done);
            }
            for (business, wrapped) in &stale {
                let key = self.keys.unwrap(*business, wrapped)?;
                tx.rewrap_data_key(&self.keys.wrap(&key, random::bytes::<NONCE>())).await?;
            }
            tx.commit().await?;
            done += stale.len();
        }
    }
}
