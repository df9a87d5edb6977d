//! A calendar-sync service of a test's own, beside a scheduling of its own.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use boot::{Host, clock::TestClock, environment::Environment};
use calendar_sync::{
    GoogleApp, Peers, Reach, SERVICE, Settings, domain::profile::Profile, migration::Migrator,
};
use caller::{BusinessId, Role};
use database::Database;
use jiff::{SignedDuration, Timestamp};
use proto::{
    frontdesk::{
        calendarsync::v1::{
            Calendar, CalendarKind, ConnectCalendarRequest, DeleteDemoEventRequest, DemoEvent,
            ListCalendarsRequest, ListDemoEventsRequest, PutDemoEventRequest,
            calendar_service_client::CalendarServiceClient,
            demo_calendar_service_client::DemoCalendarServiceClient,
        },
        scheduling::v1::{Appointment, AppointmentState, PlacedItem},
    },
    time::to_proto,
};
use sea_orm::DatabaseConnection;
use sealing::envelope::MasterKeys;
use testkit::{TestDatabase, as_service, as_user, event_log};
use tokio::sync::OnceCell;
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::scheduling::Scheduling;

pub const SALON: BusinessId = BusinessId(Uuid::from_u128(0xA1));
pub const OTHER: BusinessId = BusinessId(Uuid::from_u128(0xA2));
/// Where people, and what pushes, reach this installation.
pub const PUBLIC: &str = "https://desk.example.com/";
pub const MIA: Uuid = Uuid::from_u128(0xE1);
pub const TOM: Uuid = Uuid::from_u128(0xE2);
pub const CALENDAR: Uuid = Uuid::from_u128(0xCA1);
pub const TOMS: Uuid = Uuid::from_u128(0xCA2);
/// The master key of tests.
pub const FIRST_KEY: &str = "first:aW40RivzeByF8aeXaoVFJUO6YNUjXaPXRMfuUELgTlE";
/// How often calendars fall due by the test clock, which stands still, and how often
/// the service looks by its own.
pub const INTERVAL: Duration = Duration::from_millis(100);

/// The service and what is around it.
pub struct Salon {
    pub host: Host,
    pub time: TestClock,
    pub app: Database,
    pub database: TestDatabase,
    /// The fake; it is called by no one where the book is a real one.
    pub scheduling: Arc<Scheduling>,
    /// Tenancy's log.
    pub tenancy: event_log::Events,
    pub channel: Channel,
    pub address: SocketAddr,
    /// Where the demo booking system is.
    pub provider: Option<String>,
    /// Who we are at Google.
    pub google: Option<GoogleApp>,
    /// What changes the database behind the service's back.
    pub meddling: OnceCell<DatabaseConnection>,
}

/// Where the others are.
pub struct Others {
    /// Scheduling.
    pub book: SocketAddr,
    /// The demo booking system.
    pub provider: String,
    /// Who we are at Google.
    pub google: GoogleApp,
}

/// What a replica is told.
struct Around<'a> {
    keys: &'a str,
    reach: Reach,
    provider: Option<&'a str>,
    google: Option<GoogleApp>,
}

impl Salon {
    pub async fn open() -> Self {
        Self::reaching(Reach::Anywhere).await
    }

    /// A salon whose service calls only such servers.
    pub async fn reaching(reach: Reach) -> Self {
        Self::with_keys(FIRST_KEY, reach).await
    }

    /// A salon of an installation that is for real, or not.
    pub async fn open_in(environment: Environment) -> Self {
        let (host, time) = testkit::host(SERVICE);
        let around = Around { keys: FIRST_KEY, reach: Reach::Anywhere, provider: None, google: None };
        Self::on(Host { environment, ..host }, time, around).await
    }

    /// A salon beside a demo booking system.
    pub async fn beside(provider: &str) -> Self {
        let provider = Some(provider);
        Self::with(Around { keys: FIRST_KEY, reach: Reach::Anywhere, provider, google: None }).await
    }

    /// A salon that is known to a Google, on the same clock.
    pub async fn known_to(google: impl AsyncFnOnce(&Host) -> GoogleApp) -> Self {
        let (host, time) = testkit::host(SERVICE);
        let google = Some(google(&host).await);
        Self::on(host, time, Around { keys: FIRST_KEY, reach: Reach::Anywhere, provider: None, google }).await
    }

    /// A salon whose service has these master keys.
    pub async fn with_keys(keys: &str, reach: Reach) -> Self {
        Self::with(Around { keys, reach, provider: None, google: None }).await
    }

    async fn with(around: Around<'_>) -> Self {
        let (host, time) = testkit::host(SERVICE);
        Self::on(host, time, around).await
    }

    async fn on(host: Host, time: TestClock, around: Around<'_>) -> Self {
        let scheduling = Scheduling::new();
        let beside = testkit::host_on("scheduling", host.clock.clone());
        let address = testkit::serve(scheduling.routes(&beside), &beside).await;
        Self::with_book((scheduling, address), host, time, around).await
    }

    /// A salon whose book is a real one, known to a Google, and beside a booking system: all on one clock.
    pub async fn among(host: Host, time: TestClock, others: Others) -> Self {
        let Others { book, provider, google } = others;
        let around = Around {
            keys: FIRST_KEY,
            reach: Reach::Anywhere,
            provider: Some(&provider),
            google: Some(google),
        };
        Self::with_book((Scheduling::new(), book), host, time, around).await
    }

    async fn with_book(
        (scheduling, address): (Arc<Scheduling>, SocketAddr),
        host: Host,
        time: TestClock,
        around: Around<'_>,
    ) -> Self {
        let database = testkit::database::<Migrator>(SERVICE).await;
        let app = database.connect(&host).await;
        let (provider, google) = (around.provider.map(str::to_owned), around.google.clone());
        let tenancy = event_log::Events::new(vec![]);
        let channel = replica(&app, &host, (address, &tenancy), around).await.unwrap();
        Self {
            host,
            time,
            app,
            database,
            scheduling,
            tenancy,
            channel,
            address,
            provider,
            google,
            meddling: OnceCell::new(),
        }
    }

    /// A salon with Mia's calendar connected and read once.
    pub async fn with_calendar() -> Self {
        let salon = Self::open().await;
        salon.connect(CALENDAR, MIA).await.unwrap();
        salon.until(async || salon.calendar().await.synced_at.is_some()).await;
        salon
    }

    /// Another replica on the same database.
    pub async fn replica(&self) -> Channel {
        self.replica_with(FIRST_KEY).await
    }

    /// Another replica, with these master keys.
    pub async fn replica_with(&self, keys: &str) -> Channel {
        self.start_with(keys).await.unwrap()
    }

    /// The same, if it starts.
    pub async fn start_with(&self, keys: &str) -> anyhow::Result<Channel> {
        let app = self.database.connect(&self.host).await;
        let around = Around {
            keys,
            reach: Reach::Anywhere,
            provider: self.provider.as_deref(),
            google: self.google.clone(),
        };
        replica(&app, &self.host, (self.address, &self.tenancy), around).await
    }

    pub fn calendars(&self) -> CalendarServiceClient<Channel> {
        CalendarServiceClient::new(self.channel.clone())
    }

    pub fn demo(&self) -> DemoCalendarServiceClient<Channel> {
        DemoCalendarServiceClient::new(self.channel.clone())
    }

    pub async fn connect(&self, id: Uuid, employee: Uuid) -> Result<Calendar, Status> {
        let request = as_service("local", &self.host, Some(SALON), connecting(id, employee));
        Ok(self.calendars().connect_calendar(request).await?.into_inner().calendar.unwrap())
    }

    /// The first calendar of the list.
    pub async fn calendar(&self) -> Calendar {
        let message = ListCalendarsRequest { business_id: SALON.to_string(), ..Default::default() };
        let request = as_user(&self.host, Role::Employee, SALON, message);
        self.calendars().list_calendars(request).await.unwrap().into_inner().calendars.remove(0)
    }

    pub async fn put(&self, id: &str, hour: i64) -> Result<DemoEvent, Status> {
        let request = as_user(&self.host, Role::Employee, SALON, putting(id, hour));
        Ok(self.demo().put_demo_event(request).await?.into_inner().event.unwrap())
    }

    pub async fn delete(&self, id: &str) -> Result<(), Status> {
        let message = DeleteDemoEventRequest {
            business_id: SALON.to_string(),
            calendar_id: CALENDAR.to_string(),
            event_id: id.to_owned(),
        };
        self.demo().delete_demo_event(as_user(&self.host, Role::Employee, SALON, message)).await.map(drop)
    }

    /// What is in a calendar.
    pub async fn events(&self, calendar: Uuid) -> Vec<DemoEvent> {
        let message = ListDemoEventsRequest {
            business_id: SALON.to_string(),
            calendar_id: calendar.to_string(),
            page_size: 200,
            page_token: String::new(),
        };
        let request = as_user(&self.host, Role::Manager, SALON, message);
        self.demo().list_demo_events(request).await.unwrap().into_inner().events
    }
}

async fn replica(
    app: &Database,
    host: &Host,
    (scheduling, tenancy): (SocketAddr, &event_log::Events),
    Around { keys, reach, provider, google }: Around<'_>,
) -> anyhow::Result<Channel> {
    let scheduling = testkit::peer("scheduling", scheduling, host);
    let tenancy = crate::tenancy::tenancy(host, tenancy).await;
    let keys = MasterKeys::parse(keys).unwrap();
    let profiles = Profile::committed().unwrap();
    let demo_provider = provider.map(|url| url.parse().unwrap());
    let public_url = Some(PUBLIC.parse().unwrap());
    let settings = Settings { interval: INTERVAL, keys, reach, demo_provider, profiles, google, public_url };
    let peers = Peers { scheduling, tenancy };
    let routes = calendar_sync::start(app.clone(), peers, settings, host).await?;
    let address = testkit::serve(routes, host).await;
    Ok(Channel::from_shared(format!("http://{address}"))?.connect_lazy())
}

pub fn connecting(id: Uuid, employee: Uuid) -> ConnectCalendarRequest {
    ConnectCalendarRequest {
        business_id: SALON.to_string(),
        calendar_id: id.to_string(),
        kind: CalendarKind::Demo.into(),
        employee_id: employee.to_string(),
        name: "Private".to_owned(),
    }
}

/// An hour of Monday the first of June, taken.
pub fn putting(id: &str, hour: i64) -> PutDemoEventRequest {
    PutDemoEventRequest {
        business_id: SALON.to_string(),
        calendar_id: CALENDAR.to_string(),
        event_id: id.to_owned(),
        title: "Dentist".to_owned(),
        starts_at: Some(to_proto(at(hour, 0))),
        ends_at: Some(to_proto(at(hour + 1, 0))),
    }
}

pub fn at(hour: i64, minute: i64) -> Timestamp {
    let midnight: Timestamp = "2026-06-01T00:00:00Z".parse().unwrap();
    midnight + SignedDuration::from_mins(60 * hour + minute)
}

/// A booked visit of Ana.
pub fn visit(id: u128, version: i64, items: &[(Uuid, &str, i64, i64)]) -> Appointment {
    let item = |(employee, service, hour, length): &(Uuid, &str, i64, i64)| PlacedItem {
        service_name: (*service).to_owned(),
        employee_id: employee.to_string(),
        starts_at: Some(to_proto(at(*hour, 0))),
        ends_at: Some(to_proto(at(*hour, *length))),
        ..PlacedItem::default()
    };
    Appointment {
        id: Uuid::from_u128(id).to_string(),
        state: AppointmentState::Booked.into(),
        customer_name: "Ana".to_owned(),
        items: items.iter().map(item).collect(),
        version,
        ..Appointment::default()
    }
}
