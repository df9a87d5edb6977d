//! Shows and changes events in demo calendars, as their owners do.

use std::sync::Arc;

use caller::{Actor, BusinessScope, Role, Tenant};
use tokio::sync::Notify;

use crate::{
    domain::{
        CalendarId,
        event::{Event, EventId},
    },
    error::Error,
    store::{AfterEvent, Store, Tx},
};

/// Shows and changes events in demo calendars.
#[derive(Debug)]
pub struct ManageDemoEvents {
    /// Where they are kept.
    pub store: Store,
    /// Notified when a calendar may be due.
    pub hint: Arc<Notify>,
}

impl ManageDemoEvents {
    /// Events by start, at most `limit`.
    ///
    /// # Errors
    /// [`Error::NotOwnCalendar`]; [`Error::NotFound`] when there is no such calendar.
    pub async fn list(
        &self,
        scope: &BusinessScope,
        calendar: CalendarId,
        after: Option<AfterEvent>,
        limit: u32,
    ) -> Result<Vec<Event>, Error> {
        let tx = self.begin(scope, calendar).await?;
        tx.demo_head(calendar).await?;
        let events = tx.demo_events(calendar, after, limit).await?;
        tx.commit().await?;
        Ok(events)
    }

    /// Puts an event. The marker of one of ours stays.
    ///
    /// # Errors
    /// [`Error::NotOwnCalendar`]; [`Error::NotFound`] when there is no such calendar.
    pub async fn put(
        &self,
        scope: &BusinessScope,
        calendar: CalendarId,
        event: Event,
    ) -> Result<Event, Error> {
        let tx = self.begin(scope, calendar).await?;
        let head = tx.take_demo_head(calendar).await?;
        let known = tx.demo_event(calendar, &event.id).await?;
        let known = known.filter(|known| !known.deleted).map(|known| known.event);
        let event = Event { appointment: known.as_ref().and_then(|known| known.appointment), ..event };
        if known.as_ref() != Some(&event) {
            tx.put_demo_event(calendar, head, &event).await?;
        }
        self.commit(tx, calendar).await?;
        Ok(event)
    }

    /// Deletes an event.
    ///
    /// # Errors
    /// [`Error::NotOwnCalendar`]; [`Error::NotFound`] when there is no such calendar or event.
    pub async fn delete(
        &self,
        scope: &BusinessScope,
        calendar: CalendarId,
        id: &EventId,
    ) -> Result<(), Error> {
        let tx = self.begin(scope, calendar).await?;
        let head = tx.take_demo_head(calendar).await?;
        let known = tx.demo_event(calendar, id).await?;
        known.filter(|known| !known.deleted).ok_or(Error::NotFound("event"))?;
        tx.delete_demo_event(calendar, head, id).await?;
        self.commit(tx, calendar).await
    }

    /// A transaction on a calendar of the person's own; managers open any.
    async fn begin(&self, scope: &BusinessScope, calendar: CalendarId) -> Result<Tx, Error> {
        let tx = self.store.begin(scope);
        if let Actor::Person { user, .. } = scope.actor()
            && scope.role() < Role::Manager
            && tx.owner_of(calendar).await? != Some(user)
        {
            return Err(Error::NotOwnCalendar);
        }
        Ok(tx)
    }

    async fn commit(&self, tx: Tx, calendar: CalendarId) -> Result<(), Error> {
        tx.make_due(calendar).await?;
        tx.commit().await?;
        self.hint.notify_one();
        Ok(())
    }
}
