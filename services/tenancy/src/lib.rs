//! Tenancy: the businesses of an installation, their employees and customers, and
//! their connections to voice platforms with sealed secrets.

mod app;
mod config;
mod contract;
pub mod domain;
mod error;
mod follow;
mod grpc;
mod lines;
mod measure;
pub mod migration;
mod outside;
pub mod retention;
pub mod store;
mod vault;
mod webhook_url;

use std::{ffi::OsString, process::ExitCode, sync::Arc};

use anyhow::Context;
use boot::{Host, drain, environment::Environment, peer::Peer, settings};
use cache::Cache;
use contacts::Contacts;
use database::{self, Database, JobConfig, Planning};
use known_calls::KnownCalls;
use opentelemetry::global;
use outbox::Log;
use proto::frontdesk::{
    events::v1::EventLogServiceAdapter,
    tenancy::{
        internal::v1::{
            CallTransferServiceAdapter, DirectoryServiceAdapter, PastRecordServiceAdapter,
            PatchTestRecordServiceAdapter, PlatformCallServiceAdapter, PublishedAgentServiceAdapter,
            VoiceSecretServiceAdapter,
        },
        v1::{
            AgentChatServiceAdapter, AgentPublicationServiceAdapter, AgentSettingsServiceAdapter,
            AuditServiceAdapter, BusinessServiceAdapter, CustomerExportServiceAdapter,
            CustomerMergeServiceAdapter, CustomerNoteServiceAdapter, CustomerRecordServiceAdapter,
            CustomerServiceAdapter, EmployeeServiceAdapter, ErasureServiceAdapter, FollowUpServiceAdapter,
            ImportServiceAdapter, ItemServiceAdapter, LogoServiceAdapter, RecordChangeServiceAdapter,
            StockServiceAdapter, SupplierServiceAdapter, VoiceConnectionServiceAdapter,
        },
    },
};
use reach::Reach;
use sealing::envelope::MasterKeys;
use tokio::{net::TcpListener, sync::Notify};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use url::Url;

pub use config::Config;
pub use error::Error;
pub use follow::follow;
pub use outside::PlatformUrls;
use outside::Platforms;
use store::Store;
use vault::Vault;
use webhook_url::WebhookUrls;

/// The service's name, in passports and databases.
pub const NAME: &str = "tenancy";

/// Runs the service's command line, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    database::run::<Config, _, _>(NAME, arguments, serve, prepare_database)
}

/// Migrates where it has the owner's login, follows auth and serves until it is told to stop.
///
/// # Errors
/// When the configuration, the database or the port can't be used, or a data key was
/// wrapped with a master key that is not configured.
pub async fn serve(config: Config, listener: TcpListener, leaving: CancellationToken) -> anyhow::Result<()> {
    settings::check(&config)?;
    let keys = MasterKeys::parse(config.sealing_keys.expose()).context("SEALING_KEYS")?;
    let host = Host::new(NAME, &config.service, leaving)?;
    let auth = Peer::lazy("auth", &config.auth_url, &host)?;
    let peers = Peers {
        auth: auth.clone(),
        scheduling: Peer::lazy("scheduling", &config.scheduling_url, &host)?,
        calendar_sync: Peer::lazy("calendar-sync", &config.calendar_sync_url, &host)?,
        telemetry: Peer::lazy("telemetry", &config.telemetry_url, &host)?,
    };
    database::prepare::<migration::Migrator>(&config.service).await?;
    let database = Database::connect(&host, &config.service, Planning::AsPostgresChooses).await?;
    outbox::require_own(&database).await?;
    let routes = routes(database.clone(), keys, peers, config.addresses(), &host).await?;
    let following = tokio::spawn(follow(auth, database, &host));
    let served = boot::grpc::serve(listener, routes, &host).await;
    host.shutdown.cancel();
    let working = async { following.await.context("following auth") };
    drain::within(host.drain, &host.shutdown, working).await.unwrap_or(Ok(()))?;
    served
}

/// Brings the database up to date and, after a restore, has followers take everything anew: a job that ends.
///
/// # Errors
/// When the database or the cache can't be used.
pub async fn prepare_database(job: JobConfig, stop: CancellationToken) -> anyhow::Result<()> {
    job.migrate::<migration::Migrator>().await?;
    match job.restored(NAME, Planning::AsPostgresChooses, stop).await? {
        Some((database, host)) => after_restore(database, &host).await,
        None => Ok(()),
    }
}

/// Has followers take everything anew, and nothing answered from what was kept of the database before.
///
/// # Errors
/// When the database or the cache can't be used.
pub async fn after_restore(database: Database, host: &Host) -> anyhow::Result<()> {
    let answers = Cache::open(host);
    answers.forget_all().await.context("CACHE_URL")?;
    outbox::renew(&database).await.context("renewing the log")?;
    let published = app::publish_all(&Store::new(database, answers)).await.context("publishing")?;
    tracing::info!(published, "the log is renewed, and all records are published");
    Ok(())
}

/// The services that this one calls.
#[derive(Debug, Clone)]
pub struct Peers {
    /// Says who is a member, and invites employees.
    pub auth: Peer,
    /// Says whose telephone numbers and e-mail addresses an employee may see.
    pub scheduling: Peer,
    /// Connects employees' calendars.
    pub calendar_sync: Peer,
    /// Keeps calls: says which a business has, and erases those of customers who are erased.
    pub telemetry: Peer,
}

/// What outside is reached, and as what this installation is.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// Under which platforms reach the voice door.
    pub public_url: Url,
    /// The platforms' APIs.
    pub platforms: PlatformUrls,
}

/// The service's RPCs over `database`, with every data key that opens wrapped with the current master key.
///
/// # Errors
/// When the master key of a data key is not configured, or there is no TLS.
pub async fn routes(
    database: Database,
    keys: MasterKeys,
    peers: Peers,
    addresses: Addresses,
    host: &Host,
) -> anyhow::Result<Routes> {
    tokio::task::spawn_blocking(domain::numbering::warm).await?;
    let log = Log::start(database.clone(), host);
    tokio::spawn(database::sweep(database.clone(), host.clone()));
    tokio::spawn(database::keep_for_a_time(database.clone(), host.clone(), retention::KEPT));
    let refusals = database::note_refusals(database.clone(), host);
    let store = Store::new(database, Cache::open(host));
    let vault = Arc::new(Vault::new(keys));
    app::rewrap_data_keys(&store, &vault).await.context("wrapping data keys with the current master key")?;
    let others = vec![
        ("auth", peers.auth.clone()),
        ("scheduling", peers.scheduling.clone()),
        ("calendar-sync", peers.calendar_sync.clone()),
        ("telemetry", peers.telemetry.clone()),
    ];
    let erasing = Arc::<Notify>::default();
    let eraser = app::ErasureWorker {
        store: store.clone(),
        telemetry: peers.telemetry.clone(),
        scheduling: peers.scheduling.clone(),
        calendar_sync: peers.calendar_sync.clone(),
        hint: erasing.clone(),
        measure: measure::Erasures::new(&global::meter(NAME)),
    };
    tokio::spawn(eraser.run(host.clone()));
    let contacts = Contacts::new(peers.scheduling.clone());
    let calls = KnownCalls::new(peers.telemetry);
    let booking = app::Booking(peers.scheduling);
    let hint = Arc::<Notify>::default();
    let members = app::Members::new(peers.auth.clone());
    let onboarding =
        app::Onboarding { auth: peers.auth, members: members.clone(), calendars: peers.calendar_sync };
    let worker = app::ImportWorker { store: store.clone(), onboarding, booking, hint: hint.clone() };
    tokio::spawn(worker.run(host.clone()));
    let reach = if host.environment == Environment::Production { Reach::Public } else { Reach::Anywhere };
    let webhooks = WebhookUrls::new(addresses.public_url);
    let publishing = Arc::<Notify>::default();
    let platforms = Platforms::new(&outgoing::web(reach, host.clock.clone())?, addresses.platforms);
    let call_checks = app::CallChecks {
        store: store.clone(),
        vault: vault.clone(),
        platforms: platforms.clone(),
        webhooks: webhooks.clone(),
    };
    let adopted = call_checks.adopt().await.context("looking for calls over earlier connections")?;
    if adopted > 0 {
        tracing::info!(adopted, "calls are looked for over earlier connections");
    }
    let transfers =
        app::CallTransfers { vault: vault.clone(), platforms: platforms.clone(), webhooks: webhooks.clone() };
    let publisher = app::PublicationWorker {
        store: store.clone(),
        vault: vault.clone(),
        platforms: platforms.clone(),
        webhooks: webhooks.clone(),
        measure: measure::Publications::new(&global::meter(NAME)),
        hint: publishing.clone(),
    };
    tokio::spawn(publisher.run(host.clone()));
    // The installation's own address, which may lead back by an address of its own network.
    let own = outgoing::web(Reach::Anywhere, host.clock.clone())?;
    let test = app::TestVoiceConnection { vault: vault.clone(), webhooks: webhooks.clone(), web: own };
    let gate = || host.gate.clone().keeping(refusals.clone());
    let voice = Arc::new(grpc::VoiceConnections::new(store.clone(), vault, webhooks, test, platforms));
    let transfers = Arc::new(grpc::Transfers::new(store.clone(), transfers));
    let platform_calls = Arc::new(grpc::PlatformCalls(call_checks));
    let businesses = Arc::new(grpc::Businesses::new(store.clone()));
    let employees = Arc::new(grpc::Employees::new(store.clone(), members));
    let customers = Arc::new(grpc::Customers::new(store.clone(), contacts.clone()));
    let audit = Arc::new(grpc::Audit::new(app::ListChanges { store: store.clone(), others }));
    let exports = Arc::new(grpc::CustomerExports::new(store.clone()));
    let erasures = Arc::new(grpc::Erasures::new(store.clone(), erasing));
    let merges = Arc::new(grpc::CustomerMerges::new(store.clone(), contacts.clone()));
    let notes = Arc::new(grpc::CustomerNotes::new(store.clone()));
    let records = Arc::new(grpc::CustomerRecords::new(store.clone()));
    let changes = Arc::new(grpc::RecordChanges::new(store.clone()));
    let past = Arc::new(grpc::PastRecords::new(store.clone()));
    let patch_tests = Arc::new(grpc::PatchTestRecords::new(store.clone()));
    let agents = Arc::new(grpc::Agents::new(store.clone()));
    let publications = Arc::new(grpc::AgentPublications::new(store.clone(), publishing));
    let chats = Arc::new(grpc::AgentChats::new(store.clone()));
    let items = Arc::new(grpc::Items::new(store.clone()));
    let logos = Arc::new(grpc::Logos::new(store.clone()));
    let stock = Arc::new(grpc::Stock::new(store.clone()));
    let suppliers = Arc::new(grpc::Suppliers::new(store.clone()));
    let imports = Arc::new(grpc::Imports::new(store.clone(), hint));
    let directory = Arc::new(grpc::Directory::new(store.clone()));
    let follow_ups = Arc::new(grpc::FollowUps::new(store, contacts, calls));
    let routes = Routes::new(BusinessServiceAdapter::new(businesses, gate()).into_server())
        .add_service(EmployeeServiceAdapter::new(employees, gate()).into_server())
        .add_service(CustomerServiceAdapter::new(customers, gate()).into_server())
        .add_service(AuditServiceAdapter::new(audit, gate()).into_server())
        .add_service(CustomerExportServiceAdapter::new(exports, gate()).into_server())
        .add_service(ErasureServiceAdapter::new(erasures, gate()).into_server())
        .add_service(CustomerMergeServiceAdapter::new(merges, gate()).into_server())
        .add_service(CustomerNoteServiceAdapter::new(notes, gate()).into_server())
        .add_service(CustomerRecordServiceAdapter::new(records, gate()).into_server())
        .add_service(RecordChangeServiceAdapter::new(changes, gate()).into_server())
        .add_service(PatchTestRecordServiceAdapter::new(patch_tests, gate()).into_server())
        .add_service(AgentSettingsServiceAdapter::new(agents, gate()).into_server())
        .add_service(AgentPublicationServiceAdapter::new(publications, gate()).into_server())
        .add_service(AgentChatServiceAdapter::new(chats.clone(), gate()).into_server())
        .add_service(PublishedAgentServiceAdapter::new(chats, gate()).into_server())
        .add_service(DirectoryServiceAdapter::new(directory, gate()).into_server())
        .add_service(FollowUpServiceAdapter::new(follow_ups, gate()).into_server())
        .add_service(ItemServiceAdapter::new(items, gate()).into_server())
        .add_service(LogoServiceAdapter::new(logos, gate()).into_server())
        .add_service(StockServiceAdapter::new(stock, gate()).into_server())
        .add_service(SupplierServiceAdapter::new(suppliers, gate()).into_server())
        .add_service(ImportServiceAdapter::new(imports, gate()).into_server())
        .add_service(VoiceConnectionServiceAdapter::new(voice.clone(), gate()).into_server())
        .add_service(VoiceSecretServiceAdapter::new(voice, gate()).into_server())
        .add_service(CallTransferServiceAdapter::new(transfers, gate()).into_server())
        .add_service(PlatformCallServiceAdapter::new(platform_calls, gate()).into_server())
        .add_service(EventLogServiceAdapter::new(log, gate()).into_server());
    Ok(match host.environment {
        Environment::Production => routes,
        _ => routes.add_service(PastRecordServiceAdapter::new(past, gate()).into_server()),
    })
}
