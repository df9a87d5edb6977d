//! What happens here when tenancy changes something.

use boot::clock::Clock;
use jiff::{civil::Date, tz::TimeZone};
use outbox::{Apply, FollowError};
use proto::frontdesk::events::v1::{Event, event::Payload};
use sea_orm::DatabaseTransaction;
use tonic::async_trait;
use uuid::Uuid;

use crate::store::{CustomerVersion, save_business, save_customer, save_employee};

/// Name of the follower, in positions and metrics.
pub(crate) const FOLLOWER: &str = "scheduling";

/// Keeps businesses' settings and people's names.
#[derive(Debug)]
pub(crate) struct Tenancy {
    clock: Clock,
}

impl Tenancy {
    /// Records what changes at the time `clock` tells.
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock }
    }
}

#[async_trait]
impl Apply for Tenancy {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        match &event.payload {
            Some(Payload::Business(business)) => {
                let zone = TimeZone::get(&business.time_zone);
                let zone = zone.map_err(|error| FollowError::Poison(error.to_string()))?;
                save_business(tx, id(&business.id)?, &zone).await?;
            }
            Some(Payload::Employee(employee)) => {
                let (business, employee_id) = (id(&event.business_id)?, id(&employee.id)?);
                let account = optional(&employee.user_id)?;
                let last_day = last_day(&employee.last_day)?;
                let details = (employee.name.as_str(), last_day);
                let employee = (business, employee_id);
                save_employee(tx, &self.clock, employee, details, account, &event.actor).await?;
            }
            Some(Payload::Customer(customer)) => {
                let version = CustomerVersion {
                    id: id(&customer.id)?,
                    name: &customer.name,
                    phone: &customer.phone,
                    merged_into: optional(&customer.merged_into)?,
                    actor: &event.actor,
                };
                save_customer(tx, &self.clock, id(&event.business_id)?, version).await?;
            }
            _ => {}
        }
        Ok(())
    }
}

fn optional(text: &str) -> Result<Option<Uuid>, FollowError> {
    (!text.is_empty()).then(|| id(text)).transpose()
}

fn last_day(text: &str) -> Result<Option<Date>, FollowError> {
    let date = || text.parse().map_err(|_| FollowError::Poison(format!("{text:?} is not a date")));
    (!text.is_empty()).then(date).transpose()
}

fn id(text: &str) -> Result<Uuid, FollowError> {
    text.parse().map_err(|_| FollowError::Poison(format!("{text:?} is not a UUID")))
}
