//! Connects an employee to a calendar of the caller's own account at Google.

use std::sync::Arc;

use caller::{Actor, BusinessScope, Tenant, UserId};
use proto::label::cleaned;
use tokio::sync::Notify;

use super::{CheckEmployee, connect_calendar::require_own, disconnect_calendar::keep_same};
use crate::{
    domain::{
        CalendarId, EmployeeId,
        calendar::{Calendar, Kind, Listed},
        consent::PersonCalendar,
        slots::GOOGLE,
    },
    error::Error,
    outside::google::Google,
    store::Store,
};

/// Connects calendars at Google.
#[derive(Debug, Clone)]
pub struct ConnectGoogle {
    /// Where they are kept.
    pub store: Store,
    /// Knows the employees.
    pub employees: CheckEmployee,
    /// Google, where this installation is known there.
    pub google: Option<Google>,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

impl ConnectGoogle {
    /// Connects one of the calendars that the caller's account may write to.
    ///
    /// # Errors
    /// [`Error::GoogleConsentMissing`]; [`Error::NoGoogleCalendar`]; [`Error::Connected`]; [`Error::StillEnding`];
    /// [`Error::NotOwnEmployee`] for someone else's calendar, below OWNER; what [`CheckEmployee::check`] refuses.
    pub async fn connect(
        &self,
        scope: &BusinessScope,
        external_id: &str,
        employee: EmployeeId,
    ) -> Result<Listed, Error> {
        let Actor::Person { user, .. } = scope.actor() else { return Err(Error::GoogleConsentMissing) };
        self.connect_of(scope, user, self.store.new_id(), external_id, employee).await
    }

    /// As [`Self::connect`], for a calendar of the account of `user`, under this id.
    ///
    /// # Errors
    /// As [`Self::connect`]; [`Error::CalendarExists`] when the id is another calendar's.
    pub async fn connect_of(
        &self,
        scope: &BusinessScope,
        user: UserId,
        id: CalendarId,
        external_id: &str,
        employee: EmployeeId,
    ) -> Result<Listed, Error> {
        let google = self.google.as_ref().ok_or(Error::NoGoogle)?;
        self.employees.check(scope, employee).await?;
        self.employees.learn_zone(scope).await?;
        let tx = self.store.begin(scope);
        require_own(scope, &tx, employee).await?;
        tx.commit().await?;
        let tx = self.store.begin_for_people();
        // A consent that is being withdrawn opens no calendar anew.
        let grant = tx.google_grant(user).await?.filter(|grant| grant.ending_since.is_none());
        tx.commit().await?;
        grant.ok_or(Error::GoogleConsentMissing)?;
        let (found, account) = google.calendar(user, external_id).await?.ok_or(Error::NoGoogleCalendar)?;
        let name: String = cleaned(found.name()).chars().take(PersonCalendar::LONGEST_NAME).collect();
        let tx = self.store.begin(scope);
        let same = tx.ending_google_calendar(&found.id).await?;
        let calendar = if let Some(kept) = keep_same(&tx, same, employee).await? {
            tx.change_google_account(kept.id, user, &account).await?;
            kept
        } else {
            let calendar = Calendar { id, kind: Kind::Google, employee, name };
            if !tx.add_calendar(&calendar).await? {
                return Err(Error::CalendarExists);
            }
            tx.add_google_calendar(calendar.id, user, &account, &found.id).await?;
            tx.add_sync_state(calendar.id, GOOGLE).await?;
            tx.plan().await?.connect(&calendar).await?;
            calendar
        };
        let connected = tx.calendar(calendar.id).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(connected)
    }
}
