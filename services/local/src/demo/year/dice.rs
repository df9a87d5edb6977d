//! Chance that falls the same way for the same seed (SplitMix64).

use jiff::{SignedDuration, Timestamp};

/// A sequence of numbers that its seed decides.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of a seed, for one purpose: what one thing uses of chance changes nothing of another.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let mixed = purpose.bytes().fold(seed, |mixed, byte| mix(mixed ^ u64::from(byte)));
        Self(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// From `least` to `most`, both included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        let choices = most.abs_diff(least).saturating_add(1);
        least.saturating_add_unsigned(self.next() % choices)
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of several.
    ///
    /// # Panics
    /// When there are none.
    pub fn pick<'a, T>(&mut self, among: &'a [T]) -> &'a T {
        let last = i64::try_from(among.len()).expect("lists are short") - 1;
        &among[usize::try_from(self.between(0, last)).expect("a place in the list")]
    }

    /// An instant between two, to the second.
    pub fn instant(&mut self, first: Timestamp, last: Timestamp) -> Timestamp {
        first + SignedDuration::from_secs(self.between(0, last.duration_since(first).as_secs().max(0)))
    }
}

fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_a_purpose_decide_all_of_it() {
        let rolled = |seed, purpose| {
            let mut dice = Dice::new(seed, purpose);
            (0..20).map(|_| dice.between(-3, 3)).collect::<Vec<_>>()
        };
        assert_eq!(rolled(1, "visits"), rolled(1, "visits"));
        assert_ne!(rolled(1, "visits"), rolled(2, "visits"));
        assert_ne!(rolled(1, "visits"), rolled(1, "calls"));
        assert!(rolled(1, "visits").iter().all(|n| (-3..=3).contains(n)));
    }
}
