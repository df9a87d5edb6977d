//! The occupancy ledger: rows are added and closed, never changed or deleted.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use database::{constraint, from_db, to_db};
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
use crate::{Error, domain::block::Block};

/// Rows of the ledger. Parameters beside the business: the visit, kind, expiry, when they were written,
/// whether they block; ids, subjects, sources, starts and ends of each, and those of the service. The
/// source is the fact or the block that a row of such a kind is for.
macro_rules! add_rows {
    ($visit:literal, $kind:literal, $expires:literal, $recorded:literal, $blocking:literal, $ids:literal,
        $subjects:literal, $sources:literal, $from:literal, $to:literal, $serves_from:literal,
        $serves_to:literal) => {
        concat!(
            "INSERT INTO ledger (business_id, id, subject_id, visit_id, fact_id, block_id, kind,
                blocking, during, service_during, expires_at, recorded)
            SELECT $1, r.id, r.subject_id, ",
            $visit,
            ",
                CASE ",
            $kind,
            "::text WHEN 'BUSY' THEN r.source_id END,
                CASE ",
            $kind,
            " WHEN 'BLOCK' THEN r.source_id END, ",
            $kind,
            ", ",
            $blocking,
            ",
                tstzrange(r.from_at, r.to_at), tstzrange(r.serves_from, r.serves_to), ",
            $expires,
            ",
                tstzrange(",
            $recorded,
            ", NULL)
            FROM unnest(",
            $ids,
            "::uuid[], ",
            $subjects,
            "::uuid[], ",
            $sources,
            "::uuid[], ",
            $from,
            "::timestamptz[], ",
            $to,
            "::timestamptz[], ",
            $serves_from,
            "::timestamptz[], ",
            $serves_to,
            "::timestamptz[])
                AS r (id, subject_id, source_id, from_at, to_at, serves_from, serves_to)"
        )
    };
}
pub(crate) use add_rows;

const ADD: &str = add_rows!("$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13");

/// How a row is closed at $2: it counted for a microsecond at least, also where
/// clocks differ.
macro_rules! close {
    ($rest:literal) => {
        concat!(
            "UPDATE ledger SET recorded = tstzrange(lower(recorded),
                greatest($2::timestamptz, lower(recorded) + interval '1 microsecond'))
            WHERE business_id = $1 AND ",
            $rest
        )
    };
}

const CLOSE_VISIT: &str = close!(
    "is_open AND visit_id = $3 RETURNING subject_id, starts_at, ends_at,
        lower(service_during) AS serves_from, upper(service_during) AS serves_to"
);
const CLOSE_VISITS: &str = close!("is_open AND visit_id = ANY($3::uuid[])");
const CLOSE_FACTS: &str = close!("is_open AND fact_id = ANY($3::uuid[])");
const CLOSE_BLOCK: &str = close!("is_open AND kind = 'BLOCK' AND block_id = $3");
/// Parameters: business, when, starts of days, their ends, now. In one order for everybody,
/// since a hold over midnight lies in two days.
pub const CLOSE_EXPIRED: &str = close!(
    "id IN (
        WITH expired AS MATERIALIZED (
            SELECT DISTINCT h.id FROM unnest($3::timestamptz[], $4::timestamptz[]) AS d (starts_at, ends_at)
            CROSS JOIN LATERAL (
                SELECT id FROM ledger WHERE business_id = $1 AND is_open AND kind = 'HOLD'
                    AND starts_at >= d.starts_at - interval '25 hours'
                    AND starts_at < d.ends_at AND ends_at > d.starts_at AND expires_at <= $5
                -- Keeps the planner from reading all holds of the business to join them with the days.
                OFFSET 0
            ) h
        )
        SELECT l.id FROM ledger l JOIN expired ON expired.id = l.id
        WHERE l.business_id = $1 AND l.is_open ORDER BY l.id FOR UPDATE OF l)"
);
macro_rules! booked_rows {
    ($which:literal) => {
        concat!(
            "SELECT subject_id, starts_at, ends_at,
                lower(service_during) AS serves_from, upper(service_during) AS serves_to
            FROM ledger WHERE business_id = $1 AND visit_id = $2 AND kind = 'BOOKING' AND ",
            $which,
            " ORDER BY starts_at, id"
        )
    };
}

const BOOKED_ROWS: &str = booked_rows!("is_open");
/// Parameters: business, visit, when some of them were closed.
pub const BOOKED_ROWS_BEFORE: &str =
    booked_rows!("lower(recorded) < $3 AND (upper(recorded) >= $3 OR is_open)");
/// Parameters: business, visits.
pub const BOOKED_ROWS_OF: &str = "SELECT visit_id, subject_id, starts_at, ends_at,
        lower(service_during) AS serves_from, upper(service_during) AS serves_to
    FROM ledger WHERE business_id = $1 AND is_open AND visit_id = ANY($2::uuid[]) AND kind = 'BOOKING'
    ORDER BY starts_at, id";
/// Parameters: business, visits.
pub const VISIT_SPANS: &str = "SELECT min(starts_at) AS starts_at, max(ends_at) AS ends_at FROM ledger
    WHERE business_id = $1 AND is_open AND visit_id = ANY($2::uuid[]) GROUP BY visit_id";
/// Parameters: business, employee, a span's start and end.
pub const COLLIDING: &str = "SELECT visit_id, kind, starts_at, ends_at FROM ledger
    WHERE business_id = $1 AND is_open AND blocking AND subject_id = $2 AND kind IN ('BOOKING', 'HOLD')
        AND starts_at >= $3::timestamptz - interval '25 hours' AND starts_at < $4 AND ends_at > $3
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
        let values = [self.business.0.into(), self.changes_at(), block.0.into()];
        self.execute(CLOSE_BLOCK, values).await.map(drop)
    }

    /// Closes the rows of a visit, and says what it took.
    pub(crate) async fn close_visit(&self, visit: VisitId) -> Result<Vec<Occupied>, Error> {
        self.all::<OccupiedRow, _>(CLOSE_VISIT, [self.business.0.into(), self.changes_at(), visit.0.into()])
            .await
    }

    /// What a booked visit takes.
    pub(crate) async fn booked_rows(&self, visit: VisitId) -> Result<Vec<Occupied>, Error> {
        self.all::<OccupiedRow, _>(BOOKED_ROWS, [self.business.0.into(), visit.0.into()]).await
    }

    /// What booked visits take.
    pub(crate) async fn booked_rows_of(
        &self,
        visits: &[VisitId],
    ) -> Result<HashMap<VisitId, Vec<Occupied>>, Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        let mut rows: HashMap<_, Vec<_>> = HashMap::new();
        let found = self.all::<VisitRow, _>(BOOKED_ROWS_OF, [self.business.0.into(), ids.into()]).await?;
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
        let values = [self.business.0.into(), visit.0.into(), to_db(at).into()];
        self.all::<OccupiedRow, _>(BOOKED_ROWS_BEFORE, values).await
    }

    pub(crate) async fn close_visits(&self, visits: &[VisitId]) -> Result<(), Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        self.execute(CLOSE_VISITS, [self.business.0.into(), self.changes_at(), ids.into()]).await.map(drop)
    }

    pub(crate) async fn close_facts(&self, facts: &[FactId]) -> Result<(), Error> {
        let ids: Vec<_> = facts.iter().map(|fact| fact.0).collect();
        self.execute(CLOSE_FACTS, [self.business.0.into(), self.changes_at(), ids.into()]).await.map(drop)
    }

    pub(crate) async fn close_expired_holds(&self, days: &[Day]) -> Result<(), Error> {
        let starts: Vec<_> = days.iter().map(|day| to_db(day.starts_at())).collect();
        let ends: Vec<_> = days.iter().map(|day| to_db(day.ends_at())).collect();
        let values = [self.business.0.into(), self.changes_at(), starts.into(), ends.into(), self.at()];
        self.execute(CLOSE_EXPIRED, values).await.map(drop)
    }

    /// The days in which visits still take up time, ascending.
    pub(crate) async fn days_of_visits(
        &self,
        visits: &[VisitId],
        zone: &TimeZone,
    ) -> Result<Vec<Day>, Error> {
        let ids: Vec<_> = visits.iter().map(|visit| visit.0).collect();
        let spans = self.all::<SpanRow, Span>(VISIT_SPANS, [self.business.0.into(), ids.into()]).await?;
        Ok(days_of(&spans, zone))
    }

    /// Bookings and holds of an employee that share time with `span`, by start.
    pub(crate) async fn colliding(&self, employee: EmployeeId, span: Span) -> Result<Vec<Collision>, Error> {
        let values = [
            self.business.0.into(),
            employee.0.into(),
            to_db(span.starts_at()).into(),
            to_db(span.ends_at()).into(),
        ];
        self.all::<CollisionRow, _>(COLLIDING, values).await
    }

    fn ledger_columns(&self, purpose: Purpose, rows: &[Occupied], sources: Vec<Uuid>) -> Vec<Value> {
        let mut values = vec![self.business.0.into(), purpose.visit().0.into()];
        values.extend(self.row_columns(purpose, rows, sources));
        values
    }

    /// What [`add_rows`] takes of them, after the visit.
    pub(crate) fn row_columns(&self, purpose: Purpose, rows: &[Occupied], sources: Vec<Uuid>) -> [Value; 11] {
        let instants = |of: fn(&Occupied) -> Timestamp| -> Value {
            rows.iter().map(|row| to_db(of(row))).collect::<Vec<_>>().into()
        };
        [
            purpose.name().into(),
            purpose.expires_at().map(to_db).into(),
            self.changes_at(),
            purpose.is_blocking().into(),
            rows.iter().map(|_| self.new_id::<Uuid>()).collect::<Vec<_>>().into(),
            rows.iter().map(|row| row.subject.0).collect::<Vec<_>>().into(),
            sources.into(),
            instants(|row| row.during.starts_at()),
            instants(|row| row.during.ends_at()),
            instants(|row| row.service.starts_at()),
            instants(|row| row.service.ends_at()),
        ]
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
