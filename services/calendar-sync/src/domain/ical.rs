//! iCalendar objects (RFC 5545): what an entry of a calendar keeps busy, and how an appointment is written.

mod bounds;
mod collection;
mod moment;
mod object;
mod rule;
mod write;

pub use collection::Collection;
pub use object::{Object, read};
pub(in crate::domain) use write::utc;
pub use write::{feed, write};

use core::cell::Cell;

use jiff::{SignedDuration, Timestamp};

/// Between which instants instances of a series are of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Horizon {
    /// What ends before is over.
    pub from: Timestamp,
    /// What starts after is read later.
    pub to: Timestamp,
}

impl Horizon {
    /// As far ahead as anyone books, and until the next whole reading.
    const AHEAD: SignedDuration = SignedDuration::from_hours(400 * 24);
    const BACK: SignedDuration = SignedDuration::from_hours(31 * 24);

    /// What of a calendar is read at `now`.
    #[must_use]
    pub fn around(now: Timestamp) -> Self {
        Self { from: now - Self::BACK, to: now + Self::AHEAD }
    }
}

/// How far the series of what a server sent at once may still be followed.
#[derive(Debug)]
pub struct Budget(Cell<Option<usize>>);

impl Budget {
    /// Periods of rules and their dates.
    const MOST: usize = 2_000_000;

    fn new(steps: usize) -> Self {
        Self(Cell::new(Some(steps)))
    }

    /// Takes steps out of it; `None` once it has not as many left.
    fn spend(&self, steps: usize) -> Option<()> {
        let left = self.0.get().and_then(|left| left.checked_sub(steps));
        self.0.set(left);
        left.map(drop)
    }

    fn is_spent(&self) -> bool {
        self.0.get().is_none()
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Self::MOST)
    }
}

/// Why an object can't be read, in words that follow "it".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unread(pub String);

impl Unread {
    fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}
