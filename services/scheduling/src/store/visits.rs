//! Several visits that are changed together, and what takes time around them.

use std::collections::BTreeMap;

use engine::{
    appointment::Appointment,
    day::Day,
    explanation::{Record, Taken},
    id::{FactId, SubjectId, VisitId},
    occupancy::Occupancy,
    schedule::Schedule,
    span::Span,
    visit::Occupied,
};
use jiff::tz::TimeZone;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use chrono::{DateTime, Utc};
use database::{from_db, named};

use super::Tx;
use crate::{Error, domain::hypothesis::Hypothesis};

/// As for one visit, in one order for everybody.
const TAKE_VISITS: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('visit:' || :business_id::uuid || v.id, 0))
    FROM (SELECT DISTINCT id FROM unnest(:ids::uuid[]) AS u (id) ORDER BY id) v";
/// Facts that lie over a visit take its time once it goes elsewhere.
pub const FACTS_OVER: &str = "SELECT f.id, f.employee_id, f.starts_at, f.ends_at FROM conflict k
    JOIN busy_fact f ON f.business_id = :business_id AND f.id = k.fact_id AND f.starts_at IS NOT NULL
    WHERE k.business_id = :business_id AND k.appointment_id = ANY(:visit_ids::uuid[])
        AND k.closed_at IS NULL";

/// A visit and what it takes.
#[derive(Debug, Clone)]
pub(crate) struct Affected {
    /// The visit.
    pub appointment: Appointment,
    /// What it takes from whom.
    pub rows: Vec<Occupied>,
}

#[derive(FromQueryResult)]
struct FactRow {
    id: Uuid,
    employee_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
}

impl TryFrom<FactRow> for Taken {
    type Error = Error;
    fn try_from(row: FactRow) -> Result<Self, Error> {
        let span = Span::new(from_db(row.starts_at), from_db(row.ends_at));
        Ok(Self {
            subject: SubjectId(row.employee_id),
            span: span.ok_or(Error::Stored("busy fact"))?,
            record: Record::Busy(FactId(row.id)),
        })
    }
}

impl Tx {
    /// Takes the turn to change visits, in the order of their ids.
    pub(crate) async fn take_visits(&self, ids: &[VisitId]) -> Result<BTreeMap<VisitId, Affected>, Error> {
        let values =
            named! { business_id: self.business.0, ids: ids.iter().map(|id| id.0).collect::<Vec<_>>() };
        self.execute(TAKE_VISITS, values).await?;
        self.affected(ids).await
    }

    /// Visits and what they take, as it is now.
    pub(crate) async fn affected(&self, ids: &[VisitId]) -> Result<BTreeMap<VisitId, Affected>, Error> {
        let mut rows = self.booked_rows_of(ids).await?;
        let visits = self.appointments_of(ids).await?.into_iter().map(|stored| stored.appointment);
        let affected = |appointment: Appointment| {
            let rows = rows.remove(&appointment.id).unwrap_or_default();
            (appointment.id, Affected { appointment, rows })
        };
        Ok(visits.map(affected).collect())
    }

    /// What takes time in `days`, which follow on each other, but for visits `without`, of whom
    /// those that are `leaving` give their time to the facts that lie over them. Read row by row: a
    /// day's bits don't tell whose they are.
    pub(crate) async fn occupancy(
        &self,
        schedule: &Schedule,
        days: &[Day],
        without: &[VisitId],
        leaving: &[VisitId],
    ) -> Result<Occupancy, Error> {
        let hypothesis = Hypothesis { without: without.to_vec(), ..Hypothesis::default() };
        let mut taken = self.taken_under(days, &hypothesis).await?;
        taken.extend(self.facts_over(leaving).await?);
        let taken = taken.iter().map(|taken| (taken.subject, taken.span)).collect();
        Ok(Occupancy::new(schedule, days.to_vec(), taken))
    }

    /// The facts that lie over visits: they take the time that these leave.
    pub(crate) async fn facts_over(&self, visits: &[VisitId]) -> Result<Vec<Taken>, Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        self.all::<FactRow, _>(FACTS_OVER, named! { business_id: self.business.0, visit_ids: ids }).await
    }
}

/// All days from the first instant of `spans` to the last.
pub(crate) fn taken_together(spans: impl Iterator<Item = Span>, zone: &TimeZone) -> Vec<Day> {
    spans.reduce(Span::hull).map(|whole| Day::covering(whole, zone)).unwrap_or_default()
}
