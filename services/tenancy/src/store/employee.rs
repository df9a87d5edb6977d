//! Employees.

use caller::{BusinessId, UserId};
use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Added, InstallationTx, Reason, Tx, no_business, page, refused};
use crate::{
    Error,
    domain::{Employee, EmployeeId, Listing},
};

/// A page: of those whose last day is over, of the others, or of all.
pub const EMPLOYEES_BY_NAME: &str =
    "SELECT id, name, user_id, last_day::text AS last_day, version FROM employee
    WHERE business_id = :business_id AND (name, id) > (:after_name, :after_id)
        AND (:former::boolean IS NULL OR :former::boolean = COALESCE(last_day < (:now::timestamptz AT TIME ZONE
            (SELECT time_zone FROM business WHERE business_id = :business_id))::date, false))
    ORDER BY name, id LIMIT :limit";
/// Those among `ids`.
pub const EMPLOYEES_AMONG: &str =
    "SELECT id, name, user_id, last_day::text AS last_day, version FROM employee
    WHERE business_id = :business_id AND id = ANY(:ids)";
/// One, in whichever business.
pub const EMPLOYEE_ANYWHERE: &str =
    "SELECT business_id, id, name, user_id, last_day::text AS last_day, version FROM employee WHERE id = :id";
const TAKE: &str = "SELECT id, name, user_id, last_day::text AS last_day, version FROM employee
    WHERE business_id = :business_id AND id = :id FOR UPDATE";
const BY_USER: &str = "SELECT id, name, user_id, last_day::text AS last_day, version FROM employee
    WHERE business_id = :business_id AND user_id = :user_id";
/// Those of a name who have no account, from whom this one was not taken, and whose last day is not over: at most two,
/// which is enough to know whether it is one.
const WITHOUT_ACCOUNT: &str = "SELECT id, name, user_id, last_day::text AS last_day, version FROM employee
    WHERE business_id = :business_id AND user_id IS NULL AND folded(name) = folded(:name)
        AND :account::uuid <> ALL (unlinked_accounts)
        AND (last_day IS NULL OR last_day >= (:now::timestamptz AT TIME ZONE
            (SELECT time_zone FROM business WHERE business_id = :business_id))::date)
    ORDER BY id LIMIT 2 FOR UPDATE";
/// Those of a name, in whatever case and with whatever accents.
const NAMED: &str = "SELECT id, name, user_id, last_day::text AS last_day, version FROM employee
    WHERE business_id = :business_id AND folded(name) = folded(:name)";
/// Which of these names, in whatever case and with whatever accents, employees have who are here.
const NAMES_AMONG: &str = "SELECT n.name FROM unnest(:names::text[]) AS n (name) WHERE EXISTS (
        SELECT FROM employee e WHERE e.business_id = :business_id AND folded(e.name) = folded(n.name)
            AND (e.last_day IS NULL OR e.last_day >= (:now::timestamptz AT TIME ZONE
                (SELECT time_zone FROM business WHERE business_id = :business_id))::date))";
/// Keeps an account that is taken from the employee.
const SAVE: &str = "UPDATE employee
    SET name = :name, user_id = :user_id, last_day = :last_day::date, version = :version,
        unlinked_accounts = CASE WHEN user_id IS NOT NULL AND :user_id::uuid IS NULL
            THEN array_append(array_remove(unlinked_accounts, user_id), user_id) ELSE unlinked_accounts END
    WHERE business_id = :business_id AND id = :id";
const BY_ID: &str = "SELECT id, name, user_id, last_day::text AS last_day, version FROM employee
    WHERE business_id = :business_id AND id = :id";
const ADD: &str = "INSERT INTO employee (business_id, id, name, user_id, version, created_at)
    VALUES (:business_id, :id, :name, :user_id, :version, :now) ON CONFLICT (business_id, id) DO NOTHING";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    name: String,
    user_id: Option<Uuid>,
    last_day: Option<String>,
    version: i64,
}

impl TryFrom<Row> for Employee {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let last_day = row.last_day.map(|day| day.parse()).transpose();
        Ok(Self {
            id: EmployeeId(row.id),
            name: row.name,
            user: row.user_id.map(UserId),
            last_day: last_day.map_err(|error| Error::Stored("last day", Box::new(error)))?,
            version: row.version,
        })
    }
}

const ACCOUNT_TAKEN: &[Reason] = &[
    ("employee_business", no_business),
    ("employee_user", || Error::Taken("this account belongs to another employee")),
];

#[derive(FromQueryResult)]
struct PlacedRow {
    business_id: Uuid,
    id: Uuid,
    name: String,
    user_id: Option<Uuid>,
    last_day: Option<String>,
    version: i64,
}

impl InstallationTx {
    /// An employee and their business.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn employee_anywhere(&self, id: EmployeeId) -> Result<(BusinessId, Employee), Error> {
        let found = self.row::<PlacedRow>(EMPLOYEE_ANYWHERE, named! { id: id.0 }).await?;
        let PlacedRow { business_id, id, name, user_id, last_day, version } =
            found.ok_or(Error::NotFound("employee"))?;
        Ok((BusinessId(business_id), Row { id, name, user_id, last_day, version }.try_into()?))
    }
}

impl Tx {
    /// The business's employees among those named.
    pub async fn employees_among(&self, ids: &[EmployeeId]) -> Result<Vec<Employee>, Error> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        self.all::<Row, _>(EMPLOYEES_AMONG, named! { business_id: self.business.0, ids }).await
    }

    /// A page of employees by name, and one more if there are more: `former` ones, those who are here, or all.
    pub async fn employees(&self, listing: &Listing, former: Option<bool>) -> Result<Vec<Employee>, Error> {
        let values = page(listing).and(named! { business_id: self.business.0, former, now: self.at() });
        self.all::<Row, _>(EMPLOYEES_BY_NAME, values).await
    }

    /// The employees of a name, former ones among them.
    pub async fn employees_named(&self, name: &str) -> Result<Vec<Employee>, Error> {
        self.all::<Row, _>(NAMED, named! { business_id: self.business.0, name }).await
    }

    /// Those of these names under which employees are here, in whatever case and with whatever accents.
    pub async fn employee_names_among(&self, names: Vec<String>) -> Result<Vec<String>, Error> {
        Ok(self.values(NAMES_AMONG, named! { business_id: self.business.0, names, now: self.at() }).await?)
    }

    /// The employee whose account this is.
    pub async fn employee_of(&self, user: UserId) -> Result<Option<Employee>, Error> {
        self.one::<Row, _>(BY_USER, named! { business_id: self.business.0, user_id: user.0 }).await
    }

    /// An employee, whom no other transaction changes until this one ends.
    pub async fn take_employee(&self, id: EmployeeId) -> Result<Option<Employee>, Error> {
        self.one::<Row, _>(TAKE, named! { business_id: self.business.0, id: id.0 }).await
    }

    /// The only employee of this name who has no account and from whom this one was not taken, whom no other
    /// transaction changes until this one ends.
    pub async fn take_employee_for(&self, account: UserId, name: &str) -> Result<Option<Employee>, Error> {
        let values = named! { business_id: self.business.0, account: account.0, name, now: self.at() };
        let mut found = self.all::<Row, Employee>(WITHOUT_ACCOUNT, values).await?;
        Ok(if found.len() == 1 { found.pop() } else { None })
    }

    /// Saves what is known of an employee.
    ///
    /// # Errors
    /// [`Error::Taken`] when the account is another employee's.
    pub async fn save_employee(&self, employee: &Employee) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: employee.id.0,
            name: employee.name.as_str(),
            user_id: employee.user.map(|user| user.0),
            last_day: employee.last_day.map(|day| day.to_string()),
            version: employee.version,
        };
        let saved = self.try_execute(SAVE, values).await;
        saved.map(drop).map_err(|error| refused(error, ACCOUNT_TAKEN))
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
        if self.try_execute(ADD, values).await.map_err(|error| refused(error, ACCOUNT_TAKEN))? == 1 {
            return Ok(Added::New(employee));
        }
        let key = named! { business_id: self.business.0, id: employee.id.0 };
        let before = self.one::<Row, _>(BY_ID, key).await?;
        before.map(Added::Before).ok_or(Error::NotFound("employee"))
    }
}
