//! Connected calendars.

pub use calendar_kind::Kind;
use caller::{BusinessId, UserId};
use jiff::Timestamp;

use super::{AppointmentId, CalendarId, EmployeeId, busy::Aside, event::Span, shortfall::Reason};

/// One calendar of one business.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Whose.
    pub business: BusinessId,
    /// Which.
    pub calendar: CalendarId,
}

/// Up to where a calendar was read; only the calendar's keeper can read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token(pub String);

/// A calendar of an employee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    /// Its id here.
    pub id: CalendarId,
    /// Where it lives.
    pub kind: Kind,
    /// Whose it is.
    pub employee: EmployeeId,
    /// What people call it.
    pub name: String,
}

/// An appointment that is not in a calendar as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwritten {
    /// Which.
    pub appointment: AppointmentId,
    /// As calendars show it.
    pub title: String,
    /// When it starts.
    pub starts_at: Timestamp,
    /// Why.
    pub fault: String,
    /// Whether the calendar refused it, so that it waits for a person.
    pub refused: bool,
    /// Whether it is to be taken out.
    pub removed: bool,
}

/// A calendar and how well it is in step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The calendar.
    pub calendar: Calendar,
    /// When it was last read through.
    pub synced_at: Option<Timestamp>,
    /// What stopped the last read.
    pub last_error: Option<String>,
    /// How many events are not held as a whole.
    pub shortfall_count: i32,
    /// The first few of those: what can't be read before the rest, then by start.
    pub shortfalls: Vec<(Span, Reason)>,
    /// How many entries can't be read at all.
    pub unread_count: i32,
    /// The first few of those, first read first.
    pub unread: Vec<(Aside, Timestamp)>,
    /// How many events could not be written.
    pub unwritten_count: i32,
    /// The first few of those: what was refused before the rest, then by start.
    pub unwritten: Vec<Unwritten>,
    /// How many entries the first reading has come to.
    pub entries_read: i32,
    /// Whose account at its provider it is in, where that person consents.
    pub account_of: Option<UserId>,
    /// Whether that consent is missing.
    pub authorization_required: bool,
    /// The host that it is published at, where its address is a secret.
    pub host: Option<String>,
    /// How many appointments to come are in it, or may be.
    pub written_count: i32,
}
