//! Publishes a customer that was created or changed.

use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};

use crate::{Error, domain::Customer, store::Tx};

impl Tx {
    /// Publishes a customer as they are now.
    pub async fn publish_customer(&self, customer: &Customer) -> Result<(), Error> {
        let payload = Payload::Customer(pb::Customer::from(customer));
        self.publish_change(customer.id, customer.version, payload).await
    }
}
