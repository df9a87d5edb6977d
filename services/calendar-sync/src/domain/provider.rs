//! Salons' own booking systems: their connections, their records, and whose they are here.

mod credentials;
mod error;
mod records;

pub use credentials::{Credentials, Replacement};
pub use error::ProviderError;
pub use records::{
    Counts, LeftOut, Named, ReadRecords, Record, RecordKind, compare, listed, suggestion, told_left_out,
};

use jiff::Timestamp;
use serde::Deserialize;

use super::{
    AppointmentId, CalendarId, ConnectionId, EmployeeId,
    cleanup::Cleanup,
    event::{EventId, Span},
};

/// Which booking system it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderKind {
    /// The demo booking system of this installation.
    Demo,
    /// Square Appointments.
    Square,
    /// The one that the profile of this key describes.
    Profile(String),
}

impl ProviderKind {
    /// Its name in the database.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Demo => "DEMO",
            Self::Square => "SQUARE",
            Self::Profile(_) => "PROFILE",
        }
    }

    /// Its profile's key in the database.
    #[must_use]
    pub fn profile(&self) -> &str {
        match self {
            Self::Profile(key) => key,
            Self::Demo | Self::Square => "",
        }
    }

    /// The kind of a name and a profile.
    #[must_use]
    pub fn parse(name: &str, profile: &str) -> Option<Self> {
        match (name, profile) {
            ("DEMO", "") => Some(Self::Demo),
            ("SQUARE", "") => Some(Self::Square),
            ("PROFILE", key) if !key.is_empty() => Some(Self::Profile(key.to_owned())),
            _ => None,
        }
    }
}

/// A booking system, as it is offered to people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    /// Which.
    pub kind: ProviderKind,
    /// What people call it.
    pub name: String,
    /// What it calls its token.
    pub token: String,
    /// What else it needs to be told.
    pub settings: Vec<Setting>,
    /// Whether it pushes hints.
    pub pushes: bool,
    /// Whether each of its appointments is of a service that it has.
    pub books_services: bool,
}

/// Something that a booking system needs to be told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// What it is known by.
    pub key: String,
    /// What people call it.
    pub label: String,
    /// Where to find it.
    #[serde(default)]
    pub hint: String,
    /// Whether there is no connection without it.
    #[serde(default)]
    pub required: bool,
    /// Whether it proves who calls.
    #[serde(default)]
    pub secret: bool,
    /// What is taken where nothing is given.
    #[serde(default)]
    pub default: String,
}

/// A connection to a booking system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Its id here.
    pub id: ConnectionId,
    /// Which system.
    pub kind: ProviderKind,
    /// What its owner calls it.
    pub label: String,
    /// When it was made.
    pub connected_at: Timestamp,
    /// When its token was last replaced.
    pub token_changed_at: Timestamp,
    /// When its records were last read.
    pub read_at: Option<Timestamp>,
    /// Since when it is being disconnected.
    pub ending_since: Option<Timestamp>,
}

/// How often one connection may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLimit {
    /// Calls a second, on the average.
    pub per_second: u32,
    /// Calls at once, after a rest.
    pub burst: u32,
}

impl CallLimit {
    /// One call's share of a second.
    #[must_use]
    pub fn gap_ms(self) -> i64 {
        i64::from(1_000 / self.per_second.clamp(1, 1_000))
    }

    /// How far calls may run ahead of the clock.
    #[must_use]
    pub fn burst_ms(self) -> i64 {
        self.gap_ms() * i64::from(self.burst.saturating_sub(1))
    }
}

/// An appointment to be written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Under this id.
    pub id: EventId,
    /// Whose, there.
    pub employee: String,
    /// Of which service there; none where that is mapped to none.
    pub service: Option<String>,
    /// What it says.
    pub title: String,
    /// When.
    pub span: Span,
    /// The appointment here.
    pub appointment: AppointmentId,
}

/// Whom a day is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappedEmployee {
    /// Here.
    pub id: EmployeeId,
    /// There.
    pub external: String,
}

/// The calendar that stands for an employee's appointments there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapped {
    /// Whose, there.
    pub external: String,
    /// Which.
    pub calendar: CalendarId,
    /// How many appointments to come are there, or may be, while the employee is mapped.
    pub written: i32,
    /// How far taking those out is, once the employee is mapped to none.
    pub cleanup: Option<Cleanup>,
}
