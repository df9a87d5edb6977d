//! What tenancy knows and is needed here.

use std::collections::BTreeMap;

use boot::clock::Clock;
use caller::{BusinessId, UserId};
use chrono::NaiveDate;
use database::{NewEvent, named, push, statement, to_db};
use engine::id::EmployeeId;
use jiff::{civil::Date, tz::TimeZone};
use proto::frontdesk::events::v1::{CatalogueChanged, event::Payload};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult};
use uuid::Uuid;

use super::{
    Tx,
    day::{civil, naive},
    settings::turn,
};
use crate::Error;

/// The zone a business opened with is its zone until it is set here.
const BUSINESS: &str =
    "INSERT INTO business_settings (business_id, time_zone) VALUES (:business_id, :time_zone)
    ON CONFLICT (business_id) DO NOTHING";
const EMPLOYEE: &str = "INSERT INTO employee (business_id, id, name, user_id, last_day)
    VALUES (:business_id, :id, :name, :user_id, :last_day)
    ON CONFLICT (business_id, id) DO UPDATE
    SET name = excluded.name, user_id = excluded.user_id, last_day = excluded.last_day";
const KNOWN: &str = "SELECT name, last_day FROM employee WHERE business_id = :business_id AND id = :id";
const LAST_DAYS: &str = "SELECT id, last_day FROM employee
    WHERE business_id = :business_id AND last_day IS NOT NULL";
const ACCOUNT: &str = "SELECT user_id FROM employee
    WHERE business_id = :business_id AND id = :id AND user_id IS NOT NULL";
const EMPLOYEES_OF: &str = "SELECT id FROM employee WHERE business_id = :business_id AND user_id = :account";
/// Names are part of the schedule that is kept in memory.
const NEXT_VERSION: &str = concat!(
    "UPDATE business_settings SET schedule_version = schedule_version + 1
    WHERE business_id = :business_id AND ",
    turn!(alone),
    " RETURNING schedule_version"
);
/// Records the last recorded schedule with the last days as they are now, for answers as of an instant. Without a
/// format it is never taken for the current schedule, which is read whole.
const RECORD_LAST_DAYS: &str = "INSERT INTO schedule_version (business_id, version, recorded_at, schedule)
    SELECT s.business_id, s.schedule_version, greatest(:now, v.recorded_at),
        v.schedule || jsonb_build_object('version', s.schedule_version, 'rotas', COALESCE((
            SELECT jsonb_object_agg(r.key, r.value || jsonb_build_object('last_day', e.last_day))
            FROM jsonb_each(v.schedule -> 'rotas') r
            LEFT JOIN employee e ON e.business_id = s.business_id AND e.id = r.key::uuid), '{}'))
    FROM business_settings s
    CROSS JOIN LATERAL (
        SELECT recorded_at, schedule FROM schedule_version WHERE business_id = s.business_id
        ORDER BY recorded_at DESC, version DESC LIMIT 1) v
    WHERE s.business_id = :business_id";

/// Saves a business, which is closed until its hours are set.
pub async fn save_business(sql: &DatabaseTransaction, business: Uuid, zone: &TimeZone) -> Result<(), DbErr> {
    let name = zone.iana_name().unwrap_or("UTC");
    sql.execute_raw(statement(BUSINESS, named! { business_id: business, time_zone: name })).await.map(drop)
}

/// Saves an employee's name, until when they stay, and the account that is theirs, if one is.
///
/// When the name or the last day changes, followers are told: a page that hears of it from tenancy may read the
/// schedule here before it is saved.
pub async fn save_employee(
    sql: &DatabaseTransaction,
    clock: &Clock,
    (business, employee): (Uuid, Uuid),
    (name, last_day): (&str, Option<Date>),
    account: Option<Uuid>,
    actor: &str,
) -> Result<(), DbErr> {
    let last_day = last_day.map(naive);
    let known = statement(KNOWN, named! { business_id: business, id: employee });
    let known = sql.query_one_raw(known).await?;
    let known = known.map(|row| KnownRow::from_query_result(&row, "")).transpose()?;
    let values = named! { business_id: business, id: employee, name, user_id: account, last_day };
    sql.execute_raw(statement(EMPLOYEE, values)).await?;
    let version = sql.query_one_raw(statement(NEXT_VERSION, named! { business_id: business })).await?;
    let version: Option<i64> = version.map(|row| row.try_get_by_index(0)).transpose()?;
    // Without settings there is no schedule yet.
    let Some(version) = version else { return Ok(()) };
    let renamed = known.as_ref().is_some_and(|known| known.name != name);
    let last_day_changed = known.and_then(|known| known.last_day) != last_day;
    if last_day_changed {
        let values = named! { business_id: business, now: to_db(clock.now()) };
        sql.execute_raw(statement(RECORD_LAST_DAYS, values)).await?;
    }
    if renamed || last_day_changed {
        let event = NewEvent {
            event_id: clock.new_id(),
            business: Some(BusinessId(business)),
            aggregate_id: business,
            version,
            occurred_at: clock.now(),
            actor: actor.to_owned(),
            payload: Payload::Catalogue(CatalogueChanged {}),
        };
        push(sql, event).await?;
    }
    Ok(())
}

#[derive(FromQueryResult)]
struct KnownRow {
    name: String,
    last_day: Option<NaiveDate>,
}

#[derive(FromQueryResult)]
struct AccountRow {
    user_id: Uuid,
}

impl From<AccountRow> for UserId {
    fn from(row: AccountRow) -> Self {
        Self(row.user_id)
    }
}

#[derive(FromQueryResult)]
struct LastDayRow {
    id: Uuid,
    last_day: NaiveDate,
}

impl TryFrom<LastDayRow> for (EmployeeId, Date) {
    type Error = Error;
    fn try_from(row: LastDayRow) -> Result<Self, Error> {
        Ok((EmployeeId(row.id), civil(row.last_day)?))
    }
}

#[derive(FromQueryResult)]
struct EmployeeRow {
    id: Uuid,
}

impl From<EmployeeRow> for EmployeeId {
    fn from(row: EmployeeRow) -> Self {
        Self(row.id)
    }
}

impl Tx {
    /// Whether the employee is the person who acts, as far as the employee's account is known here.
    pub async fn is_actor(&self, employee: EmployeeId) -> Result<bool, Error> {
        let values = named! { business_id: self.business.0, id: employee.0 };
        let account: Option<UserId> = self.one::<AccountRow, _>(ACCOUNT, values).await?;
        Ok(account.is_some_and(|account| format!("user:{account}") == self.actor()))
    }

    /// Until when those employees stay of whom it is known.
    pub(crate) async fn last_days(&self) -> Result<BTreeMap<EmployeeId, Date>, Error> {
        let rows = self.all::<LastDayRow, _>(LAST_DAYS, named! { business_id: self.business.0 }).await?;
        Ok(rows.into_iter().collect())
    }

    /// The employees whose account this is.
    pub(crate) async fn employees_of(&self, account: UserId) -> Result<Vec<EmployeeId>, Error> {
        let values = named! { business_id: self.business.0, account: account.0 };
        self.all::<EmployeeRow, _>(EMPLOYEES_OF, values).await
    }
}
