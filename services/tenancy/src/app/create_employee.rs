//! Creates an employee.

use caller::UserId;
use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};

use crate::{
    Error,
    domain::{Employee, EmployeeId},
    store::{Added, Tx},
};

/// An employee to create.
#[derive(Debug)]
pub struct CreateEmployee {
    /// An id of the caller's choice.
    pub id: Option<EmployeeId>,
    /// What the person is called.
    pub name: String,
    /// The account the person signs in with.
    pub user: Option<UserId>,
}

impl CreateEmployee {
    /// Creates it and publishes it; the employee under its id if the business has one.
    ///
    /// # Errors
    /// [`Error::Taken`] when the account is another employee's.
    pub async fn run(self, tx: &Tx) -> Result<Employee, Error> {
        let Self { id, name, user } = self;
        let id = id.unwrap_or_else(|| tx.new_id());
        let added = tx.add_employee(Employee::new(id, name, user)).await?;
        if let Added::New(employee) = &added {
            tx.publish_employee(employee).await?;
        }
        Ok(added.record())
    }
}

impl Tx {
    /// Tells who follows what an employee is now.
    pub(super) async fn publish_employee(&self, employee: &Employee) -> Result<(), Error> {
        let payload = Payload::Employee(pb::Employee::from(employee));
        self.publish_change(employee.id, employee.version, payload).await
    }
}
