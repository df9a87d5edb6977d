//! Changes a voice connection: its name, its secrets, or whether there is one.

use jiff::SignedDuration;
use sealing::envelope::Part;

use super::create_voice_connection::data_key;
use crate::{
    Error,
    domain::{VoiceConnection, VoiceConnectionId, VoiceSecret},
    store::{RotatedSecrets, Tx},
    vault::Vault,
};

/// How long a replaced secret counts: the platform learns the new one a while later.
const OLD_SECRET_COUNTS: SignedDuration = SignedDuration::from_hours(1);

/// What an owner may change of a connection.
#[derive(Debug)]
pub struct UpdateVoiceConnection {
    /// The connection.
    pub id: VoiceConnectionId,
    /// What the owner calls it.
    pub label: String,
    /// The agent there, if it is known.
    pub platform_agent: String,
    /// What that agent sounds like; empty leaves what was chosen there.
    pub voice: String,
}

impl UpdateVoiceConnection {
    /// Changes it, and has the agent brought to where it is now.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Voice`] for a voice that the platform names otherwise.
    pub async fn run(self, tx: Tx) -> Result<VoiceConnection, Error> {
        let before = tx.sealed_voice_connection(self.id).await?.connection;
        if !before.platform.has_voice(&self.voice) {
            return Err(Error::Voice(before.platform));
        }
        tx.rename_voice_connection(self.id, &self.label, &self.platform_agent, &self.voice).await?;
        let changed = tx.sealed_voice_connection(self.id).await?.connection;
        if (&changed.platform_agent, &changed.voice) != (&before.platform_agent, &before.voice) {
            tx.wish_publication(Some(self.id)).await?;
        }
        if changed.platform_agent == before.platform_agent {
            tx.expect_calls(self.id).await?;
        } else {
            tx.expect_calls_anew(self.id).await?;
        }
        tx.commit().await?;
        Ok(changed)
    }
}

/// New secrets of a connection.
#[derive(Debug)]
pub struct RotateVoiceSecret {
    /// The connection.
    pub id: VoiceConnectionId,
    /// What deliveries are checked with from now on; `None` keeps what there is.
    pub secret: Option<VoiceSecret>,
    /// The key for the platform's API; `None` keeps the one there is.
    pub api_key: Option<VoiceSecret>,
}

impl RotateVoiceSecret {
    /// Seals what is new. The secret that is replaced counts for an hour more, unless it is the same.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::OneKey`] for a key of its own where the platform's API takes the secret.
    pub async fn run(self, tx: Tx, vault: &Vault) -> Result<VoiceConnection, Error> {
        let Self { id, secret, api_key } = self;
        let before = tx.sealed_voice_connection(id).await?;
        if api_key.is_some() && before.connection.platform.has_one_key() {
            return Err(Error::OneKey);
        }
        let key = data_key(&tx, vault).await?;
        let known = vault.open(&before)?.secret;
        let is_other = secret.as_ref().is_some_and(|secret| !known.is(secret));
        let secret = secret.unwrap_or(known);
        let rotated = RotatedSecrets {
            key: key.id(),
            secret: vault.seal(&key, Part::Secret, id.0, &secret),
            api_key: api_key.map(|api_key| vault.seal(&key, Part::ApiKey, id.0, &api_key)),
            old: is_other.then(|| (before.secret, tx.now() + OLD_SECRET_COUNTS)),
        };
        tx.rotate_voice_secret(id, rotated).await?;
        // Another key may open what the one before did not, and tools may carry the secret.
        tx.wish_publication(Some(id)).await?;
        tx.expect_calls(id).await?;
        let changed = tx.sealed_voice_connection(id).await?.connection;
        tx.commit().await?;
        Ok(changed)
    }
}
