//! Creates a voice connection with its sealed secret.

use crate::{
    Error,
    domain::{VoiceConnection, VoiceConnectionId, VoicePlatform, VoiceSecret, seal::DataKey},
    store::{Added, Tx},
    vault::Vault,
};

/// A voice connection to create.
#[derive(Debug)]
pub struct CreateVoiceConnection {
    /// An id of the caller's choice.
    pub id: Option<VoiceConnectionId>,
    /// Where the account is.
    pub platform: VoicePlatform,
    /// What the owner calls it.
    pub label: String,
    /// The key that the platform signs its webhooks with.
    pub secret: VoiceSecret,
}

impl CreateVoiceConnection {
    /// Creates it; the connection under its id if the business has one.
    ///
    /// # Errors
    /// [`Error::Taken`] when the id is that of a connection with another secret: a secret that is silently not taken
    /// would make every webhook fail later.
    pub async fn run(self, tx: Tx, vault: &Vault) -> Result<VoiceConnection, Error> {
        let Self { id, platform, label, secret } = self;
        let connection = VoiceConnection { id: id.unwrap_or_else(|| tx.new_id()), platform, label };
        let key = data_key(&tx, vault).await?;
        let sealed = vault.seal(&key, connection.id.0, &secret);
        let added = tx.add_voice_connection(&connection, key.id(), sealed).await?;
        if let Added::Before(before) = &added
            && !vault.open(before)?.is(&secret)
        {
            return Err(Error::Taken("this id is taken by a connection with another secret"));
        }
        tx.commit().await?;
        Ok(added.record().connection)
    }
}

/// The data key of the transaction's business, made when it is first needed.
async fn data_key(tx: &Tx, vault: &Vault) -> Result<DataKey, Error> {
    let business = tx.business_id();
    if let Some(wrapped) = tx.data_key().await? {
        return vault.unwrap(business, &wrapped);
    }
    tx.add_data_key(&vault.new_data_key(business, tx.new_id())).await?;
    // Another transaction's key may have come first.
    let stored = tx.data_key().await?.ok_or(Error::NotFound("data key"))?;
    vault.unwrap(business, &stored)
}
