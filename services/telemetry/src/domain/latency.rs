//! How long look-ups took, counted in steps of an eighth: small enough to add up by the day, and every percentile is
//! at most an eighth too high.

use std::collections::BTreeMap;

/// Longer is counted as this.
const LONGEST_MS: i32 = 600_000;

/// How many look-ups took so long, by their step.
pub type Latencies = BTreeMap<u8, i64>;

/// The step of a latency.
#[must_use]
pub fn step(latency_ms: i32) -> u8 {
    let wanted = latency_ms.min(LONGEST_MS);
    let at = steps().position(|most| wanted <= most).unwrap_or_default();
    u8::try_from(at).unwrap_or(u8::MAX)
}

/// The longest latency of a step, in milliseconds.
#[must_use]
pub fn longest(step: u8) -> i32 {
    steps().nth(usize::from(step)).unwrap_or(LONGEST_MS)
}

/// 1, 2, …, 8, 9, 10, …, 16, 18, 20, 22, 24, 27, …
fn steps() -> impl Iterator<Item = i32> {
    core::iter::successors(Some(1), |most: &i32| (*most < LONGEST_MS).then(|| most + (most / 8).max(1)))
}

/// The latency that so many of a hundred look-ups did not exceed; 0 without any.
#[must_use]
pub fn percentile(latencies: &Latencies, percent: i64) -> i32 {
    let all: i64 = latencies.values().sum();
    let rank = ((all * percent + 99) / 100).max(1);
    let mut seen = 0;
    for (step, count) in latencies {
        seen += count;
        if seen >= rank {
            return longest(*step);
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_step_is_at_most_an_eighth_above_what_it_counts(latency in 0_i32..LONGEST_MS) {
            let most = longest(step(latency));
            prop_assert!(most >= latency && f64::from(most) <= f64::from(latency.max(1)) * 1.125 + 1.0);
        }

        #[test]
        fn a_percentile_is_the_step_of_the_look_up_at_its_rank(
            mut taken in proptest::collection::vec(0_i32..90_000, 1..60), percent in 1_i64..100,
        ) {
            let mut latencies = Latencies::new();
            for latency in &taken {
                *latencies.entry(step(*latency)).or_default() += 1;
            }
            taken.sort_unstable();
            let rank = (taken.len() * usize::try_from(percent).unwrap()).div_ceil(100).max(1);
            prop_assert_eq!(percentile(&latencies, percent), longest(step(taken[rank - 1])));
        }
    }

    #[test]
    fn nothing_has_no_percentile_and_the_longest_is_counted() {
        assert_eq!(percentile(&Latencies::new(), 50), 0);
        assert!(longest(step(i32::MAX)) >= LONGEST_MS && step(i32::MAX) < u8::MAX);
        assert_eq!((step(0), step(1), step(9), longest(step(17))), (0, 0, 8, 18));
    }
}
