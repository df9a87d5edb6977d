//! Takes the account from an employee.

use crate::{
    Error,
    domain::{Employee, EmployeeId},
    store::Tx,
};

/// An employee who is to have no account.
#[derive(Debug)]
pub struct UnlinkAccount {
    /// Who.
    pub id: EmployeeId,
    /// The version that was seen.
    pub version: Option<i64>,
}

impl UnlinkAccount {
    /// Saves and publishes it, if there is an account to take.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`].
    pub async fn run(self, tx: Tx) -> Result<Employee, Error> {
        let Self { id, version } = self;
        let before = tx.take_employee(id).await?.ok_or(Error::NotFound("employee"))?.seen_at(version)?;
        let after = before.clone().unlinked();
        if after != before {
            tx.save_employee(&after).await?;
            tx.publish_employee(&after).await?;
        }
        tx.commit().await?;
        Ok(after)
    }
}
