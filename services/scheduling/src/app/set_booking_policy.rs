//! Sets when the business takes bookings and cancellations.

use engine::policy::Policy;
use proto::frontdesk::scheduling::v1::booking_policy_service_methods::UPDATE_BOOKING_POLICY;

use crate::{Error, store::Tx};

/// The policy that shall count.
#[derive(Debug)]
pub struct SetBookingPolicy(pub Policy);

impl SetBookingPolicy {
    /// Sets the policy.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn run(self, tx: &Tx) -> Result<Policy, Error> {
        let Self(policy) = self;
        let set = async |version| tx.set_policy(version, &policy).await;
        tx.change_schedule(&UPDATE_BOOKING_POLICY, tx.business(), set).await?;
        Ok(policy)
    }
}
