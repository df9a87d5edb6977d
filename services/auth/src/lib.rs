//! Accounts, sessions and memberships: who somebody is, and where they belong.

mod config;
mod create_admin;
pub mod domain;
mod error;
mod follow;
mod grpc;
mod hashing;
mod issue;
mod keys;
mod measure;
pub mod migration;
mod store;

use std::{process::ExitCode, sync::Arc};

use anyhow::Context;
use boot::{
    Host,
    peer::Peer,
    postgres::{Database, migrate},
};
use outbox::{Follower, Log, Wake};
use proto::frontdesk::{
    auth::{
        internal::v1::{ProvisioningServiceAdapter, SessionServiceAdapter},
        v1::AccountServiceAdapter,
    },
    events::v1::EventLogServiceAdapter,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use config::{Cli, Command, Config, PublicUrl};
pub use create_admin::{CreateAdmin, create_admin};
pub use error::Error;
pub use store::HOT_STATEMENTS;

use crate::{
    domain::{lifetimes::Lifetimes, refresh_token::SessionKey, sealing::SealingKey},
    follow::BusinessNames,
    grpc::{Accounts, Provisioning, Sessions},
    hashing::Hasher,
    issue::Issuer,
    keys::SigningKeys,
    migration::Migrator,
    store::Store,
};

/// The service's name, as passports, databases and telemetry have it.
pub const NAME: &str = "auth";

/// Runs a command line as a process.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let Cli { config, command } = cli;
    let otlp = config.service.otlp_endpoint.clone();
    boot::run(NAME, otlp.as_deref(), |shutdown| async move {
        match command.unwrap_or_default() {
            Command::Serve => {
                let listen = config.service.listen;
                let listener =
                    TcpListener::bind(listen).await.with_context(|| format!("binding {listen}"))?;
                serve(config, listener, shutdown).await
            }
            Command::CreateAdmin(admin) => {
                println!("{}", create_admin(&config, admin, shutdown).await?);
                Ok(())
            }
        }
    })
}

/// Migrates, follows tenancy and serves until it is told to stop.
///
/// # Errors
/// A configuration that is none, a database that can't be reached, a port that can't be served.
pub async fn serve(config: Config, listener: TcpListener, shutdown: CancellationToken) -> anyhow::Result<()> {
    let host = Host::new(NAME, &config.service, shutdown)?;
    migrate::<Migrator>(config.service.migration_url.expose()).await?;
    let database = Database::connect(&host, &config.service).await?;
    let routes = routes(&config, database.clone(), &host).await?;
    let tenancy = Peer::lazy("tenancy", &config.tenancy_url, &host)?;
    let following = tokio::spawn(follow(tenancy, database, &host));
    let served = boot::grpc::serve(listener, routes, &host).await;
    host.shutdown.cancel();
    following.await.context("following tenancy")?;
    served
}

/// Keeps the names of businesses until the host is told to stop.
pub fn follow(tenancy: Peer, database: Database, host: &Host) -> impl Future<Output = ()> + Send + use<> {
    Follower::new(NAME, tenancy, database, host).run(BusinessNames)
}

/// What the service serves, on a migrated database.
///
/// # Errors
/// A malformed key, a database that can't be reached.
pub async fn routes(config: &Config, database: Database, host: &Host) -> anyhow::Result<Routes> {
    let wake = Wake::new(host);
    let log = Log::start(database.clone(), host, &wake);
    let store = Store::new(database, host.clock.clone(), wake);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let hasher = tokio::task::spawn_blocking(move || Hasher::new(cores)).await?;
    let issuer = issuer(config, store.clone(), host).await?;
    let provisioning = Provisioning::new(store.clone(), hasher.clone(), host.clock.clone());
    let sessions = Sessions::new(store.clone(), hasher, issuer);
    let gate = || host.gate.clone();
    Ok(Routes::new(AccountServiceAdapter::new(Arc::new(Accounts::new(store)), gate()).into_server())
        .add_service(SessionServiceAdapter::new(Arc::new(sessions), gate()).into_server())
        .add_service(ProvisioningServiceAdapter::new(Arc::new(provisioning), gate()).into_server())
        .add_service(EventLogServiceAdapter::new(log, gate()).into_server()))
}

async fn issuer(config: &Config, store: Store, host: &Host) -> anyhow::Result<Issuer> {
    let session_key = SessionKey::new(&*config::key(&config.session_key).context("SESSION_KEY")?);
    let sealing = SealingKey::new(&*config::key(&config.sealing_key).context("SEALING_KEY")?);
    let lifetimes = Lifetimes::of(host.environment);
    let keys = SigningKeys::open(store, sealing, lifetimes.access, host.clock.now()).await?;
    let name = config.issuer().to_owned();
    Ok(Issuer { name, lifetimes, keys, session_key, clock: host.clock.clone() })
}
