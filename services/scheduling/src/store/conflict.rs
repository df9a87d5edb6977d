//! Busy facts that lie over bookings.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    id::{EmployeeId, FactId, VisitId},
    span::Span,
    visit::Occupied,
};
use jiff::Timestamp;
use proto::frontdesk::events::v1::{ConflictRecorded, event::Payload};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, appointment::StoredAppointment, busy::source, ledger::BusyTime};
use crate::{
    Error,
    domain::{
        busy::{Fact, Source},
        id::{ConflictId, SourceId},
    },
};

/// A page of open conflicts by start.
pub const CONFLICTS_BY_START: &str = "
    SELECT k.id, k.employee_id, k.appointment_id, k.starts_at, k.ends_at, f.origin, f.source_id, f.title,
        e.name AS employee_name
    FROM (SELECT * FROM conflict WHERE business_id = :business_id AND closed_at IS NULL
            AND (starts_at, id) > (:after_start, :after_id)
        ORDER BY starts_at, id LIMIT :rows) k
    JOIN busy_fact f ON f.business_id = :business_id AND f.id = k.fact_id
    LEFT JOIN employee e ON e.business_id = :business_id AND e.id = k.employee_id
    ORDER BY k.starts_at, k.id";
const ADD: &str = "INSERT INTO conflict
        (business_id, id, fact_id, appointment_id, employee_id, starts_at, ends_at, recorded_at)
    VALUES (:business_id, :id, :fact_id, :appointment_id, :employee_id, :starts_at, :ends_at, :now)";
/// What a closed conflict leaves behind: the fact's time, as the fact is now.
macro_rules! close {
    ($which:literal) => {
        concat!(
            "UPDATE conflict k SET closed_at = :now FROM busy_fact f
            WHERE k.business_id = :business_id AND k.closed_at IS NULL AND ",
            $which,
            " AND f.business_id = :business_id AND f.id = k.fact_id
            RETURNING k.id, k.fact_id, f.employee_id, f.starts_at, f.ends_at"
        )
    };
}
const CLOSE_SOME: &str = close!("k.id = ANY(:ids::uuid[])");
const CLOSE_OF_FACTS: &str = close!("k.fact_id = ANY(:fact_ids::uuid[])");
const OPEN_OF_APPOINTMENT: &str = "SELECT k.id, k.fact_id, f.employee_id, f.starts_at, f.ends_at
    FROM conflict k JOIN busy_fact f ON f.business_id = :business_id AND f.id = k.fact_id
    WHERE k.business_id = :business_id AND k.appointment_id = :appointment_id
        AND k.closed_at IS NULL
    ORDER BY k.id";
const FACTS_IN_CONFLICT: &str = "SELECT count(DISTINCT k.fact_id) AS facts
    FROM busy_fact f JOIN conflict k ON k.business_id = :business_id AND k.fact_id = f.id
        AND k.closed_at IS NULL
    WHERE f.business_id = :business_id AND f.source_id = :source_id
        AND f.external_id = ANY(:external_ids::text[])";

/// A conflict that the salon has to settle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenConflict {
    /// Its id.
    pub id: ConflictId,
    /// Whose time.
    pub employee: EmployeeId,
    /// What the employee is called, as far as that is known here.
    pub employee_name: String,
    /// The booking.
    pub appointment: StoredAppointment,
    /// Where the fact comes from.
    pub source: Source,
    /// What it is called there.
    pub title: String,
    /// When it takes place.
    pub span: Span,
}

/// A conflict with its fact as that is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Met {
    id: ConflictId,
    fact: FactId,
    employee: EmployeeId,
    span: Option<Span>,
}

#[derive(FromQueryResult)]
struct OpenRow {
    id: Uuid,
    employee_id: Uuid,
    appointment_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    origin: String,
    source_id: Uuid,
    title: String,
    employee_name: Option<String>,
}

#[derive(FromQueryResult)]
struct MetRow {
    id: Uuid,
    fact_id: Uuid,
    employee_id: Uuid,
    starts_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
}

#[derive(FromQueryResult)]
struct CountRow {
    facts: i64,
}

impl From<CountRow> for i64 {
    fn from(row: CountRow) -> Self {
        row.facts
    }
}

impl OpenRow {
    fn with(self, appointment: StoredAppointment) -> Result<OpenConflict, Error> {
        let span = Span::new(from_db(self.starts_at), from_db(self.ends_at));
        Ok(OpenConflict {
            id: ConflictId(self.id),
            employee: EmployeeId(self.employee_id),
            employee_name: self.employee_name.unwrap_or_default(),
            appointment,
            source: source(&self.origin, self.source_id)?,
            title: self.title,
            span: span.ok_or(Error::Stored("conflict"))?,
        })
    }
}

impl From<MetRow> for Met {
    fn from(row: MetRow) -> Self {
        let span = row.starts_at.zip(row.ends_at);
        Self {
            id: ConflictId(row.id),
            fact: FactId(row.fact_id),
            employee: EmployeeId(row.employee_id),
            span: span.and_then(|(from, to)| Span::new(from_db(from), from_db(to))),
        }
    }
}

impl Met {
    /// What of the fact's time the rows `before` took and `after` do not.
    fn freed(&self, before: &[Occupied], after: &[Occupied]) -> Vec<BusyTime> {
        let mut kept: Vec<_> = self.rows_of(after).map(|row| row.during).collect();
        kept.sort_unstable();
        let shared = self.rows_of(before).filter_map(|row| self.span?.intersection(row.during));
        let freed = shared.flat_map(|span| span.without(&kept));
        freed.map(|span| BusyTime { fact: self.fact, employee: self.employee, span }).collect()
    }

    fn lies_over(&self, rows: &[Occupied]) -> bool {
        self.rows_of(rows).any(|row| self.span.is_some_and(|span| span.overlaps(row.during)))
    }

    fn rows_of<'a>(&self, rows: &'a [Occupied]) -> impl Iterator<Item = &'a Occupied> {
        let employee = self.employee.into();
        rows.iter().filter(move |row| row.subject == employee)
    }
}

impl Tx {
    /// Conflicts that are open, by start, after the one that starts and is called `after`.
    pub async fn conflicts(
        &self,
        after: (Timestamp, ConflictId),
        rows: u32,
    ) -> Result<Vec<OpenConflict>, Error> {
        let (starts_at, id) = after;
        let values = named! {
            business_id: self.business.0,
            after_start: to_db(starts_at),
            after_id: id.0,
            rows: i64::from(rows),
        };
        let rows: Vec<OpenRow> = self.all::<OpenRow, OpenRow>(CONFLICTS_BY_START, values).await?;
        let mut booked: Vec<_> = rows.iter().map(|row| VisitId(row.appointment_id)).collect();
        booked.sort_unstable();
        booked.dedup();
        let booked = self.appointments_of(&booked).await?;
        let booked: HashMap<_, _> =
            booked.into_iter().map(|booked| (booked.appointment.id, booked)).collect();
        let with_booking = |row: OpenRow| {
            let appointment = booked.get(&VisitId(row.appointment_id)).cloned();
            row.with(appointment.ok_or(Error::Stored("conflict"))?)
        };
        rows.into_iter().map(with_booking).collect()
    }

    /// Gives what an appointment takes no more, once it takes `after` instead of `before`, to the
    /// facts that lay over it, and settles those of its conflicts that are none any more.
    pub(crate) async fn settle_conflicts_of(
        &self,
        appointment: VisitId,
        before: &[Occupied],
        after: &[Occupied],
    ) -> Result<(), Error> {
        let key = named! { business_id: self.business.0, appointment_id: appointment.0 };
        let met: Vec<Met> = self.all::<MetRow, _>(OPEN_OF_APPOINTMENT, key).await?;
        let times: Vec<_> = met.iter().flat_map(|conflict| conflict.freed(before, after)).collect();
        self.occupy_busy(&times).await?;
        let over: Vec<_> = met.iter().filter(|met| !met.lies_over(after)).map(|met| met.id.0).collect();
        let values = named! { business_id: self.business.0, now: self.at(), ids: over };
        let settled: Vec<Met> = self.all::<MetRow, _>(CLOSE_SOME, values).await?;
        self.publish_settled(&settled).await
    }

    /// Settles the conflicts of facts that are gone or have moved.
    pub(crate) async fn settle_conflicts_of_facts(&self, facts: &[FactId]) -> Result<(), Error> {
        let ids: Vec<_> = facts.iter().map(|fact| fact.0).collect();
        let values = named! { business_id: self.business.0, now: self.at(), fact_ids: ids };
        let settled: Vec<Met> = self.all::<MetRow, _>(CLOSE_OF_FACTS, values).await?;
        self.publish_settled(&settled).await
    }

    /// Records that a fact lies over a booking.
    pub(crate) async fn add_conflict(
        &self,
        fact: &Fact,
        span: Span,
        appointment: VisitId,
    ) -> Result<(), Error> {
        let id: ConflictId = self.new_id();
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            fact_id: fact.id.0,
            appointment_id: appointment.0,
            employee_id: fact.report.employee.0,
            starts_at: to_db(span.starts_at()),
            ends_at: to_db(span.ends_at()),
            now: self.at(),
        };
        self.execute(ADD, values).await?;
        self.store.measure.conflict();
        self.publish_conflict(id, 1).await
    }

    /// How many of a source's facts lie over a booking.
    pub(crate) async fn facts_in_conflict(
        &self,
        source: SourceId,
        external_ids: Vec<String>,
    ) -> Result<i64, Error> {
        let values = named! { business_id: self.business.0, source_id: source.0, external_ids };
        Ok(self.one::<CountRow, _>(FACTS_IN_CONFLICT, values).await?.unwrap_or(0))
    }

    async fn publish_settled(&self, settled: &[Met]) -> Result<(), Error> {
        for conflict in settled {
            self.publish_conflict(conflict.id, 2).await?;
        }
        Ok(())
    }

    /// Version 1 records a conflict, version 2 settles it.
    async fn publish_conflict(&self, id: ConflictId, version: i64) -> Result<(), Error> {
        let payload = Payload::Conflict(ConflictRecorded { conflict_id: id.to_string() });
        self.publish_change(id, version, payload).await
    }
}
