//! What is kept, and the only place that speaks SQL.

mod call;
mod call_export;
mod call_health;
mod call_list;
mod call_note;
mod call_search;
mod call_view;
mod customer;
mod delivery;
mod erasure;
mod figure_change;
mod insight;
mod naming;
mod notice;
mod past_call;
mod past_run;
mod product_event;
mod recording;
mod recording_piece;
mod tool_call;
mod transcript;

#[cfg(test)]
mod explain;
#[cfg(test)]
mod explain_search;

pub use call_health::CallHealth;
pub use call_list::After;
pub use call_note::NoteKey;
pub use call_search::Wanted;
pub use call_view::CallView;
pub(crate) use customer::save_customer;
pub use delivery::{Arrival, Delivery, DeliveryId};
pub use naming::NAMINGS;
pub use notice::Notices;
pub use past_run::PastRow;
pub use product_event::{Steps, WantedEvents};

use core::ops::Deref;

use caller::{BusinessId, BusinessScope, InstallationScope, Method, Tenant};
use database::{Attempt, Database};
use jiff::Timestamp;
use prost::Message;
use tonic::Status;

use crate::error::Error;

/// The service's database.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
}

impl Store {
    /// A store on `database`.
    #[must_use]
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// A transaction that sees one business.
    #[must_use]
    pub fn begin(&self, tenant: &impl Tenant) -> Tx {
        Tx { inner: self.database.tx(tenant), business: tenant.business() }
    }

    /// A transaction that sees every business.
    #[must_use]
    pub fn begin_installation(&self, scope: &InstallationScope) -> InstallationTx {
        InstallationTx { inner: self.database.installation_tx(scope) }
    }

    /// Does a write once per idempotency key: `work` and its answer commit together, and a repeated request gets the
    /// answer of the first.
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
}

/// A transaction in one business; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    inner: database::Tx<Error>,
    business: BusinessId,
}

impl Deref for Tx {
    type Target = database::Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl Tx {
    /// Makes the changes last, and wakes the followers if any was published.
    pub async fn commit(self) -> Result<(), Error> {
        self.inner.commit().await
    }

    /// Ends it where it has only read.
    pub fn release(self) {
        self.inner.release();
    }
}

/// A transaction across businesses; rolled back unless committed.
#[derive(Debug)]
pub struct InstallationTx {
    inner: database::Tx<Error>,
}

impl Deref for InstallationTx {
    type Target = database::Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl InstallationTx {
    /// Ends it; what it did is recorded.
    pub async fn commit(self) -> Result<(), Error> {
        self.inner.commit().await
    }
}
