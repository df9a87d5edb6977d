//! Makes an event in a calendar as the book has it, because a person asked for it.

use caller::BusinessScope;

use crate::{
    domain::{AppointmentId, CalendarId, event::EventId, sync_step::Step},
    error::Error,
    store::Store,
};

/// More parts of one appointment than an employee has.
const MOST_PARTS: i32 = 64;

/// Has events written again.
#[derive(Debug, Clone)]
pub struct RepairEvents {
    /// What is planned.
    pub store: Store,
}

impl RepairEvents {
    /// Has an event of ours written again as the book has it, or taken out where the book has none.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the event is not ours: those of other people are theirs, and a calendar that is only
    /// read has no events of ours.
    pub async fn repair(
        &self,
        scope: &BusinessScope,
        calendar: CalendarId,
        event: &EventId,
        appointment: AppointmentId,
    ) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        let listed = tx.calendar(calendar).await?.calendar;
        let part = (0..MOST_PARTS)
            .filter(|_| !listed.kind.is_read_only())
            .find(|part| EventId::of_part(calendar, appointment, listed.employee, *part) == *event)
            .ok_or(Error::NotFound("event of an appointment"))?;
        let plan = tx.plan().await?;
        plan.lock().await?;
        match plan.part(appointment, listed.employee, part).await? {
            Some(part) => plan.want(&[(calendar, part.event_in(calendar, appointment))]).await?,
            None => tx.add_removal(calendar, event, appointment).await?,
        }
        tx.write_again(calendar, event).await?;
        tx.forget_difference(calendar, event).await?;
        tx.add_history(appointment, calendar, Step::Repaired, None).await?;
        tx.commit().await
    }

    /// Has what failed or was refused of an appointment tried again now.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such appointment.
    pub async fn retry(&self, scope: &BusinessScope, appointment: AppointmentId) -> Result<(), Error> {
        let tx = self.store.begin(scope);
        let calendars = tx.retry_writes(appointment).await?;
        if calendars.is_empty() && !tx.knows_appointment(appointment).await? {
            return Err(Error::NotFound("appointment"));
        }
        for calendar in calendars {
            tx.add_history(appointment, calendar, Step::Retried, None).await?;
        }
        tx.commit().await
    }
}
