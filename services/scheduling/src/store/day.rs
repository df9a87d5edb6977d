//! Days: taking their rows, reading what takes place in them.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use database::{from_db, named, to_db};
use engine::{day::Day, id::SubjectId, plan::DayPlan, schedule::Schedule, span::Span};
use jiff::{Timestamp, civil::Date};
use sea_orm::{FromQueryResult, Value};
use uuid::Uuid;

use super::{Tx, cache::CachedDay};
use crate::Error;

/// Locks the rows of days, in the order of the days.
const TAKE: &str = "INSERT INTO business_day AS taken (business_id, day, version, changed_at)
    SELECT :business_id, day, 1, :now FROM unnest(:days::date[]) AS day ORDER BY day
    ON CONFLICT (business_id, day) DO UPDATE SET version = taken.version + 1,
        changed_at = greatest(excluded.changed_at, taken.changed_at + interval '1 microsecond')
    RETURNING changed_at";

/// Days locked together change at one instant: the next transaction to lock one of them comes after all
/// of it.
const ALIGN: &str = "UPDATE business_day SET changed_at = :latest
    WHERE business_id = :business_id AND day = ANY(:days::date[]) AND changed_at < :latest";

/// Versions of days in one row, in the order of the days, and a row for each of those whose version is
/// not the known one: all of it in one statement, so that rows and versions belong together. A month
/// of a salon is thousands of spans: they come as arrays, which cost a tenth of what rows cost.
pub const DAYS: &str = "
    WITH wanted AS MATERIALIZED (
        SELECT w.day, w.starts_at, w.ends_at, w.known, w.place, COALESCE(d.version, 0) AS version
        FROM unnest(:days::date[], :starts::timestamptz[], :ends::timestamptz[], :known::bigint[]) WITH ORDINALITY
            AS w (day, starts_at, ends_at, known, place)
        LEFT JOIN business_day d ON d.business_id = :business_id AND d.day = w.day
    )
    SELECT 'VERSIONS' AS part, NULL::date AS day, COALESCE(array_agg(version ORDER BY place), '{}') AS versions,
        NULL::uuid[] AS subject_ids, NULL::timestamptz[] AS starts_at, NULL::timestamptz[] AS ends_at
    FROM wanted
    UNION ALL
    SELECT 'TAKEN', w.day, NULL, array_agg(l.subject_id), array_agg(l.starts_at), array_agg(l.ends_at)
    FROM wanted w CROSS JOIN LATERAL (
        SELECT subject_id, starts_at, ends_at FROM ledger
        WHERE business_id = :business_id AND is_open AND blocking AND kind <> 'HOLD'
            AND starts_at >= w.starts_at - interval '25 hours'
            AND starts_at < w.ends_at AND ends_at > w.starts_at
        -- Keeps the planner from reading all of the business to join it with the days.
        OFFSET 0
    ) l
    WHERE w.version <> w.known
    GROUP BY w.day
    UNION ALL
    SELECT 'HELD', NULL, NULL, array_agg(subject_id), array_agg(starts_at), array_agg(ends_at) FROM ledger
    WHERE business_id = :business_id AND is_open AND kind = 'HOLD' AND expires_at > :now
        AND starts_at >= (SELECT min(starts_at) FROM wanted) - interval '25 hours'
        AND starts_at < (SELECT max(ends_at) FROM wanted)
        AND ends_at > (SELECT min(starts_at) FROM wanted)
    HAVING count(*) > 0
    UNION ALL
    SELECT 'SCHEDULE', NULL, ARRAY[schedule_version], NULL, NULL, NULL FROM business_settings
    WHERE business_id = :business_id";

/// The function that is [`DAYS`] for a business by itself: the migrations make it.
pub(crate) const LOOK_AT_DAYS: &str = "look_at_days";

/// No version is negative.
const UNKNOWN: i64 = -1;

/// Days as they are now.
#[derive(Debug)]
pub(crate) struct Days {
    pub plans: Vec<Arc<CachedDay>>,
    pub held: Vec<(SubjectId, Span)>,
    pub schedule_version: i64,
}

impl Days {
    /// Those that `span` touches; what is held elsewhere is left out.
    pub fn around(&self, span: Span) -> Self {
        let touches = |day: &Day| day.starts_at() < span.ends_at() && day.ends_at() > span.starts_at();
        let plans: Vec<_> = self.plans.iter().filter(|day| touches(&day.plan.day)).cloned().collect();
        let ends = plans.first().zip(plans.last());
        let whole =
            ends.and_then(|(first, last)| Span::new(first.plan.day.starts_at(), last.plan.day.ends_at()));
        let held = self.held.iter().filter(|(_, held)| whole.is_some_and(|whole| whole.overlaps(*held)));
        Self { held: held.copied().collect(), plans, schedule_version: self.schedule_version }
    }
}

/// Whether this transaction has locked the days it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lock {
    /// It only reads; what it read may be cached.
    None,
    /// It has locked them, so their versions are one ahead of the committed ones. A rollback would hand
    /// the same versions out again, so nothing is cached.
    Taken,
    /// It has locked them and changed what occupies time in them: cached days are outdated.
    Changed,
}

#[derive(FromQueryResult)]
struct Row {
    part: String,
    day: Option<NaiveDate>,
    versions: Option<Vec<i64>>,
    subject_ids: Option<Vec<Uuid>>,
    starts_at: Option<Vec<DateTime<Utc>>>,
    ends_at: Option<Vec<DateTime<Utc>>>,
}

impl Row {
    fn spans(self) -> Option<Vec<(SubjectId, Span)>> {
        let spans = self.starts_at?.into_iter().zip(self.ends_at?);
        let spans = spans.map(|(from, to)| Span::new(from_db(from), from_db(to)));
        self.subject_ids?
            .into_iter()
            .map(SubjectId)
            .zip(spans)
            .map(|(who, span)| Some((who, span?)))
            .collect()
    }
}

#[derive(FromQueryResult)]
struct ChangedRow {
    changed_at: DateTime<Utc>,
}

impl From<ChangedRow> for Timestamp {
    fn from(row: ChangedRow) -> Self {
        from_db(row.changed_at)
    }
}

/// What a row says.
enum Fact {
    Versions(Vec<i64>),
    Taken(NaiveDate, Vec<(SubjectId, Span)>),
    Held(Vec<(SubjectId, Span)>),
    Schedule(i64),
}

impl TryFrom<Row> for Fact {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let fact = match row.part.as_str() {
            "VERSIONS" => row.versions.map(Self::Versions),
            "TAKEN" => row.day.and_then(|day| Some(Self::Taken(day, row.spans()?))),
            "HELD" => row.spans().map(Self::Held),
            _ => row.versions.and_then(|versions| versions.first().copied()).map(Self::Schedule),
        };
        fact.ok_or(Error::Stored("day"))
    }
}

/// What the rows say together.
#[derive(Default)]
struct Facts {
    versions: Vec<i64>,
    taken: HashMap<NaiveDate, Vec<(SubjectId, Span)>>,
    held: Vec<(SubjectId, Span)>,
    schedule_version: Option<i64>,
}

impl FromIterator<Fact> for Facts {
    fn from_iter<I: IntoIterator<Item = Fact>>(rows: I) -> Self {
        let mut facts = Self::default();
        for row in rows {
            match row {
                Fact::Versions(versions) => facts.versions = versions,
                Fact::Taken(day, spans) => drop(facts.taken.insert(day, spans)),
                Fact::Held(spans) => facts.held = spans,
                Fact::Schedule(version) => facts.schedule_version = Some(version),
            }
        }
        facts
    }
}

impl Tx {
    /// Locks `days`, which ascend, until this transaction ends, and closes the expired holds in them.
    /// What the transaction writes into the ledger is dated after all that was written there before.
    pub(crate) async fn take_days(&self, days: &[Day]) -> Result<(), Error> {
        debug_assert!(days.is_sorted_by_key(Day::date));
        if days.is_empty() {
            return Ok(());
        }
        let dates: Vec<_> = days.iter().map(|day| naive(day.date())).collect();
        let values = named! { business_id: self.business.0, days: dates.clone(), now: self.at() };
        let changed: Vec<Timestamp> = self.all::<ChangedRow, _>(TAKE, values).await?;
        let latest = changed.iter().max().copied();
        if let Some(latest) = latest.filter(|latest| changed.iter().any(|changed| changed < latest)) {
            self.execute(ALIGN, named! { business_id: self.business.0, days: dates, latest: to_db(latest) })
                .await?;
        }
        let first = latest.is_none_or(|latest| self.changes_at.set(latest).is_ok());
        debug_assert!(first, "days taken twice are not taken in order");
        self.close_expired_holds(days).await
    }

    /// Reads `days`, with rows for those alone that are not known at their version.
    pub(crate) async fn read_days(
        &self,
        schedule: &Schedule,
        days: Vec<Day>,
        lock: Lock,
    ) -> Result<Days, Error> {
        let mut known = Vec::with_capacity(days.len());
        for day in &days {
            known.push(match lock {
                Lock::None | Lock::Taken => {
                    self.store.cache.day(self.business, day.date(), schedule.version).await
                }
                Lock::Changed => None,
            });
        }
        let mut facts = self.facts(&days, &known, lock).await?;
        let mut plans = Vec::with_capacity(days.len());
        let mut read = vec![];
        if facts.versions.len() != days.len() {
            return Err(Error::Stored("day"));
        }
        for ((day, known), version) in days.into_iter().zip(known).zip(facts.versions) {
            match known {
                Some(known) if lock.known_version(&known) == version => plans.push(known),
                _ => {
                    let taken = facts.taken.remove(&naive(day.date())).unwrap_or_default();
                    let plan = DayPlan::new(schedule, day, &taken);
                    let plan = Arc::new(CachedDay { version, schedule_version: schedule.version, plan });
                    read.push(plan.clone());
                    plans.push(plan);
                }
            }
        }
        self.store.measure.days(plans.len() - read.len(), read.len());
        let schedule_version = facts.schedule_version.ok_or(Error::BusinessUnknown)?;
        if lock == Lock::None && schedule_version == schedule.version {
            for plan in read {
                self.store.cache.keep_day(self.business, plan).await;
            }
        }
        Ok(Days { plans, held: facts.held, schedule_version })
    }

    /// Reads the facts that are not known yet, without beginning the transaction if it has not begun.
    async fn facts(
        &self,
        days: &[Day],
        known: &[Option<Arc<CachedDay>>],
        lock: Lock,
    ) -> Result<Facts, Error> {
        let known = known.iter().map(|day| day.as_ref().map_or(UNKNOWN, |day| lock.known_version(day)));
        let question: [Value; 5] = [
            days.iter().map(|day| naive(day.date())).collect::<Vec<_>>().into(),
            days.iter().map(|day| to_db(day.starts_at())).collect::<Vec<_>>().into(),
            days.iter().map(|day| to_db(day.ends_at())).collect::<Vec<_>>().into(),
            known.collect::<Vec<_>>().into(),
            self.at(),
        ];
        let rows: Vec<Fact> = if self.has_begun() {
            let [days, starts, ends, known, now] = question;
            let business_id = self.business.0;
            let values = named! {
                business_id, days, starts, ends, known, now
            };
            self.all::<Row, _>(DAYS, values).await?
        } else {
            self.look::<Row, _>(LOOK_AT_DAYS, question).await?
        };
        Ok(rows.into_iter().collect())
    }
}

impl Lock {
    fn known_version(self, day: &CachedDay) -> i64 {
        match self {
            Self::None => day.version,
            Self::Taken | Self::Changed => day.version + 1,
        }
    }
}

/// A date as the driver takes it.
pub(crate) fn naive(date: Date) -> NaiveDate {
    let (year, month, day) = (date.year(), date.month(), date.day());
    NaiveDate::from_ymd_opt(year.into(), month.unsigned_abs().into(), day.unsigned_abs().into())
        .expect("chrono's range is wider than jiff's")
}

/// A date as the driver gives it.
pub(crate) fn civil(date: NaiveDate) -> Result<Date, Error> {
    let year = i16::try_from(date.year()).map_err(|_| Error::Stored("date"))?;
    // Months and days fit.
    Date::new(year, date.month() as i8, date.day() as i8).map_err(|_| Error::Stored("date"))
}
