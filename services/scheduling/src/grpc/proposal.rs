//! What goes wrong on a day, and what could be done about it.

use caller::{BusinessScope, Tenant};
use engine::{
    id::{EmployeeId, ProposalId, ProposalLineId, VisitId},
    proposal::MAX_LINES,
    slots::SLOT_MINUTES,
};
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, AbsenceKind, ApplyProposalRequest, ApplyProposalResponse, DelayAppointmentRequest,
        DelayAppointmentResponse, DismissProposalRequest, DismissProposalResponse, GetProposalInputRequest,
        GetProposalInputResponse, GetProposalRequest, GetProposalResponse, ListProposalsRequest,
        ListProposalsResponse, OptimiseDayRequest, OptimiseDayResponse, ProposalServiceHandler,
        ReportAbsenceRequest, ReportAbsenceResponse,
        proposal_service_methods::{
            APPLY_PROPOSAL, DELAY_APPOINTMENT, DISMISS_PROPOSAL, OPTIMISE_DAY, REPORT_ABSENCE,
        },
    },
    page::page,
    parse::id,
};
use tonic::{Status, async_trait};
use uuid::Uuid;

use super::{
    appointment_request::seen,
    fields,
    optimisation::{day_request, seed},
    schedule::zone_name,
    stranding::stranded,
    time_off::told,
};
use crate::{
    Error,
    app::{
        ApplyProposal, DelayAppointment, Delayed, DismissProposal, Named, OptimiseDay, People, ReportAbsence,
        Turns,
    },
    domain::absence::Reason,
    store::{Store, StoredProposal, Tx},
};

/// Longest delay, in minutes.
const MOST_MINUTES: u16 = 240;

/// Serves `ProposalService`.
#[derive(Debug)]
pub(crate) struct Proposals {
    store: Store,
    people: People,
    turns: Turns,
}

impl Proposals {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people, turns: Turns::default() }
    }
}

#[async_trait]
impl ProposalServiceHandler for Proposals {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

    async fn report_absence(
        &self,
        scope: BusinessScope,
        request: ReportAbsenceRequest,
    ) -> Result<ReportAbsenceResponse, Status> {
        let employee: EmployeeId = id("employee_id", &request.employee_id)?;
        let reason = absence_reason(&request)?;
        let from = proto::time::parse("starts_at", request.starts_at.as_ref())?;
        self.people.check(&scope, Named::employee("employee_id", employee)).await?;
        self.people.own_or_manager(&scope, employee, Error::NotThemselves).await?;
        self.store
            .idempotent(&scope, &REPORT_ABSENCE, &request, async |tx| {
                let (absence, proposal, change) = ReportAbsence { employee, from, reason }.run(tx).await?;
                let proposal = match proposal {
                    Some(id) => Some(told_proposal(tx, id).await?),
                    None => None,
                };
                Ok(ReportAbsenceResponse {
                    time_off: Some(told(tx, absence).await?),
                    proposal,
                    change_id: change.to_string(),
                })
            })
            .await
    }

    async fn delay_appointment(
        &self,
        scope: BusinessScope,
        request: DelayAppointmentRequest,
    ) -> Result<DelayAppointmentResponse, Status> {
        let id: VisitId = id("appointment_id", &request.appointment_id)?;
        let (minutes, seen) = (minutes(request.minutes)?, seen(request.version)?);
        self.store
            .idempotent(&scope, &DELAY_APPOINTMENT, &request, async |tx| {
                let (visit, delayed) = DelayAppointment { id, minutes, seen }.run(tx).await?;
                let appointment = Some(pb::Appointment::from(&visit));
                Ok(match delayed {
                    Delayed::AtOnce(change) => DelayAppointmentResponse {
                        appointment,
                        proposal: None,
                        change_id: change.to_string(),
                    },
                    Delayed::Proposed(id) => DelayAppointmentResponse {
                        appointment,
                        proposal: Some(told_proposal(tx, id).await?),
                        change_id: String::new(),
                    },
                })
            })
            .await
    }

    async fn optimise_day(
        &self,
        scope: BusinessScope,
        request: OptimiseDayRequest,
    ) -> Result<OptimiseDayResponse, Status> {
        let (day, seed) = (day_request(&request)?, seed(request.seed)?);
        let turn = self.turns.take(scope.business())?;
        let better = OptimiseDay { request: day, seed }.run(self.store.begin(&scope), turn).await?;
        self.store
            .idempotent(&scope, &OPTIMISE_DAY, &request, async |tx| {
                let proposal = match better.propose(tx).await? {
                    Some(id) => Some(told_proposal(tx, id).await?),
                    None => None,
                };
                Ok(OptimiseDayResponse { proposal, ..OptimiseDayResponse::from(&better) })
            })
            .await
    }

    async fn get_proposal_input(
        &self,
        scope: BusinessScope,
        request: GetProposalInputRequest,
    ) -> Result<GetProposalInputResponse, Status> {
        let id: ProposalId = id("proposal_id", &request.proposal_id)?;
        let tx = self.store.begin(&scope);
        let input = tx.optimisation_input(id).await?.canonical();
        tx.release();
        Ok(GetProposalInputResponse { input })
    }

    async fn get_proposal(
        &self,
        scope: BusinessScope,
        request: GetProposalRequest,
    ) -> Result<GetProposalResponse, Status> {
        let id: ProposalId = id("proposal_id", &request.proposal_id)?;
        let tx = self.store.begin(&scope);
        let proposal = Some(told_proposal(&tx, id).await?);
        tx.release();
        Ok(GetProposalResponse { proposal })
    }

    async fn list_proposals(
        &self,
        scope: BusinessScope,
        request: ListProposalsRequest,
    ) -> Result<ListProposalsResponse, Status> {
        let from = fields::optional_date("from_date", &request.from_date)?;
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.map(|(date, id)| (date, ProposalId(id)));
        let tx = self.store.begin(&scope);
        let zone = tx.zone().await?;
        let from = from.unwrap_or_else(|| zone.to_datetime(tx.now()).date());
        let first = (from, ProposalId(Uuid::nil()));
        let rows = tx.open_proposals(after.map_or(first, |after| after.max(first)), page.limit()).await?;
        tx.release();
        let key = |row: &&StoredProposal| (row.proposal.date, row.proposal.id.0);
        let (proposals, next_page_token) = page.answer(&rows, key, pb::Proposal::from);
        Ok(ListProposalsResponse { proposals, next_page_token, time_zone: zone_name(&zone) })
    }

    async fn apply_proposal(
        &self,
        scope: BusinessScope,
        request: ApplyProposalRequest,
    ) -> Result<ApplyProposalResponse, Status> {
        let id: ProposalId = id("proposal_id", &request.proposal_id)?;
        let (lines, seen) = (line_ids(&request.line_ids)?, seen(request.version)?);
        self.store
            .idempotent(&scope, &APPLY_PROPOSAL, &request, async |tx| {
                let (applied, change) = ApplyProposal { id, lines, seen }.run(tx).await?;
                Ok(ApplyProposalResponse {
                    proposal: Some(told_proposal(tx, id).await?),
                    appointments: applied.iter().map(pb::Appointment::from).collect(),
                    change_id: change.to_string(),
                })
            })
            .await
    }

    async fn dismiss_proposal(
        &self,
        scope: BusinessScope,
        request: DismissProposalRequest,
    ) -> Result<DismissProposalResponse, Status> {
        let id: ProposalId = id("proposal_id", &request.proposal_id)?;
        let dismissal = DismissProposal { id, seen: seen(request.version)? };
        if request.validate_only {
            let stranded = stranded(&dismissal.preview(&self.store.begin(&scope)).await?);
            return Ok(DismissProposalResponse { stranded, ..DismissProposalResponse::default() });
        }
        self.store
            .idempotent(&scope, &DISMISS_PROPOSAL, &request, async |tx| {
                let (left, change) = dismissal.run(tx).await?;
                Ok(DismissProposalResponse {
                    proposal: Some(told_proposal(tx, id).await?),
                    stranded: stranded(&left),
                    change_id: change.to_string(),
                })
            })
            .await
    }
}

/// A proposal as it is now.
pub(super) async fn told_proposal(tx: &Tx, id: ProposalId) -> Result<pb::Proposal, Error> {
    Ok(pb::Proposal::from(&tx.proposal(id).await?))
}

fn absence_reason(request: &ReportAbsenceRequest) -> Result<Reason, Status> {
    let until = proto::time::parse("ends_at", request.ends_at.as_ref())?;
    match request.kind() {
        AbsenceKind::Unspecified => Err(invalid("kind", "is required")),
        AbsenceKind::Sick => Ok(Reason::Sick(until)),
        AbsenceKind::Late => Ok(Reason::Late(until.ok_or_else(|| invalid("ends_at", "is required"))?)),
    }
}

fn minutes(minutes: i32) -> Result<u16, Status> {
    let fits = |minutes: &u16| {
        (SLOT_MINUTES..=MOST_MINUTES).contains(minutes) && minutes.is_multiple_of(SLOT_MINUTES)
    };
    let minutes = u16::try_from(minutes).ok().filter(fits);
    minutes.ok_or_else(|| invalid("minutes", "must be a multiple of 5, from 5 to 240"))
}

fn line_ids(ids: &[String]) -> Result<Vec<ProposalLineId>, Status> {
    if !(1..=MAX_LINES).contains(&ids.len()) {
        return Err(invalid("line_ids", "must be 1 to 200"));
    }
    ids.iter().enumerate().map(|(index, text)| id(&format!("line_ids[{index}]"), text)).collect()
}
