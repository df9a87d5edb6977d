//! Lists ordered by name, a page at a time.

use uuid::Uuid;

/// Where a page ended: after the row with this name and, among equals, this id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The row's name.
    pub name: String,
    /// The row's id.
    pub id: Uuid,
}

impl Place {
    /// Before every row: no name is empty.
    #[must_use]
    pub fn start() -> Self {
        Self { name: String::new(), id: Uuid::nil() }
    }
}

/// Which rows to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// How many at most.
    pub limit: u32,
    /// Where the page before ended.
    pub after: Place,
}
