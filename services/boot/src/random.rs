//! The random source.

use core::time::Duration;

use rand::Rng;

/// `N` bytes from the operating system's generator, fit for keys and tokens.
///
/// # Panics
/// When the operating system has no random source.
#[must_use]
pub fn bytes<const N: usize>() -> [u8; N] {
    use rand::TryRngCore;
    let mut bytes = [0; N];
    rand::rngs::OsRng.try_fill_bytes(&mut bytes).expect("the operating system has a random source");
    bytes
}

/// A duration between half of `around` and one and a half of it.
#[must_use]
pub fn jitter(around: Duration) -> Duration {
    around.mul_f64(between(0.5, 1.5))
}

/// A duration at most a tenth shorter or longer than `around`: for what begins together and must not
/// end together.
#[must_use]
pub fn spread(around: Duration) -> Duration {
    around.mul_f64(between(0.9, 1.1))
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the random source")]
fn between(least: f64, most: f64) -> f64 {
    rand::rng().random_range(least..most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jitter_stays_around_its_middle_and_differs() {
        let middle = Duration::from_secs(2);
        let drawn: Vec<_> = (0..64).map(|_| jitter(middle)).collect();
        assert!(drawn.iter().all(|d| (Duration::from_secs(1)..Duration::from_secs(3)).contains(d)));
        assert!(drawn.iter().any(|d| *d != drawn[0]));
    }

    #[test]
    fn bytes_are_not_repeated() {
        assert_ne!(bytes::<16>(), bytes::<16>());
    }
}
