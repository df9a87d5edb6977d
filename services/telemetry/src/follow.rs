//! What happens here when tenancy changes a customer.

use outbox::{Apply, FollowError};
use proto::{
    frontdesk::events::v1::{Event, event::Payload},
    parse,
};
use sea_orm::DatabaseTransaction;
use tonic::{Status, async_trait};

use crate::store::save_customer;

/// Name of the follower, in positions and metrics.
pub(crate) const FOLLOWER: &str = "telemetry";

/// Keeps what customers are called, and who is part of whom.
#[derive(Debug)]
pub(crate) struct Customers;

#[async_trait]
impl Apply for Customers {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let Some(Payload::Customer(customer)) = &event.payload else { return Ok(()) };
        let poison = |status: Status| FollowError::Poison(status.message().to_owned());
        let business = parse::id("business_id", &event.business_id).map_err(poison)?;
        let id = parse::id("customer.id", &customer.id).map_err(poison)?;
        let whole = parse::optional_id("customer.merged_into", &customer.merged_into).map_err(poison)?;
        Ok(save_customer(tx, business, id, &customer.name, whole).await?)
    }
}
