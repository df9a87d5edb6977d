//! Plans which events shall be in employees' calendars: as an appointment or its customer's name changes,
//! and as a calendar is connected.

use crate::{
    domain::{
        AppointmentId, CalendarId,
        booking::{Booking, for_whom},
        calendar::Calendar,
        event::Event,
    },
    error::Error,
    store::Plan,
};

impl Plan<'_> {
    /// Plans for an appointment as it stands now.
    pub async fn book(&self, booking: &Booking) -> Result<(), Error> {
        self.lock().await?;
        let parts = booking.parts();
        let for_whom = for_whom(booking.customer.as_deref());
        let calendars = self.keep_parts(booking.appointment, &for_whom, &parts).await?;
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

    /// Plans what is not over of appointments whose customer goes by another name now.
    pub async fn rename(&self, appointments: &[AppointmentId], customer: Option<&str>) -> Result<(), Error> {
        self.lock().await?;
        let renamed = self.rename_parts(appointments, &for_whom(customer)).await?;
        let written = renamed.into_iter().filter(|(_, kind, _)| !kind.is_read_only());
        let events: Vec<_> = written.map(|(calendar, _, event)| (calendar, event)).collect();
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
