//! Changes of the working time, and the appointments that they strand.

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::{CustomerId, EmployeeId, VisitId},
    schedule::Schedule,
    span::Span,
    stranding::{Idle, Stay},
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, settings::ScheduleVersion};
use crate::{Error, domain::contact::Contact};

/// Most stranded appointments that the answer to a change of working time lists.
const MOST_TOLD: usize = 200;
/// Rows read at once.
const BATCH: usize = 20_000;
/// A row of the ledger is no longer: its table's check `ledger_length`.
const LONGEST_ROW: SignedDuration = SignedDuration::from_hours(25);

/// Employees' parts of appointments that end after an instant and whose customers are still expected: the next batch.
pub const STAYS: &str = "SELECT l.visit_id, l.subject_id, a.starts_at, a.squeezed_in,
        lower(l.service_during) AS serves_from, upper(l.service_during) AS serves_to, c.name AS customer_name,
        l.starts_at AS row_starts_at, l.ends_at AS row_ends_at, l.id AS row_id
    FROM ledger l
    JOIN appointment a ON a.business_id = :business_id AND a.id = l.visit_id
    LEFT JOIN customer c ON c.business_id = :business_id AND c.id = a.customer_id
    WHERE l.business_id = :business_id AND l.is_open AND l.kind = 'BOOKING'
        AND l.subject_id = ANY(:employee_ids::uuid[])
        AND l.starts_at >= :after_at AND (l.starts_at, l.id) > (:after_at, :after_id) AND l.ends_at > :since
        AND a.state IN ('BOOKED', 'CONFIRMED')
    ORDER BY l.starts_at, l.id LIMIT :batch";

/// An appointment that a change strands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stranded {
    /// The appointment.
    pub appointment: VisitId,
    /// When the customer comes.
    pub starts_at: Timestamp,
    /// When the customer leaves.
    pub ends_at: Option<Timestamp>,
    /// Whose working time it would be outside of.
    pub employee: EmployeeId,
    /// Empty while it is not known.
    pub employee_name: String,
    /// Empty for an unnamed customer.
    pub customer_name: String,
    /// What is done, in order; empty where a change is asked about, like what follows.
    pub services: Vec<String>,
    /// `None` for an unnamed customer.
    pub customer: Option<CustomerId>,
    /// E.164; empty for an unnamed customer.
    pub customer_phone: String,
    /// Why the employee is not at work.
    pub idle: Option<Idle>,
    /// Calls that left it open, the latest first.
    pub contacts: Vec<Contact>,
}

/// A change of working time, with the schedule locked exclusively.
#[derive(Debug)]
pub struct ScheduleEdit {
    /// The version of the new schedule.
    pub version: ScheduleVersion,
    /// The schedule before; `None` if the business had none.
    before: Option<Schedule>,
}

#[derive(FromQueryResult)]
struct Row {
    visit_id: Uuid,
    subject_id: Uuid,
    starts_at: DateTime<Utc>,
    squeezed_in: bool,
    serves_from: DateTime<Utc>,
    serves_to: DateTime<Utc>,
    customer_name: Option<String>,
    row_starts_at: DateTime<Utc>,
    row_ends_at: DateTime<Utc>,
    row_id: Uuid,
}

/// A stay of an appointment whose customer is still expected.
pub(crate) struct Coming {
    /// The stay.
    pub stay: Stay,
    /// When its appointment starts.
    pub starts_at: Timestamp,
    /// When the employee is free again.
    pub ends_at: Timestamp,
    customer_name: String,
    /// Its place in the order of stays.
    place: (Timestamp, Uuid),
}

impl TryFrom<Row> for Coming {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let span = Span::new(from_db(row.serves_from), from_db(row.serves_to));
        let stay = Stay {
            appointment: VisitId(row.visit_id),
            employee: EmployeeId(row.subject_id),
            span: span.ok_or(Error::Stored("ledger row"))?,
            squeezed_in: row.squeezed_in,
        };
        Ok(Self {
            stay,
            starts_at: from_db(row.starts_at),
            ends_at: from_db(row.row_ends_at),
            customer_name: row.customer_name.unwrap_or_default(),
            place: (from_db(row.row_starts_at), row.row_id),
        })
    }
}

impl Tx {
    /// Begins a change of the working time.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn edit_schedule(&self) -> Result<ScheduleEdit, Error> {
        let version = self.next_schedule().await?;
        Ok(ScheduleEdit { version, before: Some(self.read_schedule().await?) })
    }

    /// Begins a change of the working time that sets its zone as well, and the settings of a
    /// business that has none yet. The caller has [taken the turn](Self::take_schedule_turn).
    pub async fn edit_zone(&self, zone: &TimeZone) -> Result<ScheduleEdit, Error> {
        let before = match self.read_schedule().await {
            Ok(schedule) => Some(schedule),
            Err(Error::BusinessUnknown) => None,
            Err(error) => return Err(error),
        };
        Ok(ScheduleEdit { version: self.set_zone(zone).await?, before })
    }

    /// Appointments to come that have lost working time since `edit` began, by start: of one
    /// employee, or of everybody.
    pub async fn stranded(
        &self,
        edit: &ScheduleEdit,
        employee: Option<EmployeeId>,
    ) -> Result<Vec<Stranded>, Error> {
        let Some(before) = &edit.before else { return Ok(vec![]) };
        let after = self.read_schedule().await?;
        let mut found: Vec<Stranded> = vec![];
        for Coming { stay, starts_at, customer_name, .. } in
            self.stays_after(before, employee, self.now()).await?
        {
            let is_known = found.iter().rev().any(|known| known.appointment == stay.appointment);
            if is_known || !before.is_stranded(&after, &stay) {
                continue;
            }
            found.push(Stranded {
                appointment: stay.appointment,
                starts_at,
                ends_at: None,
                employee: stay.employee,
                employee_name: before.name_of(stay.employee).to_owned(),
                customer_name,
                services: vec![],
                customer: None,
                customer_phone: String::new(),
                idle: None,
                contacts: vec![],
            });
            if found.len() == MOST_TOLD {
                break;
            }
        }
        found.sort_by_key(|stranded| (stranded.starts_at, stranded.appointment));
        Ok(found)
    }

    /// Employees' parts of appointments that end after `since`, of one employee or of all. All of them, by start: one
    /// that is left out would be a customer whom no list names.
    pub(crate) async fn stays_after(
        &self,
        schedule: &Schedule,
        employee: Option<EmployeeId>,
        since: Timestamp,
    ) -> Result<Vec<Coming>, Error> {
        let employees: Vec<_> = match employee {
            Some(employee) => vec![employee.0],
            // Those with hours, and those who have visits without any.
            None => schedule.rotas.keys().chain(schedule.names.keys()).map(|employee| employee.0).collect(),
        };
        let mut all: Vec<Coming> = vec![];
        let mut after = (since - LONGEST_ROW, Uuid::nil());
        loop {
            let values = named! {
                business_id: self.business.0,
                employee_ids: employees.clone(),
                since: to_db(since),
                after_at: to_db(after.0),
                after_id: after.1,
                batch: BATCH as i64,
            };
            let batch: Vec<Coming> = self.all::<Row, _>(STAYS, values).await?;
            let is_last = batch.len() < BATCH;
            after = batch.last().map_or(after, |last| last.place);
            all.extend(batch);
            if is_last {
                return Ok(all);
            }
        }
    }
}
