//! What is searched for.

use caller::BusinessScope;
use engine::{id::CustomerId, item::Item, part_of_day::PartOfDay, policy::Booker, span::Span};
use jiff::{Timestamp, tz::TimeZone};
use proto::{
    frontdesk::scheduling::v1::{self as pb, SearchAvailabilityRequest},
    page::{MAX_PAGE, Page, page_of},
    parse::optional_id,
};
use tonic::Status;

use super::{
    appointment_request::searcher,
    fields, hypothesis,
    offers::{Place, Ranking, part_of_day, ranking},
};
use crate::{
    app::{Agenda, FindElsewhere},
    domain::hypothesis::Hypothesis,
};

const OFFERS: u32 = 20;

/// A search, as far as it is known without the time.
pub(super) struct Search {
    pub customer: Option<CustomerId>,
    pub items: Vec<Item>,
    pub booker: Booker,
    pub part: Option<PartOfDay>,
    pub hypothesis: Hypothesis,
    pub page: Page<Place>,
    ranking: Ranking,
    request: SearchAvailabilityRequest,
}

impl Search {
    pub fn parse(scope: &BusinessScope, request: SearchAvailabilityRequest) -> Result<Self, Status> {
        let customer = optional_id("customer_id", &request.customer_id)?;
        Ok(Self {
            customer,
            items: fields::items(&request.items, customer)?,
            booker: searcher(scope, request.for_customer),
            page: page_of(request.page_size, &request.page_token, OFFERS, MAX_PAGE)?,
            part: part_of_day(&request)?,
            ranking: ranking(&request)?,
            hypothesis: hypothesis::parse(request.as_of.as_ref(), request.hypothesis.as_ref())?,
            request,
        })
    }

    /// When the visit may start, asked at `now`.
    pub fn starts(&self, now: Timestamp) -> Result<Span, Status> {
        let SearchAvailabilityRequest { from, to, .. } = &self.request;
        fields::window(from.as_ref(), to.as_ref(), self.asked_at(now))
    }

    /// What of `starts` has to be looked at for the page.
    pub fn rest(&self, starts: Span) -> Result<Span, Status> {
        self.ranking.rest(starts, &self.page)
    }

    /// The page's offers and one more, where there is one, each with its key.
    pub fn offers(&self, agenda: &Agenda) -> Result<Vec<(pb::Offer, Place)>, Status> {
        self.ranking.offers(agenda, self.part, &self.page)
    }

    pub fn is_first_page(&self) -> bool {
        self.page.after.is_none()
    }

    /// The search for another time, once it found nothing within `starts`.
    pub fn elsewhere<'a>(&'a self, starts: Span, zone: &'a TimeZone) -> FindElsewhere<'a> {
        let Self { items, booker, part, hypothesis, .. } = self;
        FindElsewhere { items, starts, booker: *booker, part: *part, hypothesis, zone }
    }

    fn asked_at(&self, now: Timestamp) -> Timestamp {
        self.hypothesis.as_of.unwrap_or(now)
    }
}
