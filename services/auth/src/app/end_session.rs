//! Ends sessions: the browser's own, another one of its person, all of them.

use caller::{SessionId, UserId};
use jiff::Timestamp;

use crate::{
    Error,
    domain::security_event::{NewSecurityEvent, SecurityEventKind},
    store::{EndReason, Store},
};

/// Ends the session of a browser that signs out; one that is over already stays so.
pub(crate) async fn sign_out(store: &Store, session: SessionId, now: Timestamp) -> Result<(), Error> {
    let tx = store.begin();
    if let Some(person) = tx.end_session(session, EndReason::SignedOut, now).await? {
        let origin = tx.origin_of(session).await?;
        let event = NewSecurityEvent::of(person, SecurityEventKind::SignedOut).from(&origin);
        tx.record(&event, now).await?;
    }
    tx.commit().await
}

/// Ends one of a person's sessions, from their session `own`.
///
/// # Errors
/// [`Error::NotFound`] when it has ended or is another person's.
pub(crate) async fn end_session(
    store: &Store,
    (person, own): (UserId, SessionId),
    session: SessionId,
    now: Timestamp,
) -> Result<(), Error> {
    let (why, kind) = if session == own {
        (EndReason::SignedOut, SecurityEventKind::SignedOut)
    } else {
        (EndReason::Ended, SecurityEventKind::SessionEnded)
    };
    let tx = store.begin();
    tx.end_session_of(person, session, why, now).await?;
    let origin = tx.origin_of(own).await?;
    tx.record(&NewSecurityEvent::of(person, kind).from(&origin), now).await?;
    tx.commit().await
}

/// Ends all sessions of a person, from their session `own`, and drops the change of address that one
/// of them may have asked for.
pub(crate) async fn sign_out_everywhere(
    store: &Store,
    (person, own): (UserId, SessionId),
    now: Timestamp,
) -> Result<(), Error> {
    let tx = store.begin();
    tx.end_sessions_of(person, EndReason::SignedOutEverywhere, now).await?;
    tx.forget_email_change_of(person).await?;
    let origin = tx.origin_of(own).await?;
    let event = NewSecurityEvent::of(person, SecurityEventKind::SignedOutEverywhere);
    tx.record(&event.from(&origin), now).await?;
    tx.commit().await
}
