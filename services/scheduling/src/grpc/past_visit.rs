//! The book of a salon that worked before it came here.

use caller::BusinessScope;
use engine::{appointment::BookingDetails, item::Item, progress::Stage};
use proto::{
    error::invalid,
    frontdesk::scheduling::{
        internal::v1::{self as pb, AddPastVisitsRequest, AddPastVisitsResponse, PastVisitServiceHandler},
        v1::AppointmentState,
    },
    parse::{id, optional_id, optional_text, text},
    time::required,
};
use tonic::{Status, async_trait};

use crate::{
    app::add_past_visits,
    domain::past_visit::{Moved, PastVisit},
    store::Store,
};

const MOST: usize = 1_000;
const LONGEST_ACTOR: usize = 100;
const LONGEST_REASON: usize = 500;
const LARGEST_PRICE: i32 = 99_999_999;

/// Serves `PastVisitService`.
#[derive(Debug)]
pub(crate) struct PastVisits {
    store: Store,
}

impl PastVisits {
    pub(crate) fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PastVisitServiceHandler for PastVisits {
    async fn add_past_visits(
        &self,
        scope: BusinessScope,
        request: AddPastVisitsRequest,
    ) -> Result<AddPastVisitsResponse, Status> {
        if request.visits.len() > MOST {
            return Err(invalid("visits", "must be at most 1,000"));
        }
        let visits = request.visits.iter().map(visit).collect::<Result<_, _>>()?;
        let added = add_past_visits(self.store.begin(&scope), visits).await?;
        Ok(AddPastVisitsResponse { added: i32::try_from(added).unwrap_or(i32::MAX) })
    }
}

fn visit(wire: &pb::PastVisit) -> Result<PastVisit, Status> {
    let customer = Some(id("visits.customer_id", &wire.customer_id)?);
    if !(0..=LARGEST_PRICE).contains(&wire.price_minor) {
        return Err(invalid("visits.price_minor", "must lie between 0 and 99,999,999"));
    }
    let booked_at = required("visits.booked_at", wire.booked_at.as_ref())?;
    Ok(PastVisit {
        id: id("visits.id", &wire.id)?,
        item: Item {
            service: id("visits.service_id", &wire.service_id)?,
            employee: Some(id("visits.employee_id", &wire.employee_id)?),
            preferred: None,
            guest: 0,
            customer,
            extra_minutes: 0,
            wish: engine::item::Wish::Anyone,
        },
        details: BookingDetails {
            customer,
            call: optional_id("visits.call_id", &wire.call_id)?,
            ..BookingDetails::default()
        },
        starts_at: required("visits.starts_at", wire.starts_at.as_ref())?,
        booked: (booked_at, text("visits.booked_by", &wire.booked_by, LONGEST_ACTOR)?),
        price_minor: wire.price_minor,
        moved: wire.r#move.as_ref().map(moved).transpose()?,
        steps: wire.steps.iter().map(step).collect::<Result<_, _>>()?,
        cancel_reason: optional_text("visits.cancel_reason", &wire.cancel_reason, LONGEST_REASON)?
            .unwrap_or_default(),
    })
}

fn moved(wire: &pb::PastMove) -> Result<Moved, Status> {
    Ok(Moved {
        from: required("visits.move.from", wire.from.as_ref())?,
        at: required("visits.move.at", wire.at.as_ref())?,
        by: text("visits.move.by", &wire.by, LONGEST_ACTOR)?,
    })
}

fn step(wire: &pb::PastStep) -> Result<(Stage, jiff::Timestamp, String), Status> {
    let stage = match wire.state() {
        AppointmentState::Confirmed => Stage::Confirmed,
        AppointmentState::Arrived => Stage::Arrived,
        AppointmentState::InService => Stage::InService,
        AppointmentState::Completed => Stage::Completed,
        AppointmentState::Cancelled => Stage::Cancelled,
        AppointmentState::NoShow => Stage::NoShow,
        AppointmentState::Booked | AppointmentState::Unspecified => {
            return Err(invalid("visits.steps.state", "must be one that a booked visit is brought to"));
        }
    };
    let at = required("visits.steps.at", wire.at.as_ref())?;
    Ok((stage, at, text("visits.steps.by", &wire.by, LONGEST_ACTOR)?))
}
