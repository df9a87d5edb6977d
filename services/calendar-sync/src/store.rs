//! What is kept, and the only place that speaks SQL.

mod appointment_sync;
mod business;
mod caldav;
mod calendar;
mod calendar_cleanup;
mod calendar_feed;
mod calendar_health;
mod calendar_server;
mod consent;
mod consistency;
mod data_key;
mod demo_event;
mod due_work;
mod employee;
mod erasure;
mod google_calendar;
mod google_channel;
mod google_grant;
mod google_withdrawal;
mod ics;
mod naming;
mod plan;
mod provider;
mod provider_appointment;
mod provider_calendar;
mod provider_run;
mod provider_turn;
mod read_siblings;
mod read_turn;
mod shortfall;
mod source_report;
mod sync_history;
mod unread_entry;
mod write_turn;

#[cfg(test)]
mod explain;

pub use appointment_sync::{AfterAppointment, SyncState, SyncedAppointment, SyncedEvent};
pub use business::save_business;
pub use calendar::After;
pub use calendar_cleanup::{Same, leave_calendars_of};
pub use calendar_health::CalendarHealth;
pub use consent::{KeptQuestion, KeptVerifier};
pub use consistency::{Checked, Planned};
pub use demo_event::{AfterEvent, Head};
pub use due_work::Due;
pub use employee::{revoke_addresses_of, revoke_addresses_of_others, save_employee};
pub use google_calendar::GoogleCalendar;
pub use google_grant::{SealedTokens, StoredGrant};
pub use naming::NAMINGS;
pub use plan::Plan;
pub use provider_appointment::{KnownAppointment, Sent, There};
pub use provider_run::{Ending, Run, RunId};
pub use read_turn::{Read, ReadTurn, Reading};
pub use source_report::SourceReport;
pub use sync_history::HistoryLine;
pub use write_turn::{Rests, WriteTurn};

use core::ops::Deref;

use caller::{BusinessId, BusinessScope, InstallationScope, Method, Tenant};
use database::{Attempt, Database, Named, from_db, named, to_db};
use prost::Message;
use sea_orm::prelude::DateTimeUtc;
use tonic::Status;
use uuid::Uuid;

use crate::{
    SERVICE,
    domain::{CalendarId, event::Span, lease::Lease, slots::Full},
    error::Error,
};

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

    /// An id for something new.
    #[must_use]
    pub fn new_id<T: From<Uuid>>(&self) -> T {
        self.database.clock().new_id().into()
    }

    /// A transaction that sees what is due in every business.
    fn begin_for_all(&self) -> database::Tx<Error> {
        self.database.installation_tx(&InstallationScope::worker(SERVICE))
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
    /// Makes the changes last.
    ///
    /// # Errors
    /// When the commit fails; nothing is kept then.
    pub async fn commit(self) -> Result<(), Error> {
        self.inner.commit().await
    }

    /// The business it sees.
    #[must_use]
    pub fn business(&self) -> BusinessId {
        self.business
    }

    fn calendar_key(&self, calendar: CalendarId) -> Named {
        named! { business_id: self.business.0, calendar_id: calendar.0 }
    }

    /// Takes the business's plan. It comes after calendars are locked and before several of their writes are: what
    /// follows the book plans many appointments in one transaction, which locks writes in no order of ids.
    async fn lock_plan(&self) -> Result<(), Error> {
        self.plan().await?.lock().await
    }

    /// The plan of what is to be written to the business's calendars.
    pub async fn plan(&self) -> Result<Plan<'_>, Error> {
        Ok(Plan::new(self.open().await?, self.business, self.now()))
    }
}

/// Parameters that every claim has.
fn claim(tx: &database::Tx<Error>, limit: usize, lease: Lease) -> Named {
    named! {
        now: tx.at(),
        limit: i64::try_from(limit).unwrap_or(i64::MAX),
        lease: lease.id,
        leased_until: to_db(lease.until),
    }
}

/// Parameters of a claim that passes over what is full.
fn without(full: Full) -> Named {
    let businesses: Vec<Uuid> = full.businesses.into_iter().map(|business| business.0).collect();
    named! { full_servers: full.servers, full_businesses: businesses }
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
