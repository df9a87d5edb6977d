//! All three sides at once, each with a mind of its own: a real scheduling, Mia's calendar at Google, and the salon's own
//! booking system, where Mia and Tom have their appointments as well.

use std::{collections::BTreeSet, net::SocketAddr};

use boot::{
    Host,
    clock::Clock,
    peer::{Peer, PeerChannel},
};
use caller::{Role, Worker};
use database::Database;
use demo_provider::{DemoProvider, TOKEN};
use jiff::{SignedDuration, tz::TimeZone};
use proto::{
    error::{Reason, reason_of},
    frontdesk::scheduling::v1::{
        BookAppointmentRequest, CancelAppointmentRequest, Conflict, CreateServiceRequest,
        ListBookingHealthRequest, ListConflictsRequest, MoveAppointmentRequest, Segment, SegmentKind,
        Service, SetOpeningHoursRequest, SetWeeklyScheduleRequest, VisitItem, WeeklySpan,
        appointment_service_client::AppointmentServiceClient,
        booking_health_service_client::BookingHealthServiceClient,
        catalogue_service_client::CatalogueServiceClient, schedule_service_client::ScheduleServiceClient,
    },
    time::to_proto,
};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::{SESSION, TestDatabase, USER, as_person, as_service, as_user, event_log};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    desk::CUT,
    google::{self, ACCOUNT, World},
    provider,
    salon::{MIA, Others, SALON, Salon, TOM, at},
};

/// What the salon's people have at the booking system.
pub const PEOPLE: [(Uuid, &str); 2] = [(MIA, "P1"), (TOM, "P2")];
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// A salon with all of them.
pub struct Sides {
    pub world: World,
    pub system: DemoProvider,
    pub book: Book,
}

/// A real scheduling.
pub struct Book {
    host: Host,
    database: TestDatabase,
    pool: Database,
    channel: PeerChannel,
    address: SocketAddr,
}

impl Book {
    async fn open(clock: Clock) -> Self {
        let host = testkit::host_on(scheduling::NAME, clock);
        let database = testkit::database::<scheduling::migration::Migrator>(scheduling::NAME).await;
        let pool = database.connect_with(&host, 16, scheduling::PLANNING).await;
        let tenancy = crate::tenancy::tenancy(&host, &event_log::Events::new(vec![])).await;
        // It is asked when a person books from a call alone.
        let telemetry = Peer::lazy("telemetry", "http://127.0.0.1:1", &host).unwrap();
        let peers = scheduling::Peers { tenancy, telemetry };
        let address = testkit::serve(scheduling::routes(pool.clone(), peers, &host), &host).await;
        let channel = testkit::peer(scheduling::NAME, address, &host).channel();
        Self { host, database, pool, channel, address }
    }

    fn local<T>(&self, message: T) -> Request<T> {
        as_service("local", &self.host, Some(SALON), message)
    }

    fn manager<T>(&self, message: T) -> Request<T> {
        as_user(&self.host, Role::Manager, SALON, message)
    }

    fn appointments(&self) -> AppointmentServiceClient<PeerChannel> {
        AppointmentServiceClient::new(self.channel.clone())
    }

    /// Both work from nine to six, Monday to Saturday, and cut hair.
    async fn fill(&self) {
        let span = |weekday| WeeklySpan { weekday, from_minute: 540, to_minute: 1080 };
        let spans: Vec<WeeklySpan> = (1..=6).map(span).collect();
        let mut schedules = ScheduleServiceClient::new(self.channel.clone());
        let hours = SetOpeningHoursRequest {
            business_id: SALON.to_string(),
            time_zone: "Europe/London".to_owned(),
            spans: spans.clone(),
            ..Default::default()
        };
        schedules.set_opening_hours(self.local(hours)).await.unwrap();
        for (employee, _) in PEOPLE {
            let week = SetWeeklyScheduleRequest {
                business_id: SALON.to_string(),
                employee_id: employee.to_string(),
                spans: spans.clone(),
                ..Default::default()
            };
            schedules.set_weekly_schedule(self.local(week)).await.unwrap();
        }
        let cut = Service {
            id: CUT.to_string(),
            name: "Cut".to_owned(),
            category: "Hair".to_owned(),
            segments: vec![Segment { kind: SegmentKind::Active.into(), minutes: 30 }],
            price_minor: 4500,
            currency: "GBP".to_owned(),
            employee_ids: PEOPLE.map(|(employee, _)| employee.to_string()).to_vec(),
            ..Service::default()
        };
        let message = CreateServiceRequest { business_id: SALON.to_string(), service: Some(cut) };
        let mut catalogue = CatalogueServiceClient::new(self.channel.clone());
        catalogue.create_service(self.local(message)).await.unwrap();
    }

    /// Books a cut at an hour; `None` where that is taken.
    pub async fn book(&self, employee: Uuid, hour: i64) -> Option<String> {
        let item = VisitItem {
            service_id: CUT.to_string(),
            employee_id: employee.to_string(),
            ..VisitItem::default()
        };
        let message = BookAppointmentRequest {
            business_id: SALON.to_string(),
            items: vec![item],
            starts_at: Some(to_proto(at(hour, 0))),
            ..BookAppointmentRequest::default()
        };
        let booked = self.appointments().book_appointment(self.manager(message)).await;
        unless_taken(booked).map(|booked| booked.into_inner().appointment.unwrap().id)
    }

    /// Moves one to an employee's hour, unless that is taken.
    pub async fn move_to(&self, appointment: &str, employee: Uuid, hour: i64) -> bool {
        let message = MoveAppointmentRequest {
            business_id: SALON.to_string(),
            appointment_id: appointment.to_owned(),
            starts_at: Some(to_proto(at(hour, 0))),
            employee_ids: vec![employee.to_string()],
            ..MoveAppointmentRequest::default()
        };
        unless_taken(self.appointments().move_appointment(self.manager(message)).await).is_some()
    }

    pub async fn cancel(&self, appointment: &str) {
        let message = CancelAppointmentRequest {
            business_id: SALON.to_string(),
            appointment_id: appointment.to_owned(),
            reason: "ill".to_owned(),
        };
        self.appointments().cancel_appointment(self.manager(message)).await.unwrap();
    }

    /// What managers are shown as double booked, page by page, and administrators by its number.
    pub async fn conflicts(&self) -> Vec<Conflict> {
        let (mut all, mut page_token) = (vec![], String::new());
        loop {
            let message = ListConflictsRequest { business_id: SALON.to_string(), page_size: 5, page_token };
            let page = self.appointments().list_conflicts(self.manager(message)).await.unwrap().into_inner();
            all.extend(page.conflicts);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        let now = self.host.clock.now();
        let message = ListBookingHealthRequest {
            business_ids: vec![SALON.to_string()],
            since: Some(to_proto(now - DAY)),
            until: Some(to_proto(now + DAY)),
        };
        let request = as_person(&self.host, USER, SESSION, None, Some(Role::Admin), message);
        let mut health = BookingHealthServiceClient::new(self.channel.clone());
        let bookings = health.list_booking_health(request).await.unwrap().into_inner().bookings;
        assert_eq!(bookings[0].open_conflict_count, i32::try_from(all.len()).unwrap());
        all
    }

    /// Who is kept busy outside, by what, and from when.
    async fn held(&self) -> BTreeSet<String> {
        let sql = "SELECT COALESCE(string_agg(concat_ws(' ', external_id, employee_id,
                extract(epoch FROM starts_at)::bigint), ','), '')
            FROM busy_fact WHERE starts_at IS NOT NULL";
        let tx = self.pool.begin(&Worker::new("test", SALON)).await.unwrap();
        let row = tx.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap().unwrap();
        let held: String = row.try_get_by_index(0).unwrap();
        held.split(',').filter(|fact| !fact.is_empty()).map(str::to_owned).collect()
    }

    /// The position of the newest event of its log.
    pub async fn position(&self) -> i64 {
        let superuser = sea_orm::Database::connect(&self.database.superuser_url).await.unwrap();
        let sql = "SELECT COALESCE(max(position), 0) FROM outbox";
        let row = superuser.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await;
        row.unwrap().unwrap().try_get_by_index(0).unwrap()
    }
}

/// What was done; `None` where another booking or something outside was in the way.
fn unless_taken<T>(answer: Result<T, Status>) -> Option<T> {
    match answer {
        Err(status) if reason_of(&status) == Some(Reason::SlotTaken) => None,
        other => Some(other.unwrap()),
    }
}

/// A fact as [`Book::held`] shows it.
pub fn fact(id: &str, employee: Uuid, hour: i64) -> String {
    format!("{id} {employee} {}", at(hour, 0).as_second())
}

impl Sides {
    pub async fn open() -> Self {
        let (host, time) = testkit::host(calendar_sync::SERVICE);
        let (google, app) = google::start(&host).await;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let zone = TimeZone::get("Europe/London").unwrap();
        let theirs = demo_provider::Book::new("Willow", TOKEN, zone, &["Mia", "Tom"], &["Cut"]);
        let system = DemoProvider::new(theirs, host.clock.clone());
        tokio::spawn(system.clone().serve(listener, CancellationToken::new()));
        let book = Book::open(host.clock.clone()).await;
        book.fill().await;
        let others = Others { book: book.address, provider: url, google: app };
        let world = World { salon: Salon::among(host, time, others).await, google };
        let sides = Self { world, system, book };
        sides.connect().await;
        sides
    }

    /// Mia has a calendar at Google, and both are in the booking system.
    async fn connect(&self) {
        let salon = &self.world.salon;
        self.world.allow().await;
        self.world.connect(ACCOUNT, MIA).await.unwrap();
        let connection = provider::connect_as(salon, Role::Owner, SALON, TOKEN).await.unwrap().id;
        provider::sync(salon, &connection, false).await;
        for (employee, there) in PEOPLE {
            provider::map(salon, &connection, there, Some(employee)).await.unwrap();
        }
        let unread = "SELECT count(*) FROM sync_state WHERE synced_at IS NULL";
        self.read_until(async || salon.count(unread).await == 0).await;
        assert_eq!(salon.count(unread).await, 0);
    }

    /// Reads both sides until the book holds what is there.
    pub async fn until_held(&self, expected: &BTreeSet<String>) {
        self.read_until(async || self.book.held().await == *expected).await;
        assert_eq!(self.book.held().await, *expected);
    }

    /// Reads both sides again and again, and gives up in the end.
    async fn read_until(&self, mut done: impl AsyncFnMut() -> bool) {
        let salon = &self.world.salon;
        let unread = "SELECT count(*) FROM sync_state WHERE due_at < '2026-01-01' OR lease IS NOT NULL";
        for _ in 0..10 {
            salon.read_again().await;
            salon.until(async || salon.count(unread).await == 0).await;
            if done().await {
                return;
            }
            // Calls that were told to wait are made again.
            salon.time.advance(SignedDuration::from_secs(30));
        }
    }
}
