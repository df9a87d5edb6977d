//! Connections.

use core::{iter::once, time::Duration};
use std::sync::Arc;

use boot::{
    Host,
    clock::Clock,
    config::{Pooler, ServiceConfig},
    grpc,
};
use caller::{Actor, BusinessId, InstallationScope, Tenant};
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, QueryResult,
    TransactionTrait, Value,
};
use tracing::Instrument;

use crate::{
    Planning, Wake,
    change_log::Acting,
    error::busy,
    measure, named, roles,
    session::{connecting, opening},
    statement,
    time::to_db,
    turns::{Turn, Turns},
};

/// How long a call waits for a turn, and as long again for a connection.
const ACQUIRE: Duration = Duration::from_secs(3);

/// A service's database, as its app role.
#[derive(Debug, Clone)]
pub struct Database {
    connection: DatabaseConnection,
    service: &'static str,
    clock: Clock,
    measure: measure::Pool,
    turns: Turns,
    wake: Wake,
    /// What each transaction begins with.
    opening: Arc<str>,
}

impl Database {
    /// Connects with the configured pool; runs nothing.
    ///
    /// # Errors
    /// When the first connection fails.
    pub async fn connect(host: &Host, config: &ServiceConfig, planning: Planning) -> Result<Self, DbErr> {
        let url = config.database_url.expose();
        Self::open(host, url, config.database_pool, config.database_pooler, planning).await
    }

    /// Connects to `url`, of a pooler or of Postgres, with at most `pool` connections.
    ///
    /// # Errors
    /// When the first connection fails.
    pub async fn open(
        host: &Host,
        url: &str,
        pool: u32,
        pooler: Pooler,
        planning: Planning,
    ) -> Result<Self, DbErr> {
        let mut options = ConnectOptions::new(url);
        options
            .max_connections(pool)
            .min_connections(1)
            .acquire_timeout(ACQUIRE)
            .idle_timeout(Duration::from_secs(300))
            .max_lifetime(Duration::from_secs(1800))
            .test_before_acquire(false)
            .sqlx_logging(false)
            .set_application_name(host.service)
            .map_sqlx_postgres_opts(move |options| connecting(options, pooler, planning));
        let mut connection = sea_orm::Database::connect(options).await?;
        let measure = measure::Pool::of(host.service, &mut connection);
        Ok(Self {
            connection,
            service: host.service,
            clock: host.clock.clone(),
            measure,
            turns: Turns::of(pool, ACQUIRE),
            wake: Wake::new(host),
            opening: opening(pooler, planning).into(),
        })
    }

    /// The service it belongs to.
    #[must_use]
    pub fn service(&self) -> &'static str {
        self.service
    }

    /// The clock rows are dated with.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Wakes readers of this service's log.
    #[must_use]
    pub fn wake(&self) -> &Wake {
        &self.wake
    }

    pub(crate) fn measure(&self) -> &measure::Pool {
        &self.measure
    }

    /// Waits up to three seconds until the running call may have a connection.
    pub(crate) async fn turn(&self) -> Result<Turn, DbErr> {
        let turn = self.turns.take(grpc::current_priority()).await;
        if turn.is_err() {
            self.measure.timed_out();
        }
        turn
    }

    /// Begins a transaction in which tenant tables hold one business.
    ///
    /// # Errors
    /// When no connection is free within three seconds, or Postgres refuses.
    pub async fn begin(&self, tenant: &impl Tenant) -> Result<DatabaseTransaction, DbErr> {
        let acting = Acting::new(&tenant.actor(), self.clock.now());
        self.begin_in(tenant.business(), &acting).await
    }

    /// As [`Self::begin`], for a transaction whose scope was checked when it was made.
    pub(crate) async fn begin_in(
        &self,
        business: BusinessId,
        acting: &Acting,
    ) -> Result<DatabaseTransaction, DbErr> {
        let opening = format!("{}; {}", in_business(&business.to_string()), acting.settings());
        self.begin_with(&opening).await
    }

    /// The rows that a function of the schema reads for one business, in a transaction of their own.
    /// The function's first argument is the business, by which it sets what it sees: one round trip
    /// instead of four, but behind a pooler. For reading only: it commits even when the caller is gone.
    pub(crate) async fn call(
        &self,
        business: Option<BusinessId>,
        function: &str,
        arguments: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<QueryResult>, DbErr> {
        let business = business.map(|business| business.0);
        let values: Vec<Value> = once(business.into()).chain(arguments).collect();
        let places: Vec<_> = (1..=values.len()).map(|place| format!("${place}")).collect();
        let sql = format!("SELECT * FROM {function}({})", places.join(", "));
        let looking = statement(&sql, values);
        let _turn = self.turn().await?;
        if !self.opening.is_empty() {
            let transaction = self.begin_untenanted().await?;
            let rows = transaction.query_all_raw(looking).await?;
            tokio::spawn(transaction.commit());
            return Ok(rows);
        }
        let rows = self.connection.query_all_raw(looking).await;
        if rows.as_ref().is_err_and(busy) {
            self.measure.timed_out();
        }
        rows
    }

    /// Begins a transaction that sees every business. A person's leaves a row in
    /// `installation_audit`, a service's an entry in the log.
    ///
    /// # Errors
    /// When no connection is free within three seconds, or Postgres refuses.
    pub async fn begin_installation(&self, scope: &InstallationScope) -> Result<DatabaseTransaction, DbErr> {
        let role = roles::name(self.service, "installation");
        let acting = Acting::new(scope.actor(), self.clock.now());
        let opening = format!("SET LOCAL ROLE \"{role}\"; {}", acting.settings());
        let transaction = self.begin_with(&opening).await?;
        let purpose = grpc::current_method().map_or_else(|| "worker".to_owned(), |path| path.to_string());
        let actor = scope.actor().to_string();
        match scope.actor() {
            Actor::Person { .. } | Actor::Agent { .. } => {
                self.audit(&transaction, &actor, &purpose).await?;
            }
            Actor::Service { .. } => {
                tracing::debug!(target: "audit", actor, purpose, "installation scope used")
            }
        }
        Ok(transaction)
    }

    /// Begins a transaction without a business: for tables that have none.
    ///
    /// # Errors
    /// When no connection is free within three seconds, or Postgres refuses.
    pub async fn begin_untenanted(&self) -> Result<DatabaseTransaction, DbErr> {
        self.begin_with("").await
    }

    /// Begins a transaction with `first`, in the round trip that tells a pooled connection its settings.
    async fn begin_with(&self, first: &str) -> Result<DatabaseTransaction, DbErr> {
        let transaction = self.begin_bare().await?;
        let opening = format!("{}{first}", self.opening);
        if !opening.is_empty() {
            transaction.execute_unprepared(&opening).await?;
        }
        Ok(transaction)
    }

    async fn begin_bare(&self) -> Result<DatabaseTransaction, DbErr> {
        // sqlx 0.9 loses track of a BEGIN that is cancelled while it waits for the answer, and the
        // connection returns to the pool inside a transaction. A task is not cancelled: if its result
        // is dropped, the transaction is rolled back.
        let connection = self.connection.clone();
        let beginning = tokio::spawn(async move { connection.begin().await }.in_current_span());
        let begun = beginning.await.unwrap_or_else(|gone| Err(DbErr::Custom(gone.to_string())));
        if begun.as_ref().is_err_and(busy) {
            self.measure.timed_out();
        }
        begun
    }

    async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        actor: &str,
        purpose: &str,
    ) -> Result<(), DbErr> {
        let sql =
            "INSERT INTO installation_audit (id, at, actor, purpose) VALUES (:id, :at, :actor, :purpose)";
        let (id, at) = (self.clock.new_id(), to_db(self.clock.now()));
        transaction.execute_raw(statement(sql, named! { id, at, actor, purpose })).await?;
        Ok(())
    }
}

/// Has tenant tables hold this business, or none, from here to the end of the transaction: for work
/// that concerns one business after the other and is to last together.
pub async fn turn_to(transaction: &DatabaseTransaction, tenant: Option<&impl Tenant>) -> Result<(), DbErr> {
    let business = tenant.map(|tenant| tenant.business().to_string()).unwrap_or_default();
    transaction.execute_unprepared(&in_business(&business)).await.map(drop)
}

/// `SET` rather than `set_config`: a distributed database passes it on to its nodes.
fn in_business(business: &str) -> String {
    format!("SET LOCAL app.business_id = '{business}'")
}
