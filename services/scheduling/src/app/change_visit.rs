//! A booked visit changes its state or its place, and the ledger, conflicts and the waitlist follow.

use engine::{appointment::Appointment, progress::Step, visit::Placement};

use crate::{
    Error,
    store::{Purpose, Rearranged, TakenVisit, Tx, days_of_rows},
};

impl Tx {
    /// Saves a visit as it `changed` with a step, and has the ledger follow.
    ///
    /// # Errors
    /// SLOT_TAKEN if a step back needs time that has been taken since.
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
            self.publish_freed(id, changed.version, &visit.rows).await?;
        }
        self.save_state(changed).await?;
        match step {
            Step::Forward => self.add_state_change(id, stage, frees).await,
            Step::Back => self.undo_state_change(id).await,
        }
    }

    /// Saves a visit that was moved to where it is placed now, in days that were taken.
    ///
    /// # Errors
    /// SLOT_TAKEN.
    pub async fn save_moved(
        &self,
        visit: &TakenVisit,
        moved: &Appointment,
        placement: &Placement,
    ) -> Result<(), Error> {
        let (before, occupied) = (&visit.rows[..], &placement.occupied[..]);
        self.save_rearranged(&[Rearranged { before, after: moved.clone(), occupied }]).await?;
        self.publish_freed(moved.id, moved.version, &visit.rows).await
    }
}
