//! Appointments.

use chrono::{DateTime, Utc};
use database::{from_db, to_db};
use engine::{
    appointment::{Appointment, BookingDetails, Cancellation, State},
    id::{CallId, CustomerId, EmployeeId, ResourceId, SeriesId, ServiceId, VisitId},
    occurrence::Occurrence,
    progress::Stage,
    service::Price,
    span::Span,
    visit::{Occupied, PlacedItem},
};
use jiff::Timestamp;
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::{
    Tx,
    item::{add_items, guest, item_columns},
    ledger::{add_rows, no_sources, refused},
    progress::stage_name,
    purpose::Purpose,
};
use crate::Error;

/// Appointments chosen by a subquery `a`, a row per item, with the names that go with them.
macro_rules! select_appointments {
    ($which:literal) => {
        concat!(
            "SELECT a.id, a.state, a.customer_id, a.call_id, a.starts_at, a.ends_at, a.price_minor,
                a.currency, a.notes, a.version, a.created_at, a.cancelled_at, a.cancelled_by, a.cancel_reason,
                a.late_cancellation, a.squeezed_in, a.series_id, a.occurrence, a.planned_at,
                c.name AS customer_name, c.phone AS customer_phone,
                i.service_id, i.employee_id, i.starts_at AS item_starts_at, i.ends_at AS item_ends_at,
                i.guest, i.price_minor AS item_price_minor, i.extra_minutes, i.resource_ids,
                s.name AS service_name, e.name AS employee_name,
                ARRAY(SELECT r.name FROM unnest(i.resource_ids) WITH ORDINALITY AS u (id, place)
                    JOIN resource r ON r.business_id = $1 AND r.id = u.id ORDER BY u.place) AS resource_names
            FROM (SELECT * FROM appointment WHERE business_id = $1 AND ",
            $which,
            ") a
            JOIN appointment_item i ON i.business_id = $1 AND i.visit_id = a.id
            JOIN service s ON s.business_id = $1 AND s.id = i.service_id
            LEFT JOIN employee e ON e.business_id = $1 AND e.id = i.employee_id
            LEFT JOIN customer c ON c.business_id = $1 AND c.id = a.customer_id
            ORDER BY a.starts_at, a.id, i.position"
        )
    };
}

/// Parameters: business, id.
pub const APPOINTMENT: &str = select_appointments!("id = $2");
/// Parameters: business, ids.
pub const APPOINTMENTS_BY_ID: &str = select_appointments!("id = ANY($2::uuid[])");
/// Parameters: business, from, to, start and id of the row before, rows wanted.
pub const APPOINTMENTS_BY_START: &str = select_appointments!(
    "starts_at >= $2 AND starts_at < $3 AND (starts_at, id) > ($4, $5) ORDER BY starts_at, id LIMIT $6"
);
/// Parameters: business, from, to.
pub const VISITS_BY_START: &str =
    select_appointments!("starts_at >= $2 AND starts_at < $3 AND state <> 'CANCELLED'");
/// Parameters: business, customer, start and id of the row before, now, whether the cancelled as well,
/// rows wanted.
pub const UPCOMING_OF_CUSTOMER: &str = select_appointments!(
    "customer_id = $2 AND (starts_at, id) > ($3, $4) AND starts_at >= $5 AND ($6 OR state <> 'CANCELLED')
    ORDER BY starts_at, id LIMIT $7"
);
/// Parameters as of [`UPCOMING_OF_CUSTOMER`].
pub const PAST_OF_CUSTOMER: &str = select_appointments!(
    "customer_id = $2 AND (starts_at, id) < ($3, $4) AND starts_at < $5 AND ($6 OR state <> 'CANCELLED')
    ORDER BY starts_at DESC, id DESC LIMIT $7"
);
/// Parameters: business, series.
pub const APPOINTMENTS_OF_SERIES: &str = select_appointments!("series_id = $2");
/// An appointment, its items, where it began and the time it takes, in one way there and back.
const ADD: &str = concat!(
    "WITH booked AS (
        INSERT INTO appointment (business_id, id, state, customer_id, call_id, starts_at, ends_at, price_minor,
            currency, notes, version, created_at, squeezed_in, series_id, occurrence, planned_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
    ), begun AS (
        INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by)
        VALUES ($1, $2, 1, $17, $18, $19)
    ), taken AS (",
    add_rows!("$2", "$28", "$29", "$30", "$31", "$32", "$33", "$34", "$35", "$36", "$37", "$38"),
    ") ",
    add_items!("appointment_item", "$20", "$21", "$22", "$23", "$24", "$25", "$26", "$27")
);
const SAVE_STATE: &str = "UPDATE appointment
    SET state = $3, version = $4, cancelled_at = $5, cancelled_by = $6, cancel_reason = $7,
        late_cancellation = $8
    WHERE business_id = $1 AND id = $2";

/// An appointment with the names that go with it, as far as they are known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAppointment {
    /// The appointment.
    pub appointment: Appointment,
    /// Who comes.
    pub customer: Party,
    /// What goes with each item.
    pub names: Vec<ItemNames>,
}

/// What an item's service, employee and resources are called, empty while that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemNames {
    /// The service.
    pub service: String,
    /// Who does it.
    pub employee: String,
    /// What it uses.
    pub resources: Vec<String>,
}

/// Name and number of a customer, empty while they are not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Party {
    /// Name.
    pub name: String,
    /// E.164.
    pub phone: String,
}

/// Which of a customer's appointments are asked for.
#[derive(Debug, Clone, Copy)]
pub struct OfCustomer {
    /// Whose.
    pub customer: CustomerId,
    /// Those that start from now on, by start; else those that started before, the latest first.
    pub upcoming: bool,
    /// The cancelled as well.
    pub cancelled: bool,
}

#[derive(FromQueryResult)]
struct Row {
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
    resource_ids: Vec<Uuid>,
    service_name: String,
    employee_name: Option<String>,
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
        })
    }

    fn names(&mut self) -> ItemNames {
        ItemNames {
            service: core::mem::take(&mut self.service_name),
            employee: self.employee_name.take().unwrap_or_default(),
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

/// Rows of one appointment follow on each other: one per item.
fn gather(rows: Vec<StoredAppointment>) -> Vec<StoredAppointment> {
    let mut gathered: Vec<StoredAppointment> = vec![];
    for row in rows {
        match gathered.last_mut() {
            Some(last) if last.appointment.id == row.appointment.id => {
                last.appointment.items.extend(row.appointment.items);
                last.names.extend(row.names);
            }
            _ => gathered.push(row),
        }
    }
    gathered
}

impl Tx {
    /// One appointment.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn appointment(&self, id: VisitId) -> Result<StoredAppointment, Error> {
        let rows = self.all::<Row, _>(APPOINTMENT, [self.business.0.into(), id.0.into()]).await?;
        gather(rows).pop().ok_or(Error::NotFound("appointment"))
    }

    /// Appointments of these ids, as far as there are any, by start.
    pub(crate) async fn appointments_of(&self, ids: &[VisitId]) -> Result<Vec<StoredAppointment>, Error> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        Ok(gather(self.all::<Row, _>(APPOINTMENTS_BY_ID, [self.business.0.into(), ids.into()]).await?))
    }

    /// Appointments that start within `starts`, after the one that started and is
    /// called `after`, by start.
    pub async fn appointments(
        &self,
        starts: Span,
        after: (Timestamp, VisitId),
        rows: u32,
    ) -> Result<Vec<StoredAppointment>, Error> {
        let values = [
            self.business.0.into(),
            to_db(starts.starts_at()).into(),
            to_db(starts.ends_at()).into(),
            to_db(after.0).into(),
            after.1.0.into(),
            i64::from(rows).into(),
        ];
        Ok(gather(self.all::<Row, _>(APPOINTMENTS_BY_START, values).await?))
    }

    /// All visits that start within `starts` and were not cancelled, by start.
    pub async fn visits_starting(&self, starts: Span) -> Result<Vec<StoredAppointment>, Error> {
        let values =
            [self.business.0.into(), to_db(starts.starts_at()).into(), to_db(starts.ends_at()).into()];
        Ok(gather(self.all::<Row, _>(VISITS_BY_START, values).await?))
    }

    /// Appointments of a customer, after the one that started and is called `after`.
    pub async fn appointments_of_customer(
        &self,
        which: OfCustomer,
        after: Option<(Timestamp, VisitId)>,
        rows: u32,
    ) -> Result<Vec<StoredAppointment>, Error> {
        let (sql, first) = match which.upcoming {
            true => (UPCOMING_OF_CUSTOMER, (self.now(), VisitId(Uuid::nil()))),
            false => (PAST_OF_CUSTOMER, (self.now(), VisitId(Uuid::max()))),
        };
        let after = after.unwrap_or(first);
        let values = [
            self.business.0.into(),
            which.customer.0.into(),
            to_db(after.0).into(),
            after.1.0.into(),
            self.at(),
            which.cancelled.into(),
            i64::from(rows).into(),
        ];
        let mut found = gather(self.all::<Row, _>(sql, values).await?);
        if !which.upcoming {
            found.reverse();
        }
        Ok(found)
    }

    /// The appointments of a series, by start.
    pub async fn appointments_of_series(&self, series: SeriesId) -> Result<Vec<StoredAppointment>, Error> {
        let key = [self.business.0.into(), series.0.into()];
        Ok(gather(self.all::<Row, _>(APPOINTMENTS_OF_SERIES, key).await?))
    }

    /// Books a visit's time.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub async fn add_appointment(
        &self,
        appointment: &Appointment,
        occupied: &[Occupied],
    ) -> Result<(), Error> {
        let occasion = &appointment.occasion;
        let occurrence = occasion.occurrence;
        let values: [Value; 19] = [
            self.business.0.into(),
            appointment.id.0.into(),
            stage_name(appointment.state.stage()).into(),
            occasion.customer.map(|customer| customer.0).into(),
            occasion.call.map(|call| call.0).into(),
            to_db(appointment.starts_at).into(),
            to_db(appointment.ends_at).into(),
            appointment.price.minor.into(),
            appointment.price.currency.as_str().into(),
            occasion.notes.as_str().into(),
            appointment.version.into(),
            to_db(appointment.created_at).into(),
            appointment.squeezed_in.into(),
            occurrence.map(|occurrence| occurrence.series.0).into(),
            occurrence.map(|occurrence| i16::from(occurrence.number)).into(),
            occurrence.map(|occurrence| to_db(occurrence.planned_at)).into(),
            stage_name(Stage::Booked).into(),
            self.at(),
            self.actor().into(),
        ];
        let rows = self.row_columns(Purpose::of(appointment), occupied, no_sources(occupied));
        let values = values.into_iter().chain(item_columns(&appointment.items)).chain(rows);
        self.try_execute(ADD, values).await.map_err(refused)?;
        match appointment.state.stage() {
            Stage::Booked => Ok(()),
            further => self.add_state_change(appointment.id, further, false).await,
        }
    }

    /// Saves where an appointment stands.
    pub(crate) async fn save_state(&self, appointment: &Appointment) -> Result<(), Error> {
        let cancellation = match &appointment.state {
            State::Cancelled(cancellation) => Some(cancellation),
            _ => None,
        };
        let values = [
            self.business.0.into(),
            appointment.id.0.into(),
            stage_name(appointment.state.stage()).into(),
            appointment.version.into(),
            cancellation.map(|cancelled| to_db(cancelled.at)).into(),
            cancellation.map(|cancelled| cancelled.by.clone()).into(),
            cancellation.map(|cancelled| cancelled.reason.clone()).into(),
            appointment.state.was_cancelled_late().into(),
        ];
        self.execute(SAVE_STATE, values).await.map(drop)
    }
}
