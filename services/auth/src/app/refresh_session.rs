//! Refreshes a session: rotates its token, repeats an answer that was lost, revokes where an old one is presented.

use caller::SessionId;
use jiff::Timestamp;

use super::open_session::{Granted, SessionOpener};
use crate::{
    Error,
    credentials::issue::{Person, SessionAt},
    domain::{
        client::Origin,
        refresh::Decision,
        refresh_token::RefreshToken,
        security_event::{NewSecurityEvent, SecurityEventKind},
    },
    measure::Measure,
    store::{EndReason, Store, Tx},
};

/// Refreshes sessions.
#[derive(Debug)]
pub(crate) struct RefreshSession {
    pub store: Store,
    pub opener: SessionOpener,
    pub measure: Measure,
}

impl RefreshSession {
    /// Issues new tokens in exchange for the refresh `token`, as of `now`.
    ///
    /// # Errors
    /// [`Error::SessionOver`], also if reuse of an old token ends the session.
    pub(crate) async fn run(
        &self,
        token: RefreshToken,
        origin: &Origin,
        now: Timestamp,
    ) -> Result<Granted, Error> {
        let tx = self.store.begin();
        loop {
            let session = tx.session(token.session).await?.ok_or(Error::SessionOver)?;
            let generation = match session.family.present(token.generation, now) {
                Decision::Rotate(successor)
                    if tx.rotate(token.session, token.generation, origin, now).await? =>
                {
                    successor
                }
                // Another tab was faster: the decision is made again on what it left.
                Decision::Rotate(_) => continue,
                Decision::Repeat(current) => current,
                Decision::Revoke => return self.revoke(tx, token.session, origin, now).await,
                Decision::Refuse => return Err(Error::SessionOver),
            };
            let account = tx.account(session.person).await?;
            let memberships = tx.memberships(session.person).await?;
            tx.commit().await?;
            let at = SessionAt { id: token.session, generation, expires_at: session.family.expires_at };
            return self.opener.grant(Person { account, memberships }, at, now).await;
        }
    }

    async fn revoke(
        &self,
        tx: Tx,
        session: SessionId,
        origin: &Origin,
        now: Timestamp,
    ) -> Result<Granted, Error> {
        if let Some(person) = tx.end_session(session, EndReason::TokenReused, now).await? {
            let event = NewSecurityEvent::of(person, SecurityEventKind::TokenReused).from(origin);
            tx.record(&event, now).await?;
        }
        tx.commit().await?;
        self.measure.revoked();
        tracing::warn!(%session, "an old refresh token was presented; the session is revoked");
        Err(Error::SessionOver)
    }
}
