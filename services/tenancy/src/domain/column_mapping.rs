//! Which column of a table is which field of a record.

use serde::{Deserialize, Serialize};

/// How much of a heading is kept.
const LONGEST_HEADING: usize = 100;
/// Headings of what a file of lines that were left out says of each beside its cells, so that the corrected file can be
/// imported as it is. Letters and digits alone, in lower case.
const REMARKS: [&str; 2] = ["lineofthetable", "whatiswrong"];

/// A field of a record, with the headings that people give it: letters and digits alone, in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// What it is called in exports and in what is said about it.
    pub name: &'static str,
    /// Other headings that mean it.
    pub also: &'static [&'static str],
}

/// The fields of a kind of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fields {
    /// In the order in which cells are kept.
    pub all: &'static [Field],
    /// Groups of fields; a record has at least one of each.
    pub needed: &'static [&'static [&'static str]],
    /// Those that begin with a date.
    pub dated: &'static [&'static str],
}

/// A column of a table, and the field that it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MappedColumn {
    /// Its heading; empty in a table without headings.
    pub heading: String,
    /// The name of the field; `None` if the column is left out.
    pub field: Option<String>,
}

/// Why columns can't be read as fields. Continues a sentence about the table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingFault {
    /// No column is one of these fields.
    #[error("has no column for {}", any_of(.0))]
    Missing(&'static [&'static str]),
    /// Two columns are one field.
    #[error("has {} and {} both as “{}”: leave one of them out", .columns[0].1, .columns[1].1, spaced(.field))]
    Doubled {
        /// The field.
        field: String,
        /// The columns by their places, with what they are called.
        columns: [(usize, String); 2],
    },
    /// A column is a field that there is not.
    #[error("has {} as “{field}”, which is no field", .column.1)]
    Unknown {
        /// The field that was named.
        field: String,
        /// The column by its place, with what it is called.
        column: (usize, String),
    },
}

impl MappingFault {
    /// The places of the columns that it is about.
    #[must_use]
    pub fn columns(&self) -> Vec<usize> {
        match self {
            Self::Doubled { columns, .. } => columns.iter().map(|(at, _)| *at).collect(),
            Self::Unknown { column: (at, _), .. } => vec![*at],
            Self::Missing(_) => vec![],
        }
    }
}

impl Fields {
    /// The field that a heading means.
    #[must_use]
    pub fn meant_by(&self, heading: &str) -> Option<&'static Field> {
        let plain = plain_heading(heading);
        self.all
            .iter()
            .find(|field| plain == plain_heading(field.name) || field.also.contains(&plain.as_str()))
    }

    /// The fields that columns are by their headings, of which a long one is cut.
    #[must_use]
    pub fn by_heading(&self, headings: &[String]) -> Vec<MappedColumn> {
        let column = |heading: &String| MappedColumn {
            heading: heading.chars().take(LONGEST_HEADING).collect(),
            field: self.meant_by(heading).map(|field| field.name.to_owned()),
        };
        headings.iter().map(column).collect()
    }

    /// So many columns without headings, in the order of the fields.
    #[must_use]
    pub fn in_order(&self, count: usize) -> Vec<MappedColumn> {
        let name = |at: usize| self.all.get(at).map(|field| field.name.to_owned());
        (0..count).map(|at| MappedColumn { heading: String::new(), field: name(at) }).collect()
    }

    /// What is wrong with reading columns so: a needed field is missing, two columns are one field, or a field is none.
    #[must_use]
    pub fn faults(&self, columns: &[MappedColumn]) -> Vec<MappingFault> {
        let called = |at: usize| (at, columns.get(at).map_or_else(String::new, |column| column.called(at)));
        let mut faults = vec![];
        for (at, column) in columns.iter().enumerate() {
            let Some(field) = &column.field else { continue };
            if !self.all.iter().any(|known| known.name == field) {
                faults.push(MappingFault::Unknown { field: field.clone(), column: called(at) });
            } else if let Some(first) = columns.iter().take(at).position(|other| other.field == column.field)
            {
                let columns = [called(first), called(at)];
                faults.push(MappingFault::Doubled { field: field.clone(), columns });
            }
        }
        let has = |name: &&str| columns.iter().any(|column| column.field.as_deref() == Some(*name));
        let missing = self.needed.iter().filter(|group| !group.iter().any(has));
        faults.extend(missing.map(|group| MappingFault::Missing(group)));
        faults
    }

    /// In which column each field stands.
    #[must_use]
    pub fn places(&self, columns: &[MappedColumn]) -> Vec<Option<usize>> {
        let place = |field: &Field| columns.iter().position(|one| one.field.as_deref() == Some(field.name));
        self.all.iter().map(place).collect()
    }

    /// Whether a column begins with a date.
    #[must_use]
    pub fn is_dated(&self, column: &MappedColumn) -> bool {
        column.field.as_deref().is_some_and(|field| self.dated.contains(&field))
    }
}

impl MappedColumn {
    /// Whether it says something about each line, and is no part of a record.
    #[must_use]
    pub fn is_remark(&self) -> bool {
        REMARKS.contains(&plain_heading(&self.heading).as_str())
    }

    /// What it is called in what is said about it.
    fn called(&self, at: usize) -> String {
        match self.heading.trim() {
            "" => format!("column {}", at + 1),
            heading => format!("“{heading}”"),
        }
    }
}

fn any_of(names: &[&str]) -> String {
    names.iter().map(|name| format!("“{}”", spaced(name))).collect::<Vec<_>>().join(" or ")
}

fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

fn plain_heading(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: Fields = Fields {
        all: &[
            Field { name: "name", also: &["client"] },
            Field { name: "first_name", also: &[] },
            Field { name: "phone", also: &["mobile"] },
        ],
        needed: &[&["name", "first_name"]],
        dated: &[],
    };

    fn columns(columns: &[(&str, &str)]) -> Vec<MappedColumn> {
        let column = |(heading, field): &(&str, &str)| MappedColumn {
            heading: (*heading).to_owned(),
            field: (!field.is_empty()).then(|| (*field).to_owned()),
        };
        columns.iter().map(column).collect()
    }

    fn told(mapped: &[(&str, &str)]) -> Vec<String> {
        FIELDS.faults(&columns(mapped)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn columns_are_matched_by_their_headings_however_they_are_spelt() {
        let headings = ["First-Name ", "Kunde", "MOBILE", ""].map(ToOwned::to_owned);
        let expected = [("First-Name ", "first_name"), ("Kunde", ""), ("MOBILE", "phone"), ("", "")];
        assert_eq!(FIELDS.by_heading(&headings), columns(&expected));
        assert_eq!(FIELDS.places(&columns(&expected)), [None, Some(0), Some(2)]);
        assert_eq!(FIELDS.in_order(4)[2].field.as_deref(), Some("phone"));
        assert_eq!(FIELDS.in_order(4)[3].field, None);
        let long = FIELDS.by_heading(&["ü".repeat(300)]);
        assert_eq!(long, columns(&[("ü".repeat(100).as_str(), "")]));
    }

    #[test]
    fn a_needed_field_without_a_column_is_named() {
        assert_eq!(told(&[("Kunde", ""), ("Handy", "phone")]), ["has no column for “name” or “first name”"]);
        assert!(told(&[("Kunde", "first_name")]).is_empty());
    }

    #[test]
    fn two_columns_of_one_field_are_named() {
        let faults = FIELDS.faults(&columns(&[("Kunde", "name"), ("Handy", ""), ("Client", "name")]));
        assert_eq!(faults[0].to_string(), "has “Kunde” and “Client” both as “name”: leave one of them out");
        assert_eq!(faults[0].columns(), [0, 2]);
        assert_eq!(
            told(&[("", "name"), ("", "name")]),
            ["has column 1 and column 2 both as “name”: leave one of them out"]
        );
    }

    #[test]
    fn a_field_that_there_is_not_is_named_with_its_column() {
        assert_eq!(told(&[("Kunde", "name"), ("Ort", "town")]), ["has “Ort” as “town”, which is no field"]);
    }
}
