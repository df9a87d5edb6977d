//! Employees and services of a booking system, and which of ours they are.

use uuid::Uuid;

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
