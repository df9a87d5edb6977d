//! Local dates in a row.

use core::ops::RangeInclusive;

use jiff::{SignedDuration, civil::Date, tz::TimeZone};

use serde::{Deserialize, Serialize};

use super::{day::Day, span::Span};

/// Years whose days are counted.
pub const YEARS: RangeInclusive<i16> = 2000..=2199;
/// Most days from the first date to the last.
pub const MAX_DAYS: i64 = 366;

/// What is wrong with two dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// The last comes before the first.
    #[error("must not lie before first_date")]
    Backwards,
    /// Longer than [`MAX_DAYS`].
    #[error("must lie at most 366 days after first_date")]
    TooLong,
}

/// From one date to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DateRange {
    first: Date,
    last: Date,
}

impl DateRange {
    /// The dates from `first` to `last`.
    ///
    /// # Errors
    /// What is wrong with the last one.
    pub fn new(first: Date, last: Date) -> Result<Self, RangeError> {
        if last < first {
            return Err(RangeError::Backwards);
        }
        if last.duration_since(first) > SignedDuration::from_hours(24 * MAX_DAYS) {
            return Err(RangeError::TooLong);
        }
        Ok(Self { first, last })
    }

    /// The first date.
    #[must_use]
    pub fn first(self) -> Date {
        self.first
    }

    /// The last date.
    #[must_use]
    pub fn last(self) -> Date {
        self.last
    }

    /// From the first date's midnight to the last one's end; `None` if the zone skipped all of its
    /// dates.
    #[must_use]
    pub fn span(self, zone: &TimeZone) -> Option<Span> {
        Span::new(Day::of(self.first, zone).starts_at(), Day::of(self.last, zone).ends_at())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn dates_ascend_and_are_a_year_and_a_day_at_most() {
        let day = date(2027, 3, 1);
        assert!(DateRange::new(day, day).is_ok());
        assert_eq!(DateRange::new(day, date(2027, 2, 28)), Err(RangeError::Backwards));
        assert!(DateRange::new(day, date(2028, 3, 1)).is_ok());
        assert_eq!(DateRange::new(day, date(2028, 3, 2)), Err(RangeError::TooLong));
    }

    #[test]
    fn whole_days_last_as_long_as_the_zone_makes_them() {
        let hours = |name: &str, first, last| {
            let span = DateRange::new(first, last).unwrap().span(&TimeZone::get(name).unwrap());
            span.map(|span| span.length().as_hours())
        };
        assert_eq!(hours("Europe/London", date(2026, 3, 29), date(2026, 3, 29)), Some(23));
        assert_eq!(hours("Europe/London", date(2026, 10, 24), date(2026, 10, 25)), Some(49));
        // Samoa went over the date line.
        assert_eq!(hours("Pacific/Apia", date(2011, 12, 30), date(2011, 12, 30)), None);
    }
}
