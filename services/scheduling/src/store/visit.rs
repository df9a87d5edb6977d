//! Changes of a booked visit, whatever they are: one at a time, and the ledger with them.

use std::sync::Arc;

use engine::{
    appointment::Appointment,
    day::Day,
    id::VisitId,
    progress::{Progress, Step},
    schedule::Schedule,
    visit::Occupied,
};
use jiff::tz::TimeZone;

use super::{Tx, ledger::days_of, purpose::Purpose};
use crate::Error;

/// Whoever changes a visit takes its turn before any days: its days may be others by the time
/// that it would have them.
const TAKE_VISIT: &str =
    "SELECT pg_advisory_xact_lock(hashtextextended('visit:' || $1::uuid || $2::uuid, 0))";

/// A visit that nobody else changes before the transaction ends.
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
        self.execute(TAKE_VISIT, [self.business.0.into(), id.0.into()]).await?;
        let appointment = self.appointment(id).await?.appointment;
        let (progress, rows) = (self.progress(id).await?, self.booked_rows(id).await?);
        Ok(TakenVisit { schedule, appointment, progress, rows })
    }

    /// Saves a visit as it `changed` with a step, and has the ledger follow.
    ///
    /// # Errors
    /// SLOT_TAKEN, where a step back wants time that somebody else has by now.
    pub async fn save_step(
        &self,
        visit: &TakenVisit,
        changed: &Appointment,
        step: Step,
    ) -> Result<(), Error> {
        let (id, stage) = (changed.id, changed.state.stage());
        let rows = match (step, visit.progress.present().freed_at) {
            (Step::Forward, _) => stage.leaves(&visit.rows, self.now()),
            (Step::Back, Some(freed_at)) => self.booked_rows_before(id, freed_at).await?,
            (Step::Back, None) => visit.rows.clone(),
        };
        let frees = rows != visit.rows;
        if frees {
            self.take_days(&days_of_rows(&[&visit.rows, &rows], &visit.schedule.zone)).await?;
            self.close_visit(id).await?;
            self.settle_conflicts_of(id, &visit.rows, &rows).await?;
            self.occupy(Purpose::of(changed), &rows).await?;
        }
        if frees && step == Step::Forward {
            self.announce_freed(id, changed.version, &visit.rows).await?;
        }
        self.save_state(changed).await?;
        match step {
            Step::Forward => self.add_state_change(id, stage, frees).await,
            Step::Back => self.undo_state_change(id).await,
        }
    }
}

/// The days that any of these rows touch, ascending.
pub(super) fn days_of_rows(rows: &[&[Occupied]], zone: &TimeZone) -> Vec<Day> {
    let spans: Vec<_> = rows.concat().iter().map(|row| row.during).collect();
    days_of(&spans, zone)
}
