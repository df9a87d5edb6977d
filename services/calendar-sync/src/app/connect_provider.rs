//! Connects booking systems, replaces and tests their tokens, and disconnects them.

use std::sync::Arc;

use caller::BusinessScope;
use tokio::sync::Notify;

use super::{
    OpenProvider,
    disconnect_calendar::{go_on, keep, leave},
};
use crate::{
    domain::{
        ConnectionId,
        cleanup::{Standing, Written},
        profile::SERVER,
        provider::{Connection, Credentials, ProviderError, ProviderKind, Replacement},
    },
    error::Error,
};

/// Makes connections, and ends them.
#[derive(Debug, Clone)]
pub struct ConnectProvider {
    /// Opens what is connected.
    pub open: OpenProvider,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

impl ConnectProvider {
    /// Connects a system, once it has taken what it is told.
    ///
    /// # Errors
    /// [`Error::Provider`]; [`Error::Connected`]; [`Error::NoProvider`]; [`Error::Setting`].
    pub async fn connect(
        &self,
        scope: &BusinessScope,
        kind: ProviderKind,
        label: String,
        given: Credentials,
    ) -> Result<Connection, Error> {
        let given = self.checked(&kind, given).await?;
        let tx = self.open.store.begin(scope);
        let now = tx.now();
        let connection = Connection {
            id: tx.new_id(),
            kind,
            label,
            connected_at: now,
            token_changed_at: now,
            read_at: None,
            ending_since: None,
        };
        let sealed = self.open.vault.seal(&tx, connection.id.0, &given.written()).await?;
        tx.add_connection(&connection, &sealed).await?;
        tx.commit().await?;
        Ok(connection)
    }

    /// Credentials with the defaults of the system's settings, once it has taken them.
    async fn checked(&self, kind: &ProviderKind, given: Credentials) -> Result<Credentials, Error> {
        let provider = self.open.providers.of(kind)?;
        let given = given
            .complete(&provider.system())
            .map_err(|(key, fault)| Error::Setting { key, fault: fault.to_owned() })?;
        provider.account(&given).await?;
        Ok(given)
    }

    /// Replaces a token, some settings, or both, once the system has taken them; what waited for a token that works is due at once.
    /// The kept token is sent to no other server than the one it was given for.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub async fn rotate(
        &self,
        scope: &BusinessScope,
        id: ConnectionId,
        given: Replacement,
    ) -> Result<Connection, Error> {
        let (connection, kept) = self.open.open(scope, id).await?;
        let is_new = given.token.is_some();
        if !is_new && moves_server(&kept.credentials, &given) {
            let fault = "needs the token anew".to_owned();
            return Err(Error::Setting { key: SERVER.to_owned(), fault });
        }
        let given = self.checked(&connection.kind, kept.credentials.replaced(given)).await?;
        let tx = self.open.store.begin(scope);
        let sealed = self.open.vault.seal(&tx, id.0, &given.written()).await?;
        tx.rotate_token(id, &sealed, is_new).await?;
        let calendars = tx.calendars_of_connection(id).await?;
        for calendar in &calendars {
            tx.make_due(*calendar).await?;
        }
        tx.make_writes_due(&calendars).await?;
        let connection = tx.connection(id).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(connection)
    }

    /// Whose account the kept token opens, or why it opens none.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn test(
        &self,
        scope: &BusinessScope,
        id: ConnectionId,
    ) -> Result<Result<String, ProviderError>, Error> {
        let (_, provider) = self.open.open(scope, id).await?;
        Ok(provider.account().await)
    }

    /// Forgets a connection and its token, and takes back what was told of its employees' time. Where appointments are to
    /// be taken out, the connection is forgotten once that is done. Of one that this is under way for, what failed is
    /// tried again, or it is forgotten at once and the rest stays there.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn disconnect(
        &self,
        scope: &BusinessScope,
        id: ConnectionId,
        written: Written,
    ) -> Result<(), Error> {
        let tx = self.open.store.begin(scope);
        let connection = tx.connection(id).await?;
        let calendars = tx.calendars_of_connection(id).await?;
        if connection.ending_since.is_some() {
            go_on(&tx, &calendars, written).await?;
        } else {
            leave(&tx, &calendars, written).await?;
            if written == Written::Left {
                // Of an employee who was mapped to none before, too.
                go_on(&tx, &calendars, written).await?;
            }
        }
        if tx.ending_calendars_of(id).await?.is_empty() {
            tx.delete_connection(id).await?;
        } else {
            tx.end_connection(id).await?;
        }
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }

    /// Keeps a connection that appointments are taken out by: they are written again, and its employees' time is read
    /// anew.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none, or it is forgotten by now.
    pub async fn keep(&self, scope: &BusinessScope, id: ConnectionId) -> Result<(), Error> {
        let tx = self.open.store.begin(scope);
        tx.connection(id).await?;
        let mut ending = vec![];
        for calendar in tx.calendars_of_connection(id).await? {
            if tx.standing(calendar).await?.0 == Standing::CleanedUp {
                ending.push(calendar);
            }
        }
        for calendar in ending {
            keep(&tx, calendar).await?;
        }
        tx.keep_connection(id).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }
}

/// Whether a replacement names another server than the one that the kept token was given for.
fn moves_server(kept: &Credentials, given: &Replacement) -> bool {
    given.settings.get(SERVER).is_some_and(|server| server.expose() != kept.setting(SERVER))
}
