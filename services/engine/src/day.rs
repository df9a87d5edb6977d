//! A business's local day on the time line.

use core::ops::Range;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};

use super::{
    slots::{DAY_SLOTS, DaySlots, SLOT_MINUTES, SLOT_SECONDS, slots_until, whole_slots_until},
    span::Span,
};

const REGULAR_SLOTS: usize = 288;

/// One local day: 24 hours, or 23 or 25 where the clocks change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    date: Date,
    starts_at: Timestamp,
    slots: usize,
    /// What the wall clock shows at each slot, in minutes, on a day when that is
    /// not simply the time since midnight.
    wall: Option<Box<[u16]>>,
}

impl Day {
    /// The day `date` in `zone`.
    #[must_use]
    pub fn of(date: Date, zone: &TimeZone) -> Self {
        let starts_at = midnight(date, zone);
        let ends_at = date.tomorrow().map_or(starts_at, |next| midnight(next, zone));
        let slots = usize::try_from(ends_at.duration_since(starts_at).as_secs() / SLOT_SECONDS).unwrap_or(0);
        let slots = slots.min(DAY_SLOTS);
        let mut day = Self { date, starts_at, slots, wall: None };
        if !day.is_regular(zone) {
            day.wall = Some((0..slots).map(|slot| wall_minute(zone, day.instant(slot))).collect());
        }
        day
    }

    /// The days that `span` touches, in order.
    #[must_use]
    pub fn covering(span: Span, zone: &TimeZone) -> Vec<Self> {
        let mut days = vec![];
        let mut date = Some(zone.to_datetime(span.starts_at()).date());
        while let Some(day) = date.map(|date| Self::of(date, zone)) {
            if day.starts_at >= span.ends_at() {
                break;
            }
            date = day.date.tomorrow().ok();
            days.push(day);
        }
        days
    }

    /// Its date.
    #[must_use]
    pub fn date(&self) -> Date {
        self.date
    }

    /// Its first instant.
    #[must_use]
    pub fn starts_at(&self) -> Timestamp {
        self.starts_at
    }

    /// The first instant of the next day.
    #[must_use]
    pub fn ends_at(&self) -> Timestamp {
        self.instant(self.slots)
    }

    /// How many slots it has.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The first slot at which the wall clock has reached `minute`. On a day whose
    /// clocks go forward over it that is the slot after the gap; where they go back
    /// and show it twice, the first time counts.
    #[must_use]
    pub fn slot_at(&self, minute: u16) -> usize {
        let slot = match &self.wall {
            None => usize::from(minute.div_ceil(SLOT_MINUTES)),
            Some(wall) => wall.iter().position(|shown| *shown >= minute).unwrap_or(self.slots),
        };
        slot.min(self.slots)
    }

    /// The minute after local midnight that the wall clock shows as a slot begins.
    #[must_use]
    pub fn minute_of(&self, slot: usize) -> u16 {
        // A regular day has 288 slots.
        let regular = || u16::try_from(slot).unwrap_or(u16::MAX / SLOT_MINUTES) * SLOT_MINUTES;
        self.wall.as_ref().and_then(|wall| wall.get(slot).copied()).unwrap_or_else(regular)
    }

    /// From when the wall clock reaches minute `from` until it reaches `to`; `None` if the clocks skip
    /// that time.
    #[must_use]
    pub fn between(&self, from: u16, to: u16) -> Option<Span> {
        Span::new(self.instant(self.slot_at(from)), self.instant(self.slot_at(to)))
    }

    /// The slots at which the wall clock shows a multiple of `minutes`.
    #[must_use]
    pub fn every(&self, minutes: u16) -> DaySlots {
        let mut grid = DaySlots::default();
        match &self.wall {
            None => (0..self.slots)
                .step_by(usize::from((minutes / SLOT_MINUTES).max(1)))
                .for_each(|slot| grid.set(slot..slot + 1)),
            Some(wall) => (0..self.slots)
                .filter(|slot| wall[*slot].is_multiple_of(minutes))
                .for_each(|slot| grid.set(slot..slot + 1)),
        }
        grid
    }

    /// The slots that `span` touches, however little.
    #[must_use]
    pub fn slots_of(&self, span: Span) -> Range<usize> {
        let until = slots_until(self.starts_at, span.ends_at()).min(self.slots);
        whole_slots_until(self.starts_at, span.starts_at()).min(until)..until
    }

    /// When slot `slot` begins.
    #[must_use]
    pub fn instant(&self, slot: usize) -> Timestamp {
        self.starts_at + SignedDuration::from_secs(slot as i64 * SLOT_SECONDS)
    }

    fn is_regular(&self, zone: &TimeZone) -> bool {
        let changes = zone.following(self.starts_at).take_while(|change| change.timestamp() < self.ends_at());
        self.slots == REGULAR_SLOTS && wall_minute(zone, self.starts_at) == 0 && changes.count() == 0
    }
}

fn midnight(date: Date, zone: &TimeZone) -> Timestamp {
    // Only dates at the ends of year -9999 and 9999 have no instant in every zone.
    zone.to_timestamp(date.at(0, 0, 0, 0)).unwrap_or(Timestamp::MAX)
}

fn wall_minute(zone: &TimeZone, at: Timestamp) -> u16 {
    let shown = zone.to_datetime(at).time();
    shown.hour() as u16 * 60 + shown.minute() as u16
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    /// What the wall clock shows when slot `slot_at(minute)` begins.
    fn opens(zone_name: &str, day: Date, minute: u16) -> String {
        let (zone, day) = (zone(zone_name), Day::of(day, &zone(zone_name)));
        zone.to_offset_info(day.instant(day.slot_at(minute))).abbreviation().to_owned()
            + &zone.to_datetime(day.instant(day.slot_at(minute))).strftime(" %H:%M").to_string()
    }

    #[test]
    fn a_day_has_23_24_or_25_hours() {
        let hours = |name: &str, date| Day::of(date, &zone(name)).slots() / 12;
        assert_eq!(hours("Europe/London", date(2026, 3, 29)), 23);
        assert_eq!(hours("Europe/London", date(2026, 10, 25)), 25);
        assert_eq!(hours("Europe/London", date(2026, 6, 1)), 24);
        assert_eq!(hours("America/New_York", date(2026, 3, 8)), 23);
        assert_eq!(hours("America/New_York", date(2026, 11, 1)), 25);
    }

    #[test]
    fn afternoons_begin_when_the_clock_says_so_on_days_of_change() {
        for day in [date(2026, 3, 29), date(2026, 10, 25), date(2026, 6, 1), date(2026, 12, 1)] {
            assert!(opens("Europe/London", day, 13 * 60 + 30).ends_with(" 13:30"), "{day}");
        }
        for day in [date(2026, 3, 8), date(2026, 11, 1), date(2026, 6, 1), date(2026, 12, 1)] {
            assert!(opens("America/New_York", day, 13 * 60 + 30).ends_with(" 13:30"), "{day}");
        }
    }

    #[test]
    fn a_minute_that_is_skipped_begins_after_the_gap() {
        assert_eq!(opens("Europe/London", date(2026, 3, 29), 55), "GMT 00:55");
        assert_eq!(opens("Europe/London", date(2026, 3, 29), 90), "BST 02:00");
        assert_eq!(opens("America/New_York", date(2026, 3, 8), 2 * 60 + 30), "EDT 03:00");
    }

    #[test]
    fn a_minute_that_comes_twice_begins_the_first_time() {
        assert_eq!(opens("Europe/London", date(2026, 10, 25), 90), "BST 01:30");
        assert_eq!(opens("Europe/London", date(2026, 10, 25), 120), "GMT 02:00");
        assert_eq!(opens("America/New_York", date(2026, 11, 1), 90), "EDT 01:30");
    }

    #[test]
    fn a_day_may_begin_after_midnight_when_midnight_is_skipped() {
        let day = Day::of(date(2026, 9, 6), &zone("America/Santiago"));
        assert_eq!(day.slots(), 23 * 12);
        assert_eq!(opens("America/Santiago", date(2026, 9, 6), 0), "-03 01:00");
    }

    #[test]
    fn half_hour_zones_and_changes_keep_their_grid() {
        let kathmandu = Day::of(date(2026, 6, 1), &zone("Asia/Kathmandu"));
        assert_eq!(kathmandu.every(60).count(), 24);
        let lord_howe = Day::of(date(2026, 10, 4), &zone("Australia/Lord_Howe"));
        assert_eq!(lord_howe.slots(), 23 * 12 + 6);
        let hours: Vec<_> = (0..lord_howe.slots()).filter(|slot| lord_howe.every(60).get(*slot)).collect();
        // 02:00 to 02:30 does not exist, so 03:00 comes half an hour after it would have.
        assert_eq!(hours[..4], [0, 12, 30, 42]);
    }

    #[test]
    fn the_days_of_a_span_follow_on_each_other() {
        let london = zone("Europe/London");
        let span =
            Span::new("2026-03-28T23:00:00Z".parse().unwrap(), "2026-03-29T23:00:00Z".parse().unwrap());
        let days = Day::covering(span.unwrap(), &london);
        assert_eq!(days.iter().map(Day::date).collect::<Vec<_>>(), [date(2026, 3, 28), date(2026, 3, 29)]);
        assert_eq!(days[0].ends_at(), days[1].starts_at());
    }

    #[test]
    fn a_span_touches_every_slot_it_shares_a_moment_with() {
        let day = Day::of(date(2026, 6, 1), &zone("UTC"));
        let span = |from: &str, to: &str| Span::new(from.parse().unwrap(), to.parse().unwrap()).unwrap();
        assert_eq!(day.slots_of(span("2026-06-01T00:05:00Z", "2026-06-01T00:10:00Z")), 1..2);
        assert_eq!(day.slots_of(span("2026-06-01T00:04:59Z", "2026-06-01T00:10:00.000001Z")), 0..3);
        assert_eq!(day.slots_of(span("2026-05-31T00:00:00Z", "2026-06-03T00:00:00Z")), 0..288);
        assert!(day.slots_of(span("2026-06-02T00:00:00Z", "2026-06-03T00:00:00Z")).is_empty());
        assert!(day.slots_of(span("2026-05-30T00:00:00Z", "2026-05-31T12:00:00Z")).is_empty());
    }
}
