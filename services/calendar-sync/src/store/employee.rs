//! Employees, as tenancy tells of them.

use caller::{BusinessId, UserId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{CalendarId, EmployeeId},
    error::Error,
};

const SAVE: &str = "INSERT INTO employee (business_id, id, user_id) VALUES ($1, $2, $3)
    ON CONFLICT (business_id, id) DO UPDATE SET user_id = excluded.user_id";
/// What the follower has brought meanwhile is newer, or the same.
const ADD: &str = "INSERT INTO employee (business_id, id, user_id) VALUES ($1, $2, $3)
    ON CONFLICT (business_id, id) DO NOTHING";
const KNOWN: &str = "SELECT id FROM employee WHERE business_id = $1 AND id = $2";
const OWNER: &str = "SELECT c.employee_id AS id, e.user_id FROM calendar c
    LEFT JOIN employee e ON e.business_id = c.business_id AND e.id = c.employee_id
    WHERE c.business_id = $1 AND c.id = $2";

/// Saves an employee and the account that is theirs, if one is.
pub async fn save_employee(
    sql: &DatabaseTransaction,
    business: BusinessId,
    employee: EmployeeId,
    account: Option<UserId>,
) -> Result<(), DbErr> {
    let values = [business.0.into(), employee.0.into(), account.map(|account| account.0).into()];
    sql.execute_raw(database::statement(SAVE, values)).await.map(drop)
}

#[derive(FromQueryResult)]
struct Owner {
    user_id: Option<Uuid>,
}

impl Tx {
    /// Adds an employee whom tenancy has told of before their event has arrived.
    pub async fn add_employee(&self, employee: EmployeeId, account: Option<UserId>) -> Result<(), Error> {
        let values = [self.business.0.into(), employee.0.into(), account.map(|account| account.0).into()];
        self.execute(ADD, values).await?;
        Ok(())
    }

    /// Whether the projection has the employee.
    pub async fn knows_employee(&self, employee: EmployeeId) -> Result<bool, Error> {
        let values = [self.business.0.into(), employee.0.into()];
        Ok(self.open().await?.query_one_raw(database::statement(KNOWN, values)).await?.is_some())
    }

    /// The account of the employee whose calendar it is.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such calendar.
    pub async fn owner_of(&self, calendar: CalendarId) -> Result<Option<UserId>, Error> {
        let values = [self.business.0.into(), calendar.0.into()];
        let owner = self.row::<Owner>(OWNER, values).await?;
        Ok(owner.ok_or(Error::NotFound("calendar"))?.user_id.map(UserId))
    }
}
