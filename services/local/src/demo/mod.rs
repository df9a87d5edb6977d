//! Fills an installation with the demo businesses, through the services' own
//! calls. Every step may be repeated: ids and idempotency keys are fixed.

mod agent;
mod book;
mod harbour;
pub mod salon;
mod stock;
mod year;

use core::time::Duration;

use boot::{Host, peer::Peer};
use caller::BusinessId;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use proto::frontdesk::{
    auth::internal::v1 as auth, calendarsync::v1 as calendars, scheduling::v1 as scheduling,
    tenancy::v1 as tenancy,
};
use tonic::{Code, Status};
use uuid::Uuid;

use self::salon::{ACCOUNTS, BUSINESSES, CUSTOMERS, EMPLOYEES, PASSWORD, SERVICES, WILLOW};
pub use self::{
    stock::Shelves,
    year::{Filled, World},
};
use crate::{
    demo_call::Platform,
    patience::{pauses, persist},
    stack::Secrets,
};

const TIMEOUT: Duration = Duration::from_secs(20);
/// Of no account.
const TWILIO_ACCOUNT: &str = "AC00000000000000000000000000000000";
/// Services that have just started on a loaded machine may be busy, or too slow to answer, for so long: a start that
/// gave up would have to be made again.
const PATIENCE: Duration = Duration::from_secs(900);

/// The services the demo is poured into.
#[derive(Debug, Clone)]
pub struct Peers {
    /// Accounts and memberships.
    pub auth: Peer,
    /// Businesses and people.
    pub tenancy: Peer,
    /// Catalogue, schedules, bookings.
    pub scheduling: Peer,
    /// Calendars.
    pub calendar_sync: Peer,
    /// Calls.
    pub telemetry: Peer,
}

/// The `n`th demo record of a kind, always with the same id.
#[must_use]
pub fn id(kind: &str, n: usize) -> String {
    Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("frontdesk:demo:{kind}:{n}").as_bytes()).to_string()
}

fn business(id: &str) -> BusinessId {
    BusinessId(id.parse().expect("demo ids are UUIDs"))
}

/// Seeds everything that has no date; waits for services that are busy.
///
/// # Errors
/// The first refusal.
pub async fn seed(peers: &Peers, secrets: &Secrets, shelves: Shelves) -> anyhow::Result<()> {
    while_busy(|| seed_once(peers, secrets, shelves)).await
}

async fn seed_once(peers: &Peers, secrets: &Secrets, shelves: Shelves) -> anyhow::Result<()> {
    businesses(peers).await?;
    // An account that joins a business without being an employee's becomes one.
    people(peers).await?;
    accounts(peers).await?;
    catalogue(peers).await?;
    stock::fill(&peers.tenancy, shelves).await?;
    harbour::begin(peers).await?;
    agent::publish(&peers.tenancy).await?;
    connections(peers, secrets).await
}

/// Books Willow's days from now on; days booked before stay as they are. Waits while scheduling is busy.
///
/// # Errors
/// When scheduling can't be reached.
pub async fn book(peers: &Peers, host: &Host, days: i64) -> anyhow::Result<usize> {
    while_busy(|| book::days(&peers.scheduling, host, days)).await
}

/// The seed of the demo's year.
const SEED: u64 = 14;

/// The salon whose demo was first started on `anchor`, with the year before it, at `now`.
///
/// # Errors
/// When the days lie outside the calendar.
pub fn world(anchor: Date, now: Timestamp) -> anyhow::Result<World> {
    World::new(SEED, TimeZone::get(BUSINESSES[0].time_zone)?, anchor, now)
}

/// Gives Willow the year behind it; what is there stays.
///
/// # Errors
/// The first refusal.
pub async fn fill_year(peers: &Peers, world: &World) -> anyhow::Result<Filled> {
    while_busy(|| year::fill(peers, world)).await
}

/// Gives Willow its customers, and the visits of today and of days to come, before anything else takes their time.
///
/// # Errors
/// The first refusal.
pub async fn open_year(peers: &Peers, world: &World) -> anyhow::Result<()> {
    while_busy(|| year::open(peers, world)).await
}

/// Books what Willow's customers have had in mind since `since`.
///
/// # Errors
/// When scheduling can't be reached.
pub async fn book_since(peers: &Peers, world: &World, since: Timestamp) -> anyhow::Result<usize> {
    let zone = TimeZone::get(BUSINESSES[0].time_zone)?;
    while_busy(|| book::all(&peers.scheduling, &zone, year::ahead(world, since))).await
}

/// Takes a step that may be repeated until every service it needs has answered.
async fn while_busy<T, Step>(step: impl FnMut() -> Step) -> anyhow::Result<T>
where
    Step: Future<Output = anyhow::Result<T>>,
{
    persist("filling the demo", pauses(PATIENCE), is_busy, step).await
}

/// Whether a service was busy or did not answer in time: the step may well succeed in a moment.
fn is_busy(error: &anyhow::Error) -> bool {
    let status = error.downcast_ref::<Status>();
    status.is_some_and(|status| matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded))
}

async fn businesses(peers: &Peers) -> anyhow::Result<()> {
    let mut client = tenancy::business_service_client::BusinessServiceClient::new(peers.tenancy.channel());
    for salon in &BUSINESSES {
        let message = tenancy::CreateBusinessRequest {
            business_id: salon.id.to_owned(),
            name: salon.name.to_owned(),
            address: salon.address.to_owned(),
            phone: salon.phone.to_owned(),
            time_zone: salon.time_zone.to_owned(),
            currency: salon.currency.to_owned(),
        };
        client.create_business(peers.tenancy.as_service(None, message, TIMEOUT)).await?;
    }
    Ok(())
}

async fn accounts(peers: &Peers) -> anyhow::Result<()> {
    let mut client = auth::provisioning_service_client::ProvisioningServiceClient::new(peers.auth.channel());
    for (n, (local_part, name, role, admin)) in ACCOUNTS.into_iter().enumerate() {
        let message = auth::EnsureUserRequest {
            user_id: id("user", n),
            email: format!("{local_part}@demo.test"),
            name: name.to_owned(),
            password: PASSWORD.to_owned(),
            admin,
        };
        client.ensure_user(peers.auth.as_service(None, message, TIMEOUT)).await?;
        if !role.is_empty() {
            let message = auth::SetMembershipRequest {
                user_id: id("user", n),
                business_id: WILLOW.to_owned(),
                role: role.to_owned(),
            };
            client.set_membership(peers.auth.as_service(None, message, TIMEOUT)).await?;
        }
    }
    Ok(())
}

async fn people(peers: &Peers) -> anyhow::Result<()> {
    let willow = Some(business(WILLOW));
    let mut client = tenancy::employee_service_client::EmployeeServiceClient::new(peers.tenancy.channel());
    for (n, employee) in EMPLOYEES.iter().enumerate() {
        let account = ACCOUNTS.iter().position(|(local_part, ..)| *local_part == employee.account);
        let message = tenancy::CreateEmployeeRequest {
            business_id: WILLOW.to_owned(),
            employee_id: id("employee", n),
            name: employee.name.to_owned(),
            user_id: account.map(|n| id("user", n)).unwrap_or_default(),
        };
        client.create_employee(peers.tenancy.as_service(willow, message, TIMEOUT)).await?;
    }
    let mut client = tenancy::customer_service_client::CustomerServiceClient::new(peers.tenancy.channel());
    for (n, name) in CUSTOMERS.into_iter().enumerate() {
        let message = tenancy::CreateCustomerRequest {
            business_id: WILLOW.to_owned(),
            customer_id: id("customer", n),
            name: name.to_owned(),
            phone: format!("+447700900{:03}", 123 + n),
            email: String::new(),
        };
        client.create_customer(peers.tenancy.as_service(willow, message, TIMEOUT)).await?;
    }
    Ok(())
}

/// From one whole hour to another.
fn span(weekday: i32, (from, to): (i32, i32)) -> scheduling::WeeklySpan {
    scheduling::WeeklySpan { weekday, from_minute: from * 60, to_minute: to * 60 }
}

async fn catalogue(peers: &Peers) -> anyhow::Result<()> {
    let willow = Some(business(WILLOW));
    let channel = peers.scheduling.channel();
    let mut schedules = scheduling::schedule_service_client::ScheduleServiceClient::new(channel.clone());
    let message = scheduling::SetOpeningHoursRequest {
        business_id: WILLOW.to_owned(),
        time_zone: "Europe/London".to_owned(),
        spans: (1..).zip(salon::OPENING).map(|(day, hours)| span(day, hours)).collect(),
        ..Default::default()
    };
    schedules.set_opening_hours(peers.scheduling.as_service(willow, message, TIMEOUT)).await?;
    for (n, employee) in EMPLOYEES.iter().enumerate() {
        let message = scheduling::SetWeeklyScheduleRequest {
            business_id: WILLOW.to_owned(),
            employee_id: id("employee", n),
            spans: employee.weekdays.iter().map(|day| span(*day, employee.hours)).collect(),
            effective_from: String::new(),
            ..Default::default()
        };
        schedules.set_weekly_schedule(peers.scheduling.as_service(willow, message, TIMEOUT)).await?;
    }
    let mut client = scheduling::catalogue_service_client::CatalogueServiceClient::new(channel);
    for (n, service) in SERVICES.iter().enumerate() {
        let message = scheduling::CreateServiceRequest {
            business_id: WILLOW.to_owned(),
            service: Some(self::service(n, service)),
        };
        client.create_service(peers.scheduling.as_service(willow, message, TIMEOUT)).await?;
    }
    Ok(())
}

fn service(n: usize, service: &salon::Service) -> scheduling::Service {
    scheduling::Service {
        id: id("service", n),
        name: service.name.to_owned(),
        category: service.category.to_owned(),
        segments: service
            .segments
            .iter()
            .map(|(kind, minutes)| scheduling::Segment { kind: (*kind).into(), minutes: *minutes })
            .collect(),
        buffer_before_minutes: 0,
        buffer_after_minutes: service.buffer_after,
        price_minor: service.price,
        currency: "GBP".to_owned(),
        aliases: service.aliases.iter().map(|alias| (*alias).to_owned()).collect(),
        employee_ids: service.employees.iter().map(|n| id("employee", *n)).collect(),
        ..Default::default()
    }
}

async fn connections(peers: &Peers, secrets: &Secrets) -> anyhow::Result<()> {
    let willow = Some(business(WILLOW));
    let channel = peers.tenancy.channel();
    let mut client = tenancy::voice_connection_service_client::VoiceConnectionServiceClient::new(channel);
    for platform in Platform::ALL {
        let message = tenancy::CreateVoiceConnectionRequest {
            business_id: WILLOW.to_owned(),
            voice_connection_id: platform.connection().to_owned(),
            platform: wire(platform).into(),
            label: platform.label().to_owned(),
            secret: secrets.get(&platform.secret_name())?,
            account: if platform == Platform::Twilio { TWILIO_ACCOUNT.to_owned() } else { String::new() },
            ..tenancy::CreateVoiceConnectionRequest::default()
        };
        client.create_voice_connection(peers.tenancy.as_service(willow, message, TIMEOUT)).await?;
    }
    let channel = peers.calendar_sync.channel();
    let mut client = calendars::calendar_service_client::CalendarServiceClient::new(channel);
    for (n, employee) in EMPLOYEES.iter().enumerate() {
        let message = calendars::ConnectCalendarRequest {
            business_id: WILLOW.to_owned(),
            calendar_id: id("calendar", n),
            kind: calendars::CalendarKind::Demo.into(),
            employee_id: id("employee", n),
            name: format!("{}'s calendar", employee.name),
        };
        client.connect_calendar(peers.calendar_sync.as_service(willow, message, TIMEOUT)).await?;
    }
    Ok(())
}

fn wire(platform: Platform) -> tenancy::VoicePlatform {
    match platform {
        Platform::Retell => tenancy::VoicePlatform::Retell,
        Platform::Vapi => tenancy::VoicePlatform::Vapi,
        Platform::Twilio => tenancy::VoicePlatform::Twilio,
        Platform::ElevenLabs => tenancy::VoicePlatform::Elevenlabs,
    }
}

#[cfg(test)]
mod tests {
    use core::future::ready;

    use super::*;

    #[tokio::test]
    async fn a_service_that_is_busy_or_slow_is_asked_again() {
        let mut asked = 0;
        let outcome = while_busy(|| {
            asked += 1;
            ready(match asked {
                1 => Err(Status::unavailable("the database is busy").into()),
                2 => Err(anyhow::Error::from(Status::deadline_exceeded("tenancy did not answer in time"))
                    .context("adding customers")),
                _ => Ok(()),
            })
        });
        outcome.await.unwrap();
        assert_eq!(asked, 3);
    }

    #[test]
    fn a_refusal_is_final() {
        for refusal in [Status::invalid_argument("name"), Status::internal("an internal error")] {
            assert!(!is_busy(&refusal.into()));
        }
        assert!(!is_busy(&anyhow::anyhow!("no secret")));
    }
}
