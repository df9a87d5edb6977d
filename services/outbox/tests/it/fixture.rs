//! A producer with a log and a follower with a table of effects.

use boot::Host;
use caller::{BusinessId, InstallationScope, Worker};
use database::{Database, NewEvent, named, push, statement};
use outbox::{Apply, FollowError, Follower, Log, caught_up, head};
use proto::frontdesk::events::v1::{CatalogueChanged, Event, EventLogServiceAdapter, event::Payload};
use proto::frontdesk::tenancy::v1::Employee;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Statement};
use sea_orm_migration::prelude::*;
use testkit::TestDatabase;
use tokio::{sync::mpsc, task::JoinHandle};
use tonic::{async_trait, service::Routes};
use uuid::Uuid;

/// Both ends use one schema; each has a database of its own.
pub struct Migrator;

#[async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Tables)]
    }
}

#[derive(DeriveMigrationName)]
struct Tables;

#[async_trait]
impl MigrationTrait for Tables {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let database = manager.get_connection();
        let current = database
            .query_one_raw(Statement::from_string(DbBackend::Postgres, "SELECT current_user AS me"))
            .await?;
        let me: String = current.expect("one row").try_get("", "me")?;
        let service = me.strip_suffix("_owner").expect("owners migrate");
        database.execute_unprepared(&outbox::migration_sql(service)).await?;
        database.execute_unprepared(&outbox::identity_sql(service)).await?;
        let effects = format!(
            "CREATE TABLE effect (aggregate_id uuid NOT NULL, version bigint NOT NULL,
                 business text NOT NULL DEFAULT current_setting('app.business_id', true));
             GRANT SELECT, INSERT ON effect TO {service}_app"
        );
        database.execute_unprepared(&effects).await.map(drop)
    }
}

/// A service with a log, served.
pub struct Producer {
    pub host: Host,
    pub database: Database,
    pub source: boot::peer::Peer,
    pub _keep: TestDatabase,
}

/// Starts a producer and a peer of it for the follower's host.
pub async fn producer(follower: &Host) -> Producer {
    producer_called("scheduling", follower).await
}

/// As [`producer`], of another name.
pub async fn producer_called(service: &'static str, follower: &Host) -> Producer {
    producer_on(testkit::database::<Migrator>(service).await, follower).await
}

/// As [`producer`], on a database.
pub async fn producer_on(keep: TestDatabase, follower: &Host) -> Producer {
    let service = keep.service;
    let (host, _) = testkit::host(service);
    let database = keep.connect(&host).await;
    let log = Log::start(database.clone(), &host);
    let adapter = EventLogServiceAdapter::new(log, host.gate.clone());
    let address = testkit::serve(Routes::new(adapter.into_server()), &host).await;
    let source = testkit::peer(service, address, follower);
    Producer { host, database, source, _keep: keep }
}

impl Producer {
    /// A change of `aggregate` in an open transaction of `business`.
    pub async fn change(&self, business: BusinessId, aggregate: Uuid, version: i64) -> DatabaseTransaction {
        let tx = self.database.begin(&Worker::new("test", business)).await.unwrap();
        push(&tx, self.event(Some(business), aggregate, version)).await.unwrap();
        tx
    }

    /// A committed change of an employee's record.
    pub async fn employee_changed(&self, business: BusinessId, id: Uuid, version: i64) {
        let tx = self.database.begin(&Worker::new("test", business)).await.unwrap();
        let payload = Payload::Employee(Employee::default());
        push(&tx, NewEvent { payload, ..self.event(Some(business), id, version) }).await.unwrap();
        tx.commit().await.unwrap();
        self.database.wake().wake();
    }

    /// A committed change of the installation's own.
    pub async fn untenanted_changed(&self, aggregate: Uuid, version: i64) {
        let tx = self.database.begin_untenanted().await.unwrap();
        push(&tx, self.event(None, aggregate, version)).await.unwrap();
        tx.commit().await.unwrap();
        self.database.wake().wake();
    }

    /// The event of a change.
    pub fn event(&self, business: Option<BusinessId>, aggregate: Uuid, version: i64) -> NewEvent {
        NewEvent {
            event_id: self.host.clock.new_id(),
            business,
            aggregate_id: aggregate,
            version,
            occurred_at: self.host.clock.now(),
            actor: "service:test".to_owned(),
            payload: Payload::Catalogue(CatalogueChanged {}),
        }
    }

    /// Position of the newest committed event, final or not.
    pub async fn newest(&self) -> i64 {
        let tx = self.database.begin_installation(&InstallationScope::worker("test")).await.unwrap();
        let sql = "SELECT COALESCE(max(position), 0) AS newest FROM outbox";
        let row = tx.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
        row.unwrap().try_get("", "newest").unwrap()
    }

    /// Waits until every committed event is final.
    pub async fn settled(&self) {
        while head(&self.database).await.unwrap() < self.newest().await {
            tokio::task::yield_now().await;
        }
    }

    /// A committed change.
    pub async fn changed(&self, business: BusinessId, aggregate: Uuid, version: i64) {
        self.change(business, aggregate, version).await.commit().await.unwrap();
        self.database.wake().wake();
    }
}

/// Records each event as a row, and says so; poison and trouble on demand.
pub struct Record {
    pub seen: mpsc::UnboundedSender<(Uuid, i64)>,
    /// Whose catalogue events are poison.
    pub poison: Option<Uuid>,
    pub trouble: std::sync::atomic::AtomicU32,
}

#[async_trait]
impl Apply for Record {
    async fn apply(&self, tx: &DatabaseTransaction, event: &Event) -> Result<(), FollowError> {
        let aggregate: Uuid = event.aggregate_id.parse().unwrap();
        let sql = "INSERT INTO effect (aggregate_id, version) VALUES (:aggregate, :version)";
        tx.execute_raw(statement(sql, named! { aggregate, version: event.version })).await?;
        let is_catalogue = matches!(event.payload, Some(Payload::Catalogue(_)));
        if self.poison == Some(aggregate) && is_catalogue {
            return Err(FollowError::Poison("indigestible".to_owned()));
        }
        let left = self.trouble.load(std::sync::atomic::Ordering::Relaxed);
        if left > 0 {
            self.trouble.store(left - 1, std::sync::atomic::Ordering::Relaxed);
            return Err(FollowError::Retry("not now".to_owned()));
        }
        self.seen.send((aggregate, event.version)).ok();
        Ok(())
    }
}

/// A follower that runs, and what it has applied.
pub struct Consumer {
    pub host: Host,
    pub database: Database,
    pub _keep: TestDatabase,
}

/// A consumer's database and host.
pub async fn consumer() -> Consumer {
    consumer_on(testkit::database::<Migrator>("calendar-sync").await).await
}

/// As [`consumer`], on a database.
pub async fn consumer_on(keep: TestDatabase) -> Consumer {
    let (host, _) = testkit::host(keep.service);
    let database = keep.connect(&host).await;
    Consumer { host, database, _keep: keep }
}

impl Consumer {
    /// Follows `producer`; what is applied comes out of the channel.
    pub fn follow(
        &self,
        producer: &Producer,
        poison: Option<Uuid>,
        trouble: u32,
    ) -> (mpsc::UnboundedReceiver<(Uuid, i64)>, JoinHandle<()>) {
        self.follow_as("recorder", producer, poison, trouble)
    }

    /// As [`Self::follow`], under another name.
    pub fn follow_as(
        &self,
        name: &'static str,
        producer: &Producer,
        poison: Option<Uuid>,
        trouble: u32,
    ) -> (mpsc::UnboundedReceiver<(Uuid, i64)>, JoinHandle<()>) {
        let (seen, events) = mpsc::unbounded_channel();
        let record = Record { seen, poison, trouble: trouble.into() };
        let follower = Follower::new(name, producer.source.clone(), self.database.clone(), &self.host);
        (events, tokio::spawn(follower.run(record)))
    }

    /// Waits until everything `producer` has committed was applied or parked here.
    pub async fn settled(&self, producer: &Producer) {
        self.settled_with("scheduling", producer).await;
    }

    /// As [`Self::settled`], for a producer of another name.
    pub async fn settled_with(&self, source: &'static str, producer: &Producer) {
        let newest = producer.newest().await;
        while !caught_up(&self.database, "recorder", source, newest).await.unwrap() {
            tokio::task::yield_now().await;
        }
    }

    /// The businesses under which an aggregate's versions took effect, in their order.
    pub async fn businesses(&self, aggregate: Uuid) -> Vec<String> {
        let tx = self.database.begin_untenanted().await.unwrap();
        let sql = "SELECT business FROM effect WHERE aggregate_id = :aggregate ORDER BY version";
        let rows = tx.query_all_raw(statement(sql, named! { aggregate })).await.unwrap();
        rows.iter().map(|row| row.try_get("", "business").unwrap()).collect()
    }

    /// How many effects an aggregate has had.
    pub async fn effects(&self, aggregate: Uuid) -> i64 {
        let tx = self.database.begin_untenanted().await.unwrap();
        let sql = "SELECT count(*) AS n FROM effect WHERE aggregate_id = :aggregate";
        let row = tx.query_one_raw(statement(sql, named! { aggregate })).await.unwrap();
        row.unwrap().try_get("", "n").unwrap()
    }
}
