//! Says what an employee is called, when they leave and whose account is theirs.

use caller::UserId;
use jiff::civil::Date;

use crate::{
    Error,
    domain::{Employee, EmployeeId},
    store::Tx,
};

/// What is known of an employee from now on.
#[derive(Debug)]
pub struct UpdateEmployee {
    /// Who.
    pub id: EmployeeId,
    /// What the person is called.
    pub name: String,
    /// The last day on which they work here.
    pub last_day: Option<Date>,
    /// The account that is theirs; `None` leaves it as it is.
    pub user: Option<UserId>,
    /// The version that was seen.
    pub version: Option<i64>,
}

impl UpdateEmployee {
    /// Saves and publishes it, if anything is different.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`]; [`Error::HasAccount`], and [`Error::Taken`] when the account is another
    /// employee's; [`Error::NameTaken`].
    pub async fn run(self, tx: Tx) -> Result<Employee, Error> {
        let Self { id, name, last_day, user, version } = self;
        let today = tx.today_of_team().await?;
        let before = tx.take_employee(id).await?.ok_or(Error::NotFound("employee"))?.seen_at(version)?;
        let after = before.clone().described(name, last_day, user)?;
        if after != before {
            // Employees of one name, as invitations make them, can be changed but for their names.
            if after.brings_a_name(&before, today) {
                after.alone_among(&tx.employees_named(&after.name).await?, today)?;
            }
            tx.save_employee(&after).await?;
            tx.publish_employee(&after).await?;
        }
        tx.commit().await?;
        Ok(after)
    }
}
