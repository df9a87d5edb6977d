//! What other services' events do here: tenancy's keep the names of businesses.

use caller::BusinessId;
use outbox::{Apply, FollowError};
use proto::frontdesk::events::v1::{Event, event::Payload};
use sea_orm::DatabaseTransaction;

use crate::store::save_business_name;

/// Keeps the names of businesses.
#[derive(Debug)]
pub struct BusinessNames;

#[async_trait::async_trait]
impl Apply for BusinessNames {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let Some(Payload::Business(business)) = &event.payload else { return Ok(()) };
        let id: BusinessId = business
            .id
            .parse()
            .map_err(|_| FollowError::Poison("a business's id is not a UUID".to_owned()))?;
        Ok(save_business_name(tx, id, &business.name, event.version).await?)
    }
}
