//! When a business takes bookings.

use jiff::{SignedDuration, Timestamp};

use serde::{Deserialize, Serialize};

use super::{refusal::Refusal, span::Span};

const HOURS_PER_DAY: i64 = 24;
/// How far back what has happened already may be entered.
pub const HISTORY: SignedDuration = SignedDuration::from_hours(366 * HOURS_PER_DAY);

/// Who books decides how early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Booker {
    /// A person or the voice agent: within lead time and horizon.
    Customer,
    /// The installation itself, which also enters what has happened already.
    Installation,
}

/// A business's booking policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Offers start at multiples of these minutes on the wall clock.
    pub increment_minutes: u16,
    /// Notice a business wants.
    pub lead: SignedDuration,
    /// How far ahead it books.
    pub horizon: SignedDuration,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            increment_minutes: 15,
            lead: SignedDuration::ZERO,
            horizon: SignedDuration::from_hours(180 * HOURS_PER_DAY),
        }
    }
}

impl Policy {
    /// The first instant at which a customer may book.
    #[must_use]
    pub fn earliest(&self, now: Timestamp) -> Timestamp {
        now + self.lead
    }

    /// The first instant at which nobody may any more.
    #[must_use]
    pub fn end(&self, now: Timestamp) -> Timestamp {
        now + self.horizon
    }

    /// The part of `starts` in which a customer may book, if there is any.
    #[must_use]
    pub fn bookable(&self, starts: Span, now: Timestamp) -> Option<Span> {
        Span::new(self.earliest(now), self.end(now))?.intersection(starts)
    }

    /// Whether a visit may start at `start`.
    ///
    /// # Errors
    /// TOO_SOON or TOO_FAR.
    pub fn admit(&self, start: Timestamp, booker: Booker, now: Timestamp) -> Result<(), Refusal> {
        let earliest = match booker {
            Booker::Customer => self.earliest(now),
            Booker::Installation => now - HISTORY,
        };
        if start < earliest {
            return Err(Refusal::TooSoon);
        }
        if start >= self.end(now) {
            return Err(Refusal::TooFar);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lead_time_and_horizon_bound_a_start() {
        let policy = Policy { lead: SignedDuration::from_mins(60), ..Policy::default() };
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let after = |duration| policy.admit(now + duration, Booker::Customer, now);
        assert_eq!(after(SignedDuration::from_mins(59)), Err(Refusal::TooSoon));
        assert_eq!(after(SignedDuration::from_mins(60)), Ok(()));
        assert_eq!(after(SignedDuration::from_hours(180 * 24) - SignedDuration::from_secs(1)), Ok(()));
        assert_eq!(after(SignedDuration::from_hours(180 * 24)), Err(Refusal::TooFar));
    }

    #[test]
    fn the_installation_alone_enters_what_has_happened() {
        let policy = Policy::default();
        let now: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let yesterday = now - SignedDuration::from_hours(24);
        assert_eq!(policy.admit(yesterday, Booker::Customer, now), Err(Refusal::TooSoon));
        assert_eq!(policy.admit(yesterday, Booker::Installation, now), Ok(()));
        let long_ago = now - SignedDuration::from_hours(367 * 24);
        assert_eq!(policy.admit(long_ago, Booker::Installation, now), Err(Refusal::TooSoon));
    }
}
