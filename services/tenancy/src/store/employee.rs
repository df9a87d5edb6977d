//! Employees.

use caller::UserId;
use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Employee, EmployeeId, Listing},
};

/// Parameters: place's name and id, rows, business.
pub const EMPLOYEES_BY_NAME: &str = "SELECT id, name, user_id, version FROM employee
    WHERE business_id = $4 AND (name, id) > ($1, $2) ORDER BY name, id LIMIT $3";
/// Parameters: business, ids.
pub const EMPLOYEES_AMONG: &str = "SELECT id, name, user_id, version FROM employee
    WHERE business_id = $1 AND id = ANY($2)";
const BY_ID: &str = "SELECT id, name, user_id, version FROM employee WHERE business_id = $1 AND id = $2";
const ADD: &str = "INSERT INTO employee (business_id, id, name, user_id, version, created_at)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    user_id: Option<Uuid>,
    version: i64,
}

impl TryFrom<Row> for Employee {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: EmployeeId(row.id),
            name: row.name,
            user: row.user_id.map(UserId),
            version: row.version,
        })
    }
}

impl Tx {
    /// The business's employees among those named.
    pub async fn employees_among(&self, ids: &[EmployeeId]) -> Result<Vec<Employee>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        self.all::<Row, _>(EMPLOYEES_AMONG, [self.business.0.into(), ids.into()]).await
    }

    /// A page of employees by name, and one more if there are more.
    pub async fn employees(&self, listing: &Listing) -> Result<Vec<Employee>, Error> {
        let [name, id, rows] = page(&listing.after, listing.limit);
        let values = [name, id, rows, self.business.0.into()];
        self.all::<Row, _>(EMPLOYEES_BY_NAME, values).await
    }

    /// Adds an employee and publishes it, unless its id is there.
    ///
    /// # Errors
    /// [`Error::Taken`] when the id is another business's or the account another
    /// employee's, [`Error::NotFound`] when there is no such business.
    pub async fn add_employee(&self, employee: Employee) -> Result<Added<Employee>, Error> {
        let values = [
            self.business.0.into(),
            employee.id.0.into(),
            employee.name.as_str().into(),
            employee.user.map(|user| user.0).into(),
            employee.version.into(),
            self.at(),
        ];
        let added = self.try_execute(ADD, values).await.map_err(|error| {
            refused(
                error,
                &[
                    ("employee_business", no_business),
                    ("employee_user", || Error::Taken("this account belongs to another employee")),
                ],
            )
        })?;
        if added == 0 {
            let before = self.one::<Row, _>(BY_ID, [self.business.0.into(), employee.id.0.into()]).await?;
            return before.map(Added::Before).ok_or(Error::Taken("this id is taken"));
        }
        let payload = Payload::Employee(pb::Employee::from(&employee));
        self.publish_change(employee.id.0, employee.version, payload).await?;
        Ok(Added::New(employee))
    }
}
