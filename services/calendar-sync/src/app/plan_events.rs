//! Plans which events shall be in employees' calendars: as an appointment changes, and as a calendar is connected.

use crate::{
    domain::{CalendarId, booking::Booking, calendar::Calendar, event::Event},
    error::Error,
    store::Plan,
};

impl Plan<'_> {
    /// Plans for an appointment as it stands now.
    pub async fn book(&self, booking: &Booking) -> Result<(), Error> {
        self.lock().await?;
        let parts = booking.parts();
        let calendars = self.keep_parts(booking.appointment, &parts).await?;
        if calendars.is_empty() {
            return Ok(());
        }
        let mut events: Vec<(CalendarId, Event)> = vec![];
        for (calendar, employee, _) in calendars.into_iter().filter(|(.., kind)| !kind.is_read_only()) {
            let own = parts.iter().filter(|part| part.employee == employee);
            events.extend(own.map(|part| (calendar, part.event_in(calendar, booking.appointment))));
        }
        self.unwant_others(booking.appointment, &events).await?;
        self.want(&events).await
    }

    /// Plans what a newly connected calendar's employee still has to do.
    pub async fn connect(&self, calendar: &Calendar) -> Result<(), Error> {
        if calendar.kind.is_read_only() {
            return Ok(());
        }
        self.lock().await?;
        let parts = self.parts_ahead(calendar.employee).await?;
        let events: Vec<_> = parts
            .into_iter()
            .map(|(appointment, part)| (calendar.id, part.event_in(calendar.id, appointment)))
            .collect();
        self.want(&events).await
    }
}
