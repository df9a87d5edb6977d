//! Hours of weeks and of single dates: when a salon is open, when an employee works.

use jiff::civil::Weekday;

use serde::{Deserialize, Serialize};

use super::{
    day::Day,
    slots::{DaySlots, SLOT_MINUTES},
};

const DAY_MINUTES: u16 = 1440;

/// A span of one weekday, in minutes after local midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeeklySpan {
    /// The weekday.
    #[serde(with = "weekday")]
    pub weekday: Weekday,
    /// From this minute.
    pub from: u16,
    /// Up to this one; 1440 is midnight at the day's end.
    pub to: u16,
}

/// A span of one date, in minutes after local midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaySpan {
    /// From this minute.
    pub from: u16,
    /// Up to this one; 1440 is midnight at the day's end.
    pub to: u16,
}

/// What is wrong with hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Not on the five-minute grid, or outside the day.
    #[error("span {0} has minutes that are no multiples of 5 between 0 and 1440")]
    Minutes(usize),
    /// Ends before it begins.
    #[error("span {0} does not end after it begins")]
    Backwards(usize),
    /// Shares time with an earlier one.
    #[error("span {0} overlaps another")]
    Overlap(usize),
}

/// Hours that come back every week; empty means never.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WeeklyPattern(Vec<WeeklySpan>);

impl WeeklyPattern {
    /// A pattern of spans that do not overlap, in any order.
    ///
    /// # Errors
    /// The first span, by its index, that is malformed or overlaps an earlier one.
    pub fn new(spans: Vec<WeeklySpan>) -> Result<Self, PatternError> {
        for (index, span) in spans.iter().enumerate() {
            let same_day = spans[..index].iter().filter(|other| other.weekday == span.weekday);
            span.minutes().check(index, same_day.map(WeeklySpan::minutes))?;
        }
        Ok(Self(spans))
    }

    /// Its spans.
    #[must_use]
    pub fn spans(&self) -> &[WeeklySpan] {
        &self.0
    }

    /// The slots of `day` it covers.
    #[must_use]
    pub fn on(&self, day: &Day) -> DaySlots {
        let weekday = day.date().weekday();
        let mut slots = DaySlots::default();
        for span in self.0.iter().filter(|span| span.weekday == weekday) {
            slots.set(day.slot_at(span.from)..day.slot_at(span.to));
        }
        slots
    }
}

/// Hours of a date; empty means closed, or not at work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DayHours(Vec<DaySpan>);

impl DayHours {
    /// Hours of spans that do not overlap, in any order.
    ///
    /// # Errors
    /// The first span, by its index, that is malformed or overlaps an earlier one.
    pub fn new(spans: Vec<DaySpan>) -> Result<Self, PatternError> {
        for (index, span) in spans.iter().enumerate() {
            span.check(index, spans[..index].iter().copied())?;
        }
        Ok(Self(spans))
    }

    /// Its spans.
    #[must_use]
    pub fn spans(&self) -> &[DaySpan] {
        &self.0
    }

    /// The slots of `day` it covers.
    #[must_use]
    pub fn on(&self, day: &Day) -> DaySlots {
        let mut slots = DaySlots::default();
        self.0.iter().for_each(|span| slots.set(day.slot_at(span.from)..day.slot_at(span.to)));
        slots
    }
}

/// Weekdays are written as in ISO 8601: Monday is 1.
mod weekday {
    use jiff::civil::Weekday;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(weekday: &Weekday, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i8(weekday.to_monday_one_offset())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Weekday, D::Error> {
        Weekday::from_monday_one_offset(i8::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl WeeklySpan {
    fn minutes(&self) -> DaySpan {
        DaySpan { from: self.from, to: self.to }
    }
}

impl DaySpan {
    fn check(self, index: usize, mut others: impl Iterator<Item = Self>) -> Result<(), PatternError> {
        let fits = |minute: u16| minute <= DAY_MINUTES && minute.is_multiple_of(SLOT_MINUTES);
        if !fits(self.from) || !fits(self.to) {
            return Err(PatternError::Minutes(index));
        }
        if self.from >= self.to {
            return Err(PatternError::Backwards(index));
        }
        if others.any(|other| other.from < self.to && self.from < other.to) {
            return Err(PatternError::Overlap(index));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use jiff::{civil::date, tz::TimeZone};

    use super::*;

    fn span(weekday: Weekday, from: u16, to: u16) -> WeeklySpan {
        WeeklySpan { weekday, from, to }
    }

    #[test]
    fn spans_that_touch_are_fine_and_spans_that_overlap_are_named() {
        let touching = vec![span(Weekday::Monday, 540, 720), span(Weekday::Monday, 720, 1440)];
        assert!(WeeklyPattern::new(touching).is_ok());
        let overlapping = vec![span(Weekday::Monday, 540, 720), span(Weekday::Monday, 715, 800)];
        assert_eq!(WeeklyPattern::new(overlapping), Err(PatternError::Overlap(1)));
        let other_day = vec![span(Weekday::Monday, 540, 720), span(Weekday::Tuesday, 715, 800)];
        assert!(WeeklyPattern::new(other_day).is_ok());
    }

    #[test]
    fn minutes_off_the_grid_or_outside_the_day_are_refused() {
        for (from, to, error) in [
            (541, 720, PatternError::Minutes(0)),
            (540, 1445, PatternError::Minutes(0)),
            (720, 720, PatternError::Backwards(0)),
            (720, 540, PatternError::Backwards(0)),
        ] {
            assert_eq!(WeeklyPattern::new(vec![span(Weekday::Friday, from, to)]), Err(error));
        }
    }

    #[test]
    fn hours_of_a_date_keep_the_same_rules() {
        let hours = |spans: &[(u16, u16)]| {
            DayHours::new(spans.iter().map(|&(from, to)| DaySpan { from, to }).collect())
        };
        assert!(hours(&[(720, 1440), (540, 720)]).is_ok());
        assert_eq!(hours(&[(540, 720), (715, 800)]), Err(PatternError::Overlap(1)));
        assert_eq!(hours(&[(540, 723)]), Err(PatternError::Minutes(0)));
        assert_eq!(hours(&[(540, 540)]), Err(PatternError::Backwards(0)));
    }

    #[test]
    fn a_pattern_covers_its_weekday_alone() {
        let pattern = WeeklyPattern::new(vec![span(Weekday::Monday, 540, 720)]).unwrap();
        let utc = TimeZone::UTC;
        assert_eq!(pattern.on(&Day::of(date(2026, 6, 1), &utc)).count(), 36);
        assert_eq!(pattern.on(&Day::of(date(2026, 6, 2), &utc)).count(), 0);
    }

    #[test]
    fn hours_are_as_long_as_the_clock_makes_them_on_days_of_change() {
        let nights = [Weekday::Sunday].map(|day| span(day, 0, 180)).to_vec();
        let pattern = WeeklyPattern::new(nights).unwrap();
        let hours = |zone: &str, date| pattern.on(&Day::of(date, &TimeZone::get(zone).unwrap())).count() / 12;
        assert_eq!(hours("Europe/London", date(2026, 3, 29)), 2);
        assert_eq!(hours("Europe/London", date(2026, 10, 25)), 4);
        assert_eq!(hours("America/New_York", date(2026, 3, 8)), 2);
        assert_eq!(hours("America/New_York", date(2026, 11, 1)), 4);
    }
}
