//! Reports that an employee is away today or comes late, and proposes what to do about their visits.

use engine::{
    id::{EmployeeId, ProposalId, TimeOffId},
    span::Span,
};
use jiff::Timestamp;
use proto::frontdesk::scheduling::v1::proposal_service_methods::REPORT_ABSENCE;

use crate::{
    Error,
    domain::{
        absence::{Reason, away},
        id::ChangeId,
        time_off::{Decision, Extent, State, TimeOff},
        undoable::{ProposalAct, ProposalChange, TimeOffChange, Undoable},
    },
    store::Tx,
};

/// A reported absence.
#[derive(Debug)]
pub struct ReportAbsence {
    /// Who is away.
    pub employee: EmployeeId,
    /// From when; from now on if `None`.
    pub from: Option<Timestamp>,
    /// Why, and until when.
    pub reason: Reason,
}

impl ReportAbsence {
    /// Takes the time off and adds a proposal, if visits stand in it; both, and the change.
    ///
    /// # Errors
    /// An absence that is over, or longer than allowed.
    pub async fn run(self, tx: &Tx) -> Result<(TimeOffId, Option<ProposalId>, ChangeId), Error> {
        let Self { employee, from, reason } = self;
        let id = tx.new_id::<TimeOffId>();
        let take_off = async |version| {
            let span = away(&tx.read_schedule().await?, employee, from, reason, tx.now())?;
            let absence = approved(tx, id, employee, reason, span)?;
            tx.add_time_off(version, &absence, &tx.zone().await?).await?;
            Ok(TimeOffChange::reported(&absence))
        };
        let time_off = tx.change_schedule(&REPORT_ABSENCE, id, take_off).await?;
        let proposal = tx.propose_for_absence(id).await?;
        if let Some(proposal) = &proposal {
            tx.add_proposal(proposal).await?;
        }
        let proposal = proposal.map(|proposal| proposal.id);
        let added = proposal.map(|proposal| ProposalChange { id: proposal.0, act: ProposalAct::Added });
        let undoable = Undoable { time_off: Some(time_off), proposal: added, ..Undoable::default() };
        Ok((id, proposal, tx.add_undoable(&undoable).await?))
    }
}

/// Time off that was not requested before; the reporting employee is recorded as approving it.
fn approved(
    tx: &Tx,
    id: TimeOffId,
    employee: EmployeeId,
    reason: Reason,
    span: Span,
) -> Result<TimeOff, Error> {
    let by = || tx.actor().to_owned();
    let requested = TimeOff {
        id,
        employee,
        kind: reason.kind(),
        reason: String::new(),
        extent: Extent::Span(span),
        state: State::Requested,
        requested_by: by(),
        requested_at: tx.now(),
        version: 1,
    };
    Ok(requested.approve(Decision { at: tx.now(), by: by(), note: String::new() })?)
}
