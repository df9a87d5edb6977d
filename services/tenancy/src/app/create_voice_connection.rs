//! Creates a voice connection with its sealed secret.

use sealing::envelope::{DataKey, Part};

use crate::{
    Error,
    domain::{VoiceConnection, VoiceConnectionId, VoicePlatform, VoiceSecret, WebhookCheck},
    store::{Added, SealedSecrets, Tx},
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
    /// What deliveries are checked with.
    pub secret: VoiceSecret,
    /// How.
    pub check: WebhookCheck,
    /// The account there, where its API needs one.
    pub account: String,
    /// The agent there, if it is known.
    pub platform_agent: String,
    /// What that agent sounds like; empty leaves what was chosen there.
    pub voice: String,
    /// The key for the platform's API, where it has its own.
    pub api_key: Option<VoiceSecret>,
}

impl CreateVoiceConnection {
    /// Creates it; the connection under its id if the business has one.
    ///
    /// # Errors
    /// [`Error::Taken`] when the id is that of a connection with another secret: a secret that is silently not taken
    /// would make every webhook fail later.
    pub async fn run(self, tx: &Tx, vault: &Vault) -> Result<VoiceConnection, Error> {
        let Self { id, platform, label, secret, check, account, platform_agent, voice, api_key } = self;
        let is_demo = id.is_some();
        let connection = VoiceConnection {
            id: id.unwrap_or_else(|| tx.new_id()),
            platform,
            label,
            check,
            account,
            platform_agent,
            voice,
            has_api_key: platform.has_one_key() || api_key.is_some(),
        };
        let key = data_key(tx, vault).await?;
        let seal = |part, secret| vault.seal(&key, part, connection.id.0, secret);
        let sealed = SealedSecrets {
            key: key.id(),
            secret: seal(Part::Secret, &secret),
            api_key: api_key.as_ref().map(|api_key| seal(Part::ApiKey, api_key)),
        };
        let added = tx.add_voice_connection(&connection, sealed).await?;
        if let Added::Before(before) = &added
            && !vault.open(before)?.secret.is(&secret)
        {
            return Err(Error::Taken("this id is taken by a connection with another secret"));
        }
        if matches!(added, Added::New(_)) {
            tx.wish_publication(Some(connection.id)).await?;
            // Only the demo chooses ids, and no platform is behind its connections.
            if is_demo {
                tx.expect_no_calls(connection.id).await?;
            } else {
                tx.expect_calls(connection.id).await?;
            }
        }
        Ok(added.record().connection)
    }
}

/// The data key of the transaction's business, made when it is first needed.
pub(super) async fn data_key(tx: &Tx, vault: &Vault) -> Result<DataKey, Error> {
    let business = tx.business_id();
    if let Some(wrapped) = tx.data_key().await? {
        return vault.unwrap(business, &wrapped);
    }
    tx.add_data_key(&vault.new_data_key(business, tx.new_id())).await?;
    // Another transaction's key may have come first.
    let stored = tx.data_key().await?.ok_or(Error::NotFound("data key"))?;
    vault.unwrap(business, &stored)
}
