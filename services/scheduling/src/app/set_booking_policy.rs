//! Sets when the business takes bookings and cancellations.

use engine::policy::Policy;
use proto::frontdesk::scheduling::v1::booking_policy_service_methods::UPDATE_BOOKING_POLICY;

use crate::{Error, store::Tx};

/// The policy that shall count.
#[derive(Debug)]
pub struct SetBookingPolicy {
    /// The policy.
    pub policy: Policy,
    /// The policy that was seen.
    pub seen: Option<Policy>,
}

impl SetBookingPolicy {
    /// Sets the policy.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`]; [`Error::ChangedSince`] where it is another one than was seen by now.
    pub async fn run(self, tx: &Tx) -> Result<Policy, Error> {
        let Self { policy, seen } = self;
        let set = async |version| {
            // Read under the lock of the schedule: no one changes it in between.
            if let Some(seen) = seen
                && seen != tx.policy().await?
            {
                return Err(Error::ChangedSince("booking policy"));
            }
            tx.set_policy(version, &policy).await
        };
        tx.change_schedule(&UPDATE_BOOKING_POLICY, tx.business(), set).await?;
        Ok(policy)
    }
}
