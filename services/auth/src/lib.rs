//! Accounts, sessions and memberships: who a person is, and which businesses they belong to.

mod app;
mod config;
mod credentials;
pub mod domain;
mod error;
mod follow;
mod grpc;
mod mail;
mod measure;
pub mod migration;
mod provider;
pub mod retention;
mod store;

use std::{ffi::OsString, process::ExitCode, sync::Arc};

use anyhow::Context;
use boot::{Host, config::Secret, drain, peer::Peer, security::SecurityProfile, settings};
use database::{ChangeLog, Database, JobConfig, Planning, prepare};
use outbox::{Follower, Log};
use proto::frontdesk::{
    auth::{
        internal::v1::{
            MembershipServiceAdapter, ProviderServiceAdapter, ProvisioningServiceAdapter,
            RegistrationServiceAdapter, SecurityRecordServiceAdapter, SessionServiceAdapter,
        },
        v1::{
            AccountAdminServiceAdapter, AccountServiceAdapter, FrontendServiceAdapter, MemberServiceAdapter,
            SecurityServiceAdapter,
        },
    },
    changes::internal::v1::ChangeLogServiceAdapter,
    events::v1::EventLogServiceAdapter,
};
use sealing::SealingKey;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use app::create_admin::{CreateAdmin, create_admin};
pub use config::{Cli, Command, Config, PublicUrl};
pub use error::Error;
pub use mail::mailer::{MailConfig, Mailer};
pub use provider::ProviderConfig;
pub use store::HOT_STATEMENTS;

use crate::{
    app::{
        check_password::PasswordChecks, confirm_address::Addresses, diagnose_sign_in::Diagnoses,
        find_business::Businesses, link_identity::Identities, oauth_flow::OAuthFlows,
        open_session::SessionOpener, refuse_demo::refuse_demo, register_account::Registrar,
        retention::Sweeper, trust_device::Devices,
    },
    credentials::{hashing::Hasher, issue::Issuer, limits::Limits, signing_keys::SigningKeys},
    domain::{
        decoy_account::DecoyKey, device_code::CodeKey, refresh_token::SessionKey, sign_in_limit::LimitKey,
    },
    follow::FromTenancy,
    grpc::{
        AccountAdmin, Accounts, Frontend, Members, Memberships, Providers, Provisioning, Registration,
        Security, SecurityRecord, Sessions,
    },
    mail::mail_worker::MailWorker,
    migration::{Migrator, keep_at_least},
    provider::Provider,
    store::Store,
};

/// The service's name, as passports, databases and telemetry have it.
pub const NAME: &str = "auth";

/// Runs the service's command line, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if JobConfig::is_meant(&arguments) {
        return database::run_job(NAME, arguments, prepare_database);
    }
    match settings::read::<Cli>(NAME, arguments) {
        Ok(cli) => run(cli),
        Err(code) => code,
    }
}

/// Runs a command as a process.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let Cli { config, command } = cli;
    match command.unwrap_or_default() {
        Command::Serve => database::run_service(NAME, config, serve),
        Command::CreateAdmin(admin) => {
            let export = config.service.export.clone();
            boot::run(NAME, &export, |leaving| async move {
                println!("{}", create_admin(&config, admin, leaving).await?);
                Ok(())
            })
        }
    }
}

/// Brings the database up to date and, after a restore, renews the log: a job that ends.
///
/// # Errors
/// When the database can't be used.
pub async fn prepare_database(job: JobConfig, stop: CancellationToken) -> anyhow::Result<()> {
    job.migrate::<Migrator>().await?;
    keep_records(job.migration_url.as_ref(), job.security()?).await?;
    if let Some((database, _)) = job.restored(NAME, Planning::AsPostgresChooses, stop).await? {
        // Sockets begin anew, and tenancy takes no one off a team that they joined.
        outbox::renew(&database).await.context("renewing the log")?;
    }
    Ok(())
}

/// Has the database keep as much of records as the profile says, where the owner's login is known.
async fn keep_records(owner: Option<&Secret>, profile: SecurityProfile) -> anyhow::Result<()> {
    let Some(owner) = owner else { return Ok(()) };
    keep_at_least(owner.expose(), profile.events).await.context("setting what is kept of records")
}

/// Migrates where it has the owner's login, follows tenancy and serves until it is told to stop.
///
/// # Errors
/// An invalid configuration, a database that can't be reached, a port that can't be served.
pub async fn serve(config: Config, listener: TcpListener, leaving: CancellationToken) -> anyhow::Result<()> {
    settings::check(&config)?;
    let host = Host::new(NAME, &config.service, leaving)?;
    let mailer = Mailer::open(&config.mail, host.environment)?;
    let tenancy = Peer::lazy("tenancy", &config.tenancy_url, &host)?;
    prepare::<Migrator>(&config.service).await?;
    keep_records(config.service.migration_url.as_ref(), host.security).await?;
    let database = Database::connect(&host, &config.service, Planning::AsPostgresChooses).await?;
    outbox::require_own(&database).await?;
    let store = Store::new(database.clone(), &host, config.sealing_key()?);
    refuse_demo(&store, host.environment).await?;
    let routes = routes(&config, database.clone(), &host).await?;
    let sending = tokio::spawn(send_mail(mailer, &config, database.clone(), &host)?);
    tokio::spawn(learn_marks(tenancy.clone(), &config, database.clone(), &host)?);
    let sweeping = tokio::spawn(Sweeper::new(store, &host).run());
    let following = tokio::spawn(follow(tenancy, database, config.sealing_key()?, &host));
    let served = boot::grpc::serve(listener, routes, &host).await;
    host.shutdown.cancel();
    let working = async {
        following.await.context("following tenancy")?;
        sending.await.context("sending mail")?;
        sweeping.await.context("sweeping expired records")
    };
    drain::within(host.drain, &host.shutdown, working).await.unwrap_or(Ok(()))?;
    served
}

/// Keeps the names of businesses, and tells owners of exports, until the host is told to stop.
pub fn follow(
    tenancy: Peer,
    database: Database,
    sealing: SealingKey,
    host: &Host,
) -> impl Future<Output = ()> + Send + use<> {
    let apply = FromTenancy { sealing, clock: host.clock.clone() };
    Follower::new(NAME, tenancy, database, host).run(apply)
}

/// Asks tenancy once for what lists show of businesses that an earlier release knew by name alone.
///
/// # Errors
/// A malformed key.
pub fn learn_marks(
    tenancy: Peer,
    config: &Config,
    database: Database,
    host: &Host,
) -> anyhow::Result<impl Future<Output = ()> + Send + use<>> {
    let store = Store::new(database, host, config.sealing_key()?);
    Ok(app::learn_marks::learn_marks(store, Businesses::new(tenancy), host.clone()))
}

/// Hands queued mail to a mailer until the host is told to stop.
///
/// # Errors
/// A malformed key.
pub fn send_mail(
    mailer: Mailer,
    config: &Config,
    database: Database,
    host: &Host,
) -> anyhow::Result<impl Future<Output = ()> + Send + use<>> {
    let store = Store::new(database, host, config.sealing_key()?);
    Ok(MailWorker::new(store, mailer, host).run())
}

/// What the service serves, on a migrated database.
///
/// # Errors
/// A malformed key, a database that can't be reached.
pub async fn routes(config: &Config, database: Database, host: &Host) -> anyhow::Result<Routes> {
    let log = Log::start(database.clone(), host);
    tokio::spawn(database::keep_for_a_time(database.clone(), host.clone(), retention::KEPT));
    tokio::spawn(database::sweep(database.clone(), host.clone()));
    let refusals = database::note_refusals(database.clone(), host);
    let changes = Arc::new(ChangeLog::new(database.clone(), store::NAMINGS));
    let store = Store::new(database, host, config.sealing_key()?);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let hasher = tokio::task::spawn_blocking(move || Hasher::new(cores)).await?;
    let issuer = issuer(config, store.clone(), host).await?;
    let provisioning = Provisioning::new(store.clone(), hasher.clone(), host.clock.clone());
    let clock = || host.clock.clone();
    let key = config::key(&config.session_key).context("SESSION_KEY")?;
    let limits = Limits::new(host, LimitKey::new(&key))?;
    let devices = Devices::new(store.clone(), CodeKey::new(&key), clock());
    let decoys = DecoyKey::new(&key);
    let proofs = PasswordChecks::new(store.clone(), hasher.clone(), limits.clone(), decoys.clone(), clock());
    let issuer = Arc::new(issuer);
    let sessions = Sessions::new(
        store.clone(),
        hasher.clone(),
        limits.clone(),
        proofs.clone(),
        devices.clone(),
        issuer.clone(),
        Businesses::new(Peer::lazy("tenancy", &config.tenancy_url, host)?),
    );
    let identities = identities(config, store.clone(), host)?;
    let flows = OAuthFlows::new(identities.clone(), store.clone(), issuer.clone(), config.sealing_key()?);
    let providers = Providers::new(identities.clone(), flows, SessionOpener::new(issuer));
    let frontend = Frontend::new(identities.clone(), host.environment);
    let links = config.links(config.service.environment)?;
    let registrar = Registrar::new(store.clone(), hasher.clone(), links.clone(), decoys, clock());
    let registration = Registration::new(registrar, Diagnoses::new(store.clone(), limits.clone(), clock()));
    let addresses = Addresses::new(store.clone(), links.clone(), clock());
    let accounts = Accounts::new(store.clone(), proofs, hasher, clock(), identities, addresses);
    let security = Security::new(store.clone(), devices, clock());
    let members = Members::new(store.clone(), limits, links, clock());
    let account_admin = AccountAdmin::new(store.clone(), clock());
    let memberships = Memberships::new(store.clone());
    let security_record = SecurityRecord::new(store, clock());
    let gate = || host.gate.clone().keeping(refusals.clone());
    Ok(Routes::new(AccountServiceAdapter::new(Arc::new(accounts), gate()).into_server())
        .add_service(SessionServiceAdapter::new(Arc::new(sessions), gate()).into_server())
        .add_service(ProvisioningServiceAdapter::new(Arc::new(provisioning), gate()).into_server())
        .add_service(AccountAdminServiceAdapter::new(Arc::new(account_admin), gate()).into_server())
        .add_service(FrontendServiceAdapter::new(Arc::new(frontend), gate()).into_server())
        .add_service(MemberServiceAdapter::new(Arc::new(members), gate()).into_server())
        .add_service(MembershipServiceAdapter::new(Arc::new(memberships), gate()).into_server())
        .add_service(ProviderServiceAdapter::new(Arc::new(providers), gate()).into_server())
        .add_service(RegistrationServiceAdapter::new(Arc::new(registration), gate()).into_server())
        .add_service(SecurityServiceAdapter::new(Arc::new(security), gate()).into_server())
        .add_service(SecurityRecordServiceAdapter::new(Arc::new(security_record), gate()).into_server())
        .add_service(ChangeLogServiceAdapter::new(changes, gate()).into_server())
        .add_service(EventLogServiceAdapter::new(log, gate()).into_server()))
}

fn identities(config: &Config, store: Store, host: &Host) -> anyhow::Result<Identities> {
    let registration = config.provider.registration(host.environment)?;
    let provider = registration.map(|registration| Provider::new(registration, host.clock.clone()));
    let own = config.public_url.iter().map(|url| url.as_str().to_owned());
    let origins = own.chain(config.provider.origins()).collect();
    Ok(Identities::new(provider.transpose()?, origins, store, host.clock.clone()))
}

async fn issuer(config: &Config, store: Store, host: &Host) -> anyhow::Result<Issuer> {
    let session_key = SessionKey::new(&*config::key(&config.session_key).context("SESSION_KEY")?);
    let keys =
        SigningKeys::open(store, config.sealing_key()?, host.security.access, host.clock.now()).await?;
    let name = config.issuer().to_owned();
    Ok(Issuer { name, security: host.security, keys, session_key, clock: host.clock.clone() })
}
