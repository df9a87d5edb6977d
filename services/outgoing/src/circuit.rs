//! When a system that keeps failing is called again.

use jiff::{SignedDuration, Timestamp};

/// Failures in a row after which it is left alone.
const FAILURES: u32 = 4;
const FIRST_REST: SignedDuration = SignedDuration::from_secs(15);
/// Doublings of the rest at most: four minutes.
const MOST_DOUBLINGS: u32 = 4;

/// How the calls to one system went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Circuit {
    failures: u32,
    rests_until: Option<Timestamp>,
}

impl Circuit {
    /// How many seconds it is left alone from `now`; `None` when it may be called.
    #[must_use]
    pub fn wait(&self, now: Timestamp) -> Option<i64> {
        let left = self.rests_until?.duration_since(now);
        left.is_positive().then(|| left.as_secs().max(1))
    }

    /// After one more failure at `now`. Each call after a rest is a trial: its failure makes the next rest longer.
    #[must_use]
    pub fn failed(self, now: Timestamp) -> Self {
        let failures = self.failures.saturating_add(1);
        let over = failures.checked_sub(FAILURES);
        let rest = over.map(|over| FIRST_REST * 2_i32.pow(over.min(MOST_DOUBLINGS)));
        Self { failures, rests_until: rest.map(|rest| now + rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_rests_after_failures_in_a_row_and_longer_after_each_trial() {
        let now = Timestamp::UNIX_EPOCH;
        let after =
            |failures: usize| (0..failures).fold(Circuit::default(), |circuit, _| circuit.failed(now));
        let waits: Vec<Option<i64>> = [0, 3, 4, 5, 6, 8, 9, 400].map(|n| after(n).wait(now)).to_vec();
        assert_eq!(waits, [None, None, Some(15), Some(30), Some(60), Some(240), Some(240), Some(240)]);
        assert_eq!(after(4).wait(now + SignedDuration::from_secs(15)), None);
    }
}
