//! Delays a visit: it is moved if that is free of conflicts, otherwise a proposal says what would have to move.

use engine::id::{ProposalId, VisitId};
use proto::frontdesk::scheduling::v1::proposal_service_methods::DELAY_APPOINTMENT;

use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Undoable, VisitChange},
    },
    measure::Figure,
    store::{StoredAppointment, Tx},
};

/// A visit that begins or ends later.
#[derive(Debug)]
pub struct DelayAppointment {
    /// The visit.
    pub id: VisitId,
    /// How much later.
    pub minutes: u16,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
}

/// What came of a delay.
#[derive(Debug, Clone, Copy)]
pub enum Delayed {
    /// Nothing was in the way: the change to undo.
    AtOnce(ChangeId),
    /// Others would have to move.
    Proposed(ProposalId),
}

impl DelayAppointment {
    /// Delays the visit, or adds a proposal; the visit as it is then.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, or time that can't be pushed aside.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, Delayed), Error> {
        let visit = tx.take_visit(self.id).await?;
        visit.appointment.clone().seen_at(self.seen)?;
        let Some(proposal) = tx.delay(&visit, self.minutes).await? else {
            tx.tally(Figure::Moved, 1);
            let visits = vec![VisitChange::moved(&visit.appointment, &visit.rows)];
            let change = tx.add_undoable(&Undoable { visits, ..Undoable::default() }).await?;
            let delayed = tx.publish_appointment(&DELAY_APPOINTMENT, self.id).await?;
            return Ok((delayed, Delayed::AtOnce(change)));
        };
        tx.add_proposal(&proposal).await?;
        tx.audit(&DELAY_APPOINTMENT, proposal.id).await?;
        Ok((tx.appointment(self.id).await?, Delayed::Proposed(proposal.id)))
    }
}
