//! Employees.

use caller::UserId;
use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, Reason, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Employee, EmployeeId, Listing},
};

/// A page.
pub const EMPLOYEES_BY_NAME: &str = "SELECT id, name, user_id, version FROM employee
    WHERE business_id = :business_id AND (name, id) > (:after_name, :after_id)
    ORDER BY name, id LIMIT :limit";
/// Those among `ids`.
pub const EMPLOYEES_AMONG: &str = "SELECT id, name, user_id, version FROM employee
    WHERE business_id = :business_id AND id = ANY(:ids)";
const BY_ID: &str = "SELECT id, name, user_id, version FROM employee
    WHERE business_id = :business_id AND id = :id";
const ADD: &str = "INSERT INTO employee (business_id, id, name, user_id, version, created_at)
    VALUES (:business_id, :id, :name, :user_id, :version, :now) ON CONFLICT (business_id, id) DO NOTHING";

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
        self.all::<Row, _>(EMPLOYEES_AMONG, named! { business_id: self.business.0, ids }).await
    }

    /// A page of employees by name, and one more if there are more.
    pub async fn employees(&self, listing: &Listing) -> Result<Vec<Employee>, Error> {
        let values = page(listing).and(named! { business_id: self.business.0 });
        self.all::<Row, _>(EMPLOYEES_BY_NAME, values).await
    }

    /// Adds an employee, unless its id is there.
    ///
    /// # Errors
    /// [`Error::Taken`] when the account is another employee's, [`Error::NotFound`] when there is no such
    /// business.
    pub async fn add_employee(&self, employee: Employee) -> Result<Added<Employee>, Error> {
        let values = named! {
            business_id: self.business.0,
            id: employee.id.0,
            name: employee.name.as_str(),
            user_id: employee.user.map(|user| user.0),
            version: employee.version,
            now: self.at(),
        };
        let reasons: &[Reason] = &[
            ("employee_business", no_business),
            ("employee_user", || Error::Taken("this account belongs to another employee")),
        ];
        if self.try_execute(ADD, values).await.map_err(|error| refused(error, reasons))? == 1 {
            return Ok(Added::New(employee));
        }
        let key = named! { business_id: self.business.0, id: employee.id.0 };
        let before = self.one::<Row, _>(BY_ID, key).await?;
        before.map(Added::Before).ok_or(Error::NotFound("employee"))
    }
}
