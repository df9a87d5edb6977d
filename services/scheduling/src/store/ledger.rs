//! The occupancy ledger: rows are added and closed, never changed or deleted.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, Utc};
use database::{Named, constraint, from_db, named, to_db};
use engine::{
    day::Day,
    id::{BlockId, EmployeeId, FactId, SubjectId, VisitId},
    refusal::Refusal,
    span::Span,
    visit::Occupied,
};
use jiff::{Timestamp, tz::TimeZone};
use sea_orm::{DbErr, FromQueryResult, Value};
use uuid::Uuid;

use super::{
    Tx,
    purpose::{BOOKING, Purpose},
};
use crate::{Error, domain::block::Block, measure::Figure};

/// Rows of the ledger for `:visit_id`; [`Tx::row_columns`] are the other parameters. The source is the fact
/// or the block that a row of such a kind is for.
macro_rules! add_rows {
    () => {
        "INSERT INTO ledger (business_id, id, subject_id, visit_id, fact_id, block_id, kind, blocking, during,
            service_during, expires_at, recorded)
        SELECT :business_id, r.id, r.subject_id, :visit_id,
            CASE :kind::text WHEN 'BUSY' THEN r.source_id END, CASE :kind WHEN 'BLOCK' THEN r.source_id END,
            :kind, :blocking, tstzrange(r.from_at, r.to_at), tstzrange(r.serves_from, r.serves_to),
            :expires_at, tstzrange(:recorded_at, NULL)
        FROM unnest(:row_ids::uuid[], :subjects::uuid[], :sources::uuid[], :row_starts::timestamptz[],
                :row_ends::timestamptz[], :service_starts::timestamptz[], :service_ends::timestamptz[])
            AS r (id, subject_id, source_id, from_at, to_at, serves_from, serves_to)"
    };
}
pub(crate) use add_rows;

const ADD: &str = add_rows!();

/// How a row is closed at `:closed_at`: it counted for a microsecond at least, also where
/// clocks differ.
macro_rules! close {
    ($rest:literal) => {
        concat!(
            "UPDATE ledger SET recorded = tstzrange(lower(recorded),
                greatest(:closed_at::timestamptz, lower(recorded) + interval '1 microsecond'))
            WHERE business_id = :business_id AND ",
            $rest
        )
    };
}

const CLOSE_VISIT: &str = close!(
    "is_open AND visit_id = :visit_id RETURNING subject_id, starts_at, ends_at,
        lower(service_during) AS serves_from, upper(service_during) AS serves_to"
);
const CLOSE_VISITS: &str = close!("is_open AND visit_id = ANY(:visit_ids::uuid[])");
const CLOSE_FACTS: &str = close!("is_open AND fact_id = ANY(:fact_ids::uuid[])");
const CLOSE_BLOCK: &str = close!("is_open AND kind = 'BLOCK' AND block_id = :block_id");
/// Closes the expired holds of some days. In one order for all transactions,
/// since a hold over midnight lies in two days.
pub const CLOSE_EXPIRED: &str = close!(
    "id IN (
        WITH expired AS MATERIALIZED (
            SELECT DISTINCT h.id FROM unnest(:starts::timestamptz[], :ends::timestamptz[])
                AS d (starts_at, ends_at)
            CROSS JOIN LATERAL (
                SELECT id FROM ledger WHERE business_id = :business_id AND is_open AND kind = 'HOLD'
                    AND starts_at >= d.starts_at - interval '25 hours'
                    AND starts_at < d.ends_at AND ends_at > d.starts_at AND expires_at <= :now
                -- Keeps the planner from reading all holds of the business to join them with the days.
                OFFSET 0
            ) h
        )
        SELECT l.id FROM ledger l JOIN expired ON expired.id = l.id
        WHERE l.business_id = :business_id AND l.is_open ORDER BY l.id FOR UPDATE OF l)
    RETURNING visit_id"
);
macro_rules! booked_rows {
    ($which:literal) => {
        concat!(
            "SELECT subject_id, starts_at, ends_at,
                lower(service_during) AS serves_from, upper(service_during) AS serves_to
            FROM ledger WHERE business_id = :business_id AND visit_id = :visit_id AND kind = 'BOOKING' AND ",
            $which,
            " ORDER BY starts_at, id"
        )
    };
}

const BOOKED_ROWS: &str = booked_rows!("is_open");
/// What a booked visit took before something changed at an instant.
pub const BOOKED_ROWS_BEFORE: &str =
    booked_rows!("lower(recorded) < :at AND (upper(recorded) >= :at OR is_open)");
/// What booked visits take.
pub const BOOKED_ROWS_OF: &str = "SELECT visit_id, subject_id, starts_at, ends_at,
        lower(service_during) AS serves_from, upper(service_during) AS serves_to
    FROM ledger WHERE business_id = :business_id AND is_open AND visit_id = ANY(:visit_ids::uuid[])
        AND kind = 'BOOKING'
    ORDER BY starts_at, id";
/// From when to when visits take up time.
pub const VISIT_SPANS: &str = "SELECT min(starts_at) AS starts_at, max(ends_at) AS ends_at FROM ledger
    WHERE business_id = :business_id AND is_open AND visit_id = ANY(:visit_ids::uuid[]) GROUP BY visit_id";
/// Bookings and holds of an employee that share time with a span.
pub const COLLIDING: &str = "SELECT visit_id, kind, starts_at, ends_at FROM ledger
    WHERE business_id = :business_id AND is_open AND blocking AND subject_id = :subject_id
        AND kind IN ('BOOKING', 'HOLD')
        AND starts_at >= :from::timestamptz - interval '25 hours' AND starts_at < :to AND ends_at > :from
    ORDER BY starts_at";

/// A stretch of an employee's time that a busy fact takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BusyTime {
    pub fact: FactId,
    pub employee: EmployeeId,
    pub span: Span,
}

/// A booking or a hold in the way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collision {
    pub visit: VisitId,
    pub is_booking: bool,
    pub span: Span,
}

#[derive(FromQueryResult)]
struct OccupiedRow {
    subject_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    serves_from: DateTime<Utc>,
    serves_to: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct VisitRow {
    visit_id: Uuid,
    subject_id: Uuid,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    serves_from: DateTime<Utc>,
    serves_to: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct SpanRow {
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
}

#[derive(FromQueryResult)]
struct CollisionRow {
    visit_id: Uuid,
    kind: String,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
}

fn span(starts_at: DateTime<Utc>, ends_at: DateTime<Utc>) -> Result<Span, Error> {
    Span::new(from_db(starts_at), from_db(ends_at)).ok_or(Error::Stored("span"))
}

impl TryFrom<OccupiedRow> for Occupied {
    type Error = Error;
    fn try_from(row: OccupiedRow) -> Result<Self, Error> {
        Ok(Self {
            subject: SubjectId(row.subject_id),
            during: span(row.starts_at, row.ends_at)?,
            service: span(row.serves_from, row.serves_to)?,
        })
    }
}

impl TryFrom<VisitRow> for (VisitId, Occupied) {
    type Error = Error;
    fn try_from(row: VisitRow) -> Result<Self, Error> {
        let VisitRow { visit_id, subject_id, starts_at, ends_at, serves_from, serves_to } = row;
        let occupied = OccupiedRow { subject_id, starts_at, ends_at, serves_from, serves_to };
        Ok((VisitId(visit_id), occupied.try_into()?))
    }
}

impl TryFrom<SpanRow> for Span {
    type Error = Error;
    fn try_from(row: SpanRow) -> Result<Self, Error> {
        span(row.starts_at, row.ends_at)
    }
}

impl TryFrom<CollisionRow> for Collision {
    type Error = Error;
    fn try_from(row: CollisionRow) -> Result<Self, Error> {
        let span = span(row.starts_at, row.ends_at)?;
        Ok(Self { visit: VisitId(row.visit_id), is_booking: row.kind == BOOKING, span })
    }
}

impl Tx {
    /// Adds the rows of a visit.
    ///
    /// # Errors
    /// SLOT_TAKEN, where the time is not free.
    pub(crate) async fn occupy(&self, purpose: Purpose, rows: &[Occupied]) -> Result<(), Error> {
        let values = self.ledger_columns(purpose, rows, no_sources(rows));
        self.try_execute(ADD, values).await.map(drop).map_err(refused)
    }

    /// Adds rows of busy facts.
    ///
    /// # Errors
    /// SLOT_TAKEN, where one lies over a booking or a hold.
    pub(crate) async fn occupy_busy(&self, times: &[BusyTime]) -> Result<(), Error> {
        let row = |time: &BusyTime| Occupied {
            subject: time.employee.into(),
            during: time.span,
            service: time.span,
        };
        let rows: Vec<_> = times.iter().map(row).collect();
        let facts = times.iter().map(|time| time.fact.0).collect();
        self.try_execute(ADD, self.ledger_columns(Purpose::Busy, &rows, facts))
            .await
            .map(drop)
            .map_err(refused)
    }

    /// Adds the row of a block.
    ///
    /// # Errors
    /// SLOT_TAKEN, where it lies over a booking or a hold.
    pub(crate) async fn occupy_block(&self, block: &Block) -> Result<(), Error> {
        let row = Occupied { subject: block.employee.into(), during: block.span, service: block.span };
        let values = self.ledger_columns(Purpose::Block, &[row], vec![block.id.0]);
        self.try_execute(ADD, values).await.map(drop).map_err(refused)
    }

    pub(crate) async fn close_block(&self, block: BlockId) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, closed_at: self.changes_at(), block_id: block.0 };
        self.execute(CLOSE_BLOCK, values).await.map(drop)
    }

    /// Closes the rows of a visit, and says what it took.
    pub(crate) async fn close_visit(&self, visit: VisitId) -> Result<Vec<Occupied>, Error> {
        self.all::<OccupiedRow, _>(
            CLOSE_VISIT,
            named! { business_id: self.business.0, closed_at: self.changes_at(), visit_id: visit.0 },
        )
        .await
    }

    /// What a booked visit takes.
    pub(crate) async fn booked_rows(&self, visit: VisitId) -> Result<Vec<Occupied>, Error> {
        self.all::<OccupiedRow, _>(BOOKED_ROWS, named! { business_id: self.business.0, visit_id: visit.0 })
            .await
    }

    /// What booked visits take.
    pub(crate) async fn booked_rows_of(
        &self,
        visits: &[VisitId],
    ) -> Result<HashMap<VisitId, Vec<Occupied>>, Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        let mut rows: HashMap<_, Vec<_>> = HashMap::new();
        let found = self
            .all::<VisitRow, _>(BOOKED_ROWS_OF, named! { business_id: self.business.0, visit_ids: ids })
            .await?;
        for (visit, row) in found {
            rows.entry(visit).or_default().push(row);
        }
        Ok(rows)
    }

    /// What a booked visit took before something changed at `at`.
    pub(crate) async fn booked_rows_before(
        &self,
        visit: VisitId,
        at: Timestamp,
    ) -> Result<Vec<Occupied>, Error> {
        let values = named! { business_id: self.business.0, visit_id: visit.0, at: to_db(at) };
        self.all::<OccupiedRow, _>(BOOKED_ROWS_BEFORE, values).await
    }

    pub(crate) async fn close_visits(&self, visits: &[VisitId]) -> Result<(), Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        self.execute(
            CLOSE_VISITS,
            named! { business_id: self.business.0, closed_at: self.changes_at(), visit_ids: ids },
        )
        .await
        .map(drop)
    }

    pub(crate) async fn close_facts(&self, facts: &[FactId]) -> Result<(), Error> {
        let ids: Vec<_> = facts.iter().map(|fact| fact.0).collect();
        self.execute(
            CLOSE_FACTS,
            named! { business_id: self.business.0, closed_at: self.changes_at(), fact_ids: ids },
        )
        .await
        .map(drop)
    }

    pub(crate) async fn close_expired_holds(&self, days: &[Day]) -> Result<(), Error> {
        let starts: Vec<_> = days.iter().map(|day| to_db(day.starts_at())).collect();
        let ends: Vec<_> = days.iter().map(|day| to_db(day.ends_at())).collect();
        let values = named! {
            business_id: self.business.0,
            closed_at: self.changes_at(),
            starts,
            ends,
            now: self.at(),
        };
        let expired: HashSet<Uuid> = self.values(CLOSE_EXPIRED, values).await?.into_iter().collect();
        self.tally(Figure::HoldExpired, expired.len());
        Ok(())
    }

    /// The days in which visits still take up time, ascending.
    pub(crate) async fn days_of_visits(
        &self,
        visits: &[VisitId],
        zone: &TimeZone,
    ) -> Result<Vec<Day>, Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        let spans = self
            .all::<SpanRow, Span>(VISIT_SPANS, named! { business_id: self.business.0, visit_ids: ids })
            .await?;
        Ok(days_of(&spans, zone))
    }

    /// Bookings and holds of an employee that share time with `span`, by start.
    pub(crate) async fn colliding(&self, employee: EmployeeId, span: Span) -> Result<Vec<Collision>, Error> {
        let values = named! {
            business_id: self.business.0,
            subject_id: employee.0,
            from: to_db(span.starts_at()),
            to: to_db(span.ends_at()),
        };
        self.all::<CollisionRow, _>(COLLIDING, values).await
    }

    fn ledger_columns(&self, purpose: Purpose, rows: &[Occupied], sources: Vec<Uuid>) -> Named {
        let key = named! { business_id: self.business.0, visit_id: purpose.visit().0 };
        key.and(self.row_columns(purpose, rows, sources))
    }

    /// What [`add_rows`] takes of them, beside the business and the visit.
    pub(crate) fn row_columns(&self, purpose: Purpose, rows: &[Occupied], sources: Vec<Uuid>) -> Named {
        let instants = |of: fn(&Occupied) -> Timestamp| -> Value {
            rows.iter().map(|row| to_db(of(row))).collect::<Vec<_>>().into()
        };
        named! {
            kind: purpose.name(),
            expires_at: purpose.expires_at().map(to_db),
            recorded_at: self.changes_at(),
            blocking: purpose.is_blocking(),
            row_ids: rows.iter().map(|_| self.new_id::<Uuid>()).collect::<Vec<_>>(),
            subjects: rows.iter().map(|row| row.subject.0).collect::<Vec<_>>(),
            sources,
            row_starts: instants(|row| row.during.starts_at()),
            row_ends: instants(|row| row.during.ends_at()),
            service_starts: instants(|row| row.service.starts_at()),
            service_ends: instants(|row| row.service.ends_at()),
        }
    }
}

/// The days that spans touch, each once, ascending.
pub(crate) fn days_of(spans: &[Span], zone: &TimeZone) -> Vec<Day> {
    let days = spans.iter().flat_map(|span| Day::covering(*span, zone));
    days.map(|day| (day.date(), day)).collect::<BTreeMap<_, _>>().into_values().collect()
}

/// Visits' rows are for no other record.
pub(crate) fn no_sources(rows: &[Occupied]) -> Vec<Uuid> {
    vec![Uuid::nil(); rows.len()]
}

/// What the ledger's constraints say.
pub(crate) fn refused(error: DbErr) -> Error {
    match constraint(&error).as_deref() {
        Some("ledger_no_overlap") => Refusal::SlotTaken.into(),
        _ => error.into(),
    }
}
