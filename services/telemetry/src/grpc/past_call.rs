//! The calls of a salon that worked before it came here.

use caller::BusinessScope;
use proto::{
    error::invalid,
    frontdesk::telemetry::internal::v1::{
        self as pb, AddPastCallsRequest, AddPastCallsResponse, PastCallServiceHandler,
    },
    parse::{id, some_ids, text},
    time::required,
};
use tonic::{Status, async_trait};

use super::{delivery, tool_call};
use crate::{
    app::{PastCall, PastRun, add_past_calls},
    domain::{AppointmentId, ServiceId, visit::Visit},
    store::{Delivery, Store},
};

const MOST: usize = 200;
const MOST_SERVICES: usize = 20;

/// Serves `PastCallService`.
#[derive(Debug)]
pub struct PastCalls {
    store: Store,
}

impl PastCalls {
    /// Into `store`.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl PastCallServiceHandler for PastCalls {
    async fn add_past_calls(
        &self,
        scope: BusinessScope,
        request: AddPastCallsRequest,
    ) -> Result<AddPastCallsResponse, Status> {
        if request.calls.len() > MOST {
            return Err(invalid("calls", "must be at most 200"));
        }
        let calls = request.calls.into_iter().map(call).collect::<Result<_, _>>()?;
        let added = add_past_calls(self.store.begin(&scope), calls).await?;
        Ok(AddPastCallsResponse { added: i32::try_from(added).unwrap_or(i32::MAX) })
    }
}

fn call(wire: pb::PastCall) -> Result<PastCall, Status> {
    let facts = wire.facts.unwrap_or_default();
    let first = Delivery {
        connection: id("calls.connection_id", &wire.connection_id)?,
        event_key: facts.platform_call_id.clone(),
        body: vec![],
        received_at: required("calls.facts.started_at", facts.started_at.as_ref())?,
    };
    let (identity, told) = delivery::facts(&first, Some(facts))?;
    Ok(PastCall {
        id: id("calls.id", &wire.id)?,
        identity,
        told,
        runs: wire.runs.into_iter().map(run).collect::<Result<_, _>>()?,
        bookings: wire.bookings.iter().map(booking).collect::<Result<_, _>>()?,
    })
}

fn run(wire: pb::PastRun) -> Result<PastRun, Status> {
    let (answer, effect) = tool_call::answer(wire.answer.unwrap_or_default())?;
    Ok(PastRun {
        at: required("calls.runs.at", wire.at.as_ref())?,
        name: text("calls.runs.name", &wire.name, delivery::MAX_NAME)?,
        arguments: tool_call::json("calls.runs.arguments", wire.arguments)?,
        answer,
        effect,
    })
}

fn booking(wire: &pb::PastBooking) -> Result<(AppointmentId, Visit), Status> {
    let services: Vec<ServiceId> = some_ids("calls.bookings.service_ids", &wire.service_ids, MOST_SERVICES)?;
    let visit = Visit {
        version: wire.version,
        price: wire.price_minor.into(),
        currency: text("calls.bookings.currency", &wire.currency, 3)?,
        services: services.into_iter().collect(),
        cancelled: wire.cancelled,
        by_team: false,
        booking_told: true,
    };
    Ok((id("calls.bookings.appointment_id", &wire.appointment_id)?, visit))
}
