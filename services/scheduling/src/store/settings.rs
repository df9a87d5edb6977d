//! A business's settings, and the version of its schedule.

use std::sync::atomic::Ordering;

use cache::Kind;
use database::named;
use engine::policy::Policy;
use jiff::tz::TimeZone;
use proto::frontdesk::events::v1::{CatalogueChanged, event::Payload};
use sea_orm::FromQueryResult;

use super::Tx;
use crate::Error;

/// Answers of what the salon sells.
pub const CATALOGUE: Kind = Kind::new("catalogue");
/// Answers of when it is open.
pub const OPENING_HOURS: Kind = Kind::new("opening-hours");
/// What a changed schedule makes old. What tenancy's log adds makes nothing old: a business
/// that was not there has no answers.
pub(crate) const ANSWERS: [Kind; 2] = [CATALOGUE, OPENING_HOURS];

/// A turn at the schedule of `:business_id`, shared or exclusive. Later shared turns queue behind a
/// waiting exclusive one. The row's own lock would let them pass for as long as they keep coming.
/// Evaluated before the row is locked.
macro_rules! turn {
    (shared) => {
        "(SELECT pg_advisory_xact_lock_shared(hashtextextended('schedule:' || :business_id::uuid, 0)))
            IS NOT NULL"
    };
    (alone) => {
        "(SELECT pg_advisory_xact_lock(hashtextextended('schedule:' || :business_id::uuid, 0))) IS NOT NULL"
    };
}
pub(crate) use turn;

const SET_ZONE: &str = concat!(
    "INSERT INTO business_settings AS known (business_id, time_zone)
    SELECT :business_id, :time_zone::text WHERE ",
    turn!(alone),
    " ON CONFLICT (business_id) DO UPDATE
    SET time_zone = excluded.time_zone, schedule_version = known.schedule_version + 1
    RETURNING schedule_version"
);
const TURN: &str = concat!("SELECT ", turn!(alone));
const NEXT_VERSION: &str = concat!(
    "UPDATE business_settings SET schedule_version = schedule_version + 1
    WHERE business_id = :business_id AND ",
    turn!(alone),
    " RETURNING schedule_version"
);

const SET_POLICY: &str = "UPDATE business_settings SET increment_minutes = :increment_minutes::integer,
        lead_minutes = :lead_minutes::bigint, horizon_days = :horizon_days::bigint,
        cancellation_minutes = :cancellation_minutes::bigint
    WHERE business_id = :business_id";

#[derive(FromQueryResult)]
struct Row {
    schedule_version: i64,
}

impl From<Row> for ScheduleVersion {
    fn from(row: Row) -> Self {
        Self(row.schedule_version)
    }
}

/// The version that a changed schedule will have. It exists only while the schedule is locked
/// exclusively.
#[derive(Debug, Clone, Copy)]
pub struct ScheduleVersion(i64);

impl Tx {
    /// Waits until no other transaction changes the schedule, whether or not the business has settings yet. What is
    /// read afterwards stays so until this transaction ends.
    pub(crate) async fn take_schedule_turn(&self) -> Result<(), Error> {
        self.execute(TURN, named! { business_id: self.business.0 }).await.map(drop)
    }

    /// Begins a change of the schedule that sets its zone, and the settings of a
    /// business that has none yet.
    pub async fn set_zone(&self, zone: &TimeZone) -> Result<ScheduleVersion, Error> {
        let name = zone.iana_name().ok_or_else(|| Error::invalid("time_zone", "is no IANA zone"))?;
        self.changes_schedule.store(true, Ordering::Relaxed);
        let version =
            self.one::<Row, _>(SET_ZONE, named! { business_id: self.business.0, time_zone: name }).await?;
        version.ok_or(Error::BusinessUnknown)
    }

    /// Begins a change of the schedule.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`].
    pub async fn next_schedule(&self) -> Result<ScheduleVersion, Error> {
        self.changes_schedule.store(true, Ordering::Relaxed);
        let version = self.one::<Row, _>(NEXT_VERSION, named! { business_id: self.business.0 }).await?;
        version.ok_or(Error::BusinessUnknown)
    }

    /// Replaces when the business takes bookings.
    pub async fn set_policy(&self, _: ScheduleVersion, policy: &Policy) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            increment_minutes: i32::from(policy.increment_minutes),
            lead_minutes: policy.lead.as_mins(),
            horizon_days: policy.horizon_days(),
            cancellation_minutes: policy.cancellation.as_mins(),
        };
        self.execute(SET_POLICY, values).await.map(drop)
    }

    /// Tells others of a changed schedule.
    pub async fn publish_schedule(&self, version: ScheduleVersion) -> Result<(), Error> {
        self.publish_change(self.business, version.0, Payload::Catalogue(CatalogueChanged {})).await
    }
}
