//! Postgres. What is here alone speaks SQL.
//!
//! A transaction starts from a scope and is bound to it: [`Tx`] to one business,
//! [`InstallationTx`] to none. A change and its event share the transaction.

mod agent_chat;
mod agent_publication;
mod agent_settings;
mod business;
mod call_check;
mod customer;
mod customer_export;
mod customer_merge;
mod customer_note;
mod customer_record;
mod data_key;
mod employee;
mod erasure;
mod follow_up;
mod import;
mod import_line;
mod item;
mod logo;
mod naming;
mod stock;
mod supplier;
mod undoable;
mod unread_call;
mod voice_connection;

use core::{
    ops::Deref,
    sync::atomic::{AtomicBool, Ordering},
};
use std::sync::OnceLock;

use boot::clock::Clock;
use cache::Cache;
use caller::{BusinessId, BusinessScope, InstallationScope, Method, Tenant, UserId};
use database::{Attempt, Database, Named, named};
use prost::Message;
use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};
use sea_orm::DbErr;
use tonic::Status;

pub use agent_chat::RECENT_AGENT_CHATS;
pub use agent_publication::{AGENT_PUBLICATIONS, PublicationTurn};
pub use agent_settings::AGENT_VERSIONS;
pub use business::{BUSINESS, SETUPS};
pub use call_check::{CallCheckTurn, ClaimedCallCheck};
pub use customer::{
    CUSTOMER_BY_ID, CUSTOMERS_AMONG, CUSTOMERS_BY_NAME, CUSTOMERS_BY_PHONE, CUSTOMERS_LIKE, CUSTOMERS_NAMED,
};
pub use customer_merge::NamedMerge;
pub use customer_note::{CUSTOMER_NOTES, NoteKey, PINNED_NOTES, SignedNote};
pub use customer_record::{CONSENT_CHANGES, FORMULAS, PATCH_TESTS};
pub use employee::{EMPLOYEE_ANYWHERE, EMPLOYEES_AMONG, EMPLOYEES_BY_NAME};
pub use erasure::{ERASURE, ErasureTurn, OPEN_ERASURES};
pub use follow_up::{
    DONE_FOLLOW_UPS, FOLLOW_UPS_OF_CALL, FOLLOW_UPS_OF_CUSTOMER, FOLLOW_UPS_OF_PHONE, FollowUpsOf,
    NamedFollowUp, OPEN_FOLLOW_UPS, due,
};
pub use import::{IMPORTS_LATEST, ImportTurn, finished_at as import_finished_at};
pub use import_line::{IMPORT_LINES, ImportLine, LineOutcome};
pub use item::{
    ITEM_CATEGORIES, ITEMS_BY_NAME, ITEMS_LIKE, ITEMS_OF_CATEGORY, ItemCodes, LOW_ITEMS, SuppliedItem,
    WantedItems,
};
pub use stock::{PastMovement, STOCK_MOVEMENTS, SignedMovement};
pub use supplier::SUPPLIERS_BY_NAME;
pub use voice_connection::{
    RotatedSecrets, SEALED_CONNECTIONS, SealedConnection, SealedSecrets, VOICE_CONNECTIONS_BY_LABEL,
};

use crate::{
    Error,
    domain::{Business, Listing},
};

/// The service's database, and the answers that are kept of it.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    answers: Cache,
}

impl Store {
    /// A store on `database`.
    #[must_use]
    pub fn new(database: Database, answers: Cache) -> Self {
        Self { database, answers }
    }

    /// Answers that are kept for all replicas.
    #[must_use]
    pub fn answers(&self) -> &Cache {
        &self.answers
    }

    /// The clock rows are dated with.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        self.database.clock()
    }

    /// A transaction in the business of `scope`.
    #[must_use]
    pub fn begin(&self, scope: &impl Tenant) -> Tx {
        Tx {
            inner: self.database.tx(scope),
            business: scope.business(),
            answers: self.answers.clone(),
            changes_business: AtomicBool::new(false),
        }
    }

    /// As [`Self::begin`], in the name of a person for whom the caller acts.
    #[must_use]
    pub fn begin_for(&self, scope: &impl Tenant, person: UserId) -> Tx {
        let tx = self.begin(scope);
        Tx { inner: tx.inner.on_behalf_of(person), ..tx }
    }

    /// A transaction across businesses.
    #[must_use]
    pub fn begin_installation(&self, scope: &InstallationScope) -> InstallationTx {
        let inner = self.database.installation_tx(scope);
        InstallationTx { inner, answers: self.answers.clone(), changed: OnceLock::new() }
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

    /// As [`Self::idempotent`], for a write across businesses.
    ///
    /// # Errors
    /// As [`Self::idempotent`].
    pub async fn idempotent_across<R: Message + Default>(
        &self,
        scope: &InstallationScope,
        method: &'static Method,
        request: &impl Message,
        work: impl AsyncFnOnce(&InstallationTx) -> Result<R, Status>,
    ) -> Result<R, Status> {
        let tx = self.begin_installation(scope);
        Attempt::across(scope, method, request).once(tx, work, InstallationTx::commit).await
    }
}

/// A transaction in one business; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    inner: database::Tx<Error>,
    business: BusinessId,
    answers: Cache,
    /// Whether the answers about the business change with the commit.
    changes_business: AtomicBool,
}

impl Deref for Tx {
    type Target = database::Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl Tx {
    /// The business it is in.
    #[must_use]
    pub fn business_id(&self) -> BusinessId {
        self.business
    }

    /// Makes the changes last, and wakes the followers if any was published.
    pub async fn commit(self) -> Result<(), Error> {
        let Self { inner, business, answers, changes_business } = self;
        if !changes_business.into_inner() {
            return inner.commit().await;
        }
        commit_business(inner, answers, business).await
    }

    /// Publishes a change of the business, whose kept answers change with the commit.
    pub async fn publish_business(&self, business: &Business) -> Result<(), Error> {
        self.changes_business.store(true, Ordering::Relaxed);
        let payload = Payload::Business(pb::Business::from(business));
        self.inner.publish_change(business.id.0, business.version, payload).await
    }
}

/// Commits a change of a business. Its kept answers go before followers hear of it: a reader who is told of the
/// change must not find the old answer.
async fn commit_business(
    inner: database::Tx<Error>,
    answers: Cache,
    business: BusinessId,
) -> Result<(), Error> {
    inner.commit_around(|commit| answers.changing(&[BUSINESS], business, commit)).await
}

/// A transaction across businesses; rolled back unless committed.
#[derive(Debug)]
pub struct InstallationTx {
    inner: database::Tx<Error>,
    answers: Cache,
    /// The business whose answers change with the commit.
    changed: OnceLock<BusinessId>,
}

impl Deref for InstallationTx {
    type Target = database::Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl InstallationTx {
    /// Makes the changes last, and wakes the followers if any was published.
    pub async fn commit(self) -> Result<(), Error> {
        let Self { inner, answers, changed } = self;
        let Some(business) = changed.into_inner() else { return inner.commit().await };
        commit_business(inner, answers, business).await
    }

    /// Publishes a change of a business, whose kept answers change with the commit.
    pub async fn publish_business(
        &self,
        business: BusinessId,
        version: i64,
        payload: Payload,
    ) -> Result<(), Error> {
        self.changed.get_or_init(|| business);
        self.inner.publish_change_in(Some(business), business.0, version, payload).await
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
    /// The record, created now or before.
    pub fn record(self) -> T {
        match self {
            Self::New(record) | Self::Before(record) => record,
        }
    }
}

/// Parameters of a list's queries: where to begin, and how many rows.
fn page(Listing { limit, after }: &Listing) -> Named {
    named! { after_name: after.name.as_str(), after_id: after.id, limit: i64::from(*limit) }
}

/// A constraint's name, and what its violation means.
type Reason = (&'static str, fn() -> Error);

/// A database error by the constraint it names; `reasons` are those of one statement.
fn refused(error: DbErr, reasons: &[Reason]) -> Error {
    let constraint = database::constraint(&error);
    let reason = reasons.iter().find(|(name, _)| constraint.as_deref() == Some(name));
    reason.map_or_else(|| error.into(), |(_, reason)| reason())
}

/// The reason of every `…_business` constraint.
fn no_business() -> Error {
    Error::NotFound("business")
}
