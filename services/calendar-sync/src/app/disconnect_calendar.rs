//! Disconnects calendars: at once, or after the appointments to come were taken out of them.

use caller::BusinessScope;

use super::{ConnectCalendar, connect_calendar::require_own};
use crate::{
    domain::{
        CalendarId, EmployeeId,
        calendar::{Calendar, Kind},
        cleanup::{Standing, Written},
    },
    error::Error,
    store::{Same, Tx},
};

impl ConnectCalendar {
    /// Disconnects a calendar: what was told of it is taken back, then it is forgotten, with what opens it. Where
    /// appointments are to be taken out, that comes in between. Of a calendar that this is under way for, what failed is
    /// tried again, or it is forgotten at once and the rest stays there.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::NotOwnEmployee`] for someone else's calendar, below OWNER.
    pub async fn disconnect(
        &self,
        scope: &BusinessScope,
        calendar: CalendarId,
        written: Written,
    ) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        let (standing, employee) = tx.standing(calendar).await?;
        require_own(scope, &tx, employee).await?;
        match standing {
            Standing::Connected => leave(&tx, &[calendar], written).await?,
            Standing::CleanedUp => go_on(&tx, &[calendar], written).await?,
            Standing::Left => return Err(Error::NotFound("calendar")),
        }
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }

    /// Keeps a calendar that appointments are taken out of: they are written again, and it is read anew.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none, or all of it is forgotten with its next turn; what
    /// [`super::CheckEmployee::check`] refuses; [`Error::NotOwnEmployee`] for someone else's calendar, below OWNER;
    /// [`Error::LettingGo`] when its booking system is being disconnected; [`Error::Withdrawn`] when the consent that it is
    /// used by is being withdrawn.
    pub async fn keep(&self, scope: &BusinessScope, calendar: CalendarId) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        let (_, employee) = tx.standing(calendar).await?;
        tx.commit().await?;
        self.employees.check(scope, employee).await?;
        let tx = self.store.begin(scope);
        let (standing, employee) = tx.standing(calendar).await?;
        require_own(scope, &tx, employee).await?;
        match standing {
            Standing::Connected => return Ok(()),
            Standing::CleanedUp => {}
            Standing::Left => return Err(Error::NotFound("calendar")),
        }
        if tx.ends_with_connection(calendar).await? {
            return Err(Error::LettingGo);
        }
        if tx.is_withdrawn(calendar).await? {
            return Err(Error::Withdrawn);
        }
        keep(&tx, calendar).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }
}

/// Has connected calendars of one business end. All are locked before the plan is.
///
/// # Errors
/// When the database fails.
pub(super) async fn leave(tx: &Tx, calendars: &[CalendarId], written: Written) -> Result<(), Error> {
    for calendar in calendars {
        tx.leave_calendar(*calendar).await?;
    }
    if written == Written::Left {
        return Ok(());
    }
    let plan = tx.plan().await?;
    plan.lock().await?;
    for calendar in calendars {
        plan.clear(*calendar).await?;
        tx.begin_cleanup(*calendar).await?;
    }
    Ok(())
}

/// Has what failed of calendars that end tried again, or has them end without it.
///
/// # Errors
/// When the database fails.
pub(super) async fn go_on(tx: &Tx, calendars: &[CalendarId], written: Written) -> Result<(), Error> {
    for calendar in calendars {
        match written {
            Written::TakenOut => tx.retry_cleanup(*calendar).await?,
            Written::Left => tx.end_cleanup(*calendar).await?,
        }
    }
    Ok(())
}

/// Keeps a calendar that was to end, and plans in it what its employee has to do.
///
/// # Errors
/// When the database fails.
pub(super) async fn keep(tx: &Tx, calendar: CalendarId) -> Result<(), Error> {
    tx.keep_calendar(calendar).await?;
    let kept = tx.calendar(calendar).await?.calendar;
    if kept.kind == Kind::Provider {
        tx.remap_calendar(calendar).await?;
    }
    tx.plan().await?.connect(&kept).await
}

/// Keeps a calendar that is connected again while it ends: nothing of it is there twice. `None` where it does not end.
///
/// # Errors
/// [`Error::StillEnding`] when it was another employee's.
pub(super) async fn keep_same(
    tx: &Tx,
    same: Option<Same>,
    employee: EmployeeId,
) -> Result<Option<Calendar>, Error> {
    let Some(same) = same else { return Ok(None) };
    if same.employee != employee {
        return Err(Error::StillEnding);
    }
    // It may be forgotten by now.
    let (standing, _) = tx.standing(same.calendar).await?;
    if standing != Standing::CleanedUp {
        return Err(Error::StillEnding);
    }
    keep(tx, same.calendar).await?;
    Ok(Some(tx.calendar(same.calendar).await?.calendar))
}
