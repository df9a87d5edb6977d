//! Two replicas, each killed while sixteen clients book, and a Postgres that crashes under them:
//! nothing acknowledged is lost, what was refused left nothing, and nothing happens twice.

use std::{
    collections::{HashMap, HashSet},
    io::{BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use boot::{Host, clock::Clock};
use caller::Role;
use jiff::{SignedDuration, Timestamp, civil::Time, tz::TimeZone};
use proto::{
    error::{Reason, reason_of},
    frontdesk::scheduling::{
        internal::v1::{ImportBusyRequest, busy_service_client::BusyServiceClient},
        v1::{
            Appointment, BookAppointmentRequest, CancelAppointmentRequest, CreateHoldRequest,
            CreateResourceRequest, CreateServiceRequest, ReleaseHoldRequest, Resource, Service,
            SetOpeningHoursRequest, SetWeeklyScheduleRequest,
            appointment_service_client::AppointmentServiceClient,
            availability_service_client::AvailabilityServiceClient,
            catalogue_service_client::CatalogueServiceClient, resource_service_client::ResourceServiceClient,
            schedule_service_client::ScheduleServiceClient,
        },
    },
};
use scheduling::{NAME, migration::Migrator};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use testkit::{CrashablePostgres, as_agent, as_service, as_user, host_on, keyring_file};
use tokio::sync::watch;
use tonic::{
    Code, Request, Status,
    transport::{Channel, Endpoint},
};
use uuid::Uuid;

use crate::{
    moving,
    race::{Dice, FAULTS, rounds},
    resources::WASH,
    salon::{ANA, BEN, COLOUR, CONNECTION, CUT, MASSAGE, WILLOW, booking, fact, service, weekdays, with_key},
    tenancy::Directory,
};

const CLIENTS: u64 = 16;
const REPLICAS: usize = 2;
/// Connections of each replica.
const POOL: &str = "8";

/// A process of the service.
struct Replica {
    address: SocketAddr,
    child: Child,
}

impl Replica {
    /// Starts it on `address` and waits until it serves.
    fn start(server: &CrashablePostgres, address: SocketAddr, tenancy: SocketAddr) -> Self {
        let urls = server.server();
        let mut child = Command::new(env!("CARGO_BIN_EXE_scheduling"))
            .args(["--listen", &address.to_string(), "--database-pool", POOL, "--environment", "test"])
            .args(["--tenancy-url", &format!("http://{tenancy}")])
            .arg("--passport-keys")
            .arg(keyring_file(NAME))
            .env("DATABASE_URL", urls.url("scheduling_app", NAME))
            .env("MIGRATION_URL", urls.url("scheduling_owner", NAME))
            .env("RUST_LOG", "off,boot::grpc=info")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.find_map(|line| line.ok().filter(|line| line.contains("\"serving\"")));
        let line: serde_json::Value = serde_json::from_str(&line.expect("it serves")).unwrap();
        // Keep reading, so that later output does not meet a closed pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { address: line["address"].as_str().unwrap().parse().unwrap(), child }
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What clients see of the installation.
struct Salon {
    host: Host,
    channels: [Channel; REPLICAS],
    /// Midnight of the day that everybody wants.
    day: Timestamp,
    /// Whether all of it runs.
    up: watch::Receiver<bool>,
    done: watch::Sender<usize>,
    asked_again: AtomicUsize,
}

impl Salon {
    /// Asks one replica or the other until one says what became of it. The same key stands for the
    /// same thing.
    async fn settle<T>(
        &self,
        first: u64,
        ask: impl AsyncFn(Channel) -> Result<T, Status>,
    ) -> Result<T, Status> {
        let mut replica = usize::try_from(first).unwrap() % REPLICAS;
        loop {
            self.up.clone().wait_for(|up| *up).await.unwrap();
            match ask(self.channels[replica].clone()).await {
                Err(status) if is_open(&status) => {
                    self.asked_again.fetch_add(1, Ordering::Relaxed);
                    replica = (replica + 1) % REPLICAS;
                }
                settled => return settled,
            }
        }
    }

    fn agent<T>(&self, key: &str, message: T) -> Request<T> {
        with_key(as_agent(&self.host, CONNECTION, WILLOW, message), key)
    }

    fn manager<T>(&self, message: T) -> Request<T> {
        as_user(&self.host, Role::Manager, WILLOW, message)
    }

    fn service<T>(&self, issuer: &str, message: T) -> Request<T> {
        as_service(issuer, &self.host, Some(WILLOW), message)
    }
}

/// Whether the outcome of a call is unknown.
fn is_open(status: &Status) -> bool {
    let lost = matches!(status.code(), Code::Unavailable | Code::Unknown | Code::Cancelled);
    lost || reason_of(status) == Some(Reason::Unavailable)
}

/// What a client has been told.
#[derive(Default)]
struct Told {
    /// Whether each of its visits was cancelled.
    booked: HashMap<String, bool>,
    refused: HashSet<Option<Reason>>,
}

impl Told {
    fn note<T>(&mut self, answer: Result<T, Status>) -> Option<T> {
        answer.map_err(|status| self.refused.insert(reason_of(&status))).ok()
    }

    fn note_booked(&mut self, answer: Result<String, Status>) {
        let booked = self.note(answer);
        self.booked.extend(booked.map(|id| (id, false)));
    }

    fn open(&self) -> Option<String> {
        self.booked.iter().filter(|(_, cancelled)| !**cancelled).map(|(id, _)| id.clone()).min()
    }
}

async fn client(salon: &Salon, number: u64) -> Told {
    let (mut dice, mut told, mut holds) =
        (Dice(0x2545_f491_4f6c_dd1d ^ (number + 1)), Told::default(), vec![]);
    for round in 0..rounds() {
        let key = format!("{number}-{round}");
        let start = salon.day + SignedDuration::from_mins(9 * 60 + 5 * dice.roll(108) as i64);
        let request = booking(dice.visit(), start);
        let replica = dice.roll(REPLICAS as u64);
        match dice.roll(10) {
            0..=3 => {
                let book = async |channel| book(salon, channel, &key, request.clone()).await;
                told.note_booked(salon.settle(replica, book).await);
            }
            4 | 5 => {
                let request = CreateHoldRequest {
                    business_id: request.business_id,
                    items: request.items,
                    starts_at: request.starts_at,
                    call_id: Uuid::from_u128(0xca11_0000 + u128::from(number)).to_string(),
                    ..Default::default()
                };
                let hold = async |channel| {
                    let mut client = AvailabilityServiceClient::new(channel);
                    let held = client.create_hold(salon.agent(&key, request.clone())).await?;
                    Ok(held.into_inner().hold.unwrap().id)
                };
                holds.extend(told.note(salon.settle(replica, hold).await));
            }
            6 => {
                let Some(hold_id) = holds.pop() else { continue };
                let request =
                    BookAppointmentRequest { business_id: WILLOW.to_string(), hold_id, ..Default::default() };
                let book = async |channel| book(salon, channel, &key, request.clone()).await;
                told.note_booked(salon.settle(replica, book).await);
            }
            7 => {
                let Some(id) = told.open() else { continue };
                let request = CancelAppointmentRequest {
                    business_id: WILLOW.to_string(),
                    appointment_id: id.clone(),
                    reason: String::new(),
                };
                let cancel = async |channel| {
                    let mut client = AppointmentServiceClient::new(channel);
                    client.cancel_appointment(salon.agent(&key, request.clone())).await
                };
                if told.note(salon.settle(replica, cancel).await).is_some() {
                    told.booked.insert(id, true);
                }
            }
            8 => {
                if let Some(hold_id) = holds.pop() {
                    let request = ReleaseHoldRequest { business_id: WILLOW.to_string(), hold_id };
                    let release = async |channel| {
                        let mut client = AvailabilityServiceClient::new(channel);
                        client.release_hold(salon.agent(&key, request.clone())).await
                    };
                    told.note(salon.settle(replica, release).await);
                } else if let Some(id) = told.open() {
                    let request = moving::request(&id, start);
                    let go = async |channel| {
                        let mut client = AppointmentServiceClient::new(channel);
                        client.move_appointment(with_key(salon.manager(request.clone()), &key)).await
                    };
                    told.note(salon.settle(replica, go).await);
                }
            }
            _ => {
                let id = format!("{number}-{}", round % 3);
                let request = ImportBusyRequest {
                    business_id: WILLOW.to_string(),
                    employee_id: ANA.to_string(),
                    calendar_id: Uuid::from_u128(0xca1).to_string(),
                    facts: vec![fact(&id, start, start + SignedDuration::from_mins(25))],
                    ..Default::default()
                };
                let import = async |channel| {
                    let mut client = BusyServiceClient::new(channel);
                    client.import_busy(salon.service("calendar-sync", request.clone())).await
                };
                told.note(salon.settle(replica, import).await);
            }
        }
        salon.done.send_modify(|done| *done += 1);
    }
    told
}

async fn book(
    salon: &Salon,
    channel: Channel,
    key: &str,
    request: BookAppointmentRequest,
) -> Result<String, Status> {
    let booked = AppointmentServiceClient::new(channel).book_appointment(salon.agent(key, request)).await?;
    Ok(booked.into_inner().appointment.as_ref().map(|one: &Appointment| one.id.clone()).unwrap())
}

/// Willow with its hours, its people, its basin and its services.
async fn open(salon: &Salon) {
    let channel = &salon.channels[0];
    let business_id = WILLOW.to_string();
    let hours = SetOpeningHoursRequest {
        business_id: business_id.clone(),
        time_zone: "Europe/London".to_owned(),
        spans: weekdays(9, 18),
        ..Default::default()
    };
    let mut schedules = ScheduleServiceClient::new(channel.clone());
    schedules.set_opening_hours(salon.service("local", hours)).await.unwrap();
    for employee in [ANA, BEN] {
        let week = SetWeeklyScheduleRequest {
            business_id: business_id.clone(),
            employee_id: employee.to_string(),
            spans: weekdays(9, 18),
            ..SetWeeklyScheduleRequest::default()
        };
        schedules.set_weekly_schedule(salon.service("local", week)).await.unwrap();
    }
    let basin = Resource { id: CUT.to_string(), name: "Basin".to_owned(), kind: "basin".to_owned() };
    let basin = CreateResourceRequest { business_id: business_id.clone(), resource: Some(basin) };
    ResourceServiceClient::new(channel.clone()).create_resource(salon.service("local", basin)).await.unwrap();
    let wash =
        Service { resource_kinds: vec!["basin".to_owned()], ..service(WASH, "Wash", &[20], &[ANA, BEN]) };
    let mut colour = service(COLOUR, "Colour", &[30, 30, 15], &[ANA, BEN]);
    colour.buffer_after_minutes = 10;
    let both = [ANA, BEN];
    let services =
        [service(CUT, "Cut", &[30], &both), colour, service(MASSAGE, "Massage", &[45], &[BEN]), wash];
    for service in services {
        let request = CreateServiceRequest { business_id: business_id.clone(), service: Some(service) };
        let request = salon.service("local", request);
        CatalogueServiceClient::new(channel.clone()).create_service(request).await.unwrap();
    }
}

/// Midnight of the first Tuesday a week or more from now.
fn some_tuesday() -> Timestamp {
    let zone = TimeZone::get("Europe/London").unwrap();
    let date = zone.to_datetime(Clock::system().now()).date();
    let date = date.checked_add(jiff::Span::new().days(7)).unwrap();
    let tuesday = date.nth_weekday(1, jiff::civil::Weekday::Tuesday).unwrap();
    tuesday.to_datetime(Time::midnight()).to_zoned(zone).unwrap().timestamp()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_replicas_and_a_crashed_postgres_lose_nothing_and_repeat_nothing() {
    let server = CrashablePostgres::start();
    server.database::<Migrator>(NAME).await;
    let any: SocketAddr = ([127, 0, 0, 1], 0).into();
    let tenancy = Arc::new(Directory::default()).listen(&host_on("scheduling", Clock::system())).await;
    let mut replicas = [any, any].map(|any| Replica::start(&server, any, tenancy));
    let channel = |replica: &Replica| {
        Endpoint::from_shared(format!("http://{}", replica.address)).unwrap().connect_lazy()
    };
    let (up, is_up) = watch::channel(true);
    let (done, mut so_far) = watch::channel(0_usize);
    let salon = Salon {
        host: host_on(NAME, Clock::system()),
        channels: [channel(&replicas[0]), channel(&replicas[1])],
        day: some_tuesday(),
        up: is_up,
        done,
        asked_again: AtomicUsize::new(0),
    };
    open(&salon).await;

    let all = rounds() * usize::try_from(CLIENTS).unwrap();
    let faults = async {
        for quarter in 1..=3 {
            so_far.wait_for(|done| *done >= all * quarter / 5).await.unwrap();
            match quarter {
                2 => server.crash(),
                other => replicas[other / 2].kill(),
            }
            up.send_replace(false);
            match quarter {
                2 => server.recover(),
                other => replicas[other / 2] = Replica::start(&server, replicas[other / 2].address, tenancy),
            }
            up.send_replace(true);
        }
    };
    let clients = futures::future::join_all((0..CLIENTS).map(|number| client(&salon, number)));
    let ((), told) = futures::join!(faults, clients);

    let expected = [
        Reason::SlotTaken,
        Reason::NotWorking,
        Reason::NotSkilled,
        Reason::HoldGone,
        Reason::TooManyHolds,
        Reason::WrongState,
    ];
    let mut booked = HashMap::new();
    for told in told {
        booked.extend(told.booked);
        assert!(
            told.refused.iter().all(|reason| reason.is_some_and(|reason| expected.contains(&reason))),
            "{:?}",
            told.refused
        );
    }
    assert!(booked.len() > 10, "{} booked", booked.len());
    assert!(salon.asked_again.load(Ordering::Relaxed) > 0, "nothing was under way when it was killed");

    let superuser = server.server().url("postgres", NAME);
    let mut superuser = PgConnection::connect(&superuser).await.unwrap();
    let kept: Vec<(Uuid, bool)> = sqlx::query_as("SELECT id, state = 'CANCELLED' FROM appointment")
        .fetch_all(&mut superuser)
        .await
        .unwrap();
    let kept: HashMap<_, _> = kept.into_iter().map(|(id, cancelled)| (id.to_string(), cancelled)).collect();
    assert_eq!(kept, booked);
    for (what, sql) in FAULTS {
        let found: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut superuser).await.unwrap();
        assert_eq!(found, 0, "{what}");
    }
    let log = server.log();
    assert!(log.contains("automatic recovery in progress"), "Postgres did not crash");
    assert!(!log.contains("deadlock detected"));
}
