//! Changes the schedule: one version further, told to followers, with an audit row.

use std::collections::BTreeSet;

use caller::Method;
use uuid::Uuid;

use crate::{
    Error,
    store::{ScheduleVersion, Tx},
};

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
        self.finish_schedule(method, subject, version).await?;
        Ok(done)
    }

    /// Tells others of a changed schedule, and has what depends on it follow.
    pub(super) async fn finish_schedule(
        &self,
        method: &'static Method,
        subject: impl Into<Uuid>,
        version: ScheduleVersion,
    ) -> Result<(), Error> {
        self.end_contacts().await?;
        self.publish_schedule(version).await?;
        self.audit(method, subject).await
    }

    /// Ends contacts of visits to come that the changed schedule does not strand: if another change strands them, their
    /// customers have to be told again.
    async fn end_contacts(&self) -> Result<(), Error> {
        let mut ended = self.contacted_visits().await?;
        if ended.is_empty() {
            return Ok(());
        }
        let schedule = self.read_schedule().await?;
        let stranded = self.stranded_stays(&schedule, None).await?.into_iter();
        let stranded: BTreeSet<_> = stranded.map(|(coming, _)| coming.stay.appointment).collect();
        ended.retain(|visit| !stranded.contains(visit));
        self.end_contacts_of(&ended).await
    }
}
