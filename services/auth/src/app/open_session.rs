//! Opening sessions, for every kind of proof.

use std::sync::Arc;

use caller::SessionId;
use jiff::Timestamp;

use crate::{
    Error,
    credentials::issue::{Issued, Issuer, Person, SessionAt},
    domain::{
        account::Account,
        client::Client,
        refresh::Generation,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    store::{NewSession, Proof, Tx},
};

/// What a session's browser is handed.
#[derive(Debug)]
pub struct Granted {
    /// Whom it is about.
    pub person: Person,
    /// The session.
    pub session: SessionId,
    /// Its tokens.
    pub issued: Issued,
}

/// Opens sessions.
#[derive(Debug, Clone)]
pub struct SessionOpener {
    issuer: Arc<Issuer>,
}

impl SessionOpener {
    /// Opens sessions of an issuer.
    #[must_use]
    pub fn new(issuer: Arc<Issuer>) -> Self {
        Self { issuer }
    }

    /// Opens a session where the client is, in a transaction that it ends.
    ///
    /// # Errors
    /// [`Error::WrongCredentials`] if the account is disabled or its password has changed meanwhile.
    pub async fn open(
        &self,
        tx: Tx,
        account: Account,
        client: &Client,
        proof: Proof<'_>,
    ) -> Result<Granted, Error> {
        let now = self.issuer.clock.now();
        let id = SessionId(tx.new_id());
        let expires_at = now + self.issuer.security.session;
        let device = match &client.device {
            Some(device) => {
                tx.device_owner(device, now).await?.filter(|owner| *owner == account.id).map(|_| device.id)
            }
            None => None,
        };
        let origin = client.origin.clone();
        let new = NewSession { id, person: account.id, opened_at: now, expires_at, origin, device };
        tx.open_session(&new, proof).await?;
        let event = NewSecurityEvent::of(account.id, SecurityEventKind::SignedIn).from(&client.origin);
        tx.record(&event, now).await?;
        let memberships = tx.memberships(account.id).await?;
        tx.commit().await?;
        let session = SessionAt { id, generation: Generation::FIRST, expires_at };
        self.grant(Person { account, memberships }, session, now).await
    }

    /// Writes the tokens of a session.
    ///
    /// # Errors
    /// When no key signs.
    pub async fn grant(&self, person: Person, session: SessionAt, now: Timestamp) -> Result<Granted, Error> {
        let issued = self.issuer.issue(&person, session, now).await?;
        Ok(Granted { person, session: session.id, issued })
    }
}
