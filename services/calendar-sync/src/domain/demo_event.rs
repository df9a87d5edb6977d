//! When an event of a demo calendar may be: as long and as near as what scheduling holds.

use core::ops::RangeInclusive;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use super::event::Span;

/// Years of demo events.
const YEARS: RangeInclusive<i16> = 2000..=2199;
/// Longest demo event: a year and a day.
const MAX_LENGTH: SignedDuration = SignedDuration::from_hours(366 * 24);

/// Why a demo event can't be then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpanError {
    /// It starts too early or too late.
    #[error("lies outside the years 2000 to 2199")]
    StartOutOfRange,
    /// It ends too early or too late.
    #[error("lies outside the years 2000 to 2199")]
    EndOutOfRange,
    /// It ends before it starts.
    #[error("is not after starts_at")]
    NotAfterStart,
    /// It is too long.
    #[error("is more than 366 days after starts_at")]
    TooLong,
}

/// The span of a demo event.
///
/// # Errors
/// When an event can't be then.
pub fn span(starts: Timestamp, ends: Timestamp) -> Result<Span, SpanError> {
    let in_range = |at: Timestamp| YEARS.contains(&TimeZone::UTC.to_datetime(at).year());
    if !in_range(starts) {
        return Err(SpanError::StartOutOfRange);
    }
    if !in_range(ends) {
        return Err(SpanError::EndOutOfRange);
    }
    let span = Span::new(starts, ends).ok_or(SpanError::NotAfterStart)?;
    if ends.duration_since(starts) > MAX_LENGTH { Err(SpanError::TooLong) } else { Ok(span) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(starts: &str, ends: &str) -> Result<Span, SpanError> {
        span(starts.parse().unwrap(), ends.parse().unwrap())
    }

    #[test]
    fn an_event_lies_between_2000_and_2199_and_ends_within_366_days() {
        assert!(checked("2000-01-01T00:00:00Z", "2001-01-01T00:00:00Z").is_ok());
        assert!(checked("2199-12-31T23:00:00Z", "2199-12-31T23:59:59Z").is_ok());
        for (starts, ends, error) in [
            ("1999-12-31T23:59:59Z", "2000-01-01T00:00:00Z", SpanError::StartOutOfRange),
            ("2199-12-31T23:00:00Z", "2200-01-01T00:00:00Z", SpanError::EndOutOfRange),
            ("2026-06-01T10:00:00Z", "2026-06-01T10:00:00Z", SpanError::NotAfterStart),
            ("2026-06-01T10:00:00Z", "2027-06-02T10:00:01Z", SpanError::TooLong),
        ] {
            assert_eq!(checked(starts, ends), Err(error), "{starts} to {ends}");
        }
    }
}
