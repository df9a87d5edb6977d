//! Brings a visit to another state, or takes its cancellation back.

use caller::Method;
use engine::{
    id::VisitId,
    progress::{Stage, Step},
};
use proto::frontdesk::scheduling::v1::appointment_service_methods::{
    RESTORE_APPOINTMENT, SET_APPOINTMENT_STATE,
};

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Returned, StepChange, Undoable},
    },
    store::{StoredAppointment, Tx},
};

/// A state to enter.
#[derive(Debug)]
pub struct SetAppointmentState {
    /// The visit.
    pub id: VisitId,
    /// A later state, or the one before on the same local day.
    pub stage: Stage,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
}

impl SetAppointmentState {
    /// Enters the state and publishes the visit; what it is now, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, a state that can't be entered from the present one, or
    /// time that has been taken meanwhile.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, ChangeId), Error> {
        let (stored, step) = self.enter(tx, &SET_APPOINTMENT_STATE).await?;
        Ok((stored, tx.add_undoable(&Undoable { step: Some(step), ..Undoable::default() }).await?))
    }

    /// Enters the state on behalf of a method.
    pub(super) async fn enter(
        self,
        tx: &Tx,
        method: &'static Method,
    ) -> Result<(StoredAppointment, StepChange), Error> {
        let visit = tx.take_visit(self.id).await?;
        let appointment = visit.appointment.clone().seen_at(self.seen)?;
        let zone = &visit.schedule.zone;
        let (entered, step) = appointment.enter(self.stage, &visit.progress, tx.now(), zone)?;
        let change = StepChange::of(&visit.appointment, &entered);
        tx.save_step(&visit, &entered, step).await?;
        Ok((tx.publish_appointment(method, self.id).await?, change))
    }
}

/// A cancellation to take back.
#[derive(Debug)]
pub struct RestoreAppointment {
    /// The visit.
    pub id: VisitId,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
}

impl RestoreAppointment {
    /// Restores the visit and publishes it; what it is now, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, a cancellation of another day, or time that has been taken
    /// meanwhile.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, ChangeId), Error> {
        let visit = tx.take_visit(self.id).await?;
        let appointment = visit.appointment.clone().seen_at(self.seen)?;
        let restored = appointment.restore(&visit.progress, tx.now(), &visit.schedule.zone)?;
        tx.save_step(&visit, &restored, Step::Back).await?;
        let stored = tx.publish_appointment(&RESTORE_APPOINTMENT, self.id).await?;
        let step = Some(StepChange::of(&visit.appointment, &restored));
        Ok((stored, tx.add_undoable(&Undoable { step, ..Undoable::default() }).await?))
    }
}

impl Tx {
    /// Takes the change of a visit's state back on behalf of a method; what it is now.
    ///
    /// # Errors
    /// A version other than the change's, a state that can't be entered from it, or time that has been taken meanwhile.
    pub(super) async fn undo_step(
        &self,
        step: StepChange,
        method: &'static Method,
    ) -> Result<(StoredAppointment, Returned), Error> {
        let StepChange { visit: record, found, version, before: stage, cancellation } = step;
        let id = VisitId(record);
        let stored = match cancellation {
            None => SetAppointmentState { id, stage, seen: Some(version) }.enter(self, method).await?.0,
            Some(cancellation) => {
                let visit = self.take_visit(id).await?;
                let cancelled =
                    visit.appointment.clone().seen_at(Some(version))?.cancelled_as(cancellation)?;
                self.save_step(&visit, &cancelled, Step::Forward).await?;
                self.publish_appointment(method, id).await?
            }
        };
        let returned = Returned { record, from: found, to: stored.appointment.version };
        Ok((stored, returned))
    }
}
