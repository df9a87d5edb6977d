//! Connects an employee to a calendar on a CalDAV server.

use std::sync::Arc;

use caller::BusinessScope;
use outgoing::Records;
use tokio::sync::Notify;
use url::Url;

use super::{CheckEmployee, connect_calendar::require_own, disconnect_calendar::keep_same};
use crate::{
    domain::{
        CalendarId, EmployeeId,
        caldav::{Account, AccountFault, Found, Password},
        calendar::{Calendar, Kind, Listed},
        slots::server_of,
    },
    error::Error,
    outside::{caldav, web::Web},
    store::Store,
    vault::Vault,
};

/// Finds calendars on CalDAV servers and connects them.
#[derive(Debug)]
pub struct ConnectCaldav {
    /// Where they are kept.
    pub store: Store,
    /// Knows the employees.
    pub employees: CheckEmployee,
    /// Seals the passwords.
    pub vault: Vault,
    /// Asks the servers.
    pub web: Web,
    /// Knows which server a domain names.
    pub records: Records,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

impl ConnectCaldav {
    /// The calendars of an account; nothing of it is kept.
    ///
    /// # Errors
    /// [`Error::Account`].
    pub async fn find(&self, account: &Account) -> Result<Vec<Found>, Error> {
        Ok(caldav::calendars(&self.web, &self.records, account).await?)
    }

    /// Connects one of an account's calendars.
    ///
    /// # Errors
    /// [`Error::Account`] when the account does not have it or may not write to it; [`Error::Connected`];
    /// [`Error::StillEnding`];
    /// [`Error::NotOwnEmployee`] for someone else's calendar, below OWNER; what [`CheckEmployee::check`] refuses.
    pub async fn connect(
        &self,
        scope: &BusinessScope,
        account: &Account,
        url: &Url,
        employee: EmployeeId,
    ) -> Result<Listed, Error> {
        self.employees.check(scope, employee).await?;
        let tx = self.store.begin(scope);
        require_own(scope, &tx, employee).await?;
        tx.commit().await?;
        self.employees.learn_zone(scope).await?;
        let found = self.find(account).await?;
        let found = found.into_iter().find(|found| found.url == *url).ok_or(AccountFault::NoCalendar)?;
        if !found.is_writable {
            return Err(AccountFault::ReadOnly.into());
        }
        let tx = self.store.begin(scope);
        let same = tx.ending_caldav_calendar(url).await?;
        let calendar = if let Some(kept) = keep_same(&tx, same, employee).await? {
            let password = self.vault.seal(&tx, kept.id.0, &account.password).await?;
            tx.change_caldav_account(kept.id, &account.username, &password).await?;
            kept
        } else {
            let calendar = Calendar { id: tx.new_id(), kind: Kind::Caldav, employee, name: found.name };
            tx.add_calendar(&calendar).await?;
            let password = self.vault.seal(&tx, calendar.id.0, &account.password).await?;
            tx.add_caldav_calendar(calendar.id, url, &account.username, &password).await?;
            tx.add_sync_state(calendar.id, &server_of(url)).await?;
            tx.plan().await?.connect(&calendar).await?;
            calendar
        };
        let connected = tx.calendar(calendar.id).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(connected)
    }

    /// Replaces the password of a calendar, once its server has taken it.
    ///
    /// # Errors
    /// [`Error::Account`]; [`Error::NotFound`]; [`Error::NotOwnEmployee`].
    pub async fn change_password(
        &self,
        scope: &BusinessScope,
        calendar: CalendarId,
        password: Password,
    ) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        let stored = tx.caldav_calendar(calendar).await?;
        require_own(scope, &tx, tx.calendar(calendar).await?.calendar.employee).await?;
        tx.commit().await?;
        let server = stored.collection.to_string();
        let account = Account { server, username: stored.username, password };
        let found = self.find(&account).await?;
        if !found.iter().any(|found| found.url == stored.collection) {
            return Err(AccountFault::NoCalendar.into());
        }
        let tx = self.store.begin(scope);
        let sealed = self.vault.seal(&tx, calendar.0, &account.password).await?;
        tx.change_caldav_password(calendar, &sealed).await?;
        tx.make_due(calendar).await?;
        tx.make_writes_due(&[calendar]).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }
}
