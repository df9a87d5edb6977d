//! Opens connections to booking systems.

use caller::Tenant;

use crate::{
    domain::{
        ConnectionId,
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
}
