//! Postgres. What is here alone speaks SQL.
//!
//! A transaction that changes when visits take place locks in one order, so that it can't deadlock: its
//! idempotency key, the turn at the schedule and the settings row (shared), the call, source or visit
//! it is about, its days ascending, then the rows in them. A proposal comes before its visits, and
//! these in the order of their ids.

mod alias;
mod appointment;
mod appointment_export;
mod as_of;
mod block;
mod booking_health;
mod busy;
mod busy_source;
mod busy_time;
mod cache;
mod conflict;
mod contact;
mod contact_reach;
mod customer;
mod customer_figures;
mod day;
mod day_hours;
mod demand;
mod dependency;
mod edit;
mod erasure;
mod explanation;
mod history;
mod hold;
mod hours;
mod intelligence;
mod item;
mod ledger;
mod moving;
mod naming;
mod opening_exception;
mod optimisation;
mod pairing;
mod past_visit;

mod people;
mod phrase;
mod progress;
mod projection;
mod proposal;
mod proposal_row;
mod purpose;
mod resource;
mod schedule;
mod series;
mod service;
mod settings;
mod staff;
mod stranding;
mod time_off;
mod undoable;
mod visit;
mod visits;
mod visits_in_time_off;
mod waitlist;
mod week;

use core::{ops::Deref, sync::atomic::Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, atomic::AtomicBool};

use ::cache::Cache as Answers;
use caller::{BusinessId, BusinessScope, InstallationScope, Method, Tenant, UserId};
use database::{Attempt, Database, to_db};
use jiff::Timestamp;
use prost::Message;
use sea_orm::Value;
use tonic::Status;
use uuid::Uuid;

use crate::{
    Error,
    measure::{Channel, Figure, Measure},
};
use cache::Cache;

/// The hot reads, whose plans are tested.
pub mod hot {
    pub use super::{
        appointment::{
            APPOINTMENT, APPOINTMENTS_BY_ID, APPOINTMENTS_BY_START, APPOINTMENTS_OF_SERIES, PAST_OF_CUSTOMER,
            UPCOMING_OF_CUSTOMER, VISITS_BY_START,
        },
        as_of::{SCHEDULE_AS_OF, SCHEDULE_AS_RECORDED, SCHEDULE_FORMAT, TAKEN_AS_OF, VERSIONS_BEFORE},
        block::BLOCKS_BY_START,
        booking_health::BOOKING_HEALTH,
        busy::KNOWN_FACTS,
        busy_source::{BUSY_SOURCES, LAPSED_SOURCES},
        busy_time::BUSY_WITHIN,
        conflict::CONFLICTS_BY_START,
        contact::{CONTACTED_VISITS, CONTACTS_OF},
        contact_reach::{CUSTOMERS_OF_PERSON, CUSTOMERS_OF_PHONES},
        customer::VISITS_TO_RENAME,
        customer_figures::VISITS_OF_CUSTOMER,
        day::DAYS,
        day_hours::DAYS_OF_STAFF,
        demand::UNMET_DEMAND,
        explanation::TAKEN,
        history::HAD,
        hold::{HOLDS_OF_CALL, HOLDS_OF_PERSON},
        intelligence::{MEASURED, TALLIES},
        ledger::{BOOKED_ROWS_BEFORE, BOOKED_ROWS_OF, CLOSE_EXPIRED, COLLIDING, VISIT_SPANS},
        pairing::{BOUGHT_TOGETHER, PAIRINGS_BY_ID},
        people::PEOPLE_AMONG,
        phrase::PHRASES_BY_COUNT,
        proposal::{OPEN_PROPOSALS, PROPOSAL_LINES},
        service::SERVICES_BY_CATEGORY,
        staff::STAFF,
        stranding::STAYS,
        time_off::{APPROVED_WITHIN, TIME_OFF_BY_START},
        visits::FACTS_OVER,
        visits_in_time_off::VISITS_IN_TIME_OFF,
        waitlist::{WAITING_BY_AGE, WAITING_FOR, WAITLIST_OF},
        week::WEEKS_OF_STAFF,
    };
}

pub use alias::Catalogue;
pub use appointment::{ItemNames, OfCustomer, StoredAppointment};
pub(crate) use as_of::{ScheduleBefore, plans};
pub use block::StoredBlock;
pub use booking_health::BookingHealth;
pub use busy_time::BusySpan;
pub use conflict::OpenConflict;
pub use customer::{CustomerVersion, save_customer};
pub use customer_figures::CustomerFigures;
pub(crate) use day::{Days, Lock};
pub use day_hours::EmployeeHours;
pub use demand::Unmet;
pub use edit::{NamedDifference, StoredEdit};
pub(crate) use history::Histories;
pub use hold::{HELD_FOR, NewHold};
pub(crate) use ledger::{BusyTime, days_of};
pub use moving::PlaceLeft;
pub(crate) use moving::Rearranged;
pub use naming::NAMINGS;
pub use pairing::{StoredMeasured, StoredPairing};
pub use projection::{save_business, save_employee};
pub use proposal_row::{LineParty, StoredProposal};
pub(crate) use purpose::Purpose;
pub use series::StoredSeries;
pub use service::ServiceKey;
pub use settings::{CATALOGUE, OPENING_HOURS, ScheduleVersion};
pub use staff::StaffSchedule;
pub(crate) use stranding::Coming;
pub use stranding::{ScheduleEdit, Stranded};
pub use time_off::{StoredTimeOff, Wanted};
pub use undoable::OwnChange;
pub use visit::TakenVisit;
pub(crate) use visit::days_of_rows;
pub(crate) use visits::{Affected, taken_together};
pub use visits_in_time_off::OverlappingVisit;
pub use waitlist::StoredEntry;
pub use week::Week;

/// Schedules change seldom: a read that meets this many changes gives up.
pub(crate) const ATTEMPTS: usize = 5;

/// The service's database, and what is kept of it in memory and in the shared cache.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    cache: Arc<Cache>,
    answers: Answers,
    measure: Measure,
    demand: Arc<demand::Counts>,
}

impl Store {
    /// A store without anything in memory.
    #[must_use]
    pub fn new(database: Database, answers: Answers, measure: Measure) -> Self {
        Self { database, cache: Arc::default(), answers, measure, demand: Arc::default() }
    }

    /// Answers that are kept for all replicas.
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// A transaction in one business, at the clock's time.
    #[must_use]
    pub fn begin(&self, scope: &impl Tenant) -> Tx {
        Tx {
            inner: self.database.tx(scope),
            business: scope.business(),
            changes_at: OnceLock::new(),
            changes_schedule: AtomicBool::new(false),
            channel: Channel::of(scope.actor()),
            figures: Mutex::default(),
            store: self.clone(),
        }
    }

    /// As [`Self::begin`], in the name of a person for whom the caller acts.
    #[must_use]
    pub fn begin_for(&self, scope: &impl Tenant, person: UserId) -> Tx {
        let tx = self.begin(scope);
        Tx { inner: tx.inner.on_behalf_of(person), ..tx }
    }

    /// Every business that is kept here.
    pub async fn businesses(&self, scope: &InstallationScope) -> Result<Vec<BusinessId>, Error> {
        let tx = self.database.installation_tx::<Error>(scope);
        let ids: Vec<Uuid> = tx.values("SELECT business_id FROM business_settings ORDER BY 1", []).await?;
        tx.commit().await?;
        Ok(ids.into_iter().map(BusinessId).collect())
    }

    /// Does a write once per idempotency key: `work` and its answer commit together, and a repeated request
    /// gets the answer of the first.
    ///
    /// # Errors
    /// Those of `work`, and [`Error::KeyReused`] for another request under the same key.
    pub async fn idempotent<R: Message + Default>(
        &self,
        scope: &BusinessScope,
        method: &'static Method,
        request: &impl Message,
        work: impl AsyncFnOnce(&Tx) -> Result<R, Status>,
    ) -> Result<R, Status> {
        Attempt::new(scope, method, request).once(self.begin(scope), work, Tx::commit).await
    }

    /// The time it is.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.database.clock().now()
    }

    /// An id for something new.
    #[must_use]
    pub fn new_id<T: From<Uuid>>(&self) -> T {
        self.database.clock().new_id().into()
    }
}

/// A transaction in one business; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    inner: database::Tx<Error>,
    business: BusinessId,
    changes_at: OnceLock<Timestamp>,
    changes_schedule: AtomicBool,
    channel: Channel,
    /// Counted when it commits.
    figures: Mutex<Vec<(Figure, u64)>>,
    store: Store,
}

impl Deref for Tx {
    type Target = database::Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl Tx {
    /// The business it takes place in.
    #[must_use]
    pub fn business(&self) -> BusinessId {
        self.business
    }

    /// Makes the changes last, and wakes the followers if any was published.
    pub async fn commit(self) -> Result<(), Error> {
        let (measure, channel) = (self.store.measure.clone(), self.channel);
        let figures = core::mem::take(&mut *self.figures.lock().unwrap_or_else(PoisonError::into_inner));
        self.commit_changes().await?;
        for (figure, count) in figures {
            measure.figure(figure, channel, count);
        }
        Ok(())
    }

    async fn commit_changes(self) -> Result<(), Error> {
        if !self.changes_schedule.load(Ordering::Relaxed) {
            return self.inner.commit().await;
        }
        self.record_schedule().await?;
        // Before followers hear of it: a reader who is told of the change must not find the old answer.
        let (answers, business) = (self.store.answers, self.business);
        self.inner.commit_around(|commit| answers.changing(&settings::ANSWERS, business, commit)).await
    }

    /// Ends it where it has only read.
    pub fn release(self) {
        self.inner.release();
    }

    /// Counts `figure` when the transaction commits.
    pub(crate) fn tally(&self, figure: Figure, count: usize) {
        if count > 0 {
            self.figures.lock().unwrap_or_else(PoisonError::into_inner).push((figure, count as u64));
        }
    }

    /// When the days that it has taken change.
    fn changes_at(&self) -> Value {
        to_db(self.changes_at.get().copied().unwrap_or(self.now())).into()
    }
}
