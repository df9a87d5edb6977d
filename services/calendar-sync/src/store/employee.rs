//! Employees, as tenancy tells of them.

use caller::{BusinessId, UserId};
use database::{Named, named};
use jiff::civil::Date;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    domain::{CalendarId, EmployeeId},
    error::Error,
};

const SAVE: &str = "INSERT INTO employee (business_id, id, user_id, last_day)
    VALUES (:business_id, :id, :user_id, :last_day::date)
    ON CONFLICT (business_id, id) DO UPDATE SET user_id = excluded.user_id, last_day = excluded.last_day";
/// The secret of an address is known to the account that the employee had before.
const REVOKE_ADDRESS: &str = "DELETE FROM calendar_feed f USING employee e
    WHERE f.business_id = :business_id AND f.employee_id = :id AND e.business_id = :business_id AND e.id = :id
        AND e.user_id IS NOT NULL AND e.user_id IS DISTINCT FROM :user_id::uuid";
/// The account that made an address was shown its secret, even of another employee's.
const REVOKE_ADDRESSES_OF: &str = "DELETE FROM calendar_feed f
    WHERE f.business_id = :business_id AND (f.made_by = :user_id OR f.employee_id IN (
        SELECT e.id FROM employee e WHERE e.business_id = :business_id AND e.user_id = :user_id))";
/// Below OWNER, an account makes the address of its own employee alone.
const REVOKE_ADDRESSES_OF_OTHERS: &str = "DELETE FROM calendar_feed f
    WHERE f.business_id = :business_id AND f.made_by = :user_id AND f.employee_id NOT IN (
        SELECT e.id FROM employee e WHERE e.business_id = :business_id AND e.user_id = :user_id)";
/// What the follower has brought meanwhile is newer, or the same.
const ADD: &str = "INSERT INTO employee (business_id, id, user_id) VALUES (:business_id, :id, :user_id)
    ON CONFLICT (business_id, id) DO NOTHING";
const KNOWN: &str = "SELECT user_id FROM employee WHERE business_id = :business_id AND id = :id";
/// In UTC where the business's zone is not known.
const HAS_LEFT: &str = "SELECT last_day < (:now::timestamptz AT TIME ZONE COALESCE(
        (SELECT time_zone FROM business WHERE business_id = :business_id), 'UTC'))::date
    FROM employee WHERE business_id = :business_id AND id = :id AND last_day IS NOT NULL";
const OWNER: &str = "SELECT e.user_id FROM calendar c
    LEFT JOIN employee e ON e.business_id = c.business_id AND e.id = c.employee_id
    WHERE c.business_id = :business_id AND c.id = :id";

/// One that is being let go of is none any more.
pub const HAS_CALENDAR: &str = "SELECT EXISTS (SELECT FROM employee e
    JOIN calendar c ON c.business_id = e.business_id AND c.employee_id = e.id
    JOIN sync_state s ON s.business_id = c.business_id AND s.calendar_id = c.id AND NOT s.leaving
    WHERE e.user_id = :user_id)";

/// Saves an employee, the account that is theirs, if one is, and until when they stay. When the account is taken away,
/// the address of their calendar feed is revoked.
pub async fn save_employee(
    sql: &DatabaseTransaction,
    business: BusinessId,
    employee: EmployeeId,
    account: Option<UserId>,
    last_day: Option<Date>,
) -> Result<(), DbErr> {
    let values = row(business, employee, account);
    sql.execute_raw(database::statement(REVOKE_ADDRESS, values.clone())).await?;
    let values = values.and(named! { last_day: last_day.map(|day| day.to_string()) });
    sql.execute_raw(database::statement(SAVE, values)).await.map(drop)
}

/// Revokes the addresses of calendar feeds that an account made, and the one of the employee whose account it is.
pub async fn revoke_addresses_of(
    sql: &DatabaseTransaction,
    business: BusinessId,
    account: UserId,
) -> Result<(), DbErr> {
    let values = named! { business_id: business.0, user_id: account.0 };
    sql.execute_raw(database::statement(REVOKE_ADDRESSES_OF, values)).await.map(drop)
}

/// Revokes the addresses of calendar feeds that an account made for employees other than the one whose account it is.
pub async fn revoke_addresses_of_others(
    sql: &DatabaseTransaction,
    business: BusinessId,
    account: UserId,
) -> Result<(), DbErr> {
    let values = named! { business_id: business.0, user_id: account.0 };
    sql.execute_raw(database::statement(REVOKE_ADDRESSES_OF_OTHERS, values)).await.map(drop)
}

fn row(business: BusinessId, employee: EmployeeId, account: Option<UserId>) -> Named {
    named! { business_id: business.0, id: employee.0, user_id: account.map(|account| account.0) }
}

impl Store {
    /// Whether a calendar is connected to an employee of any business who signs in with this account.
    pub async fn has_calendar(&self, user: UserId) -> Result<bool, Error> {
        let tx = self.begin_for_all();
        let has = tx.value::<bool>(HAS_CALENDAR, named! { user_id: user.0 }).await?;
        tx.commit().await?;
        Ok(has.unwrap_or_default())
    }
}

impl Tx {
    /// Adds an employee whom tenancy has told of before their event has arrived.
    pub async fn add_employee(&self, employee: EmployeeId, account: Option<UserId>) -> Result<(), Error> {
        self.execute(ADD, row(self.business, employee, account)).await.map(drop)
    }

    /// Whether the projection has the employee.
    pub async fn knows_employee(&self, employee: EmployeeId) -> Result<bool, Error> {
        let values = named! { business_id: self.business.0, id: employee.0 };
        Ok(self.execute(KNOWN, values).await? == 1)
    }

    /// The account that an employee signs in with, if the projection has both.
    pub async fn account_of(&self, employee: EmployeeId) -> Result<Option<UserId>, Error> {
        let values = named! { business_id: self.business.0, id: employee.0 };
        Ok(self.value::<Option<Uuid>>(KNOWN, values).await?.flatten().map(UserId))
    }

    /// Whether the employee's last day is over.
    pub async fn has_left(&self, employee: EmployeeId) -> Result<bool, Error> {
        let values = named! { business_id: self.business.0, id: employee.0, now: self.at() };
        Ok(self.value::<bool>(HAS_LEFT, values).await?.unwrap_or_default())
    }

    /// The account of the employee whose calendar it is.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such calendar.
    pub async fn owner_of(&self, calendar: CalendarId) -> Result<Option<UserId>, Error> {
        let values = named! { business_id: self.business.0, id: calendar.0 };
        let account = self.value::<Option<Uuid>>(OWNER, values).await?.ok_or(Error::NotFound("calendar"))?;
        Ok(account.map(UserId))
    }
}
