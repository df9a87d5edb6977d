//! Postgres. What is here alone speaks SQL.
//!
//! A transaction starts from a scope and is bound to it: [`Tx`] to one business,
//! [`InstallationTx`] to none. A change and its event share the transaction.

mod business;
mod customer;
mod data_key;
mod employee;
mod follow_up;
mod idempotency;
mod voice_connection;

use boot::{clock::Clock, postgres::Database};
use cache::Cache;
use caller::{BusinessId, InstallationScope, Tenant};
use outbox::{NewEvent, Wake};
use proto::frontdesk::events::v1::event::Payload;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, FromQueryResult, Statement, Value};
use uuid::Uuid;

pub use business::BUSINESS;
pub use customer::{CUSTOMER_BY_ID, CUSTOMERS_AMONG, CUSTOMERS_BY_NAME, CUSTOMERS_BY_PHONE, CUSTOMERS_LIKE};
pub use employee::{EMPLOYEES_AMONG, EMPLOYEES_BY_NAME};
pub use follow_up::{DONE_FOLLOW_UPS, NamedFollowUp, OPEN_FOLLOW_UPS, due};
pub use idempotency::{Attempt, Claim};
pub use voice_connection::{SEALED_CONNECTION, SealedConnection, VOICE_CONNECTIONS_BY_LABEL};

use crate::{Error, domain::Place};

/// The service's database, and the answers that are kept of it.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    clock: Clock,
    wake: Wake,
    answers: Cache,
}

impl Store {
    /// A store that wakes followers after each commit.
    #[must_use]
    pub fn new(database: Database, clock: Clock, wake: Wake, answers: Cache) -> Self {
        Self { database, clock, wake, answers }
    }

    /// Answers that are kept for all replicas.
    #[must_use]
    pub fn answers(&self) -> &Cache {
        &self.answers
    }

    /// The clock rows are dated with.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Begins a transaction in the business of `scope`.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn begin(&self, scope: &impl Tenant) -> Result<Tx, Error> {
        let sql = self.database.begin(scope).await?;
        Ok(Tx {
            sql,
            business: scope.business(),
            clock: self.clock.clone(),
            wake: self.wake.clone(),
            announced: false,
        })
    }

    /// Begins a transaction across businesses.
    ///
    /// # Errors
    /// When there is no connection.
    pub async fn begin_installation(&self, scope: &InstallationScope) -> Result<InstallationTx, Error> {
        let sql = self.database.begin_installation(scope).await?;
        Ok(InstallationTx { sql, store: self.clone(), announced: None })
    }
}

/// A transaction in one business; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    sql: DatabaseTransaction,
    business: BusinessId,
    clock: Clock,
    wake: Wake,
    announced: bool,
}

impl Tx {
    /// Makes the changes last, and wakes the followers if any was announced.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn commit(self) -> Result<(), Error> {
        self.sql.commit().await?;
        if self.announced {
            self.wake.wake();
        }
        Ok(())
    }

    async fn announce(&mut self, aggregate: Uuid, version: i64, payload: Payload) -> Result<(), Error> {
        self.announced = true;
        announce(&self.sql, &self.clock, self.business, aggregate, version, payload).await
    }
}

/// A transaction across businesses; rolled back unless committed.
#[derive(Debug)]
pub struct InstallationTx {
    sql: DatabaseTransaction,
    store: Store,
    announced: Option<BusinessId>,
}

impl InstallationTx {
    /// Makes the changes last, and wakes the followers if any was announced.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn commit(self) -> Result<(), Error> {
        let Some(business) = self.announced else { return Ok(self.sql.commit().await?) };
        // Before followers hear of it: who is told to read again must not read the old.
        self.store.answers.changing(&[BUSINESS], business, self.sql.commit()).await?;
        self.store.wake.wake();
        Ok(())
    }

    async fn announce(&mut self, business: BusinessId, version: i64, payload: Payload) -> Result<(), Error> {
        self.announced = Some(business);
        announce(&self.sql, &self.store.clock, business, business.0, version, payload).await
    }
}

/// What adding a record under an id of the caller's choice came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added<T> {
    /// It is new.
    New(T),
    /// The id was there: this is the record under it.
    Before(T),
}

impl<T> Added<T> {
    /// The record, whoever made it.
    pub fn record(self) -> T {
        match self {
            Self::New(record) | Self::Before(record) => record,
        }
    }
}

async fn announce(
    sql: &impl ConnectionTrait,
    clock: &Clock,
    business: BusinessId,
    aggregate_id: Uuid,
    version: i64,
    payload: Payload,
) -> Result<(), Error> {
    let event = NewEvent {
        event_id: clock.new_id(),
        business: Some(business),
        aggregate_id,
        version,
        occurred_at: clock.now(),
        payload,
    };
    outbox::push(sql, event).await.map_err(Error::from)
}

fn statement(sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

/// Reads rows into records of the domain.
async fn all<R, T>(
    sql: &impl ConnectionTrait,
    query: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<T>, Error>
where
    R: FromQueryResult + TryInto<T, Error = Error>,
{
    let rows = R::find_by_statement(statement(query, values)).all(sql).await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// Reads at most one row into a record of the domain.
async fn one<R, T>(
    sql: &impl ConnectionTrait,
    query: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>, Error>
where
    R: FromQueryResult + TryInto<T, Error = Error>,
{
    let row = R::find_by_statement(statement(query, values)).one(sql).await?;
    row.map(TryInto::try_into).transpose()
}

/// Parameters of a list's queries: where to begin, and how many rows.
fn page(after: &Place, limit: u32) -> [Value; 3] {
    [after.name.clone().into(), after.id.into(), i64::from(limit).into()]
}

/// A constraint's name, and what its violation means.
type Reason = (&'static str, fn() -> Error);

/// A database error by the constraint it names; `reasons` are those of one statement.
fn refused(error: DbErr, reasons: &[Reason]) -> Error {
    let constraint = boot::postgres::constraint(&error);
    let reason = reasons.iter().find(|(name, _)| constraint.as_deref() == Some(name));
    reason.map_or_else(|| error.into(), |(_, reason)| reason())
}

/// The reason of every `…_business` constraint.
fn no_business() -> Error {
    Error::NotFound("business")
}
