//! Postgres. What is here alone speaks SQL.
//!
//! A transaction that changes when visits take place locks in one order: its idempotency key, the turn
//! at the schedule and the settings' row (shared), the call, source or visit it is about, its days
//! ascending, then whatever lies in them. A proposal comes before the visits it is about, and these in
//! the order of their ids. Whoever keeps to it never deadlocks.

mod agenda;
mod alias;
mod announcing;
mod applying;
mod appointment;
mod block;
mod busy;
mod cache;
mod conflict;
mod day;
mod day_hours;
mod demand;
mod dependency;
mod explanation;
mod history;
mod hold;
mod hours;
mod idempotency;
mod intelligence;
mod item;
mod ledger;
mod moving;
mod opening_exception;
mod optimisation;
mod pairing;
mod past;
mod people;
mod phrase;
mod progress;
mod projection;
mod proposal;
mod proposal_row;
mod purpose;
mod rescheduling;
mod resource;
mod rest;
mod schedule;
mod series;
mod service;
mod settings;
mod staff;
mod standing;
mod stranding;
mod time_off;
mod visit;
mod visits;
mod waitlist;
mod waitlist_offer;
mod walk_in;
mod week;

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use ::cache::Cache as Answers;
use boot::{
    clock::Clock,
    postgres::{Database, to_db},
};
use caller::{BusinessId, BusinessScope, InstallationScope, Tenant};
use jiff::Timestamp;
use outbox::Wake;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, FromQueryResult, Statement, TransactionTrait,
    Value,
};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{Error, measure::Measure};
use cache::Cache;

/// The hot reads, whose plans are tested.
pub mod hot {
    pub use super::{
        appointment::{
            APPOINTMENT, APPOINTMENTS_BY_ID, APPOINTMENTS_BY_START, APPOINTMENTS_OF_SERIES, PAST_OF_CUSTOMER,
            UPCOMING_OF_CUSTOMER,
        },
        block::BLOCKS_BY_START,
        busy::KNOWN_FACTS,
        conflict::CONFLICTS_BY_START,
        day::DAYS,
        day_hours::DAYS_OF_STAFF,
        demand::UNMET_DEMAND,
        explanation::TAKEN,
        history::HAD,
        hold::{HOLDS_OF_CALL, HOLDS_OF_PERSON},
        intelligence::{MEASURED, TALLIES},
        ledger::{BOOKED_ROWS_BEFORE, BOOKED_ROWS_OF, CLOSE_EXPIRED, COLLIDING, VISIT_SPANS},
        pairing::{BOUGHT_TOGETHER, PAIRINGS_BY_ID},
        past::{SCHEDULE_AS_OF, SCHEDULE_AS_RECORDED, SCHEDULE_FORMAT, TAKEN_AS_OF},
        people::PEOPLE_AMONG,
        phrase::PHRASES_BY_COUNT,
        proposal::{OPEN_PROPOSALS, PROPOSAL_LINES},
        service::SERVICES_BY_CATEGORY,
        staff::STAFF,
        standing::STANDING,
        stranding::STAYS,
        time_off::TIME_OFF_BY_START,
        visits::FACTS_OVER,
        waitlist::{WAITING_BY_AGE, WAITING_FOR},
        week::WEEKS_OF_STAFF,
    };
}

pub use agenda::Agenda;
pub use alias::Catalogue;
pub use applying::{Applied, Chosen};
pub use appointment::{ItemNames, OfCustomer, StoredAppointment};
pub use block::StoredBlock;
pub use conflict::OpenConflict;
pub use day_hours::EmployeeHours;
pub use demand::Unmet;
pub use explanation::Explained;
pub use hold::{HELD_FOR, NewHold};
pub use idempotency::Attempt;
pub use optimisation::{DayWish, OptimisableDay};
pub use pairing::{StoredMeasured, StoredPairing};
pub use projection::{save_business, save_customer, save_employee};
pub use proposal::StoredProposal;
pub use rest::TakenRest;
pub use series::{Outlook, StoredSeries};
pub use service::ServiceKey;
pub use settings::{CATALOGUE, OPENING_HOURS};
pub use staff::StaffSchedule;
pub use standing::Standing;
pub use stranding::{ScheduleEdit, Stranded};
pub use time_off::{StoredTimeOff, Wanted};
pub use visit::TakenVisit;
pub use waitlist::StoredEntry;
pub use week::Week;

/// The service's database, and what is kept of it in memory and in the shared cache.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    clock: Clock,
    wake: Wake,
    cache: Arc<Cache>,
    answers: Answers,
    measure: Measure,
    demand: Arc<demand::Counts>,
}

impl Store {
    /// A store that wakes followers after each commit.
    #[must_use]
    pub fn new(database: Database, clock: Clock, wake: Wake, answers: Answers, measure: Measure) -> Self {
        Self { database, clock, wake, cache: Arc::default(), answers, measure, demand: Arc::default() }
    }

    /// Answers that are kept for all replicas.
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// A transaction in one business, at the clock's time.
    #[must_use]
    pub fn begin(&self, scope: &BusinessScope) -> Tx {
        Tx {
            sql: OnceCell::new(),
            scope: scope.clone(),
            business: scope.business(),
            actor: scope.actor().to_string(),
            now: self.clock.now(),
            changes_at: OnceLock::new(),
            changes_schedule: AtomicBool::new(false),
            announced: AtomicBool::new(false),
            store: self.clone(),
        }
    }

    /// An id for something new.
    #[must_use]
    pub fn new_id<T: From<Uuid>>(&self) -> T {
        self.clock.new_id().into()
    }

    /// Drops idempotency keys that no longer count. Several replicas may do so at once.
    ///
    /// # Errors
    /// What the database refuses.
    pub async fn sweep(&self) -> Result<u64, Error> {
        let sql = self.database.begin_installation(&InstallationScope::worker("sweep")).await?;
        let swept = sql.execute_raw(statement(idempotency::SWEEP, [to_db(self.clock.now()).into()])).await?;
        sql.commit().await?;
        Ok(swept.rows_affected())
    }
}

/// A transaction in one business; rolled back unless committed. It begins with its first statement:
/// what is answered from memory and one look takes none.
#[derive(Debug)]
pub struct Tx {
    sql: OnceCell<DatabaseTransaction>,
    scope: BusinessScope,
    business: BusinessId,
    actor: String,
    now: Timestamp,
    changes_at: OnceLock<Timestamp>,
    changes_schedule: AtomicBool,
    announced: AtomicBool,
    store: Store,
}

impl Tx {
    /// The time at which all of it takes place.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The business it takes place in.
    #[must_use]
    pub fn business(&self) -> BusinessId {
        self.business
    }

    /// Who acts, as the audit trail names them.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }

    /// An id for something new.
    #[must_use]
    pub fn new_id<T: From<Uuid>>(&self) -> T {
        self.store.new_id()
    }

    /// Makes the changes last, and wakes the followers if any was announced.
    ///
    /// # Errors
    /// When Postgres can't.
    pub async fn commit(self) -> Result<(), Error> {
        let changes_schedule = self.changes_schedule.load(Ordering::Relaxed);
        if changes_schedule {
            self.record_schedule().await?;
        }
        let Some(sql) = self.sql.into_inner() else { return Ok(()) };
        let committed = if changes_schedule {
            // Before followers hear of it: who is told to read again must not read the old.
            self.store.answers.changing(&settings::ANSWERS, self.business, sql.commit()).await
        } else {
            sql.commit().await
        };
        committed.map_err(|error| self.store.measure.database_error(error))?;
        if self.announced.load(Ordering::Relaxed) {
            self.store.wake.wake();
        }
        Ok(())
    }

    /// Ends it where it has only read. Nobody waits for that: there is nothing to be lost.
    pub fn release(self) {
        debug_assert!(!self.announced.load(Ordering::Relaxed), "what is announced is committed");
        if let Some(sql) = self.sql.into_inner() {
            tokio::spawn(sql.commit());
        }
    }

    /// The transaction's time, as a value.
    fn at(&self) -> Value {
        to_db(self.now).into()
    }

    /// When the days that it has taken change.
    fn changes_at(&self) -> Value {
        to_db(self.changes_at.get().copied().unwrap_or(self.now)).into()
    }

    /// Whether statements of it have run, which others may have to be seen together with.
    fn has_begun(&self) -> bool {
        self.sql.initialized()
    }

    /// The transaction, begun.
    async fn open(&self) -> Result<&DatabaseTransaction, DbErr> {
        self.sql.get_or_try_init(|| self.store.database.begin(&self.scope)).await
    }

    /// Begins a part that can be taken back by itself.
    async fn savepoint(&self) -> Result<DatabaseTransaction, Error> {
        Ok(self.open().await?.begin().await?)
    }

    async fn execute(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<u64, Error> {
        self.try_execute(sql, values).await.map_err(Error::from)
    }

    /// As `execute`, for statements whose constraints say something to the caller.
    async fn try_execute(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<u64, DbErr> {
        let done = self.open().await?.execute_raw(statement(sql, values)).await;
        Ok(done.map_err(|error| self.store.measure.database_error(error))?.rows_affected())
    }

    /// Reads rows into what the domain knows.
    async fn all<R, T>(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Vec<T>, Error>
    where
        R: FromQueryResult + TryInto<T>,
        Error: From<R::Error>,
    {
        let rows = R::find_by_statement(statement(sql, values)).all(self.open().await?).await;
        let rows = rows.map_err(|error| self.store.measure.database_error(error))?;
        rows.into_iter().map(|row| row.try_into().map_err(Error::from)).collect()
    }

    /// Has a function of the schema read for this business, by itself: outside of the transaction,
    /// where that has not begun.
    async fn look<R, T>(
        &self,
        function: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<T>, Error>
    where
        R: FromQueryResult + TryInto<T>,
        Error: From<R::Error>,
    {
        let rows = self.store.database.call(&self.scope, function, values).await;
        let rows = rows.map_err(|error| self.store.measure.database_error(error))?;
        rows.iter().map(|row| R::from_query_result(row, "")?.try_into().map_err(Error::from)).collect()
    }

    /// Reads at most one row into what the domain knows.
    async fn one<R, T>(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Option<T>, Error>
    where
        R: FromQueryResult + TryInto<T>,
        Error: From<R::Error>,
    {
        Ok(self.all::<R, T>(sql, values).await?.into_iter().next())
    }
}

fn statement(sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}
