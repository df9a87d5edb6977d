//! Answers as of an instant, and under hypotheses: worked out from rows, never from what is kept.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::{
    day::Day,
    explanation::{Record, Taken},
    id::EmployeeId,
    plan::DayPlan,
    policy::HISTORY,
    schedule::Schedule,
};
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use serde_json::Value as Json;
use uuid::Uuid;

use super::{Tx, explanation::TakenRow};
use crate::{Error, domain::hypothesis::Hypothesis};

/// What took time at an instant, whole days of it.
pub const TAKEN_AS_OF: &str = "
    SELECT subject_id, kind, visit_id, fact_id, block_id, starts_at, ends_at FROM (
        SELECT * FROM ledger
        WHERE business_id = :business_id AND is_open AND blocking
            AND starts_at >= :from::timestamptz - interval '25 hours' AND starts_at < :to AND ends_at > :from
        UNION ALL
        SELECT * FROM ledger
        WHERE business_id = :business_id AND NOT is_open AND blocking
            AND starts_at >= :from::timestamptz - interval '25 hours' AND starts_at < :to AND ends_at > :from
    ) l
    WHERE recorded @> :at AND (kind <> 'HOLD' OR expires_at > :at)
    ORDER BY starts_at, id";
/// The schedule that counted at an instant.
pub const SCHEDULE_AS_OF: &str = "SELECT schedule FROM schedule_version
    WHERE business_id = :business_id AND recorded_at <= :at ORDER BY recorded_at DESC, version DESC LIMIT 1";
/// How schedules are recorded. Another number for each change of what [`Schedule`] is written as, and
/// for each migration that changes what is in the tables: what was recorded before is not believed then.
pub const SCHEDULE_FORMAT: i16 = 2;
/// The schedule as its last change left it, and what employees are called now.
pub const SCHEDULE_AS_RECORDED: &str = "SELECT v.schedule,
        ARRAY(SELECT id FROM employee WHERE business_id = :business_id ORDER BY id) AS ids,
        ARRAY(SELECT name FROM employee WHERE business_id = :business_id ORDER BY id) AS names
    FROM business_settings s
    JOIN schedule_version v ON v.business_id = s.business_id AND v.version = s.schedule_version
    WHERE s.business_id = :business_id AND v.format = :format";
/// Which version counted just before each of some instants.
pub const VERSIONS_BEFORE: &str = "SELECT i.at, v.version
    FROM unnest(:instants::timestamptz[]) AS i (at) CROSS JOIN LATERAL (
        SELECT version FROM schedule_version
        WHERE business_id = :business_id AND recorded_at < i.at
        ORDER BY recorded_at DESC, version DESC LIMIT 1
    ) v";
const SCHEDULES_BY_VERSION: &str = "SELECT version, schedule FROM schedule_version
    WHERE business_id = :business_id AND version = ANY(:versions::bigint[])";
/// Changes of the schedule are serialised, so versions are recorded in order: `greatest` keeps a clock
/// that runs backwards from recording a version before its predecessor. Of two at one instant the later
/// version counts.
const RECORD: &str = "INSERT INTO schedule_version (business_id, version, recorded_at, schedule, format)
    SELECT :business_id, :version, greatest(:now, max(recorded_at)), :schedule, :format
    FROM schedule_version WHERE business_id = :business_id";

#[derive(FromQueryResult)]
struct ScheduleRow {
    schedule: Json,
}

impl TryFrom<ScheduleRow> for Schedule {
    type Error = Error;
    fn try_from(row: ScheduleRow) -> Result<Self, Error> {
        serde_json::from_value(row.schedule).map_err(|_| Error::Stored("schedule version"))
    }
}

#[derive(FromQueryResult)]
struct RecordedRow {
    schedule: Json,
    ids: Vec<Uuid>,
    names: Vec<String>,
}

impl TryFrom<RecordedRow> for Schedule {
    type Error = Error;
    fn try_from(row: RecordedRow) -> Result<Self, Error> {
        let schedule = Self::try_from(ScheduleRow { schedule: row.schedule })?;
        Ok(Self { names: row.ids.into_iter().map(EmployeeId).zip(row.names).collect(), ..schedule })
    }
}

#[derive(FromQueryResult)]
struct BeforeRow {
    at: DateTime<Utc>,
    version: i64,
}

impl From<BeforeRow> for (Timestamp, i64) {
    fn from(row: BeforeRow) -> Self {
        (from_db(row.at), row.version)
    }
}

#[derive(FromQueryResult)]
struct VersionRow {
    version: i64,
    schedule: Json,
}

impl From<VersionRow> for (i64, ScheduleBefore) {
    fn from(row: VersionRow) -> Self {
        let read = serde_json::from_value(row.schedule).map(Arc::new);
        (row.version, read.map_or(ScheduleBefore::Unreadable, ScheduleBefore::Earlier))
    }
}

/// A schedule that counted at an earlier instant.
#[derive(Debug, Clone)]
pub(crate) enum ScheduleBefore {
    /// It counts still.
    Current,
    /// Another one.
    Earlier(Arc<Schedule>),
    /// One that another version of this service wrote.
    Unreadable,
}

impl Tx {
    /// The schedules that counted just before some instants, where there were any.
    pub(crate) async fn schedules_before(
        &self,
        instants: Vec<Timestamp>,
        current: &Schedule,
    ) -> Result<BTreeMap<Timestamp, ScheduleBefore>, Error> {
        let instants: Vec<_> = instants.into_iter().map(to_db).collect();
        let values = named! { business_id: self.business.0, instants };
        let counted: Vec<(Timestamp, i64)> = self.all::<BeforeRow, _>(VERSIONS_BEFORE, values).await?;
        let mut schedules = BTreeMap::from([(current.version, ScheduleBefore::Current)]);
        let others =
            counted.iter().map(|(_, version)| *version).filter(|version| *version != current.version);
        let versions: Vec<_> = others.collect::<BTreeSet<_>>().into_iter().collect();
        if !versions.is_empty() {
            let values = named! { business_id: self.business.0, versions };
            schedules
                .extend(self.all::<VersionRow, (i64, ScheduleBefore)>(SCHEDULES_BY_VERSION, values).await?);
        }
        let of = |(at, version): (Timestamp, i64)| Some((at, schedules.get(&version)?.clone()));
        Ok(counted.into_iter().filter_map(of).collect())
    }

    /// The schedule in one statement, where its last change was recorded: what follows another service
    /// changes it without, and so does a transaction that has not ended.
    pub(crate) async fn recorded_schedule(&self) -> Result<Option<Schedule>, Error> {
        let values = named! { business_id: self.business.0, format: SCHEDULE_FORMAT };
        match self.one::<RecordedRow, _>(SCHEDULE_AS_RECORDED, values).await {
            Err(error @ Error::Stored(_)) => {
                tracing::error!(%error, business = %self.business, "a recorded schedule can't be read");
                Ok(None)
            }
            read => read,
        }
    }

    /// Keeps the schedule as this transaction leaves it.
    pub(crate) async fn record_schedule(&self) -> Result<(), Error> {
        let schedule = self.read_schedule().await?;
        let json = serde_json::to_value(&schedule).map_err(|_| Error::Stored("schedule version"))?;
        let values = named! {
            business_id: self.business.0,
            version: schedule.version,
            now: self.at(),
            schedule: json,
            format: SCHEDULE_FORMAT,
        };
        self.execute(RECORD, values).await.map(drop)
    }

    /// The schedule that counts under a hypothesis.
    ///
    /// # Errors
    /// An instant ahead, or one from which nothing is kept.
    pub(crate) async fn schedule_under(&self, hypothesis: &Hypothesis) -> Result<Arc<Schedule>, Error> {
        let Some(at) = hypothesis.as_of else { return self.load_schedule().await };
        if at > self.now() || at < self.now() - HISTORY {
            return Err(Error::invalid("as_of", "must lie within the last 366 days"));
        }
        let values = named! { business_id: self.business.0, at: to_db(at) };
        let schedule: Option<Schedule> = self.one::<ScheduleRow, _>(SCHEDULE_AS_OF, values).await?;
        let schedule = schedule.ok_or_else(|| Error::invalid("as_of", "lies before what is kept"))?;
        Ok(Arc::new(Schedule { names: self.names().await?, ..schedule }))
    }

    /// The time at which a hypothesis has it answered.
    pub(crate) fn instant(&self, hypothesis: &Hypothesis) -> Timestamp {
        hypothesis.as_of.unwrap_or(self.now())
    }

    /// What would take time in `days`, which follow on each other: visits that are supposed to go give
    /// theirs to the facts that lie over them, as they do when they move.
    pub(crate) async fn supposed(&self, days: &[Day], hypothesis: &Hypothesis) -> Result<Vec<Taken>, Error> {
        let mut taken = self.taken_under(days, hypothesis).await?;
        if hypothesis.as_of.is_none() && !hypothesis.without.is_empty() {
            taken.extend(self.facts_over(&hypothesis.without).await?);
        }
        Ok(taken)
    }

    /// What takes time in `days`, which follow on each other.
    pub(crate) async fn taken_under(
        &self,
        days: &[Day],
        hypothesis: &Hypothesis,
    ) -> Result<Vec<Taken>, Error> {
        let (Some(first), Some(last)) = (days.first(), days.last()) else { return Ok(vec![]) };
        let (from, to) = (to_db(first.starts_at()), to_db(last.ends_at()));
        let query = if hypothesis.as_of.is_some() { TAKEN_AS_OF } else { super::explanation::TAKEN };
        let at = to_db(self.instant(hypothesis));
        let values = named! { business_id: self.business.0, from, to, at };
        let mut taken: Vec<Taken> = self.all::<TakenRow, _>(query, values).await?;
        taken.retain(|taken| match taken.record {
            Record::Appointment(visit) | Record::Hold(visit) => !hypothesis.without.contains(&visit),
            Record::Busy(_) | Record::Block(_) | Record::Hypothesis => true,
        });
        let supposed = hypothesis.taken.iter();
        taken.extend(supposed.map(|&(subject, span)| Taken { subject, span, record: Record::Hypothesis }));
        Ok(taken)
    }
}

/// Days with what takes time in them.
pub(crate) fn plans(schedule: &Schedule, days: Vec<Day>, taken: &[Taken]) -> Vec<DayPlan> {
    let spans: Vec<_> = taken.iter().map(|taken| (taken.subject, taken.span)).collect();
    days.into_iter().map(|day| DayPlan::new(schedule, day, &spans)).collect()
}
