//! Other services' logs: scheduling's says what employees have to do, tenancy's who they are.

use boot::{clock::Clock, telemetry::current_traceparent};
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
        booking::{Booking, Item},
        event::Span,
    },
    error::Error,
    store::{Plan, save_employee},
};

/// Plans each appointment as it changes.
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
        let Some(Payload::Appointment(appointment)) = &event.payload else { return Ok(()) };
        let poison = |status: Status| FollowError::Poison(status.message().to_owned());
        let booking = booking(appointment).map_err(poison)?;
        let business = parse::id("business_id", &event.business_id).map_err(poison)?;
        let since = time::required("occurred_at", event.occurred_at.as_ref()).map_err(poison)?;
        let plan = Plan::new(tx, business, self.clock.now()).caused(since, current_traceparent());
        plan.book(&booking).await.map_err(retry)
    }
}

/// Keeps which account is which employee's.
#[derive(Debug)]
pub struct Employees;

#[async_trait]
impl Apply for Employees {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let Some(Payload::Employee(employee)) = &event.payload else { return Ok(()) };
        let poison = |status: Status| FollowError::Poison(status.message().to_owned());
        let business = parse::id("business_id", &event.business_id).map_err(poison)?;
        let id = parse::id("employee.id", &employee.id).map_err(poison)?;
        let account = parse::optional_id("employee.user_id", &employee.user_id).map_err(poison)?;
        Ok(save_employee(tx, business, id, account).await?)
    }
}

fn retry(error: Error) -> FollowError {
    match error {
        Error::Database(error) => FollowError::from(error),
        other => FollowError::Retry(other.to_string()),
    }
}

fn booking(wire: &Appointment) -> Result<Booking, Status> {
    let cancelled = wire.state() == AppointmentState::Cancelled;
    let items = if cancelled { &[][..] } else { &wire.items };
    Ok(Booking {
        appointment: parse::id("appointment.id", &wire.id)?,
        customer: (!wire.customer_name.is_empty()).then(|| wire.customer_name.clone()),
        items: items.iter().map(item).collect::<Result<_, _>>()?,
    })
}

fn item(wire: &PlacedItem) -> Result<Item, Status> {
    let starts = time::required("appointment.items.starts_at", wire.starts_at.as_ref())?;
    let ends = time::required("appointment.items.ends_at", wire.ends_at.as_ref())?;
    let span = Span::new(starts, ends);
    Ok(Item {
        employee: parse::id("appointment.items.employee_id", &wire.employee_id)?,
        service: wire.service_name.clone(),
        span: span
            .ok_or_else(|| proto::error::invalid("appointment.items.ends_at", "is not after the start"))?,
    })
}
