//! Whose telephone numbers and e-mail addresses employees see.

use jiff::{SignedDuration, Timestamp};

/// How far from now a visit of an employee's own lets them see its customer's contact.
const EITHER_WAY: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A business's policy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ContactPolicy {
    /// All customers', instead of those of their own visits.
    pub employees_see_all: bool,
}

/// The first and the last start of visits that count at `now`.
#[must_use]
pub fn counted_starts(now: Timestamp) -> (Timestamp, Timestamp) {
    (now - EITHER_WAY, now + EITHER_WAY)
}
