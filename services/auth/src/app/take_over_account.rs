//! What becomes of an account whose address another person has proved.

use caller::UserId;
use jiff::Timestamp;

use crate::{
    Error,
    domain::account::Claim,
    store::{EndReason, Tx},
};

/// Hands an account whose address was not proved to who has proved it: nothing that its maker
/// signs in with works any more. Without a claim it is left without a password.
pub(crate) async fn take_over(
    tx: &Tx,
    person: UserId,
    claim: Option<&Claim>,
    now: Timestamp,
) -> Result<(), Error> {
    match claim {
        Some(Claim { name, password }) => {
            tx.set_password(person, password).await?;
            tx.rename(person, name).await?;
        }
        None => tx.drop_password(person).await?,
    }
    tx.end_sessions_of(person, EndReason::TakenOver, now).await?;
    tx.revoke_devices_of(person).await?;
    tx.remove_identities_of(person).await?;
    tx.spend_tokens_of(person, now).await?;
    tx.forget_email_proofs_of(person).await
}
