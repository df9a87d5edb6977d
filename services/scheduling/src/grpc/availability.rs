//! Free times, and keeping one for a moment.

use std::time::Instant;

use caller::{BusinessScope, Tenant};
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::invalid,
    frontdesk::scheduling::v1::{
        self as pb, AvailabilityServiceHandler, CreateHoldRequest, CreateHoldResponse,
        ExplainAvailabilityRequest, ExplainAvailabilityResponse, ReleaseCallHoldsRequest,
        ReleaseCallHoldsResponse, ReleaseHoldRequest, ReleaseHoldResponse, SearchAvailabilityRequest,
        SearchAvailabilityResponse,
        availability_service_methods::{CREATE_HOLD, RELEASE_CALL_HOLDS, RELEASE_HOLD},
    },
    parse::{Page, id, optional_id, page_of},
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::{cut, explanation, fields, schedule::zone_name, wanted};
use crate::{
    contract::offer,
    domain::{
        demand::{DayPart, Demand},
        id::{CallId, VisitId},
        placement::Placer,
        policy::Booker,
        slots::SLOT_SECONDS,
        span::Span,
        visit::Placement,
    },
    measure::Measure,
    store::{Agenda, Attempt, HELD_FOR, NewHold, Store},
};

const OFFERS: u32 = 20;

/// Serves `AvailabilityService`.
#[derive(Debug)]
pub(crate) struct Availability {
    store: Store,
    measure: Measure,
}

impl Availability {
    pub(crate) fn new(store: Store, measure: Measure) -> Self {
        Self { store, measure }
    }
}

#[async_trait]
impl AvailabilityServiceHandler for Availability {
    async fn search_availability(
        &self,
        scope: BusinessScope,
        request: SearchAvailabilityRequest,
    ) -> Result<SearchAvailabilityResponse, Status> {
        let began = Instant::now();
        let items = fields::items(&request.items)?;
        let page = page_of(request.page_size, &request.page_token, OFFERS)?;
        let tx = self.store.begin(&scope).await?;
        let starts = fields::window(request.from.as_ref(), request.to.as_ref(), tx.now())?;
        let agenda = tx.agenda(&items, after(starts, &page)?).await?;
        let now = tx.now();
        tx.commit().await?;
        let found = offers(&agenda, wanted(&page));
        if found.is_empty() && page.after.is_none() {
            let zone = &agenda.schedule.zone;
            let today = zone.to_datetime(now).date();
            self.store.count_demand(scope.business(), Demand::new(today, &items, DayPart::of(starts, zone)));
        }
        let (found, next_page_token) = cut(found, &page, |offer| offer.starts_at.to_string());
        self.measure.search(began.elapsed());
        Ok(SearchAvailabilityResponse {
            offers: found.iter().map(|found| offer(found, &agenda.schedule)).collect(),
            next_page_token,
            time_zone: zone_name(&agenda.schedule.zone),
        })
    }

    async fn explain_availability(
        &self,
        scope: BusinessScope,
        request: ExplainAvailabilityRequest,
    ) -> Result<ExplainAvailabilityResponse, Status> {
        let items = fields::items(&request.items)?;
        let start = fields::start(request.starts_at.as_ref())?;
        let language = explanation::language(&request.language)?;
        let tx = self.store.begin(&scope).await?;
        let explained = tx.explain(&items, start).await?;
        let now = tx.now();
        tx.commit().await?;
        Ok(explanation::response(&explained, now, language))
    }

    async fn create_hold(
        &self,
        scope: BusinessScope,
        request: CreateHoldRequest,
    ) -> Result<CreateHoldResponse, Status> {
        let attempt = Attempt::new(&scope, &CREATE_HOLD, &request);
        let items = fields::items(&request.items)?;
        let start = fields::start(request.starts_at.as_ref())?;
        let call: Option<CallId> = optional_id("call_id", &request.call_id)?;
        let tx = self.store.begin(&scope).await?;
        if let Some(answer) = tx.claim(&attempt).await? {
            return Ok(answer);
        }
        let schedule = tx.settled_schedule().await?;
        if let Some(call) = call {
            tx.take_turn_in(call).await?;
        }
        let placement = tx.place(&schedule, &items, start, Booker::Customer).await?;
        let hold = NewHold { id: tx.new_id(), call, placement, expires_at: tx.now() + HELD_FOR };
        tx.add_hold(&hold).await?;
        tx.audit(&CREATE_HOLD, hold.id).await?;
        let offer = Some(offer(&hold.placement, &schedule));
        let hold = pb::Hold { id: hold.id.to_string(), expires_at: Some(to_proto(hold.expires_at)), offer };
        let response = CreateHoldResponse { hold: Some(hold) };
        tx.keep(&attempt, &response).await?;
        tx.commit().await?;
        Ok(response)
    }

    async fn release_hold(
        &self,
        scope: BusinessScope,
        request: ReleaseHoldRequest,
    ) -> Result<ReleaseHoldResponse, Status> {
        let hold: VisitId = id("hold_id", &request.hold_id)?;
        let tx = self.store.begin(&scope).await?;
        tx.release_hold(hold).await?;
        tx.audit(&RELEASE_HOLD, hold).await?;
        tx.commit().await?;
        Ok(ReleaseHoldResponse {})
    }

    async fn release_call_holds(
        &self,
        scope: BusinessScope,
        request: ReleaseCallHoldsRequest,
    ) -> Result<ReleaseCallHoldsResponse, Status> {
        let call: CallId = id("call_id", &request.call_id)?;
        let tx = self.store.begin(&scope).await?;
        let released = tx.release_holds_of(call).await?;
        tx.audit(&RELEASE_CALL_HOLDS, call).await?;
        tx.commit().await?;
        Ok(ReleaseCallHoldsResponse { released: i32::try_from(released).unwrap_or(i32::MAX) })
    }
}

fn offers(agenda: &Agenda, wanted: u32) -> Vec<Placement> {
    let Some(starts) = agenda.starts else { return vec![] };
    let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
    Placer::new(&agenda.line, &agenda.wish).offers(starts).take(wanted).collect()
}

/// What is left of `starts` after the last offer of the page before.
fn after(starts: Span, page: &Page) -> Result<Span, Status> {
    let Some(key) = &page.after else { return Ok(starts) };
    let last: Option<Timestamp> = key.parse().ok();
    let next = last.and_then(|last| last.checked_add(SignedDuration::from_secs(SLOT_SECONDS)).ok());
    let rest = next.and_then(|next| Span::new(next, starts.ends_at()));
    rest.ok_or_else(|| invalid("page_token", "is not one this search gave out"))
}
