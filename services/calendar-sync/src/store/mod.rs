//! What is kept, and the only place that speaks SQL.

mod calendar;
mod demo_event;
mod employee;
mod plan;
mod read;
mod shortfall;
mod write;

#[cfg(test)]
mod explain;

pub use calendar::After;
pub use demo_event::{AfterEvent, Head, Stored};
pub use employee::save_employee;
pub use plan::Plan;
pub use read::ReadTurn;
pub use write::WriteTurn;

use boot::{
    clock::Clock,
    postgres::{Database, from_db, to_db},
};
use caller::{BusinessId, InstallationScope, Tenant};
use sea_orm::{DatabaseTransaction, DbBackend, Statement, Value, prelude::DateTimeUtc};

use crate::{SERVICE, domain::event::Span, error::Error};

/// The service's database.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
    clock: Clock,
}

impl Store {
    /// A store on `database`.
    #[must_use]
    pub fn new(database: Database, clock: Clock) -> Self {
        Self { database, clock }
    }

    /// Begins a transaction that sees one business.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub async fn begin(&self, tenant: &impl Tenant) -> Result<Tx, Error> {
        let inner = self.database.begin(tenant).await?;
        Ok(Tx { inner, business: tenant.business(), clock: self.clock.clone() })
    }

    /// Begins a transaction that sees what is due in every business.
    async fn begin_for_all(&self) -> Result<DatabaseTransaction, Error> {
        Ok(self.database.begin_installation(&InstallationScope::worker(SERVICE)).await?)
    }
}

/// A transaction in one business; rolled back unless committed.
#[derive(Debug)]
pub struct Tx {
    inner: DatabaseTransaction,
    business: BusinessId,
    clock: Clock,
}

impl Tx {
    /// Commits.
    ///
    /// # Errors
    /// When the commit fails; nothing is kept then.
    pub async fn commit(self) -> Result<(), Error> {
        Ok(self.inner.commit().await?)
    }

    /// The plan of what is to be written to the business's calendars.
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        Plan::new(&self.inner, self.business, self.clock.now())
    }
}

fn statement<const N: usize>(sql: &str, values: [Value; N]) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, sql, values)
}

/// The span of a row, which the table checks.
fn span(table: &'static str, id: &str, starts: DateTimeUtc, ends: DateTimeUtc) -> Result<Span, Error> {
    let span = Span::new(from_db(starts), from_db(ends));
    span.ok_or_else(|| Error::Unreadable { table, id: id.to_owned() })
}

/// An instant as `jsonb_to_recordset` reads it.
fn text(at: jiff::Timestamp) -> String {
    from_db(to_db(at)).to_string()
}
