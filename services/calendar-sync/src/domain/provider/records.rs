//! Employees and services of a booking system, and which of ours they are.

use std::collections::HashSet;

use proto::label::cleaned;
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

/// Characters of an id that is kept: a longer one can't be mapped.
const LONGEST_ID: usize = 255;
/// Characters of a name that are kept.
const LONGEST_NAME: usize = 200;

/// Why a record of a booking system is left out. What it is there is not known, so that it can't be mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LeftOut {
    /// It has none, or one that shows nothing.
    #[error("has no id")]
    WithoutId,
    /// Its id is too long.
    #[error("has an id of more than {LONGEST_ID} characters")]
    LongId,
    /// Its id is no text that can be written.
    #[error("has an id with control characters, or one that begins or ends with a space")]
    OddId,
    /// Another one has its id.
    #[error("has the id of another one")]
    Twice,
}

/// A record that a booking system lists, under a name as everything here can show it.
///
/// # Errors
/// [`LeftOut`].
pub fn listed(id: Option<String>, name: &str) -> Result<Named<String>, LeftOut> {
    let id = id.filter(|id| !id.trim().is_empty()).ok_or(LeftOut::WithoutId)?;
    if id.chars().nth(LONGEST_ID).is_some() {
        return Err(LeftOut::LongId);
    }
    if id.trim() != id || id.contains(char::is_control) {
        return Err(LeftOut::OddId);
    }
    let name: String = cleaned(&name.replace(['\n', '\t'], " ")).chars().take(LONGEST_NAME).collect();
    let name = name.trim();
    Ok(Named { name: if name.is_empty() { "Without a name".to_owned() } else { name.to_owned() }, id })
}

/// The records of a list, and why some of them are not among them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadRecords {
    /// Those that are kept, each id once.
    pub kept: Vec<Named<String>>,
    /// Why others are left out.
    pub left_out: Vec<LeftOut>,
}

impl FromIterator<Result<Named<String>, LeftOut>> for ReadRecords {
    fn from_iter<I: IntoIterator<Item = Result<Named<String>, LeftOut>>>(listed: I) -> Self {
        let (mut read, mut ids) = (Self::default(), HashSet::new());
        for record in listed {
            let first = record
                .and_then(|named| if ids.insert(named.id.clone()) { Ok(named) } else { Err(LeftOut::Twice) });
            match first {
                Ok(named) => read.kept.push(named),
                Err(reason) => read.left_out.push(reason),
            }
        }
        read
    }
}

/// What people are told of records that were left out.
#[must_use]
pub fn told_left_out(left_out: &[LeftOut]) -> Option<String> {
    let first = left_out.first()?;
    Some(match left_out.len() {
        1 => {
            format!("one record of the booking system was left out because it {first}; all others were read")
        }
        count => format!(
            "{count} records of the booking system were left out, the first because it {first}; all others were read"
        ),
    })
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
    fn a_name_is_kept_as_it_can_be_shown_and_a_record_without_a_usable_id_is_left_out_alone() {
        let long = "x".repeat(100_000);
        let name = |name: &str| listed(Some("1".to_owned()), name).unwrap().name;
        for (theirs, kept) in [
            (" Mia\0 Lang\u{7}\n", "Mia Lang"),
            ("M\u{202E}ia\u{2066}", "Mia"),
            ("\u{202E}\0 ", "Without a name"),
            ("", "Without a name"),
            (&long, &long[..200]),
        ] {
            assert_eq!(name(theirs), kept);
        }
        let id = |id: &str| Some(id.to_owned());
        let read: ReadRecords = [
            listed(id("1"), "Mia"),
            listed(None, "Tom"),
            listed(id(" "), "Tom"),
            listed(id(&long), "Tom"),
            listed(id("2\0"), "Tom"),
            listed(id(" 2"), "Tom"),
            listed(id("1"), "Tom"),
            listed(id(&long[..255]), "Noah"),
        ]
        .into_iter()
        .collect();
        let kept: Vec<_> = read.kept.iter().map(|named| named.name.as_str()).collect();
        assert_eq!(kept, ["Mia", "Noah"]);
        use LeftOut::{LongId, OddId, Twice, WithoutId};
        assert_eq!(read.left_out, [WithoutId, WithoutId, LongId, OddId, OddId, Twice]);
        assert_eq!(told_left_out(&[]), None);
        assert!(told_left_out(&[Twice]).unwrap().starts_with("one record"));
        assert!(
            told_left_out(&[Twice, OddId]).unwrap().contains("the first because it has the id of another")
        );
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
