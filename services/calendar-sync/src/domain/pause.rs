//! How long to leave a calendar alone that failed.

use core::time::Duration;

/// The longest pause.
const LONGEST: Duration = Duration::from_secs(300);

/// Twice as long after each failure in a row, up to five minutes.
#[must_use]
pub fn after(failures: i32, first: Duration) -> Duration {
    let doublings = u32::try_from(failures.saturating_sub(1)).unwrap_or(0).min(16);
    first.saturating_mul(1 << doublings).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_end_at_five_minutes() {
        let first = Duration::from_secs(2);
        let pauses: Vec<u64> = [1, 2, 3, 8, 9, 1_000, i32::MAX].map(|n| after(n, first).as_secs()).to_vec();
        assert_eq!(pauses, [2, 4, 8, 256, 300, 300, 300]);
    }
}
