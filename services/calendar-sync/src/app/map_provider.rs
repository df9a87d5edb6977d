//! Says which employee or service here each record of a booking system is.

use std::sync::Arc;

use caller::BusinessScope;
use tokio::sync::Notify;
use uuid::Uuid;

use super::{
    AskBook, CheckEmployee,
    disconnect_calendar::{go_on, leave},
};
use crate::{
    domain::{
        ConnectionId, EmployeeId,
        calendar::{Calendar, Kind},
        cleanup::{Standing, Written},
        provider::{Connection, Mapped, Named, ProviderKind, Record, RecordKind},
        slots::booking_system,
    },
    error::Error,
    store::{Store, Tx},
};

/// How often a booking system of others is read at most: all of a year ahead, in some of them.
const POLLED_SECONDS: i32 = 60;

/// Maps records.
#[derive(Debug, Clone)]
pub struct MapProvider {
    /// Where they are kept.
    pub store: Store,
    /// Knows employees.
    pub employees: CheckEmployee,
    /// Knows the salon's services.
    pub book: AskBook,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

/// Both sides' employees and services.
#[derive(Debug)]
pub struct Records {
    /// Theirs.
    pub theirs: Vec<Record>,
    /// Our employees.
    pub employees: Vec<Named<Uuid>>,
    /// Our services.
    pub services: Vec<Named<Uuid>>,
    /// The calendars that stand for employees there.
    pub mapped: Vec<Mapped>,
}

impl MapProvider {
    /// Their records beside our employees and services.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Book`].
    pub async fn records(&self, scope: &BusinessScope, id: ConnectionId) -> Result<Records, Error> {
        let tx = self.store.begin(scope);
        tx.connection(id).await?;
        let theirs = tx.records(id).await?;
        let mapped = tx.mapped_calendars(id).await?;
        tx.commit().await?;
        let day = self.book.day(scope, None).await?;
        let employees = day.columns.into_iter().filter_map(|column| {
            Some(Named { id: column.employee_id.parse().ok()?, name: column.employee_name })
        });
        let services = self.book.services(scope).await?;
        Ok(Records { theirs, employees: employees.collect(), services, mapped })
    }

    /// Says whose a record is here. A mapped employee's appointments are kept in step from then on. Of one who is mapped to
    /// none, those to come stay there or are taken out first; while that is under way, asking for it again tries what failed
    /// once more, and asking to leave them ends it.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Mapped`]; [`Error::LettingGo`]; [`Error::StillEnding`];
    /// [`Error::UnknownEmployee`]; [`Error::UnknownService`].
    pub async fn map(
        &self,
        scope: &BusinessScope,
        id: ConnectionId,
        (kind, external): (RecordKind, &str),
        mapped: Option<Uuid>,
        written: Written,
    ) -> Result<(), Error> {
        match (kind, mapped) {
            (RecordKind::Employee, Some(employee)) => {
                self.employees.check(scope, EmployeeId(employee)).await?;
            }
            (RecordKind::Service, Some(service)) => self.check_service(scope, service).await?,
            (_, None) => {}
        }
        let tx = self.store.begin(scope);
        let connection = tx.connection(id).await?;
        if connection.ending_since.is_some() {
            return Err(Error::StillEnding);
        }
        if kind == RecordKind::Employee && mapped.is_none() {
            // A calendar is locked before its record, as where it is disconnected.
            let_go(&tx, id, external, written).await?;
        }
        tx.map_record(id, kind, external, mapped).await?;
        if let (RecordKind::Employee, Some(employee)) = (kind, mapped) {
            follow(&tx, connection, external, EmployeeId(employee)).await?;
        }
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }

    async fn check_service(&self, scope: &BusinessScope, service: Uuid) -> Result<(), Error> {
        let known = self.book.services(scope).await?.iter().any(|known| known.id == service);
        if known { Ok(()) } else { Err(Error::UnknownService) }
    }
}

/// Keeps a mapped employee's appointments in step.
async fn follow(
    tx: &Tx,
    Connection { id, kind, label, .. }: Connection,
    external: &str,
    employee: EmployeeId,
) -> Result<(), Error> {
    if let Some(calendar) = tx.calendar_of_record(id, external).await? {
        return Err(match tx.standing(calendar).await?.0 {
            Standing::Connected => Error::Mapped,
            Standing::CleanedUp => Error::StillEnding,
            Standing::Left => Error::LettingGo,
        });
    }
    let calendar = Calendar { id: tx.new_id(), kind: Kind::Provider, employee, name: label };
    tx.add_calendar(&calendar).await?;
    tx.add_provider_calendar(calendar.id, id, external).await?;
    tx.add_sync_state(calendar.id, &booking_system(kind.name(), kind.profile())).await?;
    if kind != ProviderKind::Demo {
        tx.space_reads(calendar.id, POLLED_SECONDS).await?;
    }
    tx.plan().await?.connect(&calendar).await
}

/// Keeps the appointments of an employee who is mapped to none in step no longer.
async fn let_go(tx: &Tx, id: ConnectionId, external: &str, written: Written) -> Result<(), Error> {
    let Some(calendar) = tx.calendar_of_record(id, external).await? else { return Ok(()) };
    match tx.standing(calendar).await?.0 {
        Standing::Connected => leave(tx, &[calendar], written).await,
        Standing::CleanedUp => go_on(tx, &[calendar], written).await,
        Standing::Left => Ok(()),
    }
}
