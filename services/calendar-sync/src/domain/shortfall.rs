//! Events whose time scheduling holds less of than they take.

use jiff::{SignedDuration, Timestamp};

use super::{busy::Busy, event::EventId};

/// Before what is held of a long event runs out: nothing is booked so far ahead at the last moment.
const LEAD: SignedDuration = SignedDuration::from_hours(183 * 24);
/// What is refused now may be taken once its cause is gone.
const RETRY: SignedDuration = SignedDuration::from_hours(1);

const TOO_LONG: &str = "TOO_LONG";
const OUT_OF_RANGE: &str = "OUT_OF_RANGE";
const REFUSED: &str = "REFUSED";

/// Why an event's time is not held as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It is longer than scheduling holds at once: its time is held until this.
    TooLong(Timestamp),
    /// It lies where nothing is booked.
    OutOfRange,
    /// Scheduling can't read it, for this reason.
    Refused(String),
}

/// An event whose time is not held as a whole, until it is changed or taken after all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortfall {
    /// The event.
    pub id: EventId,
    /// What was told of it.
    pub busy: Busy,
    /// What is missing.
    pub reason: Reason,
}

impl Reason {
    /// When scheduling is told of the event again after it was at `now`; `None` for what stays as it is.
    #[must_use]
    pub fn again_at(&self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::TooLong(until) => Some((*until - LEAD).max(now + RETRY)),
            Self::Refused(_) => Some(now + RETRY),
            Self::OutOfRange => None,
        }
    }

    /// The name of each.
    pub const NAMES: [&str; 3] = [TOO_LONG, OUT_OF_RANGE, REFUSED];

    /// Its name in the database and in metrics.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooLong(_) => TOO_LONG,
            Self::OutOfRange => OUT_OF_RANGE,
            Self::Refused(_) => REFUSED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_for_a_while_is_told_again_half_a_year_before_it_runs_out() {
        let now: Timestamp = "2026-06-01T00:00:00Z".parse().unwrap();
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        assert_eq!(Reason::TooLong(now + days(365)).again_at(now), Some(now + days(182)));
        assert_eq!(Reason::TooLong(now + days(10)).again_at(now), Some(now + RETRY));
        assert_eq!(Reason::Refused(String::new()).again_at(now), Some(now + RETRY));
        assert_eq!(Reason::OutOfRange.again_at(now), None);
    }
}
