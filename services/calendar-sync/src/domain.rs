//! What is written to calendars and what is read from them. Pure: the clock is passed in.

pub mod booking;
pub mod busy;
pub mod caldav;
pub mod calendar;
pub mod calendar_cell;
pub mod cleanup;
pub mod consent;
pub mod consistency;
pub mod demo_event;
pub mod event;
pub mod feed;
pub mod free_time;
pub mod google;
pub mod google_channel;
pub mod ical;
pub mod ics;
pub mod lease;
pub mod mark;
pub mod pause;
pub mod profile;
pub mod provider;
pub mod push_signature;
pub mod read_apart;
pub mod shortfall;
pub mod slots;
pub mod sync_step;

typed_id::typed_id! {
    /// A connected calendar.
    CalendarId,
    /// An employee, as tenancy knows them.
    EmployeeId,
    /// An appointment, as scheduling knows it.
    AppointmentId,
    /// A connection to a booking system.
    ConnectionId,
}
