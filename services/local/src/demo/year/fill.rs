//! Tells the services of the year, in few large requests.

use core::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use proto::frontdesk::{
    scheduling::internal::v1::{
        AddPastVisitsRequest, PastVisit, past_visit_service_client::PastVisitServiceClient,
    },
    telemetry::internal::v1::{
        AddPastCallsRequest, PastCall, past_call_service_client::PastCallServiceClient,
    },
    tenancy::internal::v1::{
        AddPastCustomersRequest, AddPastFollowUpsRequest, AddPastMovementsRequest,
        past_record_service_client::PastRecordServiceClient,
    },
};

use super::{Days, World};
use crate::demo::{Peers, book::BookingRequest, business, id, salon::WILLOW, stock::GOODS};

const TIMEOUT: Duration = Duration::from_secs(60);
const VISITS_AT_ONCE: usize = 500;
const CALLS_AT_ONCE: usize = 200;
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

/// Fills Willow with its customers and the visits of today and later: what else happens there happens beside them.
///
/// # Errors
/// The first refusal.
pub async fn open(peers: &Peers, world: &World) -> anyhow::Result<()> {
    // Visits to come are told of with their customers' names.
    customers(peers, world).await?;
    visits(peers, world.past_visits(Days::FromToday), |_| ()).await.map(drop)
}

/// Fills Willow with the year behind it; what is there stays.
///
/// # Errors
/// The first refusal.
pub async fn fill(peers: &Peers, world: &World) -> anyhow::Result<Filled> {
    let (past, mut older) = (world.past_visits(Days::BeforeToday), world.past_calls());
    let progress = Progress::of(past.len() + older.len());
    let made = |more| progress.made(more);
    // While the statements of one half are planned and sent, those of the other run.
    let newer = older.split_off(older.len() / 2);
    let (visits, older, newer, (follow_ups, movements)) = futures::try_join!(
        visits(peers, past, made),
        calls(peers, older, made),
        calls(peers, newer, made),
        async { anyhow::Ok((follow_ups(peers, world).await?, movements(peers, world).await?)) }
    )?;
    let calls = older + newer;
    let opened = world.past_visits(Days::FromToday).len();
    Ok(Filled { customers: world.customers().len(), visits: visits + opened, calls, follow_ups, movements })
}

/// How much of the year is there, said at each quarter.
struct Progress {
    all: usize,
    done: AtomicUsize,
}

impl Progress {
    fn of(all: usize) -> Self {
        Self { all: all.max(1), done: AtomicUsize::new(0) }
    }

    fn made(&self, more: usize) {
        let quarter = |done: usize| done * 4 / self.all;
        let before = self.done.fetch_add(more, Ordering::Relaxed);
        let reached = quarter(before + more);
        if quarter(before) < reached && reached < 4 {
            eprintln!("Filling the year behind Willow & Co: {} %", reached * 25);
        }
    }
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

async fn customers(peers: &Peers, world: &World) -> anyhow::Result<()> {
    let mut client = PastRecordServiceClient::new(peers.tenancy.channel());
    for customers in world.customers().chunks(RECORDS_AT_ONCE) {
        let message =
            AddPastCustomersRequest { business_id: WILLOW.to_owned(), customers: customers.to_vec() };
        let request = peers.tenancy.as_service(Some(business(WILLOW)), message, TIMEOUT);
        client.add_past_customers(request).await?;
    }
    Ok(())
}

/// Adds visits a batch at a time, and tells of each batch; returns how many were new.
async fn visits(peers: &Peers, visits: Vec<PastVisit>, made: impl Fn(usize)) -> anyhow::Result<usize> {
    let mut client = PastVisitServiceClient::new(peers.scheduling.channel());
    let mut added = 0;
    for visits in visits.chunks(VISITS_AT_ONCE) {
        let message = AddPastVisitsRequest { business_id: WILLOW.to_owned(), visits: visits.to_vec() };
        let request = peers.scheduling.as_service(Some(business(WILLOW)), message, TIMEOUT);
        added += count(client.add_past_visits(request).await?.into_inner().added);
        made(visits.len());
    }
    Ok(added)
}

/// As [`visits`], for calls.
async fn calls(peers: &Peers, calls: Vec<PastCall>, made: impl Fn(usize)) -> anyhow::Result<usize> {
    let mut client = PastCallServiceClient::new(peers.telemetry.channel());
    let mut added = 0;
    for calls in calls.chunks(CALLS_AT_ONCE) {
        let message = AddPastCallsRequest { business_id: WILLOW.to_owned(), calls: calls.to_vec() };
        let request = peers.telemetry.as_service(Some(business(WILLOW)), message, TIMEOUT);
        added += count(client.add_past_calls(request).await?.into_inner().added);
        made(calls.len());
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
