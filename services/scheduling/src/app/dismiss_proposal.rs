//! Puts a proposal aside.

use engine::id::ProposalId;
use proto::frontdesk::scheduling::v1::proposal_service_methods::DISMISS_PROPOSAL;

use super::apply_proposal::ended;
use crate::{Error, store::Tx};

/// A proposal to put aside.
#[derive(Debug)]
pub struct DismissProposal {
    /// The proposal.
    pub id: ProposalId,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
}

impl DismissProposal {
    /// Closes the proposal; lines that were applied stay as they are.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, or a proposal that is closed already.
    pub async fn run(self, tx: &Tx) -> Result<(), Error> {
        let proposal = tx.take_proposal(self.id).await?.seen_at(self.seen)?;
        tx.save_proposal(&proposal.dismiss(ended(tx))?, &[]).await?;
        tx.audit(&DISMISS_PROPOSAL, self.id).await
    }
}
