//! A transaction, from its scope to its commit.

mod connection;

use core::{marker::PhantomData, sync::atomic::Ordering};
use std::sync::atomic::AtomicBool;

use caller::{BusinessId, InstallationScope, Tenant, UserId};
use futures::future::BoxFuture;
use jiff::Timestamp;
use proto::frontdesk::events::v1::event::Payload;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Statement, TransactionTrait, TryGetable,
    Value,
};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{
    Database, Parameters,
    change_log::Acting,
    event::{self, NewEvent},
    time::to_db,
    turns::Turn,
};

/// Which rows of tenant tables a transaction sees.
#[derive(Debug, Clone)]
enum Sees {
    Business(BusinessId),
    Installation(InstallationScope),
    Untenanted,
    /// No tenant table but the log.
    Log(BusinessId),
}

/// A transaction; rolled back unless committed. It begins with its first statement, so that what is answered
/// from memory needs no connection. Errors are those of the service, `E`.
#[derive(Debug)]
pub struct Tx<E> {
    begun: OnceCell<Begun>,
    sees: Sees,
    database: Database,
    actor: String,
    now: Timestamp,
    published: AtomicBool,
    error: PhantomData<fn() -> E>,
}

/// A transaction that has begun, and the turn at the pool that it ends with.
#[derive(Debug)]
struct Begun {
    sql: DatabaseTransaction,
    turn: Turn,
}

impl Database {
    /// A transaction in the business of `scope`.
    #[must_use]
    pub fn tx<E>(&self, scope: &impl Tenant) -> Tx<E> {
        self.seeing(Sees::Business(scope.business()), scope.actor().to_string())
    }

    /// A transaction across businesses; recorded as [`Database::begin_installation`] says.
    #[must_use]
    pub fn installation_tx<E>(&self, scope: &InstallationScope) -> Tx<E> {
        self.seeing(Sees::Installation(scope.clone()), scope.actor().to_string())
    }

    /// A transaction on tables that have no business.
    #[must_use]
    pub fn untenanted_tx<E>(&self) -> Tx<E> {
        self.seeing(Sees::Untenanted, String::new())
    }

    /// A transaction on tables that have no business, whose events belong to the one of `scope`.
    #[must_use]
    pub fn publishing_tx<E>(&self, scope: &impl Tenant) -> Tx<E> {
        self.seeing(Sees::Log(scope.business()), scope.actor().to_string())
    }

    fn seeing<E>(&self, sees: Sees, actor: String) -> Tx<E> {
        Tx {
            begun: OnceCell::new(),
            sees,
            database: self.clone(),
            actor,
            now: self.clock().now(),
            published: AtomicBool::new(false),
            error: PhantomData,
        }
    }
}

impl<E> Tx<E> {
    /// The time at which all of it takes place.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// [`Self::now`] as a parameter.
    #[must_use]
    pub fn at(&self) -> Value {
        to_db(self.now).into()
    }

    /// The same, not begun yet, in the name of a person for whom the caller acts.
    #[must_use]
    pub fn on_behalf_of(self, person: UserId) -> Self {
        Self { actor: format!("user:{person}"), ..self }
    }

    /// Who acts, as the audit trail names them; empty where it has no scope.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// The one business it sees, if it sees one.
    #[must_use]
    pub fn business_id(&self) -> Option<BusinessId> {
        match self.sees {
            Sees::Business(business) | Sees::Log(business) => Some(business),
            Sees::Installation(_) | Sees::Untenanted => None,
        }
    }

    /// An id for something new.
    #[must_use]
    pub fn new_id<T: From<Uuid>>(&self) -> T {
        self.database.clock().new_id().into()
    }

    /// Whether a statement of it has run.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.begun.initialized()
    }

    /// Commits in the background a transaction that has only read: the caller loses nothing by not waiting.
    pub fn release(self) {
        debug_assert!(!self.published.load(Ordering::Relaxed), "what is published is committed");
        if let Some(Begun { sql, turn }) = self.begun.into_inner() {
            tokio::spawn(async move {
                let _until_it_ends = turn;
                sql.commit().await
            });
        }
    }

    /// Has followers woken after the commit.
    pub(crate) fn mark_published(&self) {
        self.published.store(true, Ordering::Relaxed);
    }

    pub(crate) fn event(
        &self,
        business: Option<BusinessId>,
        aggregate_id: Uuid,
        version: i64,
        payload: Payload,
    ) -> NewEvent {
        NewEvent {
            event_id: self.new_id(),
            business,
            aggregate_id,
            version,
            occurred_at: self.now,
            actor: self.actor.clone(),
            payload,
        }
    }
}

impl<E: From<DbErr>> Tx<E> {
    /// The transaction itself, begun.
    ///
    /// # Errors
    /// When no turn is free within three seconds, or then no connection within another three.
    pub async fn open(&self) -> Result<&DatabaseTransaction, DbErr> {
        let begin = async || {
            let turn = self.database.turn().await?;
            let sql = match &self.sees {
                Sees::Business(business) | Sees::Log(business) => {
                    let acting = Acting { actor: self.actor.clone(), at: self.now };
                    self.database.begin_in(*business, &acting).await
                }
                Sees::Installation(scope) => self.database.begin_installation(scope).await,
                Sees::Untenanted => self.database.begin_untenanted().await,
            }?;
            Ok::<_, DbErr>(Begun { sql, turn })
        };
        self.begun.get_or_try_init(begin).await.map(|begun| &begun.sql)
    }

    /// Makes the changes last, then wakes followers if an event was published.
    ///
    /// # Errors
    /// When Postgres refuses; nothing lasts then.
    pub async fn commit(self) -> Result<(), E> {
        self.commit_around(|commit| commit).await
    }

    /// [`Self::commit`] with `around` doing the commit itself, such as to drop cached answers after it: followers
    /// are woken when `around` is done, and read what is new.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub async fn commit_around<F>(
        self,
        around: impl FnOnce(BoxFuture<'static, Result<(), DbErr>>) -> F,
    ) -> Result<(), E>
    where
        F: Future<Output = Result<(), DbErr>>,
    {
        let Self { begun, database, published, .. } = self;
        let Some(Begun { sql, turn: _until_it_ends }) = begun.into_inner() else { return Ok(()) };
        around(Box::pin(sql.commit())).await.map_err(|error| database.measure().failed(error))?;
        if published.into_inner() {
            database.wake().wake();
        }
        Ok(())
    }

    /// Begins a part that can be taken back by itself.
    pub async fn savepoint(&self) -> Result<DatabaseTransaction, E> {
        Ok(self.open().await?.begin().await?)
    }

    /// Runs a statement; the number of rows it changed, or found.
    pub async fn execute(&self, sql: &str, values: impl Parameters) -> Result<u64, E> {
        self.try_execute(sql, values).await.map_err(E::from)
    }

    /// As [`Self::execute`], for statements whose constraints say something to the caller.
    pub async fn try_execute(&self, sql: &str, values: impl Parameters) -> Result<u64, DbErr> {
        Ok(self.execute_raw(statement(sql, values)).await?.rows_affected())
    }

    /// Reads rows as they are.
    ///
    /// # Errors
    /// What Postgres refuses, or a row of another shape.
    pub async fn rows<R: FromQueryResult>(
        &self,
        sql: &str,
        values: impl Parameters,
    ) -> Result<Vec<R>, DbErr> {
        R::find_by_statement(statement(sql, values)).all(self).await
    }

    /// Reads at most one row as it is.
    ///
    /// # Errors
    /// What Postgres refuses, or a row of another shape.
    pub async fn row<R: FromQueryResult>(
        &self,
        sql: &str,
        values: impl Parameters,
    ) -> Result<Option<R>, DbErr> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// Reads the only column of rows.
    ///
    /// # Errors
    /// What Postgres refuses, or a column of another type.
    pub async fn values<T: TryGetable>(&self, sql: &str, values: impl Parameters) -> Result<Vec<T>, DbErr> {
        let rows = self.query_all_raw(statement(sql, values)).await?;
        rows.iter().map(|row| row.try_get_by_index(0)).collect()
    }

    /// Reads the only column of at most one row.
    ///
    /// # Errors
    /// What Postgres refuses, or a column of another type.
    pub async fn value<T: TryGetable>(&self, sql: &str, values: impl Parameters) -> Result<Option<T>, DbErr> {
        Ok(self.values(sql, values).await?.into_iter().next())
    }

    /// Reads rows into values of the domain.
    ///
    /// # Errors
    /// What Postgres refuses, or a row that is no such value.
    pub async fn all<R, T>(&self, sql: &str, values: impl Parameters) -> Result<Vec<T>, E>
    where
        R: FromQueryResult + TryInto<T>,
        E: From<R::Error>,
    {
        self.rows::<R>(sql, values).await?.into_iter().map(|row| row.try_into().map_err(E::from)).collect()
    }

    /// Reads at most one row into a value of the domain.
    ///
    /// # Errors
    /// What Postgres refuses, or a row that is no such value.
    pub async fn one<R, T>(&self, sql: &str, values: impl Parameters) -> Result<Option<T>, E>
    where
        R: FromQueryResult + TryInto<T>,
        E: From<R::Error>,
    {
        self.row::<R>(sql, values).await?.map(|row| row.try_into().map_err(E::from)).transpose()
    }

    /// Has a function of the schema read for this business, in a transaction of its own: one round trip.
    ///
    /// # Errors
    /// What Postgres refuses, or a row that is no such value.
    pub async fn look<R, T>(
        &self,
        function: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>, E>
    where
        R: FromQueryResult + TryInto<T>,
        E: From<R::Error>,
    {
        let rows = self.measured(self.database.call(self.business_id(), function, values).await)?;
        rows.iter().map(|row| R::from_query_result(row, "")?.try_into().map_err(E::from)).collect()
    }

    /// Takes records over from elsewhere: from here on, changes are not noted in the log of changes, and statements are
    /// planned by the sizes that tables have by now. Plans that a connection keeps are of tables that were empty until
    /// then, and read all rows again for each.
    pub async fn take_over(&self) -> Result<(), E> {
        let settings = "SET LOCAL app.taken_over = 'yes'; SET LOCAL plan_cache_mode = 'force_custom_plan'";
        self.open().await?.execute_unprepared(settings).await?;
        Ok(())
    }

    /// Appends an event to the log; followers are woken by the commit.
    pub async fn publish_change(
        &self,
        aggregate_id: impl Into<Uuid>,
        version: i64,
        payload: Payload,
    ) -> Result<(), E> {
        self.publish_change_in(self.business_id(), aggregate_id, version, payload).await
    }

    /// As [`Self::publish_change`], for many in one statement: the record, its version and its state, in this order.
    pub async fn publish_changes(
        &self,
        changes: impl IntoIterator<Item = (Uuid, i64, Payload)>,
    ) -> Result<(), E> {
        let business = self.business_id();
        let event = |(id, version, payload)| self.event(business, id, version, payload);
        let events: Vec<_> = changes.into_iter().map(event).collect();
        if events.is_empty() {
            return Ok(());
        }
        self.execute(event::PUSH_ALL, event::all_columns(business, events)).await?;
        self.mark_published();
        Ok(())
    }

    /// As [`Self::publish_change`], for an event of a business that a transaction across businesses changes.
    pub async fn publish_change_in(
        &self,
        business: Option<BusinessId>,
        aggregate_id: impl Into<Uuid>,
        version: i64,
        payload: Payload,
    ) -> Result<(), E> {
        let event = event::columns(self.event(business, aggregate_id.into(), version, payload));
        self.execute(event::PUSH, event).await?;
        self.mark_published();
        Ok(())
    }
}

/// A statement and its parameters.
pub fn statement(sql: &str, values: impl Parameters) -> Statement {
    values.bind(sql)
}
