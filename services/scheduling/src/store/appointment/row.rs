//! Appointments as a row per item has them.

use chrono::{DateTime, Utc};
use database::from_db;
use engine::{
    appointment::{Appointment, BookingDetails, Cancellation, State},
    id::{CallId, CustomerId, EmployeeId, ResourceId, SeriesId, ServiceId, VisitId},
    occurrence::Occurrence,
    service::Price,
    visit::PlacedItem,
};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{ItemNames, Party, StoredAppointment};
use crate::{
    Error,
    store::item::{guest, wish},
};

#[derive(FromQueryResult)]
pub(super) struct Row {
    id: Uuid,
    state: String,
    customer_id: Option<Uuid>,
    call_id: Option<Uuid>,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    price_minor: i32,
    currency: String,
    notes: String,
    version: i64,
    created_at: DateTime<Utc>,
    cancelled_at: Option<DateTime<Utc>>,
    cancelled_by: Option<String>,
    cancel_reason: Option<String>,
    late_cancellation: bool,
    squeezed_in: bool,
    series_id: Option<Uuid>,
    occurrence: Option<i16>,
    planned_at: Option<DateTime<Utc>>,
    customer_name: Option<String>,
    customer_phone: Option<String>,
    service_id: Uuid,
    employee_id: Uuid,
    item_starts_at: DateTime<Utc>,
    item_ends_at: DateTime<Utc>,
    guest: i16,
    item_price_minor: i32,
    extra_minutes: i16,
    wished_id: Option<Uuid>,
    only_wished: bool,
    resource_ids: Vec<Uuid>,
    service_name: String,
    employee_name: Option<String>,
    wished_name: Option<String>,
    resource_names: Vec<String>,
}

impl Row {
    fn state(&mut self) -> Result<State, Error> {
        let cancellation = self.cancelled_at.zip(self.cancelled_by.take()).zip(self.cancel_reason.take());
        match (self.state.as_str(), cancellation) {
            ("BOOKED", None) => Ok(State::Booked),
            ("CONFIRMED", None) => Ok(State::Confirmed),
            ("ARRIVED", None) => Ok(State::Arrived),
            ("IN_SERVICE", None) => Ok(State::InService),
            ("COMPLETED", None) => Ok(State::Completed),
            ("NO_SHOW", None) => Ok(State::NoShow),
            ("CANCELLED", Some(((at, by), reason))) => {
                let late = self.late_cancellation;
                Ok(State::Cancelled(Cancellation { at: from_db(at), by, reason, late }))
            }
            _ => Err(Error::Stored("appointment")),
        }
    }

    fn occurrence(&self) -> Result<Option<Occurrence>, Error> {
        let Some(((series, number), planned_at)) = self.series_id.zip(self.occurrence).zip(self.planned_at)
        else {
            return Ok(None);
        };
        let number = u8::try_from(number).map_err(|_| Error::Stored("occurrence"))?;
        Ok(Some(Occurrence { series: SeriesId(series), number, planned_at: from_db(planned_at) }))
    }

    fn item(&self) -> Result<PlacedItem, Error> {
        Ok(PlacedItem {
            service: ServiceId(self.service_id),
            employee: EmployeeId(self.employee_id),
            starts_at: from_db(self.item_starts_at),
            ends_at: from_db(self.item_ends_at),
            guest: guest(self.guest)?,
            resources: self.resource_ids.iter().copied().map(ResourceId).collect(),
            price_minor: self.item_price_minor,
            extra_minutes: self.extra_minutes,
            wish: wish(self.wished_id, self.only_wished),
        })
    }

    fn names(&mut self) -> ItemNames {
        ItemNames {
            service: core::mem::take(&mut self.service_name),
            employee: self.employee_name.take().unwrap_or_default(),
            wished: self.wished_name.take().unwrap_or_default(),
            resources: core::mem::take(&mut self.resource_names),
        }
    }
}

impl TryFrom<Row> for StoredAppointment {
    type Error = Error;
    fn try_from(mut row: Row) -> Result<Self, Error> {
        let occurrence = row.occurrence()?;
        Ok(Self {
            names: vec![row.names()],
            customer: Party {
                name: row.customer_name.take().unwrap_or_default(),
                phone: row.customer_phone.take().unwrap_or_default(),
            },
            appointment: Appointment {
                id: VisitId(row.id),
                state: row.state()?,
                items: vec![row.item()?],
                starts_at: from_db(row.starts_at),
                ends_at: from_db(row.ends_at),
                price: Price { minor: row.price_minor, currency: row.currency },
                version: row.version,
                created_at: from_db(row.created_at),
                squeezed_in: row.squeezed_in,
                occasion: BookingDetails {
                    customer: row.customer_id.map(CustomerId),
                    call: row.call_id.map(CallId),
                    occurrence,
                    notes: row.notes,
                },
            },
        })
    }
}
