//! Changes the schedule: one version further, told to followers, with an audit row.

use caller::Method;
use engine::id::EmployeeId;
use uuid::Uuid;

use crate::{
    Error,
    store::{ScheduleEdit, ScheduleVersion, Stranded, Tx},
};

/// A change of working time that may strand appointments.
#[derive(Debug)]
pub struct WorkingTimeChange {
    /// The call that makes it.
    pub method: &'static Method,
    /// The record that the audit row names.
    pub record: Uuid,
    /// Whose working time changes; every employee's if `None`.
    pub employee: Option<EmployeeId>,
}

impl WorkingTimeChange {
    /// A change of one employee's working time.
    pub fn of(method: &'static Method, employee: EmployeeId) -> Self {
        Self { method, record: employee.0, employee: Some(employee) }
    }

    /// Ends a transaction that has made the change since `edit` began, and returns whom it strands. With
    /// `validate_only` the change is rolled back, so that its preview is what it would really do.
    pub async fn end(self, tx: Tx, edit: &ScheduleEdit, validate_only: bool) -> Result<Vec<Stranded>, Error> {
        let stranded = tx.stranded(edit, self.employee).await?;
        if !validate_only {
            tx.publish_schedule(edit.version).await?;
            tx.audit(self.method, self.record).await?;
            tx.commit().await?;
        }
        Ok(stranded)
    }
}

impl Tx {
    /// Runs `work` on the next version of the schedule. Other changes of the schedule wait for this one.
    ///
    /// # Errors
    /// [`Error::BusinessUnknown`], and those of `work`.
    pub async fn change_schedule<T>(
        &self,
        method: &'static Method,
        subject: impl Into<Uuid>,
        work: impl AsyncFnOnce(ScheduleVersion) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let version = self.next_schedule().await?;
        let done = work(version).await?;
        self.publish_schedule(version).await?;
        self.audit(method, subject).await?;
        Ok(done)
    }
}
