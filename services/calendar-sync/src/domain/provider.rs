//! Salons' own booking systems: their connections, their records, and whose they are here.

use jiff::Timestamp;
use uuid::Uuid;

use super::{
    AppointmentId, ConnectionId, EmployeeId,
    event::{EventId, Span},
};

/// Which booking system it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderKind {
    /// The demo booking system of this installation.
    Demo,
}

impl ProviderKind {
    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Demo => "DEMO",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        (name == Self::Demo.name()).then_some(Self::Demo)
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
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_is_suggested_and_an_unlike_one_is_not() {
        let own: Vec<Named<u8>> = ["Women's cut & finish", "Men's cut", "Full colour", "Root touch-up"]
            .into_iter()
            .zip(0..)
            .map(|(name, id)| Named { id, name: name.to_owned() })
            .collect();
        let suggested = |name| suggestion(name, &own).map(|named| named.id);
        assert_eq!(suggested("Mens Cut"), Some(1));
        assert_eq!(suggested("Womens cut and finish"), Some(0));
        assert_eq!(suggested("Colour, full"), Some(2));
        assert_eq!(suggested("Beard trim"), None);
        assert_eq!(suggested("cut"), Some(1));
        assert_eq!(suggested(""), None);
    }

    #[test]
    fn records_are_new_changed_or_gone() {
        let record = |external: &str, name: &str, gone| Record {
            kind: RecordKind::Employee,
            external: external.to_owned(),
            name: name.to_owned(),
            mapped: None,
            gone,
        };
        let kept = [record("1", "Mia", false), record("2", "Tom", false), record("3", "Ann", true)];
        let read = [("1", "Mia L."), ("3", "Ann"), ("4", "Noah")]
            .map(|(id, name)| Named { id: id.to_owned(), name: name.to_owned() });
        let counts = compare(&kept, RecordKind::Employee, &read);
        assert_eq!((counts.added, counts.changed, counts.removed), (2, 1, 1));
    }
}
