//! Ends a session by its refresh token.

use caller::SessionId;
use jiff::Timestamp;

use crate::{
    Error,
    domain::security_event::{NewSecurityEvent, SecurityEventKind},
    store::{EndReason, Store},
};

/// Ends a session; one that is over already stays so.
pub(crate) async fn sign_out(store: &Store, session: SessionId, now: Timestamp) -> Result<(), Error> {
    let tx = store.begin();
    if let Some(person) = tx.end_session(session, EndReason::SignedOut, now).await? {
        let origin = tx.origin_of(session).await?;
        let event = NewSecurityEvent::of(person, SecurityEventKind::SignedOut).from(&origin);
        tx.record(&event, now).await?;
    }
    tx.commit().await
}
