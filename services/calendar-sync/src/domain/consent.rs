//! What a person lets Frontdesk see.

use super::{calendar::Kind, cleanup::Cleanup};

/// How a consent stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It was not given, or was withdrawn.
    NotGiven,
    /// It was given, for this account where the provider names one.
    Given(Option<String>),
    /// It was given for this account, and its provider honours it no more.
    Revoked(String),
    /// It was given for this account, and is being withdrawn.
    Ending(String),
}

/// A consent that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// For calendars of this kind.
    pub kind: Kind,
    /// How it stands.
    pub standing: Standing,
    /// How many appointments to come are in its calendars, or may be.
    pub written: i32,
    /// How far taking them out is, while it is being withdrawn.
    pub cleanup: Option<Cleanup>,
}

/// A calendar in a person's own account, to be connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonCalendar {
    /// Its id there.
    pub id: String,
    /// Where it lives.
    pub kind: Kind,
    /// What its owner calls it.
    pub name: String,
}

impl PersonCalendar {
    /// Characters of a name that are kept.
    pub const LONGEST_NAME: usize = 200;

    /// The one calendar of a simulated account.
    #[must_use]
    pub fn demo() -> Self {
        Self { id: "demo".to_owned(), kind: Kind::Demo, name: "Demo calendar".to_owned() }
    }
}
