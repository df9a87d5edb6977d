//! Keeps employees' calendars in step with the salon's book: writes their appointments
//! there, and tells scheduling what else keeps them busy.

mod app;
pub mod config;
pub mod domain;
mod error;
mod follow;
mod grpc;
mod measure;
pub mod migration;
mod outside;
mod profiles;
pub mod retention;
mod store;
mod vault;

use core::time::Duration;
use std::{
    ffi::OsString,
    process::ExitCode,
    sync::{Arc, Mutex},
};

use anyhow::Context;
use boot::{Host, environment::Environment, peer::Peer};
use database::{ChangeLog, Database, JobConfig, Planning, prepare};
use opentelemetry::global;
use outbox::Follower;
use proto::frontdesk::calendarsync::{
    internal::v1::{
        CalendarFeedReadServiceAdapter, CalendarPushServiceAdapter, EmployeeCalendarServiceAdapter,
        PersonCalendarServiceAdapter, ProviderPushServiceAdapter,
    },
    v1::{
        AppointmentSyncServiceAdapter, CalendarFeedServiceAdapter, CalendarServiceAdapter,
        ConsentServiceAdapter, ConsistencyServiceAdapter, DemoCalendarServiceAdapter,
        ProviderConnectionServiceAdapter,
    },
};
use proto::frontdesk::changes::internal::v1::ChangeLogServiceAdapter;
use proto::frontdesk::erasure::internal::v1::PersonErasureServiceAdapter;
use sealing::envelope::MasterKeys;
use tokio::{net::TcpListener, sync::Notify};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use app::{
    AskBook, AskConsent, CheckConsistency, CheckEmployee, CompareAvailability, ConnectCaldav,
    ConnectCalendar, ConnectEmployeeCalendar, ConnectGoogle, ConnectIcs, ConnectProvider, ManageDemoEvents,
    ManageFeeds, MapProvider, OpenProvider, Pace, Reader, RepairEvents, ReportSources, SyncProvider,
    TakeProviderPush, TakenTurns, WithdrawConsent, Writer, take_turns,
};
pub use config::{Config, GoogleConfig};
use domain::{profile::Profile, slots};
pub use outside::google::GoogleApp;
use outside::{Reached, google::Google, provider::Providers};
pub use reach::Reach;

/// The service's name in passports; its database's is the same with an underscore.
pub const SERVICE: &str = "calendar-sync";

/// The name under which scheduling's and tenancy's logs are followed.
pub const FOLLOWER: &str = "calendar-sync";

/// Runs the service's command line, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    database::run::<Config, _, _>(SERVICE, arguments, serve, prepare_database)
}

/// Migrates where it has the owner's login, connects, follows, syncs and serves until asked to stop.
///
/// # Errors
/// When the database, the keyring, a URL or the port fails.
pub async fn serve(config: Config, listener: TcpListener, leaving: CancellationToken) -> anyhow::Result<()> {
    boot::settings::check(&config)?;
    let host = Host::new(SERVICE, &config.service, leaving)?;
    let scheduling = Peer::lazy("scheduling", &config.scheduling_url, &host)?;
    let tenancy = Peer::lazy("tenancy", &config.tenancy_url, &host)?;
    prepare::<migration::Migrator>(&config.service).await?;
    let database = Database::connect(&host, &config.service, Planning::AsPostgresChooses).await?;
    outbox::require_own(&database).await?;
    let keys = MasterKeys::parse(config.sealing_keys.expose()).context("SEALING_KEYS")?;
    let reach =
        if config.service.environment == Environment::Production { Reach::Public } else { Reach::Anywhere };
    let settings = Settings {
        interval: config.sync_interval,
        keys,
        reach,
        demo_provider: config.demo_provider_url,
        profiles: profiles::of(config.provider_profiles.as_deref()).context("PROVIDER_PROFILES")?,
        google: config.google.app(config.public_url.as_ref())?,
        public_url: config.public_url,
    };
    let routes = start(database, Peers { scheduling, tenancy }, settings, &host).await?;
    boot::grpc::serve(listener, routes, &host).await
}

/// Brings the database up to date and, after a restore, renews the log: a job that ends.
///
/// # Errors
/// When the database can't be used.
pub async fn prepare_database(job: JobConfig, stop: CancellationToken) -> anyhow::Result<()> {
    job.migrate::<migration::Migrator>().await?;
    if let Some((database, _)) = job.restored(SERVICE, Planning::AsPostgresChooses, stop).await? {
        // What it follows is published by those whom it follows.
        outbox::renew(&database).await.context("renewing the log")?;
    }
    Ok(())
}

/// The services that it calls.
#[derive(Debug, Clone)]
pub struct Peers {
    /// Owns the book.
    pub scheduling: Peer,
    /// Owns businesses and employees.
    pub tenancy: Peer,
}

/// How it works.
#[derive(Debug)]
pub struct Settings {
    /// How often each calendar is read.
    pub interval: Duration,
    /// What wraps the keys of secrets.
    pub keys: MasterKeys,
    /// Which servers it calls for people.
    pub reach: Reach,
    /// Where the demo booking system is.
    pub demo_provider: Option<url::Url>,
    /// The booking systems that are known by a profile.
    pub profiles: Vec<Profile>,
    /// Who we are at Google; `None` where this installation is not known there.
    pub google: Option<GoogleApp>,
    /// Where booking systems push hints.
    pub public_url: Option<url::Url>,
}

/// Starts following and syncing on a migrated database, and says what is served.
/// Needs a runtime; all of it ends with the host.
///
/// # Errors
/// When a data key can't be unwrapped, there is no TLS, or an address at Google can't be one.
pub async fn start(
    database: Database,
    peers: Peers,
    settings: Settings,
    host: &Host,
) -> anyhow::Result<Routes> {
    let Peers { scheduling, tenancy } = peers;
    let book = AskBook { scheduling: scheduling.clone() };
    tokio::spawn(database::keep_for_a_time(database.clone(), host.clone(), retention::KEPT));
    tokio::spawn(database::sweep(database.clone(), host.clone()));
    let refusals = database::note_refusals(database.clone(), host);
    let gate = || host.gate.clone().keeping(refusals.clone());
    let changes = Arc::new(ChangeLog::new(database.clone(), store::NAMINGS));
    let store = store::Store::new(database.clone());
    let vault = vault::Vault::new(settings.keys);
    app::rewrap_data_keys(&store, &vault).await.context("wrapping data keys with the current master key")?;
    let web = outgoing::web(settings.reach, host.clock.clone())?;
    let providers = Providers::new(&web, &host.clock, settings.demo_provider, settings.profiles);
    let google = settings.google.map(|app| {
        Google::new(&app, store.clone(), vault.clone(), web.clone(), host.clock.clone())
            .context("Google Calendar")
    });
    let google = google.transpose()?;
    let reached = Reached { providers: providers.clone(), google: google.clone() };
    let outside =
        outside::Outside::new(store.clone(), vault.clone(), web.clone(), host.clock.clone(), reached);
    let sync = measure::Sync::new(&global::meter(SERVICE), host.clock.clone());
    let hint = Arc::new(Notify::new());
    let follower = Follower::new(FOLLOWER, tenancy.clone(), database.clone(), host);
    tokio::spawn(follower.run(follow::Tenancy::new(host.clock.clone())));
    let follower = Follower::new(FOLLOWER, scheduling.clone(), database, host);
    tokio::spawn(follower.run(follow::Appointments::new(host.clock.clone())));
    tokio::spawn(app::measure_due(store.clone(), sync.clone(), host.shutdown.clone()));
    let writer = Writer {
        store: store.clone(),
        outside: outside.clone(),
        clock: host.clock.clone(),
        sync: sync.clone(),
        taken: TakenTurns::new(slots::WRITES),
    };
    let interval = settings.interval;
    let report = ReportSources { store: store.clone(), scheduling: scheduling.clone(), interval };
    let reader = Reader {
        store: store.clone(),
        outside: outside.clone(),
        scheduling: scheduling.clone(),
        report: report.clone(),
        clock: host.clock.clone(),
        interval,
        sync,
        taken: TakenTurns::new(slots::READS),
        apart: Mutex::default(),
    };
    // Writes are planned in the follower's transactions, which send no hint, so the writer polls.
    let write = Pace { at_once: slots::WRITES.all, every: app::POLL, hint: Arc::default() };
    let read = Pace { at_once: slots::READS.all, every: interval, hint: hint.clone() };
    tokio::spawn(take_turns(Arc::new(writer), write, host.shutdown.clone()));
    tokio::spawn(take_turns(Arc::new(reader), read, host.shutdown.clone()));
    tokio::spawn(report.run(host.shutdown.clone()));
    if let Some(google) = google.clone() {
        tokio::spawn(app::keep_channels(store.clone(), google, host.shutdown.clone()));
    }
    let repair = RepairEvents { store: store.clone() };
    let check = CheckConsistency { store: store.clone(), outside, scheduling, clock: host.clock.clone() };
    let consistency = Arc::new(grpc::Consistency::new(store.clone(), check, repair.clone()));
    let appointments = Arc::new(grpc::AppointmentSync::new(store.clone(), repair));
    let employees = CheckEmployee::new(store.clone(), tenancy);
    let open = OpenProvider { providers, store: store.clone(), vault: vault.clone() };
    let sync_provider = SyncProvider { open: open.clone() };
    let push = TakeProviderPush { store: store.clone(), vault: vault.clone(), hint: hint.clone() };
    tokio::spawn(app::refresh_records(sync_provider.clone(), host.shutdown.clone()));
    let providers = Arc::new(grpc::Providers {
        connect: ConnectProvider { open: open.clone(), hint: hint.clone() },
        sync: sync_provider,
        map: MapProvider {
            store: store.clone(),
            employees: employees.clone(),
            book: book.clone(),
            hint: hint.clone(),
        },
        compare: CompareAvailability { open, book, clock: host.clock.clone() },
        push: push.clone(),
        public_url: settings.public_url.clone(),
    });
    let demo = host.environment != Environment::Production;
    let connect =
        ConnectCalendar { store: store.clone(), employees: employees.clone(), hint: hint.clone(), demo };
    let caldav = ConnectCaldav {
        store: store.clone(),
        employees: employees.clone(),
        vault: vault.clone(),
        web: web.clone(),
        records: outgoing::Records::of_this_machine(),
        hint: hint.clone(),
    };
    let at_address = ConnectIcs {
        store: store.clone(),
        employees: employees.clone(),
        vault: vault.clone(),
        web,
        hint: hint.clone(),
    };
    let feeds = ManageFeeds { store: store.clone(), employees: employees.clone() };
    let feeds =
        Arc::new(grpc::CalendarFeeds { store: store.clone(), feeds, public_url: settings.public_url });
    let at_google =
        ConnectGoogle { store: store.clone(), employees, google: google.clone(), hint: hint.clone() };
    let employee_calendars = Arc::new(grpc::EmployeeCalendars(ConnectEmployeeCalendar {
        store: store.clone(),
        demo: demo.then(|| connect.clone()),
        google: at_google.clone(),
        ics: at_address.clone(),
    }));
    let calendars = Arc::new(grpc::Calendars::new(store.clone(), connect, caldav, at_google, at_address));
    let withdraw = WithdrawConsent {
        store: store.clone(),
        google: google.clone(),
        clock: host.clock.clone(),
        hint: hint.clone(),
    };
    tokio::spawn(app::end_consents(withdraw.clone(), host.shutdown.clone()));
    let ask = AskConsent { store: store.clone(), vault, google, demo };
    let consents = Arc::new(grpc::Consents { ask, withdraw });
    let provider_pushes = Arc::new(grpc::ProviderPushes { take: push });
    let pushes = Arc::new(grpc::Pushes { store: store.clone(), hint: hint.clone() });
    let erasures = Arc::new(grpc::PersonErasures::new(store.clone()));
    let demo_events = Arc::new(grpc::DemoEvents::new(ManageDemoEvents { store, hint }));
    Ok(Routes::new(CalendarServiceAdapter::new(calendars, gate()).into_server())
        .add_service(DemoCalendarServiceAdapter::new(demo_events, gate()).into_server())
        .add_service(EmployeeCalendarServiceAdapter::new(employee_calendars, gate()).into_server())
        .add_service(CalendarFeedServiceAdapter::new(feeds.clone(), gate()).into_server())
        .add_service(CalendarFeedReadServiceAdapter::new(feeds, gate()).into_server())
        .add_service(AppointmentSyncServiceAdapter::new(appointments, gate()).into_server())
        .add_service(ProviderConnectionServiceAdapter::new(providers, gate()).into_server())
        .add_service(ConsistencyServiceAdapter::new(consistency, gate()).into_server())
        .add_service(PersonErasureServiceAdapter::new(erasures, gate()).into_server())
        .add_service(CalendarPushServiceAdapter::new(pushes, gate()).into_server())
        .add_service(ProviderPushServiceAdapter::new(provider_pushes, gate()).into_server())
        .add_service(ConsentServiceAdapter::new(consents.clone(), gate()).into_server())
        .add_service(ChangeLogServiceAdapter::new(changes, gate()).into_server())
        .add_service(PersonCalendarServiceAdapter::new(consents, gate()).into_server()))
}
