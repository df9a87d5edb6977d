//! Other services' logs: scheduling's says what employees have to do, tenancy's who they are.

use boot::{clock::Clock, telemetry::current_traceparent};
use jiff::{civil::Date, tz::TimeZone};
use outbox::{Apply, FollowError};
use proto::{
    frontdesk::{
        events::v1::{Event, event::Payload},
        scheduling::v1::{Appointment, AppointmentState, PlacedItem},
    },
    parse, time,
};
use sea_orm::DatabaseTransaction;
use tonic::{Status, async_trait};

use crate::{
    domain::{
        AppointmentId,
        booking::{Booking, Item},
        event::Span,
    },
    error::Error,
    store::{
        Plan, leave_calendars_of, revoke_addresses_of, revoke_addresses_of_others, save_business,
        save_employee,
    },
};

/// Plans each appointment as it changes, and those whose customer goes by another name.
#[derive(Debug)]
pub struct Appointments {
    clock: Clock,
}

impl Appointments {
    /// Plans at the time `clock` tells.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock }
    }
}

#[async_trait]
impl Apply for Appointments {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let poison = |status: Status| FollowError::Poison(status.message().to_owned());
        match &event.payload {
            Some(Payload::Appointment(appointment)) => {
                let booking = booking(appointment).map_err(poison)?;
                self.plan(tx, event).map_err(poison)?.book(&booking).await.map_err(retry)
            }
            Some(Payload::CustomerRenamed(renamed)) => {
                let ids = renamed.appointment_ids.iter().map(|id| parse::id("appointment_ids", id));
                let ids = ids.collect::<Result<Vec<AppointmentId>, _>>().map_err(poison)?;
                let customer = customer(&renamed.customer_name);
                self.plan(tx, event).map_err(poison)?.rename(&ids, customer).await.map_err(retry)
            }
            _ => Ok(()),
        }
    }
}

impl Appointments {
    fn plan<'a>(&self, tx: &'a DatabaseTransaction, event: &Event) -> Result<Plan<'a>, Status> {
        let business = parse::id("business_id", &event.business_id)?;
        let since = time::required("occurred_at", event.occurred_at.as_ref())?;
        let actor = (!event.actor.is_empty()).then(|| event.actor.clone());
        Ok(Plan::new(tx, business, self.clock.now()).caused(since, actor, current_traceparent()))
    }
}

/// Keeps which account is which employee's, until when they stay, and the businesses' zones. The addresses that an
/// account which left may know are revoked, and those of others that an account made which is no owner any more. Calendars
/// of a person who left by themselves are disconnected.
#[derive(Debug)]
pub struct Tenancy {
    clock: Clock,
}

impl Tenancy {
    /// Disconnects calendars at the time `clock` tells.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock }
    }
}

#[async_trait]
impl Apply for Tenancy {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let poison = |status: Status| FollowError::Poison(status.message().to_owned());
        let employee = match &event.payload {
            Some(Payload::Employee(employee)) => employee,
            Some(Payload::Business(business)) => {
                let zone = &business.time_zone;
                TimeZone::get(zone).map_err(|error| FollowError::Poison(error.to_string()))?;
                let business = parse::id("business.id", &business.id).map_err(poison)?;
                return Ok(save_business(tx, business, zone).await?);
            }
            Some(Payload::AccountLeft(left)) => {
                let business = parse::id("business_id", &event.business_id).map_err(poison)?;
                let account = parse::id("user_id", &left.user_id).map_err(poison)?;
                revoke_addresses_of(tx, business, account).await?;
                if left.by_themselves {
                    leave_calendars_of(tx, business, account, self.clock.now()).await.map_err(retry)?;
                }
                return Ok(());
            }
            Some(Payload::AccountBelowOwner(account)) => {
                let business = parse::id("business_id", &event.business_id).map_err(poison)?;
                let account = parse::id("user_id", &account.user_id).map_err(poison)?;
                return Ok(revoke_addresses_of_others(tx, business, account).await?);
            }
            _ => return Ok(()),
        };
        let business = parse::id("business_id", &event.business_id).map_err(poison)?;
        let id = parse::id("employee.id", &employee.id).map_err(poison)?;
        let account = parse::optional_id("employee.user_id", &employee.user_id).map_err(poison)?;
        let last_day = last_day(&employee.last_day)?;
        Ok(save_employee(tx, business, id, account, last_day).await?)
    }
}

fn last_day(text: &str) -> Result<Option<Date>, FollowError> {
    let date = || text.parse().map_err(|_| FollowError::Poison(format!("{text:?} is not a date")));
    (!text.is_empty()).then(date).transpose()
}

fn retry(error: Error) -> FollowError {
    match error {
        Error::Database(error) => FollowError::from(error),
        other => FollowError::Retry(other.to_string()),
    }
}

/// An appointment of the wire, cut down to what calendars show.
///
/// # Errors
/// Names the field that can't be read.
pub fn booking(wire: &Appointment) -> Result<Booking, Status> {
    let cancelled = wire.state() == AppointmentState::Cancelled;
    let items = if cancelled { &[][..] } else { &wire.items };
    Ok(Booking {
        appointment: parse::id("appointment.id", &wire.id)?,
        customer: customer(&wire.customer_name).map(str::to_owned),
        items: items.iter().map(item).collect::<Result<_, _>>()?,
    })
}

/// A walk-in has no name.
fn customer(name: &str) -> Option<&str> {
    (!name.is_empty()).then_some(name)
}

fn item(wire: &PlacedItem) -> Result<Item, Status> {
    let starts = time::required("appointment.items.starts_at", wire.starts_at.as_ref())?;
    let ends = time::required("appointment.items.ends_at", wire.ends_at.as_ref())?;
    let span = Span::new(starts, ends);
    Ok(Item {
        employee: parse::id("appointment.items.employee_id", &wire.employee_id)?,
        service_id: parse::optional_id("appointment.items.service_id", &wire.service_id)?,
        service: wire.service_name.clone(),
        span: span
            .ok_or_else(|| proto::error::invalid("appointment.items.ends_at", "is not after the start"))?,
    })
}
