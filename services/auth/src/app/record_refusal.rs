//! Records what a person was refused by another service.

use jiff::Timestamp;

use crate::{Error, domain::security_event::NewSecurityEvent, store::Store};

/// Makes an entry in the record of an account.
///
/// # Errors
/// [`Error::NotFound`] for an unknown account, which must not start a record.
pub(crate) async fn record_refusal(
    store: &Store,
    refusal: &NewSecurityEvent,
    now: Timestamp,
) -> Result<(), Error> {
    let tx = store.begin();
    tx.account(refusal.person).await?;
    tx.record(refusal, now).await?;
    tx.commit().await
}
