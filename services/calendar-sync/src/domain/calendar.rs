//! Connected calendars.

use caller::{BusinessId, UserId};
use jiff::Timestamp;

use super::{CalendarId, EmployeeId, busy::Aside, event::Span, shortfall::Reason};

/// The kind of outside system a calendar lives in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The demo calendar of this installation.
    Demo,
    /// A CalDAV server.
    Caldav,
    /// An employee's appointments in the salon's own booking system.
    Provider,
    /// An account at Google.
    Google,
    /// An address under which it is published as one .ics file.
    Ics,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Demo, Self::Caldav, Self::Provider, Self::Google, Self::Ics];

    /// Whether it only tells when its employee is busy: appointments are not written to it.
    #[must_use]
    pub fn is_read_only(self) -> bool {
        self == Self::Ics
    }

    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Demo => "DEMO",
            Self::Caldav => "CALDAV",
            Self::Provider => "PROVIDER",
            Self::Google => "GOOGLE",
            Self::Ics => "ICS",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

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

/// A calendar and how well it is in step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The calendar.
    pub calendar: Calendar,
    /// When it was last read through.
    pub synced_at: Option<Timestamp>,
    /// What stopped the last read or a write.
    pub last_error: Option<String>,
    /// How many events are not held as a whole.
    pub shortfall_count: i32,
    /// The first few of those: what can't be read before the rest, then by start.
    pub shortfalls: Vec<(Span, Reason)>,
    /// How many entries can't be read at all.
    pub unread_count: i32,
    /// The first few of those, first read first.
    pub unread: Vec<(Aside, Timestamp)>,
    /// Whose account at its provider it is in, where that person gives their leave.
    pub account_of: Option<UserId>,
    /// Whether that leave is missing.
    pub authorization_required: bool,
    /// The host that it is published at, where its address is a secret.
    pub host: Option<String>,
}
