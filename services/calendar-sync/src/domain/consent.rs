//! What a person lets Frontdesk see.

use super::calendar::Kind;

/// A calendar in a person's own account, to be connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonCalendar {
    /// Its id there.
    pub id: &'static str,
    /// Where it lives.
    pub kind: Kind,
    /// What its owner calls it.
    pub name: &'static str,
}

impl PersonCalendar {
    /// The one calendar of a simulated account.
    #[must_use]
    pub fn demo() -> Self {
        Self { id: "demo", kind: Kind::Demo, name: "Demo calendar" }
    }
}
