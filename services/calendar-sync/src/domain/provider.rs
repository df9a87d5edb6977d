//! Salons' own booking systems: their connections, their records, and whose they are here.

mod error;

pub use error::ProviderError;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    AppointmentId, CalendarId, ConnectionId, EmployeeId,
    caldav::Password,
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

/// What opens a connection. All of it is sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Proves who calls.
    pub token: Password,
    /// What else the system was told, by its key.
    pub settings: BTreeMap<String, Password>,
}

/// What replaces some of [`Credentials`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Another token.
    pub token: Option<Password>,
    /// Settings by their key.
    pub settings: BTreeMap<String, Password>,
}

/// [`Credentials`] as they are sealed.
#[derive(Serialize)]
struct Written<'c> {
    token: &'c str,
    settings: BTreeMap<&'c str, &'c str>,
}

/// And as they are opened.
#[derive(Deserialize)]
struct Opened {
    token: String,
    settings: BTreeMap<String, String>,
}

impl Credentials {
    /// A token alone.
    #[must_use]
    pub fn token(token: Password) -> Self {
        Self { token, settings: BTreeMap::new() }
    }

    /// What the system was told for a key; empty where it was told nothing.
    #[must_use]
    pub fn setting(&self, key: &str) -> &str {
        self.settings.get(key).map(Password::expose).unwrap_or_default()
    }

    /// The lane of a connection's calls.
    #[must_use]
    pub fn lane(&self) -> String {
        self.written().lane()
    }

    /// As one secret. A system that is told nothing else keeps its token as it is.
    #[must_use]
    pub fn written(&self) -> Password {
        if self.settings.is_empty() {
            return self.token.clone();
        }
        let settings = self.settings.iter().map(|(key, value)| (key.as_str(), value.expose()));
        let written = Written { token: self.token.expose(), settings: settings.collect() };
        Password::new(serde_json::to_string(&written).unwrap_or_default())
    }

    /// What was written.
    #[must_use]
    pub fn read(secret: Password) -> Self {
        match serde_json::from_str::<Opened>(secret.expose()) {
            Err(_) => Self::token(secret),
            Ok(Opened { token, settings }) => Self {
                token: Password::new(token),
                settings: settings.into_iter().map(|(key, value)| (key, Password::new(value))).collect(),
            },
        }
    }

    /// With what is given replaced.
    #[must_use]
    pub fn replaced(mut self, by: Replacement) -> Self {
        self.token = by.token.unwrap_or(self.token);
        self.settings.extend(by.settings);
        self
    }

    /// With the defaults of what is not given. The key of the first setting that is missing, or unknown, is the error.
    ///
    /// # Errors
    /// What is wrong with which setting.
    pub fn complete(mut self, system: &System) -> Result<Self, (String, &'static str)> {
        if let Some(unknown) =
            self.settings.keys().find(|key| system.settings.iter().all(|known| &known.key != *key))
        {
            return Err((unknown.clone(), "is no setting of this booking system"));
        }
        for setting in &system.settings {
            if !self.setting(&setting.key).is_empty() {
                continue;
            }
            if setting.default.is_empty() && setting.required {
                return Err((setting.key.clone(), "is required"));
            }
            self.settings.insert(setting.key.clone(), Password::new(setting.default.clone()));
        }
        Ok(self)
    }
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

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordKind {
    /// Someone who works there.
    Employee,
    /// Something that is done there.
    Service,
}

impl RecordKind {
    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Employee => "EMPLOYEE",
            Self::Service => "SERVICE",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Employee, Self::Service].into_iter().find(|kind| kind.name() == name)
    }
}

/// An employee or a service, there or here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named<Id> {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub name: String,
}

/// A record of a booking system, as it was last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What it is.
    pub kind: RecordKind,
    /// Its id there.
    pub external: String,
    /// Its name there.
    pub name: String,
    /// The employee or service here.
    pub mapped: Option<Uuid>,
    /// The system no longer has it.
    pub gone: bool,
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

/// What a run has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Employees there.
    pub employees: i32,
    /// Services there.
    pub services: i32,
    /// Appointments of mapped employees there.
    pub appointments: i32,
    /// Records that are new.
    pub added: i32,
    /// Records with another name.
    pub changed: i32,
    /// Records that are gone.
    pub removed: i32,
}

/// How what was read differs from what is kept: what to save, and how much of it is new, changed and gone.
#[must_use]
pub fn compare(kept: &[Record], kind: RecordKind, read: &[Named<String>]) -> Counts {
    let of_kind = || kept.iter().filter(|record| record.kind == kind);
    let known = |named: &&Named<String>| of_kind().find(|record| record.external == named.id);
    let count = |found: usize| i32::try_from(found).unwrap_or(i32::MAX);
    Counts {
        added: count(read.iter().filter(|named| known(named).is_none_or(|record| record.gone)).count()),
        changed: count(
            read.iter()
                .filter(|named| known(named).is_some_and(|record| !record.gone && record.name != named.name))
                .count(),
        ),
        removed: count(
            of_kind()
                .filter(|record| !record.gone && read.iter().all(|named| named.id != record.external))
                .count(),
        ),
        ..Counts::default()
    }
}

impl Counts {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            employees: self.employees + other.employees,
            services: self.services + other.services,
            appointments: self.appointments + other.appointments,
            added: self.added + other.added,
            changed: self.changed + other.changed,
            removed: self.removed + other.removed,
        }
    }
}

/// The one of `own` whose name is most like `name`, where at least half of their words are the same.
#[must_use]
pub fn suggestion<'o, Id>(name: &str, own: impl IntoIterator<Item = &'o Named<Id>>) -> Option<&'o Named<Id>> {
    let wanted = words(name);
    let likeness = |named: &Named<Id>| {
        let words = words(&named.name);
        let both = words.iter().filter(|word| wanted.contains(word)).count();
        let all = words.len() + wanted.len() - both;
        (both * 2 >= all && both > 0).then_some(both * 1000 / all)
    };
    let scored = own.into_iter().filter_map(|named| Some((likeness(named)?, named)));
    scored.max_by_key(|(score, _)| *score).map(|(_, named)| named)
}

fn words(name: &str) -> Vec<String> {
    let name = name.to_lowercase().replace(['\'', '’'], "");
    let mut words: Vec<String> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_owned).collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests;
