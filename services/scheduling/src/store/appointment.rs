//! Appointments.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
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
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{
    Tx,
    item::{add_items, guest, item_columns, wish},
    ledger::{add_rows, no_sources, refused},
    progress::stage_name,
    purpose::Purpose,
};
use crate::Error;

/// Appointments chosen by a subquery `a`, a row per item, with the names that go with them.
macro_rules! select_appointments {
    ($which:literal) => {
        concat!(
            "SELECT a.id, a.state, COALESCE(c.merged_into, a.customer_id) AS customer_id, a.call_id, a.starts_at, a.ends_at, a.price_minor,
                a.currency, a.notes, a.version, a.created_at, a.cancelled_at, a.cancelled_by, a.cancel_reason,
                a.late_cancellation, a.squeezed_in, a.series_id, a.occurrence, a.planned_at,
                c.name AS customer_name, c.phone AS customer_phone,
                i.service_id, i.employee_id, i.starts_at AS item_starts_at, i.ends_at AS item_ends_at,
                i.guest, i.price_minor AS item_price_minor, i.extra_minutes, i.wished_id,
                i.only_wished, i.resource_ids, s.name AS service_name, e.name AS employee_name,
                w.name AS wished_name,
                ARRAY(SELECT r.name FROM unnest(i.resource_ids) WITH ORDINALITY AS u (id, place)
                    JOIN resource r ON r.business_id = :business_id AND r.id = u.id
                        ORDER BY u.place) AS resource_names
            FROM (SELECT * FROM appointment WHERE business_id = :business_id AND ",
            $which,
            ") a
            JOIN appointment_item i ON i.business_id = :business_id AND i.visit_id = a.id
            JOIN service s ON s.business_id = :business_id AND s.id = i.service_id
            LEFT JOIN employee e ON e.business_id = :business_id AND e.id = i.employee_id
            LEFT JOIN employee w ON w.business_id = :business_id AND w.id = i.wished_id
            LEFT JOIN customer c ON c.business_id = :business_id AND c.id = a.customer_id
            ORDER BY a.starts_at, a.id, i.position"
        )
    };
}

/// One appointment.
pub const APPOINTMENT: &str = select_appointments!("id = :id");
/// Appointments by their ids.
pub const APPOINTMENTS_BY_ID: &str = select_appointments!("id = ANY(:ids::uuid[])");
/// A page of appointments by start.
pub const APPOINTMENTS_BY_START: &str = select_appointments!(
    "starts_at >= :from AND starts_at < :to AND (starts_at, id) > (:after_start, :after_id)
        ORDER BY starts_at, id LIMIT :rows"
);
/// Visits that start within a span and were not cancelled.
pub const VISITS_BY_START: &str =
    select_appointments!("starts_at >= :from AND starts_at < :to AND state <> 'CANCELLED'");
/// A page of a customer's appointments to come.
pub const UPCOMING_OF_CUSTOMER: &str = select_appointments!(
    "customer_id = ANY(ARRAY(SELECT :customer_id::uuid UNION ALL
            SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :customer_id))
        AND (starts_at, id) > (:after_start, :after_id) AND starts_at >= :now
        AND (:with_cancelled OR state <> 'CANCELLED')
    ORDER BY starts_at, id LIMIT :rows"
);
/// A page of a customer's past appointments, the latest first.
pub const PAST_OF_CUSTOMER: &str = select_appointments!(
    "customer_id = ANY(ARRAY(SELECT :customer_id::uuid UNION ALL
            SELECT id FROM customer WHERE business_id = :business_id AND merged_into = :customer_id))
        AND (starts_at, id) < (:after_start, :after_id) AND starts_at < :now
        AND (:with_cancelled OR state <> 'CANCELLED')
    ORDER BY starts_at DESC, id DESC LIMIT :rows"
);
/// The appointments of a series.
pub const APPOINTMENTS_OF_SERIES: &str = select_appointments!("series_id = :series_id");
/// An appointment, its items, where it began and the time it takes, in one way there and back.
const ADD: &str = concat!(
    "WITH booked AS (
        INSERT INTO appointment (business_id, id, state, customer_id, call_id, starts_at, ends_at, price_minor,
            currency, notes, version, created_at, squeezed_in, series_id, occurrence, planned_at)
        VALUES (:business_id, :visit_id, :state, :customer_id, :call_id, :starts_at, :ends_at, :price_minor,
            :currency, :notes, :version, :created_at, :squeezed_in, :series_id, :occurrence, :planned_at)
    ), begun AS (
        INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by)
        VALUES (:business_id, :visit_id, 1, :begun_as, :now, :actor)
    ), taken AS (",
    add_rows!(),
    ") ",
    add_items!("appointment_item")
);
const SAVE_STATE: &str = "UPDATE appointment
    SET state = :state, version = :version, cancelled_at = :cancelled_at, cancelled_by = :cancelled_by,
        cancel_reason = :cancel_reason, late_cancellation = :late
    WHERE business_id = :business_id AND id = :id";

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

/// What an item's service, employees and resources are called, empty while that is not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ItemNames {
    /// The service.
    pub service: String,
    /// Who does it.
    pub employee: String,
    /// Whom the customer asked for.
    pub wished: String,
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
        let rows = self.all::<Row, _>(APPOINTMENT, named! { business_id: self.business.0, id: id.0 }).await?;
        gather(rows).pop().ok_or(Error::NotFound("appointment"))
    }

    /// Appointments of these ids, as far as there are any, by start.
    pub(crate) async fn appointments_of(&self, ids: &[VisitId]) -> Result<Vec<StoredAppointment>, Error> {
        let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
        Ok(gather(
            self.all::<Row, _>(APPOINTMENTS_BY_ID, named! { business_id: self.business.0, ids }).await?,
        ))
    }

    /// Appointments that start within `starts`, after the one that started and is
    /// called `after`, by start.
    pub async fn appointments(
        &self,
        starts: Span,
        after: (Timestamp, VisitId),
        rows: u32,
    ) -> Result<Vec<StoredAppointment>, Error> {
        let values = named! {
            business_id: self.business.0,
            from: to_db(starts.starts_at()),
            to: to_db(starts.ends_at()),
            after_start: to_db(after.0),
            after_id: after.1.0,
            rows: i64::from(rows),
        };
        Ok(gather(self.all::<Row, _>(APPOINTMENTS_BY_START, values).await?))
    }

    /// All visits that start within `starts` and were not cancelled, by start.
    pub async fn visits_starting(&self, starts: Span) -> Result<Vec<StoredAppointment>, Error> {
        let values = named! {
            business_id: self.business.0,
            from: to_db(starts.starts_at()),
            to: to_db(starts.ends_at()),
        };
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
        let values = named! {
            business_id: self.business.0,
            customer_id: which.customer.0,
            after_start: to_db(after.0),
            after_id: after.1.0,
            now: self.at(),
            with_cancelled: which.cancelled,
            rows: i64::from(rows),
        };
        let mut found = gather(self.all::<Row, _>(sql, values).await?);
        if !which.upcoming {
            found.reverse();
        }
        Ok(found)
    }

    /// The appointments of a series, by start.
    pub async fn appointments_of_series(&self, series: SeriesId) -> Result<Vec<StoredAppointment>, Error> {
        let key = named! { business_id: self.business.0, series_id: series.0 };
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
        let values = named! {
            business_id: self.business.0,
            visit_id: appointment.id.0,
            state: stage_name(appointment.state.stage()),
            customer_id: occasion.customer.map(|customer| customer.0),
            call_id: occasion.call.map(|call| call.0),
            starts_at: to_db(appointment.starts_at),
            ends_at: to_db(appointment.ends_at),
            price_minor: appointment.price.minor,
            currency: appointment.price.currency.as_str(),
            notes: occasion.notes.as_str(),
            version: appointment.version,
            created_at: to_db(appointment.created_at),
            squeezed_in: appointment.squeezed_in,
            series_id: occurrence.map(|occurrence| occurrence.series.0),
            occurrence: occurrence.map(|occurrence| i16::from(occurrence.number)),
            planned_at: occurrence.map(|occurrence| to_db(occurrence.planned_at)),
            begun_as: stage_name(Stage::Booked),
            now: self.at(),
            actor: self.actor(),
        };
        let rows = self.row_columns(Purpose::of(appointment), occupied, no_sources(occupied));
        self.try_execute(ADD, values.and(item_columns(&appointment.items)).and(rows))
            .await
            .map_err(refused)?;
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
        let values = named! {
            business_id: self.business.0,
            id: appointment.id.0,
            state: stage_name(appointment.state.stage()),
            version: appointment.version,
            cancelled_at: cancellation.map(|cancelled| to_db(cancelled.at)),
            cancelled_by: cancellation.map(|cancelled| cancelled.by.clone()),
            cancel_reason: cancellation.map(|cancelled| cancelled.reason.clone()),
            late: appointment.state.was_cancelled_late(),
        };
        self.execute(SAVE_STATE, values).await.map(drop)
    }
}
