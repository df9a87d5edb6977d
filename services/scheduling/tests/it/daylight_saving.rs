//! Days on which clocks change, everywhere: a suite that any engine can be held against.
//!
//! For every IANA zone whose clocks change in 2026 or 2027, and weekly hours of every shape that
//! meets a change, it says which instants are open. Hours open at the first instant of their day
//! at which the wall clock has reached their beginning, and close at the first at which it has
//! reached their end: what is skipped begins after the gap, what comes twice begins the first
//! time. The answers come from reading the wall clock minute by minute.
//!
//! `DAYLIGHT_SAVING_CASES=file` writes the cases, a JSON object a line: `zone`, `date`, `from` and
//! `to` in minutes of the wall clock, and `open`, from one instant to another, or null for never.

use std::{collections::BTreeSet, io::Write};

use engine::{
    day::Day,
    hours::{WeeklyPattern, WeeklySpan},
    slots::DaySlots,
    span::Span,
};
use jiff::{
    SignedDuration, Timestamp, ToSpan,
    civil::{Date, date},
    tz::{TimeZone, TimeZoneDatabase},
};
use serde_json::json;

const MINUTE: SignedDuration = SignedDuration::from_mins(1);
const SLOT: SignedDuration = SignedDuration::from_mins(5);
const DAY_MINUTES: i64 = 1440;

/// A zone, a day on which its clocks change, and where on that day's wall clock they do.
struct ChangedDay {
    name: String,
    zone: TimeZone,
    date: Date,
    /// Minutes after midnight between which the clock skips, or which it shows twice.
    around: (i64, i64),
}

/// The days of 2026 and 2027 on which clocks change.
fn changed_days() -> Vec<ChangedDay> {
    let database = TimeZoneDatabase::bundled();
    let (from, to) = (instant(date(2026, 1, 1)), instant(date(2028, 1, 1)));
    let mut days = vec![];
    for name in database.available() {
        let zone = database.get(name.as_str()).unwrap();
        for change in zone.following(from).take_while(|change| change.timestamp() < to) {
            let at = change.timestamp();
            let before = zone.to_offset(at - SignedDuration::from_secs(1)).to_datetime(at);
            let after = zone.to_datetime(at);
            let dates: BTreeSet<_> = [(before - 1.second()).date(), after.date()].into();
            for date in dates {
                let minute =
                    |shown: jiff::civil::DateTime| shown.duration_since(date.at(0, 0, 0, 0)).as_mins();
                let (one, other) = (minute(before), minute(after));
                let around = (one.min(other), one.max(other));
                days.push(ChangedDay { name: name.as_str().to_owned(), zone: zone.clone(), date, around });
            }
        }
    }
    days
}

fn instant(date: Date) -> Timestamp {
    date.to_zoned(TimeZone::UTC).unwrap().timestamp()
}

impl ChangedDay {
    /// Each minute of the day, with what the wall clock shows: minutes after midnight.
    fn minutes(&self) -> Vec<(Timestamp, i64)> {
        let first = instant(self.date) - SignedDuration::from_hours(26);
        let all = (0..78 * 60).map(|minute| first + MINUTE * minute);
        let shown = all.map(|at| (at, self.zone.to_datetime(at)));
        let here = shown.filter(|(_, shown)| shown.date() == self.date);
        here.map(|(at, shown)| (at, i64::from(shown.hour()) * 60 + i64::from(shown.minute()))).collect()
    }

    /// Hours that lie before, after, over, within and across the change.
    fn shapes(&self) -> BTreeSet<(i64, i64)> {
        let (low, high) = self.around;
        let middle = (low + high) / 10 * 5;
        let marks = [
            0,
            low - 60,
            low - 15,
            low,
            low + 15,
            middle,
            high - 15,
            high,
            high + 15,
            high + 60,
            DAY_MINUTES,
        ];
        let marks = marks.map(|minute| minute.clamp(0, DAY_MINUTES));
        let pairs = marks.iter().flat_map(|from| marks.iter().map(move |to| (*from, *to)));
        pairs.filter(|(from, to)| from < to).chain([(540, 1080), (0, DAY_MINUTES)]).collect()
    }
}

/// When hours are open, by reading the clock.
fn open(minutes: &[(Timestamp, i64)], from: i64, to: i64) -> Option<Span> {
    let ends_at = minutes.last().unwrap().0 + MINUTE;
    let reached =
        |minute: i64| minutes.iter().find(|(_, shown)| *shown >= minute).map_or(ends_at, |(at, _)| *at);
    Span::new(reached(from), reached(to))
}

/// When slots of a day are set, if they are in one piece.
fn piece(day: &Day, slots: &DaySlots) -> Option<Span> {
    let at = |slot: usize| day.starts_at() + SLOT * i32::try_from(slot).unwrap();
    let set: Vec<_> = (0..day.slots()).filter(|slot| slots.get(*slot)).collect();
    let (first, last) = (*set.first()?, *set.last()?);
    assert_eq!(last - first + 1, set.len(), "in several pieces");
    Span::new(at(first), at(last + 1))
}

fn hours_of(date: Date, (from, to): (i64, i64)) -> WeeklyPattern {
    let minute = |minute: i64| u16::try_from(minute).unwrap();
    WeeklyPattern::new(vec![WeeklySpan { weekday: date.weekday(), from: minute(from), to: minute(to) }])
        .unwrap()
}

#[test]
fn hours_open_and_close_by_the_wall_clock_in_every_zone() {
    let mut written =
        std::env::var_os("DAYLIGHT_SAVING_CASES").map(|path| std::fs::File::create(path).unwrap());
    let (mut zones, mut cases) = (BTreeSet::new(), 0);
    for changed in changed_days() {
        let (minutes, day) = (changed.minutes(), Day::of(changed.date, &changed.zone));
        let whole = open(&minutes, 0, DAY_MINUTES).unwrap();
        assert_eq!(
            (day.starts_at(), day.ends_at()),
            (whole.starts_at(), whole.ends_at()),
            "{}",
            changed.name
        );
        for (from, to) in changed.shapes() {
            let expected = open(&minutes, from, to);
            let found = piece(&day, &hours_of(changed.date, (from, to)).on(&day));
            assert_eq!(found, expected, "{} {} {from} to {to}", changed.name, changed.date);
            if let Some(file) = &mut written {
                let open = expected.map(|span| [span.starts_at().to_string(), span.ends_at().to_string()]);
                let case = json!({"zone": changed.name, "date": changed.date.to_string(), "from": from, "to": to, "open": open});
                writeln!(file, "{case}").unwrap();
            }
            cases += 1;
        }
        zones.insert(changed.name);
    }
    // Where the bundled zones change, that many more or fewer are no fault; none at all is one.
    assert!(zones.len() > 100 && cases > 10_000, "{} zones, {cases} cases", zones.len());
}

#[test]
fn offers_start_at_every_multiple_the_clock_shows_and_at_no_instant_twice() {
    for changed in changed_days() {
        let (minutes, day) = (changed.minutes(), Day::of(changed.date, &changed.zone));
        for increment in [5_u16, 15, 20, 60] {
            let shows = |shown: i64| shown % i64::from(increment) == 0;
            let expected: Vec<_> =
                minutes.iter().filter(|(_, shown)| shows(*shown)).map(|(at, _)| *at).collect();
            let grid = day.every(increment);
            let found: Vec<_> = (0..day.slots())
                .filter(|slot| grid.get(*slot))
                .map(|slot| day.starts_at() + SLOT * i32::try_from(slot).unwrap())
                .collect();
            assert_eq!(found, expected, "{} {} every {increment}", changed.name, changed.date);
        }
    }
}

/// What London's clock shows at each multiple of `increment` between two instants.
fn shown_in_london(date: Date, increment: u16, from: &str, to: &str) -> Vec<String> {
    let zone = TimeZone::get("Europe/London").unwrap();
    let (day, grid) = (Day::of(date, &zone), Day::of(date, &zone).every(increment));
    let all = (0..day.slots()).filter(|slot| grid.get(*slot));
    let all = all.map(|slot| day.starts_at() + SLOT * i32::try_from(slot).unwrap());
    let range = from.parse().unwrap()..to.parse().unwrap();
    let within = all.filter(|at: &Timestamp| range.contains(at));
    within.map(|at| at.to_zoned(zone.clone()).strftime("%H:%M %Z").to_string()).collect()
}

#[test]
fn a_quarter_after_the_spring_change_comes_once() {
    let shown = shown_in_london(date(2026, 3, 29), 15, "2026-03-29T00:30:00Z", "2026-03-29T01:45:00Z");
    assert_eq!(shown, ["00:30 GMT", "00:45 GMT", "02:00 BST", "02:15 BST", "02:30 BST"]);
}

#[test]
fn the_hour_of_the_autumn_change_comes_twice() {
    let shown = shown_in_london(date(2026, 10, 25), 60, "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z");
    assert_eq!(shown, ["00:00 BST", "01:00 BST", "01:00 GMT", "02:00 GMT"]);
}
