//! Each rule of working time by itself.

use jiff::{
    SignedDuration, Timestamp,
    civil::{Weekday, date},
    tz::TimeZone,
};
use uuid::Uuid;

use super::*;
use crate::{
    hours::{DaySpan, WeeklySpan},
    span::Span,
};

/// Hours of a date, from and to full hours.
fn hours(spans: &[(u16, u16)]) -> DayHours {
    DayHours::new(spans.iter().map(|&(from, to)| DaySpan { from: from * 60, to: to * 60 }).collect()).unwrap()
}

/// The same hours every day.
fn daily(from: u16, to: u16) -> WeeklyPattern {
    let week = Weekday::Monday.cycle_forward().take(7);
    let spans = week.map(|weekday| WeeklySpan { weekday, from: from * 60, to: to * 60 });
    WeeklyPattern::new(spans.collect()).unwrap()
}

fn exception(first: Date, last: Date, hours: DayHours) -> OpeningException {
    let dates = DateRange::new(first, last).unwrap();
    OpeningException { id: OpeningExceptionId(Uuid::nil()), dates, hours, label: String::new() }
}

fn absences(spans: Vec<Span>) -> Vec<Absence> {
    spans.into_iter().map(|span| Absence { time_off: TimeOffId(Uuid::nil()), span }).collect()
}

fn zone() -> TimeZone {
    TimeZone::get("Europe/London").unwrap()
}

fn day(date: Date) -> Day {
    Day::of(date, &zone())
}

/// What the clock shows where the working slots of a day begin and end.
fn shown(date: Date, slots: DaySlots) -> Vec<String> {
    let day = day(date);
    let changes = (0..=day.slots()).filter(|slot| {
        let before = slot.checked_sub(1).is_some_and(|before| slots.get(before));
        before != (*slot < day.slots() && slots.get(*slot))
    });
    let instant = |slot: usize| day.starts_at() + SignedDuration::from_mins(5 * slot as i64);
    changes.map(|slot| zone().to_datetime(instant(slot)).strftime("%H:%M").to_string()).collect()
}

fn span(from: &str, to: &str) -> Span {
    let at = |text: &str| -> Timestamp {
        zone().to_timestamp(text.parse::<jiff::civil::DateTime>().unwrap()).unwrap()
    };
    Span::new(at(from), at(to)).unwrap()
}

#[test]
fn an_exception_counts_on_its_dates_alone_instead_of_the_week() {
    let special = exception(date(2026, 12, 24), date(2026, 12, 24), hours(&[(8, 12), (13, 14)]));
    let closed = exception(date(2026, 12, 25), date(2026, 12, 26), hours(&[]));
    let opening = Opening::new(daily(9, 18), vec![closed, special]);
    let on = |date| shown(date, opening.on(&day(date)));
    assert_eq!(on(date(2026, 12, 23)), ["09:00", "18:00"]);
    assert_eq!(on(date(2026, 12, 24)), ["08:00", "12:00", "13:00", "14:00"]);
    assert!(on(date(2026, 12, 25)).is_empty() && on(date(2026, 12, 26)).is_empty());
    assert_eq!(on(date(2026, 12, 27)), ["09:00", "18:00"]);
}

#[test]
fn a_week_counts_from_its_date_up_to_the_next_ones() {
    let weeks = [(Some(date(2026, 6, 10)), daily(12, 20)), (Some(date(2026, 6, 3)), daily(10, 11))];
    let open = Opening::from(daily(0, 24));
    let on = |rota: &Rota, date| shown(date, rota.on(&day(date), &open.on(&day(date))));
    let later = Rota::new(BTreeMap::from(weeks.clone()), BTreeMap::new(), vec![]);
    assert!(on(&later, date(2026, 6, 2)).is_empty(), "nothing counts yet");
    assert_eq!(on(&later, date(2026, 6, 3)), ["10:00", "11:00"]);
    assert_eq!(on(&later, date(2026, 6, 9)), ["10:00", "11:00"]);
    assert_eq!(on(&later, date(2026, 6, 10)), ["12:00", "20:00"]);
    let always = weeks.into_iter().chain([(None, daily(9, 18))]).collect();
    let always = Rota::new(always, BTreeMap::new(), vec![]);
    assert_eq!(on(&always, date(2026, 6, 2)), ["09:00", "18:00"]);
    assert_eq!(on(&always, date(2026, 6, 3)), ["10:00", "11:00"]);
}

#[test]
fn hours_of_a_date_count_instead_of_the_week_within_the_opening_hours() {
    let days = [(date(2026, 6, 2), hours(&[(7, 12)])), (date(2026, 6, 3), hours(&[]))];
    let rota = Rota::new(BTreeMap::from([(None, daily(10, 16))]), BTreeMap::from(days), vec![]);
    let open = Opening::from(daily(9, 18));
    let on = |date| shown(date, rota.on(&day(date), &open.on(&day(date))));
    assert_eq!(on(date(2026, 6, 1)), ["10:00", "16:00"]);
    assert_eq!(on(date(2026, 6, 2)), ["09:00", "12:00"]);
    assert!(on(date(2026, 6, 3)).is_empty());
}

#[test]
fn who_has_no_week_works_on_the_dates_that_say_so() {
    let days = BTreeMap::from([(date(2026, 6, 2), hours(&[(10, 12)]))]);
    let rota = Rota::new(BTreeMap::new(), days, vec![]);
    let open = Opening::from(daily(9, 18));
    assert_eq!(
        shown(date(2026, 6, 2), rota.on(&day(date(2026, 6, 2)), &open.on(&day(date(2026, 6, 2))))),
        ["10:00", "12:00"]
    );
    assert_eq!(rota.on(&day(date(2026, 6, 3)), &open.on(&day(date(2026, 6, 3)))).count(), 0);
}

#[test]
fn time_off_takes_every_slot_it_touches_and_nothing_else() {
    let off = vec![
        span("2026-06-02T15:00", "2026-06-02T15:07"),
        span("2026-06-02T10:00", "2026-06-02T11:00"),
        span("2026-06-02T10:30", "2026-06-02T12:00"),
        span("2026-06-02T15:08", "2026-06-02T15:20"),
        span("2026-06-02T17:00", "2026-06-04T10:00"),
    ];
    let rota = Rota::new(BTreeMap::from([(None, daily(9, 18))]), BTreeMap::new(), absences(off));
    let open = Opening::from(daily(9, 18));
    let on = |date| shown(date, rota.on(&day(date), &open.on(&day(date))));
    assert_eq!(on(date(2026, 6, 1)), ["09:00", "18:00"]);
    assert_eq!(on(date(2026, 6, 2)), ["09:00", "10:00", "12:00", "15:00", "15:20", "17:00"]);
    assert!(on(date(2026, 6, 3)).is_empty());
    assert_eq!(on(date(2026, 6, 4)), ["10:00", "18:00"]);
}

#[test]
fn a_day_off_is_off_on_days_of_23_and_25_hours_and_its_neighbours_are_not() {
    for change in [date(2026, 3, 29), date(2026, 10, 25)] {
        let off = DateRange::new(change, change).unwrap().span(&zone()).unwrap();
        let rota = Rota::new(BTreeMap::from([(None, daily(0, 24))]), BTreeMap::new(), absences(vec![off]));
        let open = Opening::from(daily(0, 24));
        let count = |date| rota.on(&day(date), &open.on(&day(date))).count();
        assert_eq!(count(change), 0);
        assert_eq!(count(change.yesterday().unwrap()), 288);
        assert_eq!(count(change.tomorrow().unwrap()), 288);
    }
}

#[test]
fn special_hours_follow_the_wall_clock_when_it_changes() {
    let change = date(2026, 10, 25);
    let opening = Opening::new(daily(9, 18), vec![exception(change, change, hours(&[(0, 4), (12, 16)]))]);
    let slots = opening.on(&day(change));
    assert_eq!(slots.count(), 9 * 12);
    assert_eq!(shown(change, slots), ["00:00", "04:00", "12:00", "16:00"]);
}

#[test]
fn nobody_works_after_their_last_day_whatever_the_week_and_the_dates_say() {
    let days = BTreeMap::from([(date(2026, 6, 4), hours(&[(10, 12)]))]);
    let rota = Rota::new(BTreeMap::from([(None, daily(9, 18))]), days, vec![]);
    let rota = rota.until(Some(date(2026, 6, 2)));
    let open = Opening::from(daily(9, 18));
    let count = |date| rota.on(&day(date), &open.on(&day(date))).count();
    assert_eq!(count(date(2026, 6, 2)), 9 * 12);
    assert_eq!((count(date(2026, 6, 3)), count(date(2026, 6, 4))), (0, 0));
    assert_eq!((rota.has_ended(date(2026, 6, 2)), rota.has_ended(date(2026, 6, 3))), (false, true));
    let stays = rota.until(None);
    assert_eq!(stays.on(&day(date(2026, 6, 3)), &open.on(&day(date(2026, 6, 3)))).count(), 9 * 12);
}
