//! Free times, and keeping one for a moment.

use std::time::Instant;

use caller::{BusinessScope, Tenant};
use engine::{
    id::{CallId, VisitId},
    span::Span,
};
use proto::{
    frontdesk::scheduling::v1::{
        self as pb, AvailabilityServiceHandler, CreateHoldRequest, CreateHoldResponse,
        ExplainAvailabilityRequest, ExplainAvailabilityResponse, ReleaseCallHoldsRequest,
        ReleaseCallHoldsResponse, ReleaseHoldRequest, ReleaseHoldResponse, SearchAvailabilityRequest,
        SearchAvailabilityResponse, availability_service_methods::CREATE_HOLD,
    },
    parse::{id, optional_id},
    time::to_proto,
};
use tonic::{Status, async_trait};

use super::{
    appointment_request::{booker, searcher},
    busy_source::sources,
    explanation, fields, hypothesis,
    schedule::zone_name,
    search::Search,
};
use crate::{
    app::{Agenda, Calls, CreateHold, Named, People, ReleaseCallHolds, ReleaseHold},
    contract::offer,
    domain::{busy_source::BusySource, hypothesis::Hypothesis},
    measure::Measure,
    store::{Store, Tx},
};

/// Serves `AvailabilityService`.
#[derive(Debug)]
pub(crate) struct Availability {
    store: Store,
    people: People,
    calls: Calls,
    measure: Measure,
}

impl Availability {
    pub(crate) fn new(store: Store, people: People, calls: Calls, measure: Measure) -> Self {
        Self { store, people, calls, measure }
    }

    /// What a search needs, when it shall start, and the calendars it depends on. The connection is given back before
    /// offers are worked out.
    async fn agenda(
        &self,
        scope: &BusinessScope,
        search: &Search,
    ) -> Result<(Agenda, Span, Vec<pb::BusySource>), Status> {
        let tx = self.store.begin(scope);
        let starts = search.starts(tx.now())?;
        let Search { items, booker, hypothesis, .. } = search;
        let agenda = tx.agenda_by_hypothesis(items, search.rest(starts)?, *booker, hypothesis).await?;
        let known = known_sources(&tx, &search.hypothesis).await?;
        let considered = agenda.request.candidates().collect();
        let sources = sources(&known, &considered, &agenda.schedule, tx.now());
        tx.release();
        Ok((agenda, starts, sources))
    }
}

/// How current calendars were in the past is not kept.
async fn known_sources(tx: &Tx, hypothesis: &Hypothesis) -> Result<Vec<BusySource>, Status> {
    if hypothesis.as_of.is_some() {
        return Ok(vec![]);
    }
    Ok(tx.busy_sources().await?)
}

#[async_trait]
impl AvailabilityServiceHandler for Availability {
    async fn search_availability(
        &self,
        scope: BusinessScope,
        request: SearchAvailabilityRequest,
    ) -> Result<SearchAvailabilityResponse, Status> {
        let began = Instant::now();
        let search = Search::parse(&scope, request)?;
        let named = Named::customer("customer_id", search.customer).in_items(&search.items);
        self.people.check(&scope, named).await?;
        let (agenda, starts, sources) = self.agenda(&scope, &search).await?;
        let found = search.offers(&agenda)?;
        let next = match found.is_empty() && search.is_first_page() {
            true => search.elsewhere(starts, &agenda.schedule.zone).run(&self.store, &scope).await?,
            false => None,
        };
        self.measure.search(began.elapsed());
        let (offers, next_page_token) = search.page.answer(found, |(_, place)| *place, |(offer, _)| offer);
        Ok(SearchAvailabilityResponse {
            offers,
            next_page_token,
            time_zone: zone_name(&agenda.schedule.zone),
            next_offer: next.map(|next| offer(&next, &agenda.schedule)),
            sources,
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
        let booker = searcher(&scope, request.for_customer);
        let tx = self.store.begin(&scope);
        let explained = tx.explain(&items, start, booker, &hypothesis).await?;
        let known = known_sources(&tx, &hypothesis).await?;
        let now = hypothesis.as_of.unwrap_or(tx.now());
        tx.release();
        Ok(explanation::response(&explained, &known, now, language, explanation::clock(&scope.actor())))
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
        self.calls.check(&scope, call).await?;
        self.store
            .idempotent(&scope, &CREATE_HOLD, &request, async |tx| {
                let (holder, booker) = (scope.actor(), booker(&scope));
                let (hold, schedule) = CreateHold { items, start, call, holder, booker }.run(tx).await?;
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
        ReleaseHold(hold).run(self.store.begin(&scope)).await?;
        Ok(ReleaseHoldResponse {})
    }

    async fn release_call_holds(
        &self,
        scope: BusinessScope,
        request: ReleaseCallHoldsRequest,
    ) -> Result<ReleaseCallHoldsResponse, Status> {
        let call: CallId = id("call_id", &request.call_id)?;
        let released = ReleaseCallHolds(call).run(self.store.begin(&scope)).await?;
        Ok(ReleaseCallHoldsResponse { released: i32::try_from(released).unwrap_or(i32::MAX) })
    }
}
