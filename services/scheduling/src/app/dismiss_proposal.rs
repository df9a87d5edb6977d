//! Puts a proposal aside.

use engine::{id::ProposalId, proposal::Proposal};
use proto::frontdesk::scheduling::v1::proposal_service_methods::DISMISS_PROPOSAL;

use super::{apply_proposal::ended, list_stranded::ListStranded};
use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{ProposalAct, ProposalChange, Undoable},
    },
    store::{Stranded, Tx},
};

/// A proposal to put aside.
#[derive(Debug)]
pub struct DismissProposal {
    /// The proposal.
    pub id: ProposalId,
    /// The version the caller saw, if it says so.
    pub seen: Option<i64>,
}

impl DismissProposal {
    /// Closes the proposal; lines that were applied stay as they are. Its visits that are stranded stay open lines
    /// of the inbox: these, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], a stale version, or a proposal that is closed already.
    pub async fn run(self, tx: &Tx) -> Result<(Vec<Stranded>, ChangeId), Error> {
        let proposal = self.dismissed(tx).await?;
        tx.save_proposal(&proposal, &[]).await?;
        tx.audit(&DISMISS_PROPOSAL, self.id).await?;
        let act = ProposalAct::Dismissed(proposal.version);
        let change = Some(ProposalChange { id: self.id.0, act });
        let change = tx.add_undoable(&Undoable { proposal: change, ..Undoable::default() }).await?;
        Ok((left_stranded(tx, &proposal).await?, change))
    }

    /// The visits that would be left stranded.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub async fn preview(self, tx: &Tx) -> Result<Vec<Stranded>, Error> {
        left_stranded(tx, &self.dismissed(tx).await?).await
    }

    async fn dismissed(&self, tx: &Tx) -> Result<Proposal, Error> {
        Ok(tx.take_proposal(self.id).await?.seen_at(self.seen)?.dismiss(ended(tx))?)
    }
}

async fn left_stranded(tx: &Tx, proposal: &Proposal) -> Result<Vec<Stranded>, Error> {
    let visits = proposal.lines.iter().filter_map(|line| line.change.visit()).collect();
    ListStranded::among(visits).run(tx).await
}
