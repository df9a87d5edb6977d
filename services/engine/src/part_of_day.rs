//! Morning, afternoon and evening, as the local clock shows them.

use core::ops::Range;

use jiff::{SignedDuration, civil::DateTime, tz::TimeZone};

use super::{
    day::Day,
    slots::{DaySlots, Slots},
    span::Span,
};

const NOON: u16 = 720;
const FIVE: u16 = 1020;
const MIDNIGHT: u16 = 1440;

/// A part of the local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartOfDay {
    /// Before noon.
    Morning,
    /// From noon up to five.
    Afternoon,
    /// From five.
    Evening,
}

impl PartOfDay {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Morning, Self::Afternoon, Self::Evening];

    /// The part in which all of `span` lies.
    #[must_use]
    pub fn holding(span: Span, zone: &TimeZone) -> Option<Self> {
        let first = zone.to_datetime(span.starts_at());
        let last = zone.to_datetime(span.ends_at() - SignedDuration::from_nanos(1));
        let minute = |at: DateTime| at.hour() as u16 * 60 + at.minute() as u16;
        let within = |part: &Self| [first, last].iter().all(|at| part.minutes().contains(&minute(*at)));
        Self::ALL.into_iter().find(|part| first.date() == last.date() && within(part))
    }

    /// The slots of `days`, which follow on each other, that begin in it.
    #[must_use]
    pub fn slots<'a>(self, days: impl IntoIterator<Item = &'a Day>) -> Slots {
        let mut slots = Slots::default();
        for day in days {
            let mut part = DaySlots::default();
            let Range { start, end } = self.minutes();
            part.set(day.slot_at(start)..day.slot_at(end));
            slots.append(&part, day.slots());
        }
        slots
    }

    /// In minutes that the clock shows.
    fn minutes(self) -> Range<u16> {
        match self {
            Self::Morning => 0..NOON,
            Self::Afternoon => NOON..FIVE,
            Self::Evening => FIVE..MIDNIGHT,
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_span_within_one_part_of_the_day_is_held_by_it() {
        let zone = TimeZone::get("Europe/London").unwrap();
        let held = |from: &str, to: &str| {
            let at =
                |text: &str| text.parse::<DateTime>().unwrap().to_zoned(zone.clone()).unwrap().timestamp();
            PartOfDay::holding(Span::new(at(from), at(to)).unwrap(), &zone)
        };
        assert_eq!(held("2026-06-01T09:00", "2026-06-01T12:00"), Some(PartOfDay::Morning));
        assert_eq!(held("2026-06-01T12:00", "2026-06-01T17:00"), Some(PartOfDay::Afternoon));
        assert_eq!(held("2026-06-01T17:00", "2026-06-02T00:00"), Some(PartOfDay::Evening));
        assert_eq!(held("2026-06-01T09:00", "2026-06-01T12:05"), None);
        assert_eq!(held("2026-06-01T09:00", "2026-06-02T11:00"), None);
    }

    #[test]
    fn every_slot_lies_in_one_part_also_when_the_clocks_change() {
        let london = TimeZone::get("Europe/London").unwrap();
        let days =
            [date(2026, 3, 28), date(2026, 3, 29), date(2026, 10, 25)].map(|date| Day::of(date, &london));
        let [morning, afternoon, evening] = PartOfDay::ALL.map(|part| part.slots(&days));
        let all = days.iter().map(Day::slots).sum();
        assert_eq!((morning.len(), evening.len()), (all, all));
        for slot in 0..all {
            let parts = [&morning, &afternoon, &evening].into_iter().filter(|part| part.get(slot)).count();
            assert_eq!(parts, 1, "slot {slot}");
        }
        assert_eq!(morning.ones().count(), 144 + 132 + 156);
    }
}
