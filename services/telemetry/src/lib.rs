//! Telephone calls the agent took: raw deliveries, what they add up to, turns, tool calls.

mod app;
pub mod config;
pub mod domain;
mod error;
mod follow;
mod grpc;
mod measure;
pub mod migration;
mod neighbours;
pub mod recordings;
pub mod retention;
mod store;

use core::time::Duration;
use std::{ffi::OsString, process::ExitCode, sync::Arc};

use anyhow::Context;
use boot::{Host, environment::Environment, peer::Peer, settings};
use cache::Cache;
use contacts::Contacts;
use database::{ChangeLog, Database, JobConfig, Planning, prepare};
use jiff::SignedDuration;
use outbox::{Follower, Log};
use proto::frontdesk::{
    changes::internal::v1::ChangeLogServiceAdapter,
    erasure::internal::v1::PersonErasureServiceAdapter,
    events::v1::EventLogServiceAdapter,
    telemetry::{
        internal::v1::{CallDirectoryServiceAdapter, IntakeServiceAdapter, PastCallServiceAdapter},
        v1::{
            CacheServiceAdapter, CallServiceAdapter, CallViewServiceAdapter, InsightServiceAdapter,
            ProductEventServiceAdapter, RecordingServiceAdapter,
        },
    },
};
use reach::Reach;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use config::Config;

pub use app::KeepRecordings;
use follow::{Customers, FOLLOWER, Visits};
use measure::RecordingTasks;
use recordings::{Platform, Shelf};

/// The service's name in passports and databases.
pub const SERVICE: &str = "telemetry";

/// Runs the service's command line, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    database::run::<Config, _, _>(SERVICE, arguments, serve, prepare_database)
}

/// Migrates where it has the owner's login, connects and serves until asked to stop.
///
/// # Errors
/// When the database, the keyring or the port fails.
pub async fn serve(config: Config, listener: TcpListener, leaving: CancellationToken) -> anyhow::Result<()> {
    settings::check(&config)?;
    let host = Host::new(SERVICE, &config.service, leaving)?;
    let scheduling = Peer::lazy("scheduling", &config.scheduling_url, &host)?;
    prepare::<migration::Migrator>(&config.service).await?;
    let tenancy = Peer::lazy("tenancy", &config.tenancy_url, &host)?;
    let database = Database::connect(&host, &config.service, Planning::AsPostgresChooses).await?;
    outbox::require_own(&database).await?;
    let shelf = Shelf::open(&config.recordings).context("RECORDINGS_URL")?;
    if let Some(shelf) = shelf.clone() {
        let production = config.service.environment == Environment::Production;
        let reach = if production { Reach::Public } else { Reach::Anywhere };
        let keep = keep_recordings(database.clone(), tenancy.clone(), shelf, reach)?;
        tokio::spawn(keep.run(host.shutdown.clone()));
    }
    follow(tenancy.clone(), &database, &host);
    follow_visits(scheduling.clone(), &database, &host);
    tokio::spawn(count_what_is_not(database.clone()));
    tokio::spawn(keep_figures(database.clone(), host.shutdown.clone()));
    tokio::spawn(sweep(database.clone(), host.clone()));
    boot::grpc::serve(listener, routes(database, Peers { scheduling, tenancy }, shelf, &host), &host).await
}

/// Brings the database up to date and, after a restore, renews the log and empties the cache: a job that ends.
///
/// # Errors
/// When the database or the cache can't be used.
pub async fn prepare_database(job: JobConfig, stop: CancellationToken) -> anyhow::Result<()> {
    job.migrate::<migration::Migrator>().await?;
    if let Some((database, host)) = job.restored(SERVICE, Planning::AsPostgresChooses, stop).await? {
        // Sockets alone follow what this service says, and they begin anew.
        Cache::open(&host).forget_all().await.context("CACHE_URL")?;
        outbox::renew(&database).await.context("renewing the log")?;
    }
    Ok(())
}

/// Follows tenancy until the host shuts down.
pub fn follow(tenancy: Peer, database: &Database, host: &Host) {
    tokio::spawn(Follower::new(FOLLOWER, tenancy, database.clone(), host).run(Customers));
}

/// Follows scheduling until the host shuts down.
pub fn follow_visits(scheduling: Peer, database: &Database, host: &Host) {
    let visits = Visits::new(store::Store::new(database.clone()));
    tokio::spawn(Follower::new(FOLLOWER, scheduling, database.clone(), host).run(visits));
}

/// Counts the calls of the release before, which are in no figures.
pub async fn count_what_is_not(database: Database) {
    match app::count_calls(&store::Store::new(database)).await {
        Ok(0) => {}
        Ok(calls) => tracing::info!(calls, "calls of the release before are in the figures now"),
        // The next start goes on.
        Err(error) => tracing::error!(%error, "calls of the release before are not in the figures"),
    }
}

/// How long what calls change waits at most, until it is in the figures.
const FIGURES_EVERY: Duration = Duration::from_secs(2);

/// Brings the figures up to date until told to stop. Those who read them have it done before.
async fn keep_figures(database: Database, stop: CancellationToken) {
    let keeping = async {
        loop {
            tokio::time::sleep(boot::random::jitter(FIGURES_EVERY)).await;
            match update_figures(&database).await {
                Ok(changes) => tracing::debug!(changes, "figures are up to date"),
                Err(error) => tracing::warn!(%error, "figures were not brought up to date"),
            }
        }
    };
    tokio::select! {
        () = stop.cancelled() => {}
        () = keeping => {}
    }
}

/// Takes what calls changed into the figures; says how many changes there were.
///
/// # Errors
/// When the database fails.
pub async fn update_figures(database: &Database) -> anyhow::Result<u64> {
    Ok(app::update_figures(&store::Store::new(database.clone())).await?)
}

/// What copies recordings to `shelf`, from where `reach` allows it.
///
/// # Errors
/// When there is no TLS.
pub fn keep_recordings(
    database: Database,
    tenancy: Peer,
    shelf: Shelf,
    reach: Reach,
) -> anyhow::Result<KeepRecordings> {
    let store = store::Store::new(database);
    let tasks = RecordingTasks::new(&opentelemetry::global::meter(SERVICE));
    Ok(KeepRecordings { store, tenancy, shelf, platform: Platform::new(reach)?, tasks })
}

/// How often old product events are swept.
const SWEEP_EVERY: Duration = Duration::from_secs(10 * 60);
/// How long pieces of a recording wait for the call event that names them.
const UNNAMED: SignedDuration = SignedDuration::from_hours(1);
/// How long pieces are kept at most: attempts at a copy end within a day.
const OLDEST: SignedDuration = SignedDuration::from_hours(48);
/// Pieces that one transaction deletes: a gigabyte.
const MOST_SWEPT: u32 = 1_000;

/// Deletes product events that are too old until the host shuts down.
async fn sweep(database: Database, host: Host) {
    let sweeping = async {
        loop {
            tokio::time::sleep(boot::random::jitter(SWEEP_EVERY)).await;
            match sweep_product_events(&database).await {
                Ok(swept) => tracing::debug!(swept, "product events swept"),
                Err(error) => tracing::warn!(%error, "product events were not swept"),
            }
            match sweep_recording_pieces(&database).await {
                Ok(swept) => tracing::debug!(swept, "pieces of recordings swept"),
                Err(error) => tracing::warn!(%error, "pieces of recordings were not swept"),
            }
        }
    };
    tokio::select! {
        () = host.shutdown.cancelled() => {}
        () = sweeping => {}
    }
}

/// Deletes the pieces of recordings that no call event has named within an hour, and those that were not copied within
/// two days; says how many.
///
/// # Errors
/// When the database fails.
pub async fn sweep_recording_pieces(database: &Database) -> anyhow::Result<u64> {
    let store = store::Store::new(database.clone());
    let now = store.now();
    let mut swept = 0;
    loop {
        let tx = store.begin_installation(&caller::InstallationScope::worker(SERVICE));
        let deleted = tx.sweep_recording_pieces(now - UNNAMED, now - OLDEST, MOST_SWEPT.into()).await?;
        tx.commit().await?;
        swept += deleted;
        if deleted < u64::from(MOST_SWEPT) {
            return Ok(swept);
        }
    }
}

/// Deletes up to 10,000 product events that are too old; says how many.
///
/// # Errors
/// When the database fails.
pub async fn sweep_product_events(database: &Database) -> anyhow::Result<u64> {
    let store = store::Store::new(database.clone());
    let before = store.now() - SignedDuration::from_hours(24 * domain::product_event::KEPT_DAYS);
    Ok(store.sweep_product_events(before).await?)
}

/// The services that it asks.
#[derive(Debug, Clone)]
pub struct Peers {
    /// Says whose telephone numbers an employee may see, and what services cost.
    pub scheduling: Peer,
    /// Says which zone a business has, and how long it keeps recordings.
    pub tenancy: Peer,
}

/// What the service serves on a migrated database; recordings are kept on `shelf`, if there is one. Needs a runtime.
#[must_use]
pub fn routes(database: Database, peers: Peers, shelf: Option<Shelf>, host: &Host) -> Routes {
    let Peers { scheduling, tenancy } = peers;
    let log = Log::start(database.clone(), host);
    tokio::spawn(database::sweep(database.clone(), host.clone()));
    tokio::spawn(database::keep_for_a_time(database.clone(), host.clone(), retention::KEPT));
    let refusals = database::note_refusals(database.clone(), host);
    let gate = || host.gate.clone().keeping(refusals.clone());
    let changes = Arc::new(ChangeLog::new(database.clone(), store::NAMINGS));
    let store = store::Store::new(database);
    let neighbours = neighbours::Neighbours { tenancy, scheduling: scheduling.clone() };
    let intake = Arc::new(grpc::Intake::new(store.clone(), shelf.is_some()));
    let contacts = Contacts::new(scheduling);
    let recordings = Arc::new(grpc::Recordings::new(store.clone(), contacts.clone(), shelf.clone()));
    let calls = Arc::new(grpc::Calls::new(store.clone(), contacts, neighbours.clone()));
    let insights = Arc::new(grpc::InsightReads::new(store.clone(), neighbours));
    let views = Arc::new(grpc::CallViews::new(store.clone()));
    let erasures = Arc::new(grpc::PersonErasures::new(store.clone(), shelf));
    let past = Arc::new(grpc::PastCalls::new(store.clone()));
    let directory = Arc::new(grpc::CallDirectory::new(store.clone()));
    let events = Arc::new(grpc::ProductEvents::new(store));
    let routes = Routes::new(CallServiceAdapter::new(calls, gate()).into_server())
        .add_service(RecordingServiceAdapter::new(recordings, gate()).into_server())
        .add_service(InsightServiceAdapter::new(insights, gate()).into_server())
        .add_service(CallViewServiceAdapter::new(views, gate()).into_server())
        .add_service(ProductEventServiceAdapter::new(events, gate()).into_server())
        .add_service(PersonErasureServiceAdapter::new(erasures, gate()).into_server())
        .add_service(IntakeServiceAdapter::new(intake, gate()).into_server())
        .add_service(CallDirectoryServiceAdapter::new(directory, gate()).into_server())
        .add_service(
            CacheServiceAdapter::new(Arc::new(grpc::Caches::new(Cache::open(host))), gate()).into_server(),
        )
        .add_service(ChangeLogServiceAdapter::new(changes, gate()).into_server())
        .add_service(EventLogServiceAdapter::new(log, gate()).into_server());
    match host.environment {
        Environment::Production => routes,
        _ => routes.add_service(PastCallServiceAdapter::new(past, gate()).into_server()),
    }
}
