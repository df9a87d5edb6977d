//! The people that requests name.

use caller::BusinessScope;
use database::named;
use engine::id::{CustomerId, EmployeeId};
use proto::frontdesk::tenancy::internal::v1::FindPeopleResponse;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Store, Tx};
use crate::{Error, domain::person::PersonId};

/// Those of some people whom the projection knows.
pub const PEOPLE_AMONG: &str = "SELECT id, true AS serves FROM employee
        WHERE business_id = :business_id AND id = ANY(:employee_ids::uuid[])
    UNION ALL SELECT id, false FROM customer
        WHERE business_id = :business_id AND id = ANY(:customer_ids::uuid[])";
/// What the follower has brought meanwhile is newer, or the same.
const ADD_EMPLOYEE: &str = "INSERT INTO employee (business_id, id, name, user_id, last_day)
    VALUES (:business_id, :id, :name, :user_id, :last_day::text::date)
    ON CONFLICT (business_id, id) DO NOTHING";
const ADD_CUSTOMER: &str = "INSERT INTO customer (business_id, id, name, phone, merged_into)
    VALUES (:business_id, :id, :name, :phone, :merged_into::uuid)
    ON CONFLICT (business_id, id) DO NOTHING";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    serves: bool,
}

impl From<Row> for PersonId {
    fn from(row: Row) -> Self {
        if row.serves { Self::Employee(EmployeeId(row.id)) } else { Self::Customer(CustomerId(row.id)) }
    }
}

impl Tx {
    /// Those of `ids` whom the projection knows: one query, however many.
    pub async fn people_among(&self, ids: &[PersonId]) -> Result<Vec<PersonId>, Error> {
        let (mut employees, mut customers) = (vec![], vec![]);
        for id in ids {
            match id {
                PersonId::Employee(id) => employees.push(id.0),
                PersonId::Customer(id) => customers.push(id.0),
            }
        }
        let values =
            named! { business_id: self.business.0, employee_ids: employees, customer_ids: customers };
        self.all::<Row, _>(PEOPLE_AMONG, values).await
    }
}

impl Store {
    /// Saves people whom tenancy has told of before their events have arrived, each in a transaction
    /// of its own: the follower may be adding the same ones, in another order.
    ///
    /// # Errors
    /// When the database fails, or the answer is malformed.
    pub async fn save_people(
        &self,
        scope: &BusinessScope,
        people: &FindPeopleResponse,
    ) -> Result<Vec<PersonId>, Error> {
        let uuid = |text: &str| text.parse::<Uuid>().map_err(|_| Error::Stored("person"));
        let mut saved = Vec::new();
        for employee in &people.employees {
            let id = uuid(&employee.id)?;
            let account = (!employee.user_id.is_empty()).then(|| uuid(&employee.user_id)).transpose()?;
            let tx = self.begin(scope);
            let last_day = Some(employee.last_day.as_str()).filter(|day| !day.is_empty());
            let name = employee.name.as_str();
            let values = named! { business_id: tx.business.0, id, name, user_id: account, last_day };
            tx.execute(ADD_EMPLOYEE, values).await?;
            tx.commit().await?;
            saved.push(PersonId::Employee(EmployeeId(id)));
        }
        for customer in &people.customers {
            let (id, name, phone) = (uuid(&customer.id)?, customer.name.as_str(), customer.phone.as_str());
            let merged_into =
                (!customer.merged_into.is_empty()).then(|| uuid(&customer.merged_into)).transpose()?;
            let tx = self.begin(scope);
            let values = named! { business_id: tx.business.0, id, name, phone, merged_into };
            tx.execute(ADD_CUSTOMER, values).await?;
            tx.commit().await?;
            saved.push(PersonId::Customer(CustomerId(id)));
        }
        Ok(saved)
    }
}
