//! Scheduling: what a salon sells, when it works, what is free, and what is booked.

mod app;
mod config;
mod contract;
pub mod domain;
mod error;
mod follow;
mod grpc;
pub mod measure;
pub mod migration;
pub mod retention;
pub mod store;

use std::{ffi::OsString, process::ExitCode, sync::Arc};

use anyhow::Context;
use boot::{Host, environment::Environment, peer::Peer, settings};
use cache::Cache;

use database::{ChangeLog, Database, JobConfig, Planning, prepare};
use outbox::{Follower, Log};
use proto::frontdesk::{
    changes::internal::v1::ChangeLogServiceAdapter,
    erasure::internal::v1::PersonErasureServiceAdapter,
    events::v1::EventLogServiceAdapter,
    scheduling::{
        internal::v1::{
            AppointmentImportServiceAdapter, BusyServiceAdapter, ContactReachServiceAdapter,
            PastVisitServiceAdapter,
        },
        v1::{
            AppointmentExportServiceAdapter, AppointmentServiceAdapter, AvailabilityServiceAdapter,
            BlockServiceAdapter, BookingHealthServiceAdapter, BookingPolicyServiceAdapter,
            CatalogueServiceAdapter, ChangeServiceAdapter, ContactPolicyServiceAdapter,
            CustomerFiguresServiceAdapter, DayServiceAdapter, DependencyServiceAdapter,
            MatchingServiceAdapter, OpeningExceptionServiceAdapter, PairingServiceAdapter,
            PatchTestServiceAdapter, ProposalServiceAdapter, ResourceServiceAdapter, ScheduleServiceAdapter,
            SeriesServiceAdapter, ServiceIntelligenceServiceAdapter, TimeOffServiceAdapter,
            WaitlistServiceAdapter,
        },
    },
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

pub use config::Config;
pub use error::Error;

use crate::{
    app::{Calls, PatchTests, People, publish_all, tell_of_lapsed_sources, write_demand},
    follow::{FOLLOWER, Tenancy},
    grpc::{
        AppointmentExports, AppointmentImports, Appointments, Availability, Blocks, BookingPolicies, Busy,
        Catalogue, Changes, ContactPolicies, CustomerFiguresBook, Days, Dependencies, Health, Intelligence,
        Matching, OpeningExceptions, Pairings, PastVisits, PatchTestChecks, PersonErasures, Proposals,
        Resources, Schedules, SeriesBook, TimeOffRequests, Waitlist,
    },
    measure::Measure,
    migration::Migrator,
    store::Store,
};

/// The service's name, as passports, databases and telemetry have it.
pub const NAME: &str = "scheduling";

/// How its statements are planned.
pub const PLANNING: Planning = Planning::Once;

/// Runs the service's command line, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    database::run::<Config, _, _>(NAME, arguments, serve, prepare_database)
}

/// Migrates where it has the owner's login, follows tenancy and serves until it is told to stop.
///
/// # Errors
/// An invalid configuration, a database that can't be reached, a port that can't be served.
pub async fn serve(config: Config, listener: TcpListener, leaving: CancellationToken) -> anyhow::Result<()> {
    settings::check(&config)?;
    let host = Host::new(NAME, &config.service, leaving)?;
    let tenancy = Peer::lazy("tenancy", &config.tenancy_url, &host)?;
    let telemetry = Peer::lazy("telemetry", &config.telemetry_url, &host)?;
    prepare::<Migrator>(&config.service).await?;
    let database = Database::connect(&host, &config.service, PLANNING).await?;
    outbox::require_own(&database).await?;
    follow(tenancy.clone(), &database, &host);
    let peers = Peers { tenancy, telemetry };
    boot::grpc::serve(listener, routes(database, peers, &host), &host).await
}

/// Brings the database up to date and, after a restore, has followers take everything anew: a job that ends.
///
/// # Errors
/// When the database or the cache can't be used.
pub async fn prepare_database(job: JobConfig, stop: CancellationToken) -> anyhow::Result<()> {
    job.migrate::<Migrator>().await?;
    match job.restored(NAME, PLANNING, stop).await? {
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
    let published =
        publish_all(&Store::new(database, answers, Measure::new())).await.context("publishing")?;
    tracing::info!(published, "the log is renewed, and appointments are published");
    Ok(())
}

/// Follows tenancy until the host shuts down.
pub fn follow(tenancy: Peer, database: &Database, host: &Host) {
    tokio::spawn(
        Follower::new(FOLLOWER, tenancy, database.clone(), host).run(Tenancy::new(host.clock.clone())),
    );
}

/// The services that it asks.
#[derive(Debug, Clone)]
pub struct Peers {
    /// Says who belongs to a business.
    pub tenancy: Peer,
    /// Says which calls a business has.
    pub telemetry: Peer,
}

/// The service on a migrated database, and what it does besides serving.
#[must_use]
pub fn routes(database: Database, peers: Peers, host: &Host) -> Routes {
    let Peers { tenancy, telemetry } = peers;
    let measure = Measure::new();
    let log = Log::start(database.clone(), host);
    let answers = Cache::open(host);
    tokio::spawn(database::sweep(database.clone(), host.clone()));
    tokio::spawn(database::keep_for_a_time(database.clone(), host.clone(), retention::KEPT));
    let changes = Arc::new(ChangeLog::new(database.clone(), store::NAMINGS));
    let store = Store::new(database.clone(), answers, measure.clone());
    tokio::spawn(write_demand(store.clone(), host.clone()));
    tokio::spawn(tell_of_lapsed_sources(store.clone(), host.clone()));
    let patch_tests = PatchTests::new(store.clone(), tenancy.clone());
    let people = People::new(store.clone(), tenancy);
    let calls = Calls::new(telemetry);
    let refusals = database::note_refusals(database.clone(), host);
    let gate = || host.gate.clone().keeping(refusals.clone());
    let contacts = Arc::new(ContactPolicies::new(store.clone()));
    let availability = Availability::new(store.clone(), people.clone(), calls.clone(), measure);
    let past = PastVisits::new(store.clone());
    let routes = Routes::new(AvailabilityServiceAdapter::new(Arc::new(availability), gate()).into_server())
        .add_service(
            AppointmentServiceAdapter::new(
                Arc::new(Appointments::new(store.clone(), people.clone(), calls.clone())),
                gate(),
            )
            .into_server(),
        )
        .add_service(
            BookingPolicyServiceAdapter::new(Arc::new(BookingPolicies::new(store.clone())), gate())
                .into_server(),
        )
        .add_service(
            CatalogueServiceAdapter::new(Arc::new(Catalogue::new(store.clone(), people.clone())), gate())
                .into_server(),
        )
        .add_service(ChangeServiceAdapter::new(Arc::new(Changes::new(store.clone())), gate()).into_server())
        .add_service(ContactPolicyServiceAdapter::new(contacts.clone(), gate()).into_server())
        .add_service(
            CustomerFiguresServiceAdapter::new(
                Arc::new(CustomerFiguresBook::new(store.clone(), people.clone())),
                gate(),
            )
            .into_server(),
        )
        .add_service(ContactReachServiceAdapter::new(contacts, gate()).into_server())
        .add_service(
            DayServiceAdapter::new(Arc::new(Days::new(store.clone(), people.clone())), gate()).into_server(),
        )
        .add_service(
            ResourceServiceAdapter::new(Arc::new(Resources::new(store.clone())), gate()).into_server(),
        )
        .add_service(
            DependencyServiceAdapter::new(Arc::new(Dependencies::new(store.clone())), gate()).into_server(),
        )
        .add_service(
            ScheduleServiceAdapter::new(Arc::new(Schedules::new(store.clone(), people.clone())), gate())
                .into_server(),
        )
        .add_service(
            AppointmentExportServiceAdapter::new(Arc::new(AppointmentExports::new(store.clone())), gate())
                .into_server(),
        )
        .add_service(
            OpeningExceptionServiceAdapter::new(Arc::new(OpeningExceptions::new(store.clone())), gate())
                .into_server(),
        )
        .add_service(
            TimeOffServiceAdapter::new(Arc::new(TimeOffRequests::new(store.clone(), people.clone())), gate())
                .into_server(),
        )
        .add_service(
            MatchingServiceAdapter::new(Arc::new(Matching::new(store.clone())), gate()).into_server(),
        )
        .add_service(PairingServiceAdapter::new(Arc::new(Pairings::new(store.clone())), gate()).into_server())
        .add_service(
            PatchTestServiceAdapter::new(Arc::new(PatchTestChecks::new(patch_tests, people.clone())), gate())
                .into_server(),
        )
        .add_service(
            BookingHealthServiceAdapter::new(Arc::new(Health::new(store.clone())), gate()).into_server(),
        )
        .add_service(
            ServiceIntelligenceServiceAdapter::new(Arc::new(Intelligence::new(store.clone())), gate())
                .into_server(),
        )
        .add_service(
            WaitlistServiceAdapter::new(
                Arc::new(Waitlist::new(store.clone(), people.clone(), calls.clone())),
                gate(),
            )
            .into_server(),
        )
        .add_service(
            SeriesServiceAdapter::new(
                Arc::new(SeriesBook::new(store.clone(), people.clone(), calls)),
                gate(),
            )
            .into_server(),
        )
        .add_service(
            ProposalServiceAdapter::new(Arc::new(Proposals::new(store.clone(), people.clone())), gate())
                .into_server(),
        )
        .add_service(
            BlockServiceAdapter::new(Arc::new(Blocks::new(store.clone(), people.clone())), gate())
                .into_server(),
        )
        .add_service(
            PersonErasureServiceAdapter::new(Arc::new(PersonErasures::new(store.clone())), gate())
                .into_server(),
        )
        .add_service(
            AppointmentImportServiceAdapter::new(
                Arc::new(AppointmentImports::new(store.clone(), people.clone())),
                gate(),
            )
            .into_server(),
        )
        .add_service(BusyServiceAdapter::new(Arc::new(Busy::new(store, people)), gate()).into_server())
        .add_service(ChangeLogServiceAdapter::new(changes, gate()).into_server())
        .add_service(EventLogServiceAdapter::new(log, gate()).into_server());
    match host.environment {
        Environment::Production => routes,
        _ => routes.add_service(PastVisitServiceAdapter::new(Arc::new(past), gate()).into_server()),
    }
}
