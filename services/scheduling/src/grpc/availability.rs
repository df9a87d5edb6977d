//! Free times, and keeping one for a moment.

use std::time::Instant;

use caller::{Actor, BusinessScope, Tenant};
use engine::{
    id::{CallId, VisitId},
    policy::Booker,
    schedule::Schedule,
    span::Span,
    visit::Placement,
};
use jiff::SignedDuration;
use proto::{
    frontdesk::scheduling::v1::{
        self as pb, AvailabilityServiceHandler, CreateHoldRequest, CreateHoldResponse,
        ExplainAvailabilityRequest, ExplainAvailabilityResponse, ReleaseCallHoldsRequest,
        ReleaseCallHoldsResponse, ReleaseHoldRequest, ReleaseHoldResponse, SearchAvailabilityRequest,
        SearchAvailabilityResponse,
        availability_service_methods::{CREATE_HOLD, RELEASE_CALL_HOLDS, RELEASE_HOLD},
    },
    parse::{id, optional_id},
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::{explanation, fields, hypothesis, schedule::zone_name, search::Search};
use crate::{
    app::Agenda,
    contract::offer,
    measure::Measure,
    people::{Named, People},
    store::{HELD_FOR, NewHold, Store},
};

const YEAR: SignedDuration = SignedDuration::from_hours(366 * 24);

/// Serves `AvailabilityService`.
#[derive(Debug)]
pub(crate) struct Availability {
    store: Store,
    people: People,
    measure: Measure,
}

impl Availability {
    pub(crate) fn new(store: Store, people: People, measure: Measure) -> Self {
        Self { store, people, measure }
    }

    /// What a search needs, and when it shall start. The connection is given back before offers
    /// are worked out.
    async fn agenda(&self, scope: &BusinessScope, search: &Search) -> Result<(Agenda, Span), Status> {
        let tx = self.store.begin(scope);
        let starts = search.starts(tx.now())?;
        let agenda = tx.agenda_by_hypothesis(&search.items, search.rest(starts)?, &search.hypothesis).await?;
        tx.release();
        Ok((agenda, starts))
    }

    /// The next free time where `starts` has none. That nothing was found is counted.
    async fn elsewhere(
        &self,
        scope: &BusinessScope,
        search: &Search,
        starts: Span,
        schedule: &Schedule,
    ) -> Result<Option<Placement>, Status> {
        let tx = self.store.begin(scope);
        if search.hypothesis.is_real() {
            self.store.count_demand(scope.business(), search.demand(starts, &schedule.zone, tx.now()));
        }
        let Some(later) = later(starts) else { return Ok(None) };
        let next = tx.first_offer(&search.items, later, search.part, &search.hypothesis).await?;
        tx.release();
        Ok(next)
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
        let search = Search::parse(request)?;
        let named = Named::customer("customer_id", search.customer).in_items(&search.items);
        self.people.check(&scope, named).await?;
        let (agenda, starts) = self.agenda(&scope, &search).await?;
        let found = search.offers(&agenda)?;
        let next = match found.is_empty() && search.is_first_page() {
            true => self.elsewhere(&scope, &search, starts, &agenda.schedule).await?,
            false => None,
        };
        self.measure.search(began.elapsed());
        let (offers, next_page_token) = search.page.answer(found, |(_, place)| *place, |(offer, _)| offer);
        Ok(SearchAvailabilityResponse {
            offers,
            next_page_token,
            time_zone: zone_name(&agenda.schedule.zone),
            next_offer: next.map(|next| offer(&next, &agenda.schedule)),
        })
    }

    async fn explain_availability(
        &self,
        scope: BusinessScope,
        request: ExplainAvailabilityRequest,
    ) -> Result<ExplainAvailabilityResponse, Status> {
        let customer = optional_id("customer_id", &request.customer_id)?;
        let items = fields::items(&request.items, customer)?;
        let start = fields::start(request.starts_at.as_ref())?;
        let language = explanation::language(&request.language)?;
        let hypothesis = hypothesis::parse(request.as_of.as_ref(), request.hypothesis.as_ref())?;
        self.people.check(&scope, Named::customer("customer_id", customer).in_items(&items)).await?;
        let tx = self.store.begin(&scope);
        let explained = tx.explain(&items, start, &hypothesis).await?;
        let now = hypothesis.as_of.unwrap_or(tx.now());
        tx.release();
        Ok(explanation::response(&explained, now, language))
    }

    async fn create_hold(
        &self,
        scope: BusinessScope,
        request: CreateHoldRequest,
    ) -> Result<CreateHoldResponse, Status> {
        let customer = optional_id("customer_id", &request.customer_id)?;
        let items = fields::items(&request.items, customer)?;
        let start = fields::start(request.starts_at.as_ref())?;
        let call: Option<CallId> = optional_id("call_id", &request.call_id)?;
        self.people.check(&scope, Named::customer("customer_id", customer).in_items(&items)).await?;
        self.store
            .idempotent(&scope, &CREATE_HOLD, &request, async |tx| {
                let schedule = tx.settled_schedule().await?;
                match (call, scope.actor()) {
                    (Some(call), _) => tx.take_turn_in(call).await?,
                    (None, Actor::Person { .. }) => tx.take_own_turn().await?,
                    (None, Actor::Agent { .. } | Actor::Service { .. }) => {}
                }
                let placement = tx.place(&schedule, &items, start, Booker::Customer).await?;
                let hold = NewHold { id: tx.new_id(), call, placement, expires_at: tx.now() + HELD_FOR };
                tx.add_hold(&hold).await?;
                tx.audit(&CREATE_HOLD, hold.id).await?;
                let offer = Some(offer(&hold.placement, &schedule));
                let hold =
                    pb::Hold { id: hold.id.to_string(), expires_at: Some(to_proto(hold.expires_at)), offer };
                Ok(CreateHoldResponse { hold: Some(hold) })
            })
            .await
    }

    async fn release_hold(
        &self,
        scope: BusinessScope,
        request: ReleaseHoldRequest,
    ) -> Result<ReleaseHoldResponse, Status> {
        let hold: VisitId = id("hold_id", &request.hold_id)?;
        let tx = self.store.begin(&scope);
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
        let tx = self.store.begin(&scope);
        let released = tx.release_holds_of(call).await?;
        tx.audit(&RELEASE_CALL_HOLDS, call).await?;
        tx.commit().await?;
        Ok(ReleaseCallHoldsResponse { released: i32::try_from(released).unwrap_or(i32::MAX) })
    }
}

/// Where the next free time is looked for when `starts` has none.
fn later(starts: Span) -> Option<Span> {
    Span::new(starts.ends_at(), starts.ends_at().checked_add(YEAR).ok()?)
}
