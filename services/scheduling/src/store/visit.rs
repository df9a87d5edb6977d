//! Changes of a booked visit, whatever they are: one at a time, and the ledger with them.

use std::sync::Arc;

use database::named;
use engine::{
    appointment::Appointment, day::Day, id::VisitId, progress::Progress, schedule::Schedule, visit::Occupied,
};
use jiff::tz::TimeZone;

use super::{Tx, ledger::days_of};
use crate::Error;

/// A change of a visit locks it before any days, because another change may move the visit to other
/// days while this one waits for them.
const TAKE_VISIT: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('visit:' || :business_id::uuid || :id::uuid, 0))";

/// A visit, locked until the transaction ends.
#[derive(Debug)]
pub struct TakenVisit {
    /// The business's schedule, which stays as it is as well.
    pub schedule: Arc<Schedule>,
    /// The visit.
    pub appointment: Appointment,
    /// What it went through.
    pub progress: Progress,
    /// What it takes from whom.
    pub rows: Vec<Occupied>,
}

impl Tx {
    /// Takes the turn to change a visit.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BusinessUnknown`].
    pub async fn take_visit(&self, id: VisitId) -> Result<TakenVisit, Error> {
        let schedule = self.settled_schedule().await?;
        self.execute(TAKE_VISIT, named! { business_id: self.business.0, id: id.0 }).await?;
        let appointment = self.appointment(id).await?.appointment;
        let (progress, rows) = (self.progress(id).await?, self.booked_rows(id).await?);
        Ok(TakenVisit { schedule, appointment, progress, rows })
    }
}

/// The days that any of these rows touch, ascending.
pub(crate) fn days_of_rows(rows: &[&[Occupied]], zone: &TimeZone) -> Vec<Day> {
    let spans: Vec<_> = rows.concat().iter().map(|row| row.during).collect();
    days_of(&spans, zone)
}
