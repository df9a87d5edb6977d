//! Tells the services of the year, in few large requests.

use core::time::Duration;

use proto::frontdesk::{
    scheduling::internal::v1::{AddPastVisitsRequest, past_visit_service_client::PastVisitServiceClient},
    telemetry::internal::v1::{AddPastCallsRequest, past_call_service_client::PastCallServiceClient},
    tenancy::internal::v1::{
        AddPastCustomersRequest, AddPastFollowUpsRequest, AddPastMovementsRequest,
        past_record_service_client::PastRecordServiceClient,
    },
};

use super::World;
use crate::demo::{Peers, book::BookingRequest, business, id, salon::WILLOW, stock::GOODS};

const TIMEOUT: Duration = Duration::from_secs(60);
const VISITS_AT_ONCE: usize = 500;
const CALLS_AT_ONCE: usize = 100;
const RECORDS_AT_ONCE: usize = 500;

/// How much was new.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filled {
    /// Customers.
    pub customers: usize,
    /// Visits that were, and those to come.
    pub visits: usize,
    /// Calls.
    pub calls: usize,
    /// Messages that callers left.
    pub follow_ups: usize,
    /// Movements of stock.
    pub movements: usize,
}

/// Fills Willow with the year; what is there stays.
///
/// # Errors
/// The first refusal.
pub async fn fill(peers: &Peers, world: &World) -> anyhow::Result<Filled> {
    // Visits to come are told of with their customers' names.
    let customers = customers(peers, world).await?;
    let (visits, calls, (follow_ups, movements)) =
        futures::try_join!(visits(peers, world), calls(peers, world), async {
            anyhow::Ok((follow_ups(peers, world).await?, movements(peers, world).await?))
        })?;
    Ok(Filled { customers, visits, calls, follow_ups, movements })
}

/// What customers have booked since `since`, for days to come.
pub fn ahead(world: &World, since: jiff::Timestamp) -> Vec<(jiff::civil::Date, BookingRequest)> {
    let new = world.booked().filter(|(_, visit)| since < visit.booked_at && world.now < visit.starts_at);
    let request = |(_, visit): (usize, &super::Visit)| {
        let end = visit.place.minute + super::agenda::length(visit.service);
        let request = BookingRequest {
            service: visit.service,
            employee: visit.place.employee,
            customer: visit.client,
            minute: visit.place.minute,
            end,
        };
        (visit.place.date, request)
    };
    new.map(request).collect()
}

fn count(added: i32) -> usize {
    usize::try_from(added).unwrap_or_default()
}

async fn customers(peers: &Peers, world: &World) -> anyhow::Result<usize> {
    let mut client = PastRecordServiceClient::new(peers.tenancy.channel());
    let mut added = 0;
    for customers in world.customers().chunks(RECORDS_AT_ONCE) {
        let message =
            AddPastCustomersRequest { business_id: WILLOW.to_owned(), customers: customers.to_vec() };
        let request = peers.tenancy.as_service(Some(business(WILLOW)), message, TIMEOUT);
        added += count(client.add_past_customers(request).await?.into_inner().added);
    }
    Ok(added)
}

async fn visits(peers: &Peers, world: &World) -> anyhow::Result<usize> {
    let mut client = PastVisitServiceClient::new(peers.scheduling.channel());
    let mut added = 0;
    for visits in world.past_visits().chunks(VISITS_AT_ONCE) {
        let message = AddPastVisitsRequest { business_id: WILLOW.to_owned(), visits: visits.to_vec() };
        let request = peers.scheduling.as_service(Some(business(WILLOW)), message, TIMEOUT);
        added += count(client.add_past_visits(request).await?.into_inner().added);
    }
    Ok(added)
}

async fn calls(peers: &Peers, world: &World) -> anyhow::Result<usize> {
    let mut client = PastCallServiceClient::new(peers.telemetry.channel());
    let mut added = 0;
    for calls in world.past_calls().chunks(CALLS_AT_ONCE) {
        let message = AddPastCallsRequest { business_id: WILLOW.to_owned(), calls: calls.to_vec() };
        let request = peers.telemetry.as_service(Some(business(WILLOW)), message, TIMEOUT);
        added += count(client.add_past_calls(request).await?.into_inner().added);
    }
    Ok(added)
}

async fn follow_ups(peers: &Peers, world: &World) -> anyhow::Result<usize> {
    let mut client = PastRecordServiceClient::new(peers.tenancy.channel());
    let mut added = 0;
    for follow_ups in world.past_follow_ups().chunks(RECORDS_AT_ONCE) {
        let message =
            AddPastFollowUpsRequest { business_id: WILLOW.to_owned(), follow_ups: follow_ups.to_vec() };
        let request = peers.tenancy.as_service(Some(business(WILLOW)), message, TIMEOUT);
        added += count(client.add_past_follow_ups(request).await?.into_inner().added);
    }
    Ok(added)
}

async fn movements(peers: &Peers, world: &World) -> anyhow::Result<usize> {
    let mut client = PastRecordServiceClient::new(peers.tenancy.channel());
    let mut added = 0;
    for good in 0..GOODS.len() {
        let message = AddPastMovementsRequest {
            business_id: WILLOW.to_owned(),
            item_id: id("item", good),
            movements: world.past_movements(good),
        };
        let request = peers.tenancy.as_service(Some(business(WILLOW)), message, TIMEOUT);
        added += count(client.add_past_movements(request).await?.into_inner().added);
    }
    Ok(added)
}
