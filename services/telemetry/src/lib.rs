//! Telephone calls the agent took: raw deliveries, what they add up to, turns, tool calls.

mod app;
pub mod config;
pub mod domain;
mod error;
mod grpc;
mod measure;
pub mod migration;
mod store;

use std::sync::Arc;

use anyhow::Context;
use boot::Host;
use cache::Cache;
use database::{Database, Planning, prepare};
use outbox::Log;
use proto::frontdesk::{
    events::v1::EventLogServiceAdapter,
    telemetry::{
        internal::v1::IntakeServiceAdapter,
        v1::{CacheServiceAdapter, CallServiceAdapter},
    },
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use config::Config;

/// The service's name in passports and databases.
pub const SERVICE: &str = "telemetry";

/// Migrates, connects and serves until asked to stop.
///
/// # Errors
/// When the database, the keyring or the port fails.
pub async fn serve(config: Config, listener: TcpListener, shutdown: CancellationToken) -> anyhow::Result<()> {
    let host = Host::new(SERVICE, &config.service, shutdown)?;
    prepare::<migration::Migrator>(&config.service).await?;
    if config.service.migrate && !config.service.after_restore {
        return Ok(());
    }
    let database = Database::connect(&host, &config.service, Planning::AsPostgresChooses).await?;
    if config.service.after_restore {
        // Sockets alone follow what this service says, and they begin anew.
        Cache::open(&host).forget_all().await.context("CACHE_URL")?;
        return outbox::renew(&database).await.context("renewing the log");
    }
    outbox::require_own(&database).await?;
    boot::grpc::serve(listener, routes(database, &host), &host).await
}

/// What the service serves on a migrated database. Needs a runtime.
#[must_use]
pub fn routes(database: Database, host: &Host) -> Routes {
    let log = Log::start(database.clone(), host);
    let store = store::Store::new(database);
    let intake = Arc::new(grpc::Intake::new(store.clone()));
    let calls = Arc::new(grpc::Calls::new(store));
    Routes::new(CallServiceAdapter::new(calls, host.gate.clone()).into_server())
        .add_service(IntakeServiceAdapter::new(intake, host.gate.clone()).into_server())
        .add_service(
            CacheServiceAdapter::new(Arc::new(grpc::Caches::new(Cache::open(host))), host.gate.clone())
                .into_server(),
        )
        .add_service(EventLogServiceAdapter::new(log, host.gate.clone()).into_server())
}
