//! Creates an employee.

use caller::UserId;
use jiff::civil::Date;
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
    /// [`Error::Taken`] when the account is another employee's, [`Error::NameTaken`].
    pub async fn run(self, tx: &Tx) -> Result<Employee, Error> {
        let Self { id, name, user } = self;
        let today = tx.today_of_team().await?;
        let id = id.unwrap_or_else(|| tx.new_id());
        let added = tx.add_employee(Employee::new(id, name, user)).await?;
        if let Added::New(employee) = &added {
            employee.alone_among(&tx.employees_named(&employee.name).await?, today)?;
            tx.publish_employee(employee).await?;
        }
        Ok(added.record())
    }
}

impl Tx {
    /// The local date of the business, whose team no other transaction adds to, or renames, until this one ends.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub(super) async fn today_of_team(&self) -> Result<Date, Error> {
        let business = self.take_business().await?;
        Ok(business.zone.date_at(self.now()))
    }

    /// Tells who follows what an employee is now.
    pub(super) async fn publish_employee(&self, employee: &Employee) -> Result<(), Error> {
        let payload = Payload::Employee(pb::Employee::from(employee));
        self.publish_change(employee.id, employee.version, payload).await
    }
}
