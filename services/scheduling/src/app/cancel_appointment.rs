//! Cancels a visit and frees its time.

use engine::{
    appointment::{CancelRequest, Canceller},
    id::VisitId,
    progress::Step,
};
use proto::frontdesk::scheduling::v1::appointment_service_methods::CANCEL_APPOINTMENT;

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Undoable, VisitChange},
    },
    measure::Figure,
    store::{StoredAppointment, Tx},
};

/// A cancellation.
#[derive(Debug)]
pub struct CancelAppointment {
    /// Of which visit.
    pub id: VisitId,
    /// Whose notice counts.
    pub canceller: Canceller,
    /// May be empty.
    pub reason: String,
}

impl CancelAppointment {
    /// Cancels the visit and publishes it; what it is now, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], a state that can't be cancelled, a customer too late.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, ChangeId), Error> {
        let Self { id, canceller, reason } = self;
        let visit = tx.take_visit(id).await?;
        let request = CancelRequest { at: tx.now(), by: tx.actor().to_owned(), canceller, reason };
        let cancelled = visit.appointment.clone().cancel(request, &visit.schedule.policy)?;
        tx.save_step(&visit, &cancelled, Step::Forward).await?;
        tx.tally(Figure::Cancelled, 1);
        let stored = tx.publish_appointment(&CANCEL_APPOINTMENT, id).await?;
        let visits = vec![VisitChange::cancelled(&cancelled)];
        Ok((stored, tx.add_undoable(&Undoable { visits, ..Undoable::default() }).await?))
    }
}
