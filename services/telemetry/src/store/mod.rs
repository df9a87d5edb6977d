//! What is kept, and the only place that speaks SQL.

mod call;
mod delivery;
mod tool_call;
mod transcript;

#[cfg(test)]
mod explain;

pub use call::After;
pub use delivery::{Arrival, Delivery, DeliveryId};

use boot::{clock::Clock, postgres::Database};
use caller::{BusinessId, Tenant};
use outbox::Wake;
use sea_orm::{DatabaseTransaction, DbBackend, Statement, Value};

use crate::error::Error;

/// The service's database.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    clock: Clock,
    wake: Wake,
}

impl Store {
    /// A store on `database` that wakes the log's readers after each change.
    #[must_use]
    pub fn new(database: Database, clock: Clock, wake: Wake) -> Self {
        Self { database, clock, wake }
    }

    /// Begins a transaction that sees one business.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub async fn begin(&self, tenant: &impl Tenant) -> Result<Tx, Error> {
        let inner = self.database.begin(tenant).await?;
        let (clock, wake) = (self.clock.clone(), self.wake.clone());
        Ok(Tx { inner, business: tenant.business(), clock, wake })
    }
}

/// A transaction in one business; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    inner: DatabaseTransaction,
    business: BusinessId,
    clock: Clock,
    wake: Wake,
}

impl Tx {
    /// Commits, and wakes whoever reads the log.
    ///
    /// # Errors
    /// When the commit fails; nothing is kept then.
    pub async fn commit(self) -> Result<(), Error> {
        self.inner.commit().await?;
        self.wake.wake();
        Ok(())
    }

    /// Ends a transaction that only read.
    ///
    /// # Errors
    /// When the connection broke.
    pub async fn end(self) -> Result<(), Error> {
        Ok(self.inner.commit().await?)
    }
}

fn statement<const N: usize>(sql: &str, values: [Value; N]) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}
