//! The schedule of a business, read whole and kept by version.

use std::{collections::BTreeMap, sync::Arc};

use database::named;
use engine::{
    hours::{DayHours, WeeklyPattern},
    id::EmployeeId,
    policy::{HISTORY, Policy},
    schedule::Schedule,
    working::{Absence, EffectiveFrom, Opening, Rota},
};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, day::naive, settings::turn};
use crate::Error;

const SETTINGS: &str =
    "SELECT time_zone, increment_minutes, lead_minutes, horizon_days, cancellation_minutes,
        schedule_version
    FROM business_settings WHERE business_id = :business_id";
/// Blocks schedule changes until this transaction ends.
const VERSION_FOR_SHARE: &str = concat!(
    "SELECT schedule_version FROM business_settings WHERE business_id = :business_id AND ",
    turn!(shared),
    " FOR SHARE"
);
const VERSION: &str = "SELECT schedule_version FROM business_settings WHERE business_id = :business_id";
const NAMES: &str = "SELECT id, name FROM employee WHERE business_id = :business_id";

#[derive(FromQueryResult)]
struct Settings {
    time_zone: String,
    increment_minutes: i16,
    lead_minutes: i32,
    horizon_days: i32,
    cancellation_minutes: i32,
    schedule_version: i64,
}

#[derive(FromQueryResult)]
struct Version {
    schedule_version: i64,
}

#[derive(FromQueryResult)]
struct NameRow {
    id: Uuid,
    name: String,
}

impl Settings {
    fn policy(&self) -> Result<Policy, Error> {
        let increment = self.increment_minutes.into();
        let policy = Policy::new(increment, self.lead_minutes, self.horizon_days, self.cancellation_minutes);
        policy.map_err(|_| Error::Stored("policy"))
    }

    fn zone(&self) -> Result<TimeZone, Error> {
        TimeZone::get(&self.time_zone).map_err(|_| Error::Stored("time zone"))
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
    pub(crate) async fn known_schedule(&self) -> Result<Arc<Schedule>, Error> {
        match self.store.cache.schedule(self.business).await {
            Some(schedule) => Ok(schedule),
            None => self.load_schedule().await,
        }
    }

    /// The schedule as it is now, with the working time from the day of `earliest` on.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub(crate) async fn current_schedule_since(&self, earliest: Timestamp) -> Result<Arc<Schedule>, Error> {
        if earliest < self.now() - HISTORY {
            return Ok(Arc::new(self.read_schedule_since(earliest).await?));
        }
        let known = self.known_schedule().await?;
        if self.is_current(&known).await? { Ok(known) } else { self.load_schedule().await }
    }

    /// When the business takes bookings.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn policy(&self) -> Result<Policy, Error> {
        let settings: Option<Settings> =
            self.one::<Settings, _>(SETTINGS, named! { business_id: self.business.0 }).await?;
        settings.ok_or(Error::BusinessUnknown)?.policy()
    }

    /// Whether nothing changed since `schedule` was read.
    pub(crate) async fn is_current(&self, schedule: &Schedule) -> Result<bool, Error> {
        let version: Option<i64> =
            self.one::<Version, _>(VERSION, named! { business_id: self.business.0 }).await?;
        Ok(version == Some(schedule.version))
    }

    /// The schedule, which stays as it is until this transaction ends.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn settled_schedule(&self) -> Result<Arc<Schedule>, Error> {
        let version: Option<i64> =
            self.one::<Version, _>(VERSION_FOR_SHARE, named! { business_id: self.business.0 }).await?;
        let version = version.ok_or(Error::BusinessUnknown)?;
        match self.store.cache.schedule(self.business).await {
            Some(schedule) if schedule.version == version => Ok(schedule),
            _ => self.load_schedule().await,
        }
    }

    /// Reads the schedule and keeps it.
    pub(crate) async fn load_schedule(&self) -> Result<Arc<Schedule>, Error> {
        let schedule = match self.recorded_schedule().await? {
            Some(schedule) => schedule,
            None => self.read_schedule().await?,
        };
        let schedule = Arc::new(schedule);
        self.store.cache.keep_schedule(self.business, schedule.clone()).await;
        Ok(schedule)
    }

    /// What employees are called, as far as it is known here.
    pub(crate) async fn names(&self) -> Result<BTreeMap<EmployeeId, String>, Error> {
        Ok(self
            .all::<NameRow, _>(NAMES, named! { business_id: self.business.0 })
            .await?
            .into_iter()
            .collect())
    }

    /// Reads the schedule from the database. Its version is read first: a change during the read makes
    /// the result outdated, never wrong. A transaction that changes the schedule reads it this way too,
    /// because no other may see the change before the commit.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn read_schedule(&self) -> Result<Schedule, Error> {
        // Dates further back can't be booked.
        self.read_schedule_since(self.now() - HISTORY).await
    }

    /// [`Self::read_schedule`] with the working time from the day of `earliest` on.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn read_schedule_since(&self, earliest: Timestamp) -> Result<Schedule, Error> {
        let settings: Option<Settings> =
            self.one::<Settings, _>(SETTINGS, named! { business_id: self.business.0 }).await?;
        let settings = settings.ok_or(Error::BusinessUnknown)?;
        let zone = settings.zone()?;
        Ok(Schedule {
            version: settings.schedule_version,
            policy: settings.policy()?,
            opening: self.opening_since(earliest, &zone).await?,
            rotas: self.rotas_since(earliest, &zone).await?,
            zone,
            services: self.services_by_id().await?,
            resources: self.resources().await?.into_iter().map(|one| (one.id, one)).collect(),
            dependencies: self.dependencies().await?,
            names: self.names().await?,
        })
    }

    /// When the business is open, from the day of `earliest` on.
    async fn opening_since(&self, earliest: Timestamp, zone: &TimeZone) -> Result<Opening, Error> {
        let exceptions = self.opening_exceptions_since(naive(zone.to_datetime(earliest).date())).await?;
        Ok(Opening::new(self.opening_pattern().await?, exceptions))
    }

    /// When everybody works, from the day of `earliest` on.
    async fn rotas_since(
        &self,
        earliest: Timestamp,
        zone: &TimeZone,
    ) -> Result<BTreeMap<EmployeeId, Rota>, Error> {
        #[derive(Default)]
        struct Parts {
            weeks: BTreeMap<EffectiveFrom, WeeklyPattern>,
            days: BTreeMap<Date, DayHours>,
            absences: Vec<Absence>,
            last_day: Option<Date>,
        }
        let date = naive(zone.to_datetime(earliest).date());
        let mut people: BTreeMap<EmployeeId, Parts> = BTreeMap::new();
        for week in self.weeks_since(date).await? {
            people.entry(week.employee).or_default().weeks.insert(week.effective_from, week.pattern);
        }
        for day in self.day_hours_since(date).await? {
            people.entry(day.employee).or_default().days.insert(day.date, day.hours);
        }
        for time_off in self.approved_since(earliest).await? {
            let span = time_off.extent.span(zone);
            let absence = span.map(|span| Absence { time_off: time_off.id, span });
            people.entry(time_off.employee).or_default().absences.extend(absence);
        }
        for (employee, last_day) in self.last_days().await? {
            people.entry(employee).or_default().last_day = Some(last_day);
        }
        let rota = |parts: Parts| Rota::new(parts.weeks, parts.days, parts.absences).until(parts.last_day);
        Ok(people.into_iter().map(|(employee, parts)| (employee, rota(parts))).collect())
    }
}
