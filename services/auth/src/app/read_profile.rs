//! What a person sees of their own account.

use caller::UserId;
use jiff::Timestamp;

use crate::{
    Error,
    credentials::issue::Person,
    store::{Profile, Store},
};

/// A person, and what there is to know of their account.
///
/// # Errors
/// [`Error::NotFound`].
pub(crate) async fn read_profile(
    store: &Store,
    id: UserId,
    now: Timestamp,
) -> Result<(Person, Profile), Error> {
    let tx = store.begin();
    let account = tx.account(id).await?;
    let memberships = tx.memberships(id).await?;
    let profile = tx.profile(id, now).await?;
    tx.commit().await?;
    Ok((Person { account, memberships }, profile))
}
