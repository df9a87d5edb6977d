//! What happens here when tenancy changes a customer, or scheduling a visit of a call.

use caller::{BusinessId, Worker};
use outbox::{Apply, FollowError};
use proto::{
    frontdesk::{
        events::v1::{Event, event::Payload},
        scheduling::v1::{Appointment, AppointmentState},
    },
    parse, time,
};
use sea_orm::DatabaseTransaction;
use tonic::{Status, async_trait};

use crate::{
    app::AttributeVisit,
    domain::{AppointmentId, ServiceId, visit::Visit},
    error::Error,
    store::{Store, save_customer},
};

/// Name of the follower, in positions and metrics.
pub(crate) const FOLLOWER: &str = "telemetry";

/// How the audit trail's names of people begin.
const PERSON: &str = "user:";

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

/// Adds up what visits that were booked in calls, or from them, are worth.
#[derive(Debug)]
pub(crate) struct Visits {
    store: Store,
}

impl Visits {
    /// Into `store`.
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl Apply for Visits {
    /// In a transaction of its own: it changes the call, which is published, and finds that done the next time.
    async fn apply(&self, _tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let Some(Payload::Appointment(appointment)) = &event.payload else { return Ok(()) };
        if appointment.call_id.is_empty() {
            return Ok(());
        }
        let poison = |status: Status| FollowError::Poison(status.message().to_owned());
        let business: BusinessId = parse::id("business_id", &event.business_id).map_err(poison)?;
        let attribute = attribution(event, appointment).map_err(poison)?;
        match attribute.run(self.store.begin(&Worker::new(FOLLOWER, business))).await {
            // A call of another installation's backup.
            Ok(()) | Err(Error::NotFound(_)) => Ok(()),
            Err(error) => Err(FollowError::Retry(error.to_string())),
        }
    }
}

fn attribution(event: &Event, appointment: &Appointment) -> Result<AttributeVisit, Status> {
    let services =
        appointment.items.iter().map(|item| parse::id::<ServiceId>("items.service_id", &item.service_id));
    // A visit begins with its first version.
    let is_booking = appointment.version == 1;
    let by_team = is_booking && event.actor.starts_with(PERSON);
    let booking = match time::parse("occurred_at", event.occurred_at.as_ref())? {
        Some(at) if is_booking && !by_team => Some((parse::id("event_id", &event.event_id)?, at)),
        _ => None,
    };
    Ok(AttributeVisit {
        call: parse::id("call_id", &appointment.call_id)?,
        id: parse::id::<AppointmentId>("id", &appointment.id)?,
        visit: Visit {
            version: appointment.version,
            price: i64::from(appointment.price_minor),
            currency: appointment.currency.clone(),
            services: services.collect::<Result<_, _>>()?,
            cancelled: appointment.state() == AppointmentState::Cancelled,
            by_team,
            booking_told: is_booking,
        },
        booking,
    })
}
