//! Connects a calendar of an employee.

use std::sync::Arc;

use caller::{Actor, BusinessScope, Role, Tenant};
use tokio::sync::Notify;

use super::CheckEmployee;
use crate::{
    domain::{
        CalendarId, EmployeeId,
        calendar::{Calendar, Listed},
    },
    error::Error,
    store::{Store, Tx},
};

/// Connects demo calendars.
#[derive(Debug, Clone)]
pub struct ConnectCalendar {
    /// Where they are kept.
    pub store: Store,
    /// Knows the employees.
    pub employees: CheckEmployee,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
    /// Whether simulated calendars are connected.
    pub demo: bool,
}

impl ConnectCalendar {
    /// Connects a calendar; connecting the same one again changes nothing.
    ///
    /// # Errors
    /// As [`Self::connect_in`]; what [`CheckEmployee::check`] refuses.
    pub async fn connect(&self, scope: &BusinessScope, calendar: &Calendar) -> Result<Listed, Error> {
        self.employees.check(scope, calendar.employee).await?;
        let tx = self.store.begin(scope);
        let connected = self.connect_in(&tx, scope, calendar).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(connected)
    }

    /// As [`Self::connect`], of an employee who was checked, in a transaction that the caller commits.
    ///
    /// # Errors
    /// [`Error::CalendarExists`] when the id is another calendar's; [`Error::NotOwnEmployee`] for someone else's
    /// calendar, below OWNER; [`Error::NoDemo`].
    pub async fn connect_in(
        &self,
        tx: &Tx,
        scope: &BusinessScope,
        calendar: &Calendar,
    ) -> Result<Listed, Error> {
        if !self.demo {
            return Err(Error::NoDemo);
        }
        require_own(scope, tx, calendar.employee).await?;
        if tx.add_calendar(calendar).await? {
            begin_sync(tx, calendar).await?;
        }
        let connected = tx.calendar(calendar.id).await?;
        if connected.calendar == *calendar { Ok(connected) } else { Err(Error::CalendarExists) }
    }

    /// Makes a calendar due now, for a person who has put right what stopped it: its reading and what waits to be
    /// written to it after failures. Where the calendar asked to wait, neither comes sooner than that.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn retry(&self, scope: &BusinessScope, calendar: CalendarId) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        tx.calendar(calendar).await?;
        tx.retry_read(calendar).await?;
        tx.retry_failed_writes(calendar).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }
}

/// Whether the caller may connect calendars to anyone; others connect their own alone.
#[must_use]
pub fn may_connect_others(scope: &BusinessScope) -> bool {
    !matches!(scope.actor(), Actor::Person { .. }) || scope.role() >= Role::Owner
}

/// Refuses an employee who is not the caller, unless the caller may connect calendars to anyone.
///
/// # Errors
/// [`Error::NotOwnEmployee`].
pub(super) async fn require_own(scope: &BusinessScope, tx: &Tx, employee: EmployeeId) -> Result<(), Error> {
    let Actor::Person { user, .. } = scope.actor() else { return Ok(()) };
    if may_connect_others(scope) || tx.account_of(employee).await? == Some(user) {
        return Ok(());
    }
    Err(Error::NotOwnEmployee)
}

/// Makes a new calendar due, and plans in it what its employee has to do.
async fn begin_sync(tx: &Tx, calendar: &Calendar) -> Result<(), Error> {
    tx.add_sync_state(calendar.id, "").await?;
    tx.add_demo_calendar(calendar.id).await?;
    tx.plan().await?.connect(calendar).await
}
