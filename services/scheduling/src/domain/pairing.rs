//! Services that go well with each other.

use core::cmp::Reverse;

use engine::{id::ServiceId, span::Span};
use jiff::{SignedDuration, Timestamp};

use super::id::PairingId;

/// Most suggestions that one service has.
pub const MOST_SUGGESTIONS: usize = 20;
/// Two services bought together less often than this may have met by chance.
pub const LEAST_SUPPORT: i64 = 5;
/// How far back is measured.
const MEASURED: SignedDuration = SignedDuration::from_hours(365 * 24);

/// A suggestion made by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// Its id.
    pub id: PairingId,
    /// Who books this
    pub service: ServiceId,
    /// is offered that.
    pub suggested: ServiceId,
    /// Why, or how to say it; perhaps empty.
    pub note: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// A service can't be suggested with itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be another service")]
pub struct SameService;

impl Pairing {
    /// Suggests a service with another.
    ///
    /// # Errors
    /// [`SameService`].
    pub fn suggest(
        id: PairingId,
        service: ServiceId,
        suggested: ServiceId,
        note: String,
        now: Timestamp,
    ) -> Result<Self, SameService> {
        if service == suggested {
            return Err(SameService);
        }
        Ok(Self { id, service, suggested, note, created_at: now })
    }
}

/// Visits with two services, of all that were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Together {
    /// With both; never 0.
    pub both: i64,
    /// With the one, and with the other.
    pub one: i64,
    /// With the other.
    pub other: i64,
    /// All of them.
    pub all: i64,
}

impl Together {
    /// How many times more often the two were bought together than if one had nothing to do with
    /// the other: P(A and B) / (P(A) P(B)).
    #[must_use]
    pub fn lift(&self) -> f64 {
        (self.both as f64 * self.all as f64) / (self.one as f64 * self.other as f64)
    }

    /// Whether it says more than chance would.
    #[must_use]
    pub fn is_telling(&self) -> bool {
        self.both >= LEAST_SUPPORT
            && i128::from(self.both) * i128::from(self.all) > i128::from(self.one) * i128::from(self.other)
    }
}

/// The `most` strongest of what was bought together; among equals what more visits had.
#[must_use]
pub fn strongest<T>(mut found: Vec<T>, most: usize, together: impl Fn(&T) -> Together) -> Vec<T> {
    found.retain(|one| together(one).is_telling());
    // Sorted stably: what comes first stays before its equals.
    found.sort_by(|one, other| {
        let (one, other) = (together(one), together(other));
        other.lift().total_cmp(&one.lift()).then(Reverse(one.both).cmp(&Reverse(other.both)))
    });
    found.truncate(most);
    found
}

/// The visits that are measured: of a year, up to now.
#[must_use]
pub fn measured(now: Timestamp) -> Span {
    let from = now.checked_sub(MEASURED).unwrap_or(Timestamp::MIN);
    Span::new(from, now).expect("a year is not empty")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn together(both: i64, one: i64, other: i64, all: i64) -> Together {
        Together { both, one, other, all }
    }

    #[test]
    fn lift_is_how_much_more_often_than_by_chance() {
        // Half of all visits have the one, half the other: by chance a quarter has both.
        assert_eq!(together(25, 50, 50, 100).lift(), 1.0);
        assert_eq!(together(50, 50, 50, 100).lift(), 2.0);
    }

    #[test]
    fn what_is_rare_or_no_more_than_chance_is_not_shown() {
        assert!(together(5, 10, 10, 100).is_telling());
        assert!(!together(4, 4, 4, 100).is_telling());
        assert!(!together(25, 50, 50, 100).is_telling());
    }

    #[test]
    fn the_strongest_come_first_and_among_equals_the_more_frequent() {
        let (weak, rare, often) =
            (together(6, 50, 10, 100), together(5, 5, 5, 100), together(10, 10, 20, 400));
        assert_eq!(strongest(vec![weak, rare, often], 2, |one| *one), [often, rare]);
    }

    #[test]
    fn a_service_is_not_suggested_with_itself() {
        let [one, other] = [1, 2].map(|number| ServiceId(Uuid::from_u128(number)));
        let suggest =
            |with| Pairing::suggest(PairingId(Uuid::nil()), one, with, String::new(), Timestamp::UNIX_EPOCH);
        assert!(suggest(other).is_ok());
        assert_eq!(suggest(one), Err(SameService));
    }

    proptest! {
        #[test]
        fn lift_is_the_same_from_either_side_and_never_beyond_the_rarer_ones_share(
            both in 1_i64..50, more in 0_i64..50, others in 0_i64..50, rest in 0_i64..50,
        ) {
            let (one, other) = (both + more, both + others);
            let all = one + others + rest;
            let lift = together(both, one, other, all).lift();
            prop_assert!((lift - together(both, other, one, all).lift()).abs() < 1e-9);
            prop_assert!(lift <= all as f64 / one.max(other) as f64 + 1e-9);
        }
    }
}
