//! Opens connections to booking systems.

use caller::Tenant;

use crate::{
    domain::{
        ConnectionId,
        profile::SERVICE,
        provider::{Connection, Credentials},
    },
    error::Error,
    outside::provider::{Paced, Providers},
    store::Store,
    vault::Vault,
};

/// Knows what opens each connection.
#[derive(Debug, Clone)]
pub struct OpenProvider {
    /// The booking systems of this installation.
    pub providers: Providers,
    /// Where connections are kept.
    pub store: Store,
    /// Seals and opens their tokens.
    pub vault: Vault,
}

impl OpenProvider {
    /// A connection, ready to be asked.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::NoProvider`].
    pub async fn open(&self, tenant: &impl Tenant, id: ConnectionId) -> Result<(Connection, Paced), Error> {
        let tx = self.store.begin(tenant);
        let connection = tx.connection(id).await?;
        let token = tx.connection_token(id).await?;
        tx.commit().await?;
        let paced = Paced {
            provider: self.providers.of(&connection.kind)?,
            credentials: Credentials::read(self.vault.open(tenant.business(), id.0, &token)?),
            store: self.store.clone(),
            business: tenant.business(),
            connection: id,
        };
        Ok((connection, paced))
    }

    /// Whether appointments are refused whose service is mapped to none: the system books services, and was told of
    /// none for such appointments.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn needs_services(&self, tenant: &impl Tenant, id: ConnectionId) -> Result<bool, Error> {
        let (_, opened) = self.open(tenant, id).await?;
        Ok(opened.provider.system().books_services && opened.credentials.setting(SERVICE).is_empty())
    }
}
