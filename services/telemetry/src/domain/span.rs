//! Local dates, as instants: days have 23, 24 or 25 hours where clocks change.

use core::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

/// Years whose dates are counted.
const YEARS: RangeInclusive<i16> = 2000..=2199;
const HOUR: i64 = 3600;
/// Dates in one span.
const MOST_DATES: i64 = 366;

/// What is wrong with two dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// The last comes before the first.
    #[error("must not lie before first_date")]
    Backwards,
    /// More than [`MOST_DATES`].
    #[error("must lie at most 365 days after first_date")]
    TooLong,
}

/// From one local date to another, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dates {
    first: Date,
    last: Date,
}

/// Whether a date is of a year that is counted.
#[must_use]
pub fn is_counted(date: Date) -> bool {
    YEARS.contains(&date.year())
}

impl Dates {
    /// The dates from `first` to `last`.
    ///
    /// # Errors
    /// What is wrong with the last one.
    pub fn new(first: Date, last: Date) -> Result<Self, SpanError> {
        if last < first {
            return Err(SpanError::Backwards);
        }
        if last.duration_since(first) >= SignedDuration::from_hours(24 * MOST_DATES) {
            return Err(SpanError::TooLong);
        }
        Ok(Self { first, last })
    }

    /// As many dates right before.
    #[must_use]
    pub fn before(self) -> Self {
        let length = self.last.duration_since(self.first) + SignedDuration::from_hours(24);
        let back = |date: Date| date.saturating_sub(length);
        Self { first: back(self.first), last: back(self.last) }
    }

    /// Each date.
    pub fn each(self) -> impl Iterator<Item = Date> {
        self.first.series(jiff::ToSpan::day(1)).take_while(move |date| *date <= self.last)
    }

    /// When they begin in a zone, and when they are over.
    #[must_use]
    pub fn in_zone(self, zone: &TimeZone) -> Span {
        let after = self.last.tomorrow().unwrap_or(Date::MAX);
        Span { from: midnight(self.first, zone), to: midnight(after, zone) }
    }

    /// The hours of each date in a zone. One that the clocks skip is left out; one that comes twice is there once,
    /// with both.
    #[must_use]
    pub fn hours(self, zone: &TimeZone) -> Vec<Hour> {
        let Span { from, to } = self.in_zone(zone);
        let mut hours: Vec<Hour> = Vec::new();
        // Between two changes of the clocks it is plain arithmetic: a year is thousands of hours.
        let (mut at, mut offset) = (from, zone.to_offset(from));
        let mut changes = zone.following(from).peekable();
        while at < to {
            let local = offset.to_datetime(at);
            let (date, hour) = (local.date(), local.hour());
            if hours.last().is_none_or(|last| (last.date, last.hour) != (date, hour)) {
                hours.push(Hour { from: at, date, hour });
            }
            let into_hour = (at.as_second() + i64::from(offset.seconds())).rem_euclid(HOUR);
            at += SignedDuration::from_secs(HOUR - into_hour);
            if let Some(change) = changes.next_if(|change| change.timestamp() <= at) {
                (at, offset) = (change.timestamp(), change.offset());
            }
        }
        hours
    }
}

/// From an instant to another, the latter not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first instant.
    pub from: Timestamp,
    /// The first instant after it.
    pub to: Timestamp,
}

/// An hour of a local date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hour {
    /// When it begins.
    pub from: Timestamp,
    /// The date.
    pub date: Date,
    /// 0 to 23.
    pub hour: i8,
}

/// The first instant of a local date: not midnight everywhere.
#[must_use]
pub fn midnight(date: Date, zone: &TimeZone) -> Timestamp {
    date.to_zoned(zone.clone()).map_or(Timestamp::MAX, |zoned| zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn london() -> TimeZone {
        TimeZone::get("Europe/London").unwrap()
    }

    fn dates(first: &str, last: &str) -> Dates {
        Dates::new(first.parse().unwrap(), last.parse().unwrap()).unwrap()
    }

    #[test]
    fn a_span_has_a_year_at_most_and_as_many_dates_before_it() {
        let year = dates("2027-03-01", "2028-02-29");
        assert_eq!(year.before(), dates("2026-02-28", "2027-02-28"));
        assert_eq!((year.each().count(), year.before().each().count()), (366, 366));
        let refused = |first: &str, last: &str| Dates::new(first.parse().unwrap(), last.parse().unwrap());
        assert_eq!(refused("2026-01-01", "2027-01-02"), Err(SpanError::TooLong));
        assert_eq!(refused("2026-01-02", "2026-01-01"), Err(SpanError::Backwards));
    }

    #[test]
    fn the_night_of_a_clock_change_has_one_hour_less_or_one_twice() {
        let zone = london();
        let of = |date: &str| dates(date, date).hours(&zone);
        let spring: Vec<i8> = of("2026-03-29").iter().map(|hour| hour.hour).collect();
        assert_eq!((spring.len(), &spring[..3]), (23, &[0, 2, 3][..]));
        let autumn = of("2026-10-25");
        assert_eq!(autumn.len(), 24, "the hour that comes twice is one");
        assert_eq!(autumn[2].from.duration_since(autumn[1].from), SignedDuration::from_hours(2));
        let span = dates("2026-10-25", "2026-10-25").in_zone(&zone);
        assert_eq!(span.to.duration_since(span.from), SignedDuration::from_hours(25));
    }

    /// As [`Dates::hours`] has them, found by asking the zone at every quarter of an hour.
    fn walked(dates: Dates, zone: &TimeZone) -> Vec<Hour> {
        let Span { from, to } = dates.in_zone(zone);
        let mut hours: Vec<Hour> = Vec::new();
        let mut at = from;
        while at < to {
            let local = zone.to_datetime(at);
            let (date, hour) = (local.date(), local.hour());
            if hours.last().is_none_or(|last| (last.date, last.hour) != (date, hour)) {
                hours.push(Hour { from: at, date, hour });
            }
            at += SignedDuration::from_secs(crate::domain::counted::QUARTER);
        }
        hours
    }

    #[test]
    fn the_hours_of_a_year_are_those_that_its_quarters_lie_in_wherever_clocks_change() {
        for (zone, first, last) in [
            ("UTC", "2026-01-01", "2026-03-01"),
            ("Europe/London", "2026-01-01", "2026-12-31"),
            ("America/New_York", "2047-01-01", "2047-12-31"),
            // By half an hour.
            ("Australia/Lord_Howe", "2026-01-01", "2026-12-31"),
            // At midnight.
            ("America/Sao_Paulo", "2018-01-01", "2018-12-31"),
            // A day that there was not.
            ("Pacific/Apia", "2011-12-28", "2012-01-02"),
            ("Asia/Kathmandu", "2026-06-01", "2026-06-30"),
        ] {
            let (dates, zone) = (dates(first, last), TimeZone::get(zone).unwrap());
            assert_eq!(dates.hours(&zone), walked(dates, &zone), "{zone:?}");
        }
    }

    #[test]
    fn a_zone_off_by_a_quarter_begins_its_hours_with_a_quarter_in_utc() {
        let zone = TimeZone::get("Asia/Kathmandu").unwrap();
        let hours = dates("2026-06-01", "2026-06-01").hours(&zone);
        assert_eq!(hours.len(), 24);
        assert_eq!(hours[0].from, "2026-05-31T18:15:00Z".parse().unwrap());
    }
}
