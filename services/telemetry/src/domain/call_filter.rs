//! Which calls of a list are wanted.

use jiff::{civil::Date, tz::TimeZone};

use super::{
    ServiceId,
    missed::Missed,
    outcome::Outcome,
    span::{Span, midnight},
};
use jiff::Timestamp;

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
    /// Those with a look-up that failed by a fault of ours.
    pub failed_tool: bool,
    /// Those in which this was looked for or booked.
    pub service: Option<ServiceId>,
    /// Of those, the ones in which it was booked.
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
