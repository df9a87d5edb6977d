//! What goes with a role.

use caller::{BusinessId, UserId};
use proto::frontdesk::auth::v1::member_service_methods::INVITE;

use crate::{Error, domain::account::MemberRole, store::Tx};

/// Sets a person's role in the transaction's business, `None` removing them; `false` when nothing
/// changed. The open invitations they sent there go with the role that let them invite.
///
/// # Errors
/// [`Error::NotFound`] for a person there is not.
pub async fn set_role(
    tx: &Tx,
    person: UserId,
    business: BusinessId,
    role: Option<MemberRole>,
) -> Result<bool, Error> {
    let changed = tx.set_role(person, business, role, None).await?;
    if changed && !role.is_some_and(|role| role.allows(INVITE.rule.least_role)) {
        tx.withdraw_invitations_of(business, person).await?;
    }
    Ok(changed)
}
