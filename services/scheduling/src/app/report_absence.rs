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
        time_off::{Decision, Extent, State, TimeOff},
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
    /// Takes the time off and adds a proposal, if visits stand in it.
    ///
    /// # Errors
    /// An absence that is over, or longer than allowed.
    pub async fn run(self, tx: &Tx) -> Result<(TimeOffId, Option<ProposalId>), Error> {
        let Self { employee, from, reason } = self;
        let id = tx.new_id::<TimeOffId>();
        let take_off = async |version| {
            let span = away(&tx.read_schedule().await?, employee, from, reason, tx.now())?;
            let absence = approved(tx, id, employee, reason, span)?;
            tx.add_time_off(version, &absence, &tx.zone().await?).await
        };
        tx.change_schedule(&REPORT_ABSENCE, id, take_off).await?;
        let Some(proposal) = tx.propose_for_absence(id).await? else { return Ok((id, None)) };
        tx.add_proposal(&proposal).await?;
        Ok((id, Some(proposal.id)))
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
