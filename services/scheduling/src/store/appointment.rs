//! Appointments.

mod row;
mod save;

use database::{named, to_db};
use engine::{
    appointment::Appointment,
    id::{CustomerId, SeriesId, VisitId},
    span::Span,
};
use jiff::Timestamp;
use uuid::Uuid;

use self::row::Row;
use super::Tx;
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
}
