//! Delays a visit: it is moved if that is free of conflicts, otherwise a proposal says what would have to move.

use engine::id::{ProposalId, VisitId};
use proto::frontdesk::scheduling::v1::proposal_service_methods::DELAY_APPOINTMENT;

use crate::{
    Error,
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

impl DelayAppointment {
    /// Delays the visit, or adds a proposal.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, or time that can't be pushed aside.
    pub async fn run(self, tx: &Tx) -> Result<(StoredAppointment, Option<ProposalId>), Error> {
        let visit = tx.take_visit(self.id).await?;
        visit.appointment.clone().seen_at(self.seen)?;
        let Some(proposal) = tx.delay(&visit, self.minutes).await? else {
            tx.tally(Figure::Moved, 1);
            return Ok((tx.publish_appointment(&DELAY_APPOINTMENT, self.id).await?, None));
        };
        tx.add_proposal(&proposal).await?;
        tx.audit(&DELAY_APPOINTMENT, proposal.id).await?;
        Ok((tx.appointment(self.id).await?, Some(proposal.id)))
    }
}
