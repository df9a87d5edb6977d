//! What tenancy's events do here: they keep what businesses are called and recognised by, and tell owners of exports.

use boot::clock::Clock;
use caller::{BusinessId, UserId};
use outbox::{Apply, FollowError};
use proto::{
    frontdesk::events::v1::{CustomersExported, Event, event::Payload},
    parse,
};
use sea_orm::DatabaseTransaction;
use sealing::SealingKey;
use tonic::Status;

use crate::{
    domain::letter::{self, Exported},
    store::{export_readers, queue_mail_in, save_business},
};

/// Keeps what businesses are called and recognised by, and tells owners of exports.
#[derive(Debug)]
pub struct FromTenancy {
    /// Seals mail that waits to be sent.
    pub sealing: SealingKey,
    /// When it is queued.
    pub clock: Clock,
}

#[async_trait::async_trait]
impl Apply for FromTenancy {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        match &event.payload {
            Some(Payload::Business(business)) => {
                let id: BusinessId = parse::id("business_id", &business.id).map_err(poison)?;
                Ok(save_business(tx, id, business, event.version).await?)
            }
            Some(Payload::CustomersExported(exported)) => self.tell_owners(tx, event, exported).await,
            _ => Ok(()),
        }
    }
}

impl FromTenancy {
    /// One mail to each owner, in the transaction that also takes the event.
    async fn tell_owners(
        &self,
        tx: &DatabaseTransaction,
        event: &Event,
        exported: &CustomersExported,
    ) -> Result<(), FollowError> {
        let business = parse::id("business_id", &event.business_id).map_err(poison)?;
        let by: Option<UserId> = parse::optional_id("user_id", &exported.user_id).map_err(poison)?;
        let readers = export_readers(tx, business, by).await?;
        let exported = Exported {
            by: &readers.by,
            business: &readers.business,
            customer: Some(exported.customer_name.as_str()).filter(|name| !name.is_empty()),
        };
        for owner in &readers.owners {
            let mail = letter::customers_exported(owner, &exported);
            queue_mail_in(tx, &self.sealing, self.clock.new_id(), &mail, self.clock.now()).await?;
        }
        Ok(())
    }
}

fn poison(status: Status) -> FollowError {
    FollowError::Poison(status.message().to_owned())
}
