//! Which calls of a list are wanted.

use jiff::{civil::Date, tz::TimeZone};

use super::{
    ServiceId,
    missed::Missed,
    outcome::Outcome,
    span::{Span, midnight},
};
use jiff::Timestamp;

/// Digits in words that are more than a time or a year, and may be part of a telephone number.
const DIGITS_OF_A_NUMBER: usize = 5;
/// The beginning of year 1: databases begin later than `Timestamp::MIN`.
const BEGINNING: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// What is wanted; `None` and what is empty want all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Those that started on this local date or later.
    pub first: Option<Date>,
    /// Those that started on this local date or earlier.
    pub last: Option<Date>,
    /// Those that go on, or those that ended.
    pub live: Option<bool>,
    /// Those that came to any of these.
    pub outcomes: Vec<Outcome>,
    /// Those of this platform.
    pub platform: Option<String>,
    /// Those that led to no booking for this.
    pub missed: Option<Missed>,
    /// Those that ended and in which a booking was looked for or made.
    pub wanted_booking: bool,
    /// Those from which a person booked a visit that is not cancelled, or those from which none did.
    pub booked_by_team: Option<bool>,
    /// Those with a look-up that failed by a fault of ours.
    pub failed_tool: bool,
    /// Those in which this was looked for or booked.
    pub service: Option<ServiceId>,
    /// Of those, the ones in which it was booked, or from which a person booked it.
    pub service_booked: bool,
    /// Those with a look-up of this [step](super::latency::step) or a longer one.
    pub lookup_step: Option<u8>,
    /// Those that started in this hour of the local day.
    pub hour: Option<i8>,
    /// Those with words that begin like these.
    pub words: Option<String>,
}

impl CallFilter {
    /// Whether it wants all.
    #[must_use]
    pub fn wants_all(&self) -> bool {
        *self == Self::default()
    }

    /// The step, where it asks how long look-ups took, and for nothing else but days.
    #[must_use]
    pub fn slow_alone(&self) -> Option<u8> {
        let others = Self { first: None, last: None, lookup_step: None, ..self.clone() };
        self.lookup_step.filter(|_| others.wants_all())
    }

    /// Whether its words may be part of a telephone number.
    #[must_use]
    pub fn may_name_a_number(&self) -> bool {
        let digits = |words: &str| words.chars().filter(|c| c.is_numeric()).count();
        self.words.as_deref().is_some_and(|words| digits(words) >= DIGITS_OF_A_NUMBER)
    }

    /// Whether it says something of the business's clock.
    #[must_use]
    pub fn needs_zone(&self) -> bool {
        self.first.is_some() || self.last.is_some() || self.hour.is_some()
    }

    /// When the calls it wants may have started.
    #[must_use]
    pub fn span(&self, zone: &TimeZone) -> Span {
        let after = self.last.map(|last| last.tomorrow().unwrap_or(Date::MAX));
        Span {
            from: self.first.map_or(BEGINNING, |first| midnight(first, zone)),
            to: after.map_or(Timestamp::MAX, |after| midnight(after, zone)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_more_digits_than_a_time_may_name_a_number() {
        let of = |words: &str| CallFilter { words: Some(words.to_owned()), ..CallFilter::default() };
        for number in ["07700", "+44770", "077 00", "Mia 900 001", "\u{663}\u{663}\u{663}\u{663}\u{663}"] {
            assert!(of(number).may_name_a_number(), "{number}");
        }
        for other in ["10:30", "Mia 2026", "balayage", ""] {
            assert!(!of(other).may_name_a_number(), "{other}");
        }
        assert!(!CallFilter::default().may_name_a_number());
    }

    #[test]
    fn slow_look_ups_are_asked_for_alone_where_nothing_but_days_is_asked_for_beside_them() {
        let slow = CallFilter { lookup_step: Some(9), ..CallFilter::default() };
        assert_eq!(slow.slow_alone(), Some(9));
        let day = Some(Date::constant(2026, 6, 1));
        assert_eq!(CallFilter { first: day, last: day, ..slow.clone() }.slow_alone(), Some(9));
        assert_eq!(CallFilter { hour: Some(9), ..slow.clone() }.slow_alone(), None);
        assert_eq!(CallFilter { failed_tool: true, ..slow }.slow_alone(), None);
        assert_eq!(CallFilter::default().slow_alone(), None);
    }
}
