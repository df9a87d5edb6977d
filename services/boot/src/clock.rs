//! The clock, passed to everything that needs the time.

use std::sync::{Arc, LazyLock};

use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::random;

#[derive(Clone)]
enum Source {
    System,
    #[cfg(feature = "testclock")]
    Test(Arc<std::sync::Mutex<Timestamp>>),
}

/// Environment variable with the milliseconds by which the product's clock is ahead of the machine's
/// (negative: behind). Tests run the whole installation at another hour or weekday with it.
pub const OFFSET_VARIABLE: &str = "FRONTDESK_CLOCK_OFFSET_MS";

/// Ten years: far enough for any test, and inside the range of every timestamp.
const MAX_OFFSET_MS: u64 = 10 * 366 * 24 * 60 * 60 * 1000;

static OFFSET: LazyLock<SignedDuration> =
    LazyLock::new(|| offset().ok().flatten().unwrap_or(SignedDuration::ZERO));

/// The offset that the environment sets, if it sets one.
///
/// # Errors
/// Returns an error that names the variable if its value is not a number of milliseconds within ten years.
pub fn offset() -> anyhow::Result<Option<SignedDuration>> {
    std::env::var(OFFSET_VARIABLE).ok().map(|value| parse_offset(&value)).transpose()
}

fn parse_offset(value: &str) -> anyhow::Result<SignedDuration> {
    let millis: i64 = value.trim().parse().context(OFFSET_VARIABLE)?;
    anyhow::ensure!(
        millis.unsigned_abs() <= MAX_OFFSET_MS,
        "{OFFSET_VARIABLE}: {millis} ms is more than ten years from the machine's clock"
    );
    Ok(SignedDuration::from_millis(millis))
}

/// Tells the time and makes ids.
#[derive(Clone)]
pub struct Clock(Source);

impl core::fmt::Debug for Clock {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Clock").field(&self.now()).finish()
    }
}

impl Clock {
    /// The machine's clock, moved by [`offset`].
    #[must_use]
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => system_now(),
            #[cfg(feature = "testclock")]
            Source::Test(at) => *at.lock().unwrap_or_else(std::sync::PoisonError::into_inner),
        }
    }

    /// A new id (UUID version 7), ordered by this clock's milliseconds.
    #[must_use]
    pub fn new_id(&self) -> Uuid {
        let millis = u64::try_from(self.now().as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &random::bytes()).into_uuid()
    }

    /// This clock, as a [`caller::Gate`] reads it.
    #[must_use]
    pub fn reader(&self) -> caller::Now {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
fn system_now() -> Timestamp {
    let now = Timestamp::now();
    now.checked_add(*OFFSET).unwrap_or(now)
}

/// Sets the clock it was made with.
#[cfg(feature = "testclock")]
#[derive(Debug, Clone)]
pub struct TestClock(Arc<std::sync::Mutex<Timestamp>>);

#[cfg(feature = "testclock")]
impl Clock {
    /// A clock that stands still at `start` until the other half moves it.
    #[must_use]
    pub fn test(start: Timestamp) -> (Self, TestClock) {
        let at = Arc::new(std::sync::Mutex::new(start));
        (Self(Source::Test(at.clone())), TestClock(at))
    }
}

#[cfg(feature = "testclock")]
impl TestClock {
    /// Moves the clock on, or back by a negative duration.
    ///
    /// # Panics
    /// When the time leaves jiff's range.
    pub fn advance(&self, by: jiff::SignedDuration) {
        let mut at = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *at = at.checked_add(by).expect("a test's time stays in range");
    }

    /// Sets the clock.
    pub fn set(&self, to: Timestamp) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = to;
    }

    /// The time it shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The clock it moves.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Clock(Source::Test(self.0.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_version_7_and_carry_the_clocks_milliseconds() {
        let before = Clock::system().now().as_millisecond();
        let id = Clock::system().new_id();
        let after = Clock::system().now().as_millisecond();
        assert_eq!(id.get_version_num(), 7);
        let millis = i64::try_from(id.as_u128() >> 80).unwrap();
        assert!((before..=after).contains(&millis));
        assert_ne!(id, Clock::system().new_id());
    }

    #[test]
    fn an_offset_is_a_number_of_milliseconds_within_ten_years() {
        assert_eq!(parse_offset("-86400000").unwrap(), SignedDuration::from_hours(-24));
        for refused in ["", "tomorrow", "1.5", "-9223372036854775808", "-400000000000"] {
            let error = format!("{:#}", parse_offset(refused).unwrap_err());
            assert!(error.contains(OFFSET_VARIABLE), "{refused:?}: {error}");
        }
    }

    #[cfg(feature = "testclock")]
    #[test]
    fn a_test_clock_stands_still_until_it_is_moved() {
        let start: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        let (clock, time) = Clock::test(start);
        let reader = clock.reader();
        assert_eq!(clock.now(), start);
        time.advance(jiff::SignedDuration::from_hours(25));
        assert_eq!(reader(), "2026-06-02T09:00:00Z".parse().unwrap());
        time.set(start);
        assert_eq!(clock.clone().now(), start);
    }
}
