//! Puts the caller of a live call through to a person, by the API of the call's platform.

use core::time::Duration;
use std::sync::Arc;

use crate::{
    Error,
    domain::{PublicationFault, TransferHindrance, VoiceConnectionId},
    outside::{Account, Platforms, Transfer},
    store::Tx,
    vault::Vault,
    webhook_url::WebhookUrls,
};

/// How long the platform may take: a caller and a person wait.
const PATIENCE: Duration = Duration::from_secs(10);

/// Puts callers through.
#[derive(Debug, Clone)]
pub struct CallTransfers {
    /// Opens the platforms' keys.
    pub vault: Arc<Vault>,
    /// Where calls are controlled.
    pub platforms: Platforms,
    /// Where platforms deliver.
    pub webhooks: WebhookUrls,
}

impl CallTransfers {
    /// The number that calls over a connection are put through to, or why they can't be.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn number(
        &self,
        tx: Tx,
        connection: VoiceConnectionId,
    ) -> Result<Result<String, TransferHindrance>, Error> {
        let sealed = tx.sealed_voice_connection(connection).await?;
        let published = tx.published_agent().await?;
        tx.commit().await?;
        Ok(sealed.connection.puts_through(published.settings.transfer))
    }

    /// Puts the caller of a call through; answers with the number that rings.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::NoTransfer`] where that can't be; [`Error::NotTransferred`] where the platform
    /// does not do it.
    pub async fn transfer(&self, tx: Tx, connection: VoiceConnectionId, call: &str) -> Result<String, Error> {
        let sealed = tx.sealed_voice_connection(connection).await?;
        let published = tx.published_agent().await?;
        tx.commit().await?;
        let secrets = self.vault.open(&sealed)?;
        let connection = sealed.connection;
        let number = connection.puts_through(published.settings.transfer).map_err(|_| Error::NoTransfer)?;
        let control = self.platforms.control(connection.platform).ok_or(Error::NoTransfer)?;
        let key = secrets.api_key.unwrap_or_else(|| secrets.secret.clone());
        let webhook = self.webhooks.of(&connection);
        let (agent, account) = (connection.platform_agent, connection.account);
        let account = Account { agent, number: account, key, secret: secrets.secret };
        let transfer = Transfer { call, number: &number, webhook: &webhook };
        let late = || PublicationFault::Unreachable("the platform took too long".to_owned());
        let transferred = tokio::time::timeout(PATIENCE, control.transfer(&account, transfer)).await;
        transferred.map_err(|_| late()).flatten().map_err(Error::NotTransferred)?;
        Ok(number)
    }
}
