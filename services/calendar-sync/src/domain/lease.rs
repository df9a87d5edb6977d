//! Whose turn a piece of work is.

use core::time::Duration;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// How long one turn lasts: longer than any call made in it.
pub const LENGTH: SignedDuration = SignedDuration::from_secs(30);

/// One worker's lease. No other worker begins before it ends, so the holder must not start work that
/// could outlast it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Whose.
    pub id: Uuid,
    /// When it ends.
    pub until: Timestamp,
}

impl Lease {
    /// A turn from now on.
    #[must_use]
    pub fn begin(id: Uuid, now: Timestamp) -> Self {
        Self { id, until: now + LENGTH }
    }

    /// Whether something that takes at most `long` ends within the turn.
    #[must_use]
    pub fn covers(&self, now: Timestamp, long: Duration) -> bool {
        self.until.duration_since(now) >= SignedDuration::try_from(long).unwrap_or(SignedDuration::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_begins_in_a_turn_that_could_outlast_it() {
        let now = Timestamp::UNIX_EPOCH;
        let lease = Lease::begin(Uuid::nil(), now);
        let call = Duration::from_secs(10);
        assert!(lease.covers(now + SignedDuration::from_secs(20), call));
        assert!(!lease.covers(now + SignedDuration::from_secs(21), call));
        assert!(!lease.covers(now + SignedDuration::from_secs(500), call));
    }
}
