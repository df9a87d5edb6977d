//! Time off.

use caller::{BusinessScope, Tenant};
use engine::id::TimeOffId;
use jiff::{Timestamp, tz::TimeZone};
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, ApproveTimeOffRequest, ApproveTimeOffResponse, DeclineTimeOffRequest,
        DeclineTimeOffResponse, ListTimeOffRequest, ListTimeOffResponse, RequestTimeOffRequest,
        RequestTimeOffResponse, TimeOffServiceHandler, WithdrawTimeOffRequest, WithdrawTimeOffResponse,
        time_off_service_methods::{APPROVE_TIME_OFF, DECLINE_TIME_OFF, REQUEST_TIME_OFF, WITHDRAW_TIME_OFF},
    },
    page::page,
    parse::{id, optional_id, optional_text},
    time::required,
};
use tonic::{Status, async_trait};

use super::{fields, schedule::zone_name, stranding::stranded};
use crate::{
    Error,
    app::{DecideTimeOff, Named, People, RequestTimeOff, Verdict},
    contract::time_off,
    domain::time_off::{Extent, Kind, Stage, State, TimeOff, is_told_all},
    store::{Store, StoredTimeOff, Tx, Wanted},
};

const MAX_REASON: usize = 200;
const MAX_NOTE: usize = 200;

/// Serves `TimeOffService`.
#[derive(Debug)]
pub(crate) struct TimeOffRequests {
    store: Store,
    people: People,
}

impl TimeOffRequests {
    pub(crate) fn new(store: Store, people: People) -> Self {
        Self { store, people }
    }
}

#[async_trait]
impl TimeOffServiceHandler for TimeOffRequests {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        Ok(self.store.contact_reach(scope).await?)
    }

    async fn request_time_off(
        &self,
        scope: BusinessScope,
        request: RequestTimeOffRequest,
    ) -> Result<RequestTimeOffResponse, Status> {
        let requested = parse(&self.store, &scope, &request)?;
        self.people.check(&scope, Named::employee("employee_id", requested.employee)).await?;
        self.people.own_or_manager(&scope, requested.employee, Error::NotOwnTimeOff).await?;
        self.store
            .idempotent(&scope, &REQUEST_TIME_OFF, &request, async |tx| {
                let id = RequestTimeOff(requested).run(tx).await?;
                Ok(RequestTimeOffResponse { time_off: Some(told(tx, id).await?) })
            })
            .await
    }

    async fn approve_time_off(
        &self,
        scope: BusinessScope,
        request: ApproveTimeOffRequest,
    ) -> Result<ApproveTimeOffResponse, Status> {
        let (id, note) = decided(&request.time_off_id, &request.note)?;
        let approval = DecideTimeOff { id, verdict: Verdict::Approve, note };
        if request.validate_only {
            let stranded = stranded(&approval.preview(self.store.begin(&scope)).await?);
            return Ok(ApproveTimeOffResponse { stranded, ..ApproveTimeOffResponse::default() });
        }
        self.store
            .idempotent(&scope, &APPROVE_TIME_OFF, &request, async |tx| {
                let (left, change) = approval.run(tx).await?;
                Ok(ApproveTimeOffResponse {
                    time_off: Some(told(tx, id).await?),
                    stranded: stranded(&left),
                    change_id: change.to_string(),
                })
            })
            .await
    }

    async fn decline_time_off(
        &self,
        scope: BusinessScope,
        request: DeclineTimeOffRequest,
    ) -> Result<DeclineTimeOffResponse, Status> {
        let (id, note) = decided(&request.time_off_id, &request.note)?;
        self.store
            .idempotent(&scope, &DECLINE_TIME_OFF, &request, async |tx| {
                let (_, change) = DecideTimeOff { id, verdict: Verdict::Decline, note }.run(tx).await?;
                Ok(DeclineTimeOffResponse {
                    time_off: Some(told(tx, id).await?),
                    change_id: change.to_string(),
                })
            })
            .await
    }

    async fn withdraw_time_off(
        &self,
        scope: BusinessScope,
        request: WithdrawTimeOffRequest,
    ) -> Result<WithdrawTimeOffResponse, Status> {
        let (id, note) = decided(&request.time_off_id, &request.note)?;
        self.store
            .idempotent(&scope, &WITHDRAW_TIME_OFF, &request, async |tx| {
                let verdict = Verdict::Withdraw(scope.role());
                let (_, change) = DecideTimeOff { id, verdict, note }.run(tx).await?;
                Ok(WithdrawTimeOffResponse {
                    time_off: Some(told(tx, id).await?),
                    change_id: change.to_string(),
                })
            })
            .await
    }

    async fn list_time_off(
        &self,
        scope: BusinessScope,
        request: ListTimeOffRequest,
    ) -> Result<ListTimeOffResponse, Status> {
        let (actor, role) = (scope.actor().to_string(), scope.role());
        let chosen = chosen(&request, (!is_told_all(role)).then_some(&actor))?;
        let page = page(request.page_size, &request.page_token)?;
        let after = fields::after(&page);
        self.people.check(&scope, Named::employee("employee_id", chosen.employee)).await?;
        let tx = self.store.begin(&scope);
        let zone = tx.zone().await?;
        let rows = tx.time_off_list(chosen, after, page.limit(), &zone).await?;
        tx.release();
        let seen = |row: StoredTimeOff| StoredTimeOff { time_off: row.time_off.seen_by(&actor, role), ..row };
        let key = |row: &StoredTimeOff| (row.starts_at, row.time_off.id.0);
        let (time_off, next_page_token) = page.answer(rows, key, |row| time_off(&seen(row), &zone));
        Ok(ListTimeOffResponse { time_off, next_page_token, time_zone: zone_name(&zone) })
    }
}

pub(super) async fn told(tx: &Tx, id: TimeOffId) -> Result<pb::TimeOff, Error> {
    let zone: TimeZone = tx.zone().await?;
    Ok(time_off(&tx.time_off(id, &zone).await?, &zone))
}

fn parse(store: &Store, scope: &BusinessScope, request: &RequestTimeOffRequest) -> Result<TimeOff, Status> {
    Ok(TimeOff {
        id: store.new_id(),
        employee: id("employee_id", &request.employee_id)?,
        kind: kind(request.kind())?,
        reason: optional_text("reason", &request.reason, MAX_REASON)?.unwrap_or_default(),
        extent: extent(request)?,
        state: State::Requested,
        requested_by: scope.actor().to_string(),
        requested_at: store.now(),
        version: 1,
    })
}

fn kind(kind: pb::TimeOffKind) -> Result<Kind, Status> {
    match kind {
        pb::TimeOffKind::Unspecified => Err(invalid("kind", "is required")),
        pb::TimeOffKind::Holiday => Ok(Kind::Holiday),
        pb::TimeOffKind::Sick => Ok(Kind::Sick),
        pb::TimeOffKind::Training => Ok(Kind::Training),
        pb::TimeOffKind::Other => Ok(Kind::Other),
    }
}

/// From one instant to another, or else whole days.
fn extent(request: &RequestTimeOffRequest) -> Result<Extent, Status> {
    let (starts_at, ends_at) = (request.starts_at.as_ref(), request.ends_at.as_ref());
    if starts_at.is_none() && ends_at.is_none() {
        return fields::dates(&request.first_date, &request.last_date).map(Extent::Days);
    }
    for (field, date) in [("first_date", &request.first_date), ("last_date", &request.last_date)] {
        if !date.is_empty() {
            return Err(invalid(field, "must be empty where instants are given"));
        }
    }
    let (starts_at, ends_at) = (required("starts_at", starts_at)?, required("ends_at", ends_at)?);
    Extent::between(starts_at, ends_at).map_err(|error| invalid("ends_at", &error.to_string()))
}

fn decided(time_off_id: &str, note: &str) -> Result<(TimeOffId, String), Status> {
    Ok((id("time_off_id", time_off_id)?, optional_text("note", note, MAX_NOTE)?.unwrap_or_default()))
}

fn chosen<'a>(request: &ListTimeOffRequest, asker: Option<&'a String>) -> Result<Wanted<'a>, Status> {
    let stage = match request.state() {
        pb::TimeOffState::Unspecified => None,
        pb::TimeOffState::Requested => Some(Stage::Requested),
        pb::TimeOffState::Approved => Some(Stage::Approved),
        pb::TimeOffState::Declined => Some(Stage::Declined),
        pb::TimeOffState::Withdrawn => Some(Stage::Withdrawn),
    };
    let from = proto::time::parse("from", request.from.as_ref())?;
    Ok(Wanted {
        employee: optional_id("employee_id", &request.employee_id)?,
        stage,
        asker: asker.map(String::as_str),
        ends_after: from.unwrap_or(Timestamp::UNIX_EPOCH),
    })
}
