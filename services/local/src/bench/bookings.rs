//! Bookings of many businesses at once, by gRPC.

use core::time::Duration;

use anyhow::Context;
use boot::peer::Peer;
use caller::{BusinessId, IDEMPOTENCY_HEADER};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use proto::{
    error::{Reason, reason_of},
    frontdesk::{scheduling::v1 as scheduling, tenancy::v1 as tenancy},
    time::to_proto,
};

use super::{
    BenchArgs,
    load::{self, Answer, Rate},
    print,
};
use crate::{
    all::host,
    demo::id,
    stack::{
        Secrets,
        plan::{MEMBERS, url},
    },
};

const BUSINESSES: u32 = 200;
const PER_SECOND: u32 = 300;
/// Businesses made at once.
const AT_ONCE: usize = 16;
/// From nine to six, at the full and the half hour.
const PER_DAY: u32 = 18;
const TIMEOUT: Duration = Duration::from_secs(20);
const ZONE: &str = "Europe/London";

/// Books times that are free, each of one business after the other: another `round` books other times. `how` is told
/// behind the names of the figures.
pub async fn measure(args: &BenchArgs, secrets: &Secrets, round: u32, how: &str) -> anyhow::Result<()> {
    let host = host(secrets, &tokio_util::sync::CancellationToken::new())?;
    let peer = |n: usize| Peer::lazy(MEMBERS[n].name, &url(args.base_port, MEMBERS[n]), &host);
    let (tenancy, scheduling) = (peer(1)?, peer(2)?);
    stream::iter(0..BUSINESSES)
        .map(|n| open(&tenancy, &scheduling, n))
        .buffer_unordered(AT_ONCE)
        .try_collect::<()>()
        .await
        .context("the businesses to be booked")?;
    let zone = TimeZone::get(ZONE)?;
    let tomorrow = host.clock.now().to_zoned(zone.clone()).date().tomorrow()?;
    let start = |turn: u32| -> anyhow::Result<Timestamp> {
        let date = tomorrow.checked_add(i64::from(turn / PER_DAY).days())?;
        let minutes = i64::from(9 * 60 + 30 * (turn % PER_DAY));
        Ok(date.to_zoned(zone.clone())?.checked_add(minutes.minutes())?.timestamp())
    };
    let turns = (load::WARM_UP_SECONDS + args.seconds) * PER_SECOND / BUSINESSES + 1;
    let starts: Vec<_> = (round * turns..(round + 1) * turns).map(start).collect::<Result<_, _>>()?;
    let rate = Rate { per_second: PER_SECOND, seconds: args.seconds };
    let latencies = load::run(rate, |n| {
        let (scheduling, at) = (scheduling.clone(), starts[(n / BUSINESSES) as usize]);
        async move { book(&scheduling, n % BUSINESSES, at).await }
    })
    .await?;
    let answered = latencies.count() as f64 / latencies.span.as_secs_f64();
    print(
        &format!("bookings of {BUSINESSES} businesses by gRPC{how}"),
        "≥ 300/s",
        &format!("{answered:.0}/s, {} refused", latencies.refused),
    );
    print(&format!("bookings, {PER_SECOND}/s{how}, p99"), "≤ 25 ms", &latencies.to_string());
    Ok(())
}

fn business(n: u32) -> String {
    id("bench-booked", n as usize)
}

fn employee(n: u32) -> String {
    id("bench-booked-employee", n as usize)
}

fn service(n: u32) -> String {
    id("bench-booked-service", n as usize)
}

/// Makes a business with one employee and one service.
async fn open(tenancy: &Peer, scheduling: &Peer, n: u32) -> anyhow::Result<()> {
    let channel = scheduling.channel();
    let scope: Option<BusinessId> = Some(business(n).parse()?);
    let mut client = tenancy::business_service_client::BusinessServiceClient::new(tenancy.channel());
    let message = tenancy::CreateBusinessRequest {
        business_id: business(n),
        name: format!("Booked {n}"),
        time_zone: ZONE.to_owned(),
        ..Default::default()
    };
    client.create_business(tenancy.as_service(None, message, TIMEOUT)).await?;
    let mut client = tenancy::employee_service_client::EmployeeServiceClient::new(tenancy.channel());
    let message = tenancy::CreateEmployeeRequest {
        business_id: business(n),
        employee_id: employee(n),
        name: "Ana".to_owned(),
        ..Default::default()
    };
    client.create_employee(tenancy.as_service(scope, message, TIMEOUT)).await?;
    let spans: Vec<_> = (1..=7)
        .map(|weekday| scheduling::WeeklySpan { weekday, from_minute: 9 * 60, to_minute: 18 * 60 })
        .collect();
    let mut client = scheduling::schedule_service_client::ScheduleServiceClient::new(channel.clone());
    let message = scheduling::SetOpeningHoursRequest {
        business_id: business(n),
        time_zone: ZONE.to_owned(),
        spans: spans.clone(),
        ..Default::default()
    };
    client.set_opening_hours(scheduling.as_service(scope, message, TIMEOUT)).await?;
    let message = scheduling::SetWeeklyScheduleRequest {
        business_id: business(n),
        employee_id: employee(n),
        spans,
        effective_from: String::new(),
        ..Default::default()
    };
    client.set_weekly_schedule(scheduling.as_service(scope, message, TIMEOUT)).await?;
    let message = scheduling::CreateServiceRequest {
        business_id: business(n),
        service: Some(scheduling::Service {
            id: service(n),
            name: "Cut".to_owned(),
            category: "Hair".to_owned(),
            segments: vec![scheduling::Segment { kind: scheduling::SegmentKind::Active.into(), minutes: 30 }],
            price_minor: 3000,
            currency: "GBP".to_owned(),
            employee_ids: vec![employee(n)],
            ..Default::default()
        }),
    };
    let mut client = scheduling::catalogue_service_client::CatalogueServiceClient::new(channel);
    client.create_service(scheduling.as_service(scope, message, TIMEOUT)).await?;
    Ok(())
}

/// Whether it was booked, rather than told to come back.
async fn book(scheduling: &Peer, n: u32, at: Timestamp) -> anyhow::Result<Answer> {
    let message = scheduling::BookAppointmentRequest {
        business_id: business(n),
        items: vec![scheduling::VisitItem {
            service_id: service(n),
            employee_id: employee(n),
            ..Default::default()
        }],
        starts_at: Some(to_proto(at)),
        ..Default::default()
    };
    let mut request = scheduling.as_service(Some(business(n).parse()?), message, TIMEOUT);
    request.metadata_mut().insert(IDEMPOTENCY_HEADER, format!("bench-{at}").parse()?);
    let mut client =
        scheduling::appointment_service_client::AppointmentServiceClient::new(scheduling.channel());
    match client.book_appointment(request).await {
        Ok(_) => Ok(Answer::Served),
        Err(status) if matches!(reason_of(&status), Some(Reason::Busy | Reason::Unavailable)) => {
            Ok(Answer::Refused)
        }
        Err(status) => Err(status.into()),
    }
}
