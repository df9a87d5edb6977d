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
mod store;

use core::time::Duration;
use std::{ffi::OsString, process::ExitCode, sync::Arc};

use anyhow::Context;
use boot::{Host, peer::Peer, settings};
use database::{Database, JobConfig, Planning, prepare};
use opentelemetry::global;
use outbox::Follower;
use proto::frontdesk::calendarsync::{
    internal::v1::PersonCalendarServiceAdapter,
    v1::{CalendarServiceAdapter, ConsentServiceAdapter, DemoCalendarServiceAdapter},
};
use tokio::{net::TcpListener, sync::Notify};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use app::{AskConsent, CheckEmployee, ConnectCalendar, ManageDemoEvents, Pace, Reader, Writer, take_turns};
pub use config::Config;

/// The service's name in passports; its database's is the same with an underscore.
pub const SERVICE: &str = "calendar-sync";

/// The name under which scheduling's and tenancy's logs are followed.
pub const FOLLOWER: &str = "calendar-sync";

/// Calendars read at once, and events written at once.
const AT_ONCE: usize = 8;

/// Runs the service's command line, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    database::run::<Config, _, _>(SERVICE, arguments, serve, prepare_database)
}

/// Migrates where it has the owner's login, connects, follows, syncs and serves until asked to stop.
///
/// # Errors
/// When the database, the keyring, a URL or the port fails.
pub async fn serve(config: Config, listener: TcpListener, leaving: CancellationToken) -> anyhow::Result<()> {
    settings::check(&config)?;
    let host = Host::new(SERVICE, &config.service, leaving)?;
    let scheduling = Peer::lazy("scheduling", &config.scheduling_url, &host)?;
    let tenancy = Peer::lazy("tenancy", &config.tenancy_url, &host)?;
    prepare::<migration::Migrator>(&config.service).await?;
    let database = Database::connect(&host, &config.service, Planning::AsPostgresChooses).await?;
    outbox::require_own(&database).await?;
    let routes = start(database, scheduling, tenancy, config.sync_interval, &host);
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

/// Starts following and syncing on a migrated database, and says what is served.
/// Needs a runtime; all of it ends with the host.
#[must_use]
pub fn start(database: Database, scheduling: Peer, tenancy: Peer, interval: Duration, host: &Host) -> Routes {
    let store = store::Store::new(database.clone());
    let outside = outside::Outside::new(store.clone());
    let sync = measure::Sync::new(&global::meter(SERVICE), host.clock.clone());
    let hint = Arc::new(Notify::new());
    let follower = Follower::new(FOLLOWER, tenancy.clone(), database.clone(), host);
    tokio::spawn(follower.run(follow::Employees));
    let follower = Follower::new(FOLLOWER, scheduling.clone(), database, host);
    tokio::spawn(follower.run(follow::Appointments::new(host.clock.clone())));
    let writer = Writer {
        store: store.clone(),
        outside: outside.clone(),
        clock: host.clock.clone(),
        sync: sync.clone(),
    };
    let reader =
        Reader { store: store.clone(), outside, scheduling, clock: host.clock.clone(), interval, sync };
    // Writes are planned in the follower's transactions, which send no hint, so the writer polls.
    let write = Pace { at_once: AT_ONCE, every: app::POLL, hint: Arc::default() };
    let read = Pace { at_once: AT_ONCE, every: interval, hint: hint.clone() };
    tokio::spawn(take_turns(Arc::new(writer), write, host.shutdown.clone()));
    tokio::spawn(take_turns(Arc::new(reader), read, host.shutdown.clone()));
    let employees = CheckEmployee::new(store.clone(), tenancy);
    let connect = ConnectCalendar { store: store.clone(), employees, hint: hint.clone() };
    let calendars = Arc::new(grpc::Calendars::new(store.clone(), connect));
    let consents = Arc::new(grpc::Consents::new(AskConsent { store: store.clone() }));
    let demo = Arc::new(grpc::DemoEvents::new(ManageDemoEvents { store, hint }));
    Routes::new(CalendarServiceAdapter::new(calendars, host.gate.clone()).into_server())
        .add_service(DemoCalendarServiceAdapter::new(demo, host.gate.clone()).into_server())
        .add_service(ConsentServiceAdapter::new(consents.clone(), host.gate.clone()).into_server())
        .add_service(PersonCalendarServiceAdapter::new(consents, host.gate.clone()).into_server())
}
