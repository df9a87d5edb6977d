//! Takes hints that booking systems push and sign.

use std::sync::Arc;

use caller::{Tenant, Worker};
use tokio::sync::Notify;

use crate::{
    SERVICE,
    domain::{ConnectionId, provider::Credentials, push_signature},
    error::Error,
    store::Store,
    vault::Vault,
};

/// The setting with the key that a system signs with.
pub const SIGNATURE_KEY: &str = "signature";

/// Makes calendars due.
#[derive(Debug, Clone)]
pub struct TakeProviderPush {
    /// Where connections are kept.
    pub store: Store,
    /// Opens the keys that systems sign with.
    pub vault: Vault,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

impl TakeProviderPush {
    /// Whether pushes of a connection are taken: the key that they are signed with is known.
    ///
    /// # Errors
    /// [`Error::NotFound`]; when its secret can't be opened.
    pub async fn is_ready(&self, tenant: &impl Tenant, id: ConnectionId) -> Result<bool, Error> {
        let tx = self.store.begin(tenant);
        let sealed = tx.connection_token(id).await?;
        tx.commit().await?;
        let credentials = Credentials::read(self.vault.open(tenant.business(), id.0, &sealed)?);
        Ok(!credentials.setting(SIGNATURE_KEY).is_empty())
    }

    /// Makes a connection's calendars due, if the push is signed with its key. Nothing that it says is kept: one that
    /// comes twice has them read twice.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown connection, one without a key, and a signature with another one.
    pub async fn take(&self, id: ConnectionId, url: &str, signature: &str, body: &[u8]) -> Result<(), Error> {
        let unknown = || Error::NotFound("provider connection");
        let business = self.store.business_of_connection(id).await?.ok_or_else(unknown)?;
        let tx = self.store.begin(&Worker::new(SERVICE, business));
        let sealed = tx.connection_token(id).await?;
        let credentials = Credentials::read(self.vault.open(business, id.0, &sealed)?);
        let key = credentials.setting(SIGNATURE_KEY);
        if key.is_empty() || !push_signature::is_right(key, url, body, signature) {
            return Err(unknown());
        }
        for calendar in tx.calendars_of_connection(id).await? {
            tx.make_due(calendar).await?;
        }
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }
}
