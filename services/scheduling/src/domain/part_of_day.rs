//! Morning, afternoon and evening, as the local clock shows them.

use core::ops::Range;

use super::{
    day::Day,
    slots::{DaySlots, Slots},
};

const NOON: u16 = 720;
const FIVE: u16 = 1020;
const MIDNIGHT: u16 = 1440;

/// A part of the local day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartOfDay {
    /// Before noon.
    Morning,
    /// From noon up to five.
    Afternoon,
    /// From five.
    Evening,
}

impl PartOfDay {
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
    use jiff::{civil::date, tz::TimeZone};

    use super::*;

    #[test]
    fn every_slot_lies_in_one_part_also_when_the_clocks_change() {
        let london = TimeZone::get("Europe/London").unwrap();
        let days =
            [date(2026, 3, 28), date(2026, 3, 29), date(2026, 10, 25)].map(|date| Day::of(date, &london));
        let [morning, afternoon, evening] =
            [PartOfDay::Morning, PartOfDay::Afternoon, PartOfDay::Evening].map(|part| part.slots(&days));
        let all = days.iter().map(Day::slots).sum();
        assert_eq!((morning.len(), evening.len()), (all, all));
        for slot in 0..all {
            let parts = [&morning, &afternoon, &evening].into_iter().filter(|part| part.get(slot)).count();
            assert_eq!(parts, 1, "slot {slot}");
        }
        assert_eq!(morning.ones().count(), 144 + 132 + 156);
    }
}
