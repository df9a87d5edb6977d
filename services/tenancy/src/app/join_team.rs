//! Makes a new member an employee.

use caller::{BusinessId, UserId, Worker};
use jiff::civil::Date;

use crate::{
    Error,
    domain::{Employee, EmployeeId, numbered_name},
    store::{Store, Tx},
};

/// A person who became a member of a business as an employee.
#[derive(Debug)]
pub struct JoinTeam {
    /// The business.
    pub business: BusinessId,
    /// The account the person signs in with.
    pub user: UserId,
    /// What the person is called.
    pub name: String,
    /// The employee whom the invitation was for.
    pub employee: Option<EmployeeId>,
    /// Whether the person serves customers.
    pub serves: bool,
}

impl JoinTeam {
    /// Links the account with the employee whom the invitation was for. Where it named none, one who serves customers
    /// is the only employee of their name without an account, or a new one; an employee from whom the account was taken
    /// is left out. A new one of a name that the team has already is called by it with a number, until they are renamed.
    /// An account that is an employee's stays so.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such business.
    pub async fn run(self, store: &Store) -> Result<(), Error> {
        let tx = store.begin(&Worker::new("join-team", self.business));
        // One at a time: two members of one name must not meet the same employee.
        let today = tx.today_of_team().await?;
        if tx.employee_of(self.user).await?.is_none()
            && let Some(employee) = self.join(&tx, today).await?
        {
            tx.publish_employee(&employee).await?;
        }
        tx.commit().await
    }

    async fn join(self, tx: &Tx, today: Date) -> Result<Option<Employee>, Error> {
        let Self { user, name, employee, serves, .. } = self;
        let meant = match employee {
            Some(id) => tx.take_employee(id).await?.filter(|known| known.user.is_none()),
            None => None,
        };
        let known = match meant {
            None if serves => tx.take_employee_for(user, &name).await?,
            meant => meant,
        };
        if let Some(known) = known {
            let version = known.version + 1;
            let linked = Employee { user: Some(user), version, ..known };
            tx.save_employee(&linked).await?;
            return Ok(Some(linked));
        }
        if !serves {
            return Ok(None);
        }
        let name = name_of_its_own(tx, &name, today).await?;
        let new = Employee::new(tx.new_id(), name, Some(user));
        Ok(Some(tx.add_employee(new).await?.record()))
    }
}

/// The name, with the first number that tells the person apart where an employee who is here has it.
async fn name_of_its_own(tx: &Tx, name: &str, today: Date) -> Result<String, Error> {
    let mut number = 1;
    loop {
        let candidate = numbered_name(name, number);
        let namesakes = tx.employees_named(&candidate).await?;
        if namesakes.iter().all(|employee| employee.has_left(today)) {
            return Ok(candidate);
        }
        number += 1;
    }
}
