//! Says which employee or service here each record of a booking system is.

use std::sync::Arc;

use caller::BusinessScope;
use tokio::sync::Notify;
use uuid::Uuid;

use super::{AskBook, CheckEmployee};
use crate::{
    domain::{
        ConnectionId, EmployeeId,
        calendar::{Calendar, Kind},
        provider::{Connection, Named, ProviderKind, Record, RecordKind},
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
        tx.commit().await?;
        let day = self.book.day(scope, None).await?;
        let employees = day.columns.into_iter().filter_map(|column| {
            Some(Named { id: column.employee_id.parse().ok()?, name: column.employee_name })
        });
        Ok(Records { theirs, employees: employees.collect(), services: self.book.services(scope).await? })
    }

    /// Says whose a record is here. A mapped employee's appointments are kept in step from then on.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Mapped`]; [`Error::LettingGo`]; [`Error::UnknownEmployee`];
    /// [`Error::UnknownService`].
    pub async fn map(
        &self,
        scope: &BusinessScope,
        id: ConnectionId,
        kind: RecordKind,
        external: &str,
        mapped: Option<Uuid>,
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
        tx.map_record(id, kind, external, mapped).await?;
        if kind == RecordKind::Employee {
            follow(&tx, connection, external, mapped.map(EmployeeId)).await?;
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

/// Keeps a mapped employee's appointments in step, and no longer those of one who is mapped to none.
async fn follow(
    tx: &Tx,
    Connection { id, kind, label, .. }: Connection,
    external: &str,
    mapped: Option<EmployeeId>,
) -> Result<(), Error> {
    match (tx.calendar_of_record(id, external).await?, mapped) {
        (Some(calendar), Some(_)) if tx.is_leaving(calendar).await? => Err(Error::LettingGo),
        (Some(_), Some(_)) => Err(Error::Mapped),
        (Some(calendar), None) => tx.leave_calendar(calendar).await,
        (None, None) => Ok(()),
        (None, Some(employee)) => {
            let calendar = Calendar { id: tx.new_id(), kind: Kind::Provider, employee, name: label };
            tx.add_calendar(&calendar).await?;
            tx.add_provider_calendar(calendar.id, id, external).await?;
            tx.add_sync_state(calendar.id).await?;
            if kind != ProviderKind::Demo {
                tx.space_reads(calendar.id, POLLED_SECONDS).await?;
            }
            tx.plan().await?.connect(&calendar).await
        }
    }
}
