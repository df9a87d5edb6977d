//! The schedule of a business, read whole and kept by version.

use std::{collections::BTreeMap, sync::Arc};

use jiff::{SignedDuration, tz::TimeZone};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, hours::SpanRow};
use crate::{
    Error,
    domain::{
        hours::{WeeklyPattern, WeeklySpan},
        id::EmployeeId,
        policy::Policy,
        schedule::Schedule,
        working::Rota,
    },
};

const SETTINGS: &str = "SELECT time_zone, increment_minutes, lead_minutes, horizon_days, schedule_version
    FROM business_settings WHERE business_id = $1";
/// Nobody changes the schedule before this transaction ends.
const VERSION_FOR_SHARE: &str =
    "SELECT schedule_version FROM business_settings WHERE business_id = $1 FOR SHARE";
const VERSION: &str = "SELECT schedule_version FROM business_settings WHERE business_id = $1";
const PATTERNS: &str = "SELECT employee_id, weekday, from_minute, to_minute FROM weekly_schedule
    WHERE business_id = $1 ORDER BY employee_id, weekday, from_minute";
const NAMES: &str = "SELECT id, name FROM employee WHERE business_id = $1";

#[derive(FromQueryResult)]
struct Settings {
    time_zone: String,
    increment_minutes: i16,
    lead_minutes: i32,
    horizon_days: i32,
    schedule_version: i64,
}

#[derive(FromQueryResult)]
struct Version {
    schedule_version: i64,
}

#[derive(FromQueryResult)]
struct PatternRow {
    employee_id: Uuid,
    weekday: i16,
    from_minute: i16,
    to_minute: i16,
}

#[derive(FromQueryResult)]
struct NameRow {
    id: Uuid,
    name: String,
}

impl Settings {
    fn policy(&self) -> Result<Policy, Error> {
        Ok(Policy {
            increment_minutes: self.increment_minutes.try_into().map_err(|_| Error::Stored("policy"))?,
            lead: SignedDuration::from_mins(self.lead_minutes.into()),
            horizon: SignedDuration::from_hours(24 * i64::from(self.horizon_days)),
        })
    }

    fn zone(&self) -> Result<TimeZone, Error> {
        TimeZone::get(&self.time_zone).map_err(|_| Error::Stored("time zone"))
    }
}

impl TryFrom<PatternRow> for (EmployeeId, WeeklySpan) {
    type Error = Error;
    fn try_from(row: PatternRow) -> Result<Self, Error> {
        let span = SpanRow { weekday: row.weekday, from_minute: row.from_minute, to_minute: row.to_minute };
        Ok((EmployeeId(row.employee_id), span.try_into()?))
    }
}

impl From<NameRow> for (EmployeeId, String) {
    fn from(row: NameRow) -> Self {
        (EmployeeId(row.id), row.name)
    }
}

impl From<Version> for i64 {
    fn from(row: Version) -> Self {
        row.schedule_version
    }
}

impl Tx {
    /// The schedule as far as it is known, perhaps an old one.
    pub(super) async fn known_schedule(&self) -> Result<Arc<Schedule>, Error> {
        match self.store.cache.schedule(self.business).await {
            Some(schedule) => Ok(schedule),
            None => self.load_schedule().await,
        }
    }

    /// Whether nothing changed since `schedule` was read.
    pub(super) async fn is_current(&self, schedule: &Schedule) -> Result<bool, Error> {
        let version: Option<i64> = self.one::<Version, _>(VERSION, [self.business.0.into()]).await?;
        Ok(version == Some(schedule.version))
    }

    /// The schedule, which stays as it is until this transaction ends.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn settled_schedule(&self) -> Result<Arc<Schedule>, Error> {
        let version: Option<i64> =
            self.one::<Version, _>(VERSION_FOR_SHARE, [self.business.0.into()]).await?;
        let version = version.ok_or(Error::BusinessUnknown)?;
        match self.store.cache.schedule(self.business).await {
            Some(schedule) if schedule.version == version => Ok(schedule),
            _ => self.load_schedule().await,
        }
    }

    /// Reads the schedule. Its version is read first: what changes while the rest is
    /// read makes it an old one, never a wrong one.
    pub(super) async fn load_schedule(&self) -> Result<Arc<Schedule>, Error> {
        let settings: Option<Settings> = self.one::<Settings, _>(SETTINGS, [self.business.0.into()]).await?;
        let settings = settings.ok_or(Error::BusinessUnknown)?;
        let services = self.all_services().await?;
        let schedule = Arc::new(Schedule {
            version: settings.schedule_version,
            zone: settings.zone()?,
            policy: settings.policy()?,
            opening: self.opening_pattern().await?.into(),
            rotas: self.rotas().await?,
            services: services.into_iter().map(|service| (service.id, service)).collect(),
            names: self.all::<NameRow, _>(NAMES, [self.business.0.into()]).await?.into_iter().collect(),
        });
        self.store.cache.keep_schedule(self.business, schedule.clone()).await;
        Ok(schedule)
    }

    async fn rotas(&self) -> Result<BTreeMap<EmployeeId, Rota>, Error> {
        let rows: Vec<(EmployeeId, WeeklySpan)> =
            self.all::<PatternRow, _>(PATTERNS, [self.business.0.into()]).await?;
        let mut spans: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (employee, span) in rows {
            spans.entry(employee).or_default().push(span);
        }
        let pattern = |spans| WeeklyPattern::new(spans).map_err(|_| Error::Stored("weekly schedule"));
        spans.into_iter().map(|(employee, spans)| Ok((employee, pattern(spans)?.into()))).collect()
    }
}
