//! Sets whose telephone numbers and e-mail addresses employees see.

use proto::frontdesk::scheduling::v1::contact_policy_service_methods::UPDATE_CONTACT_POLICY;

use crate::{Error, domain::contact_reach::ContactPolicy, store::Tx};

/// The policy that shall count.
#[derive(Debug, Clone, Copy)]
pub struct SetContactPolicy(pub ContactPolicy);

impl SetContactPolicy {
    /// Sets the policy.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<ContactPolicy, Error> {
        let Self(policy) = self;
        tx.set_contact_policy(policy).await?;
        tx.audit(&UPDATE_CONTACT_POLICY, tx.business()).await?;
        Ok(policy)
    }
}
