//! An employee's working time on one day, and what is left out of it.

use jiff::civil::Date;

use crate::{
    day::Day,
    hours::{DaySpan, WeeklyPattern},
    id::EmployeeId,
    schedule::Schedule,
    slots::{DaySlots, SLOT_MINUTES},
};

use super::Rota;

/// When an employee works on a day, and why not else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkingDay {
    /// At work, the salon open, not on time off.
    pub working: DaySlots,
    /// The salon is closed.
    pub closed: DaySlots,
    /// The salon is open, and the employee's hours leave it out; time off is left aside.
    pub away: DaySlots,
    /// The date has hours of its own.
    pub has_own_hours: bool,
}

impl Schedule {
    /// An employee's working time on `day`. An employee without hours never works.
    #[must_use]
    pub fn working_day(&self, employee: EmployeeId, day: &Day) -> WorkingDay {
        let idle = Rota::default();
        let rota = self.rotas.get(&employee).unwrap_or(&idle);
        let open = self.opening.on(day);
        let mut closed = DaySlots::default();
        closed.set(0..day.slots());
        closed.remove(&open);
        let mut away = open;
        away.remove(&rota.hours_on(day));
        WorkingDay {
            working: rota.on(day, &open),
            closed,
            away,
            has_own_hours: rota.has_own_hours(day.date()),
        }
    }

    /// What an employee's weekly hours say of a date, by start.
    #[must_use]
    pub fn weekly_hours(&self, employee: EmployeeId, date: Date) -> Vec<DaySpan> {
        let week = self.rotas.get(&employee).and_then(|rota| rota.week_on(date));
        let spans = week.into_iter().flat_map(WeeklyPattern::spans);
        let on_date = spans.filter(|span| span.weekday == date.weekday());
        let mut spans: Vec<_> = on_date.map(|span| DaySpan { from: span.from, to: span.to }).collect();
        spans.sort_unstable_by_key(|span| span.from);
        spans
    }
}

impl Day {
    /// Slots as spans of the wall clock, ascending. Where the clock is put back within a span, the span is as
    /// long as the clock says.
    #[must_use]
    pub fn wall_spans(&self, slots: &DaySlots) -> Vec<DaySpan> {
        let span = |range: core::ops::Range<usize>| DaySpan {
            from: self.minute_of(range.start),
            to: self.minute_of(range.end - 1) + SLOT_MINUTES,
        };
        slots.ranges().map(span).filter(|span| span.from < span.to).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use jiff::{
        civil::{Weekday, date},
        tz::TimeZone,
    };
    use uuid::Uuid;

    use super::*;
    use crate::{
        hours::{DayHours, WeeklySpan},
        id::TimeOffId,
        policy::Policy,
        working::{Absence, Opening},
    };

    const ANA: EmployeeId = EmployeeId(Uuid::from_u128(1));
    const TUESDAY: Date = date(2026, 6, 2);

    fn tuesdays(from: u16, to: u16) -> WeeklyPattern {
        WeeklyPattern::new(vec![WeeklySpan { weekday: Weekday::Tuesday, from, to }]).unwrap()
    }

    fn day(of: Date) -> Day {
        Day::of(of, &TimeZone::get("Europe/London").unwrap())
    }

    fn schedule(rota: Option<Rota>) -> Schedule {
        Schedule {
            version: 1,
            zone: TimeZone::get("Europe/London").unwrap(),
            policy: Policy::default(),
            opening: Opening::from(tuesdays(540, 1080)),
            rotas: rota.into_iter().map(|rota| (ANA, rota)).collect(),
            services: BTreeMap::new(),
            resources: BTreeMap::new(),
            dependencies: vec![],
            names: BTreeMap::new(),
        }
    }

    fn spans(slots: &DaySlots) -> Vec<(u16, u16)> {
        day(TUESDAY).wall_spans(slots).iter().map(|span| (span.from, span.to)).collect()
    }

    #[test]
    fn a_day_is_closed_away_or_worked() {
        let shown = schedule(Some(Rota::from(tuesdays(600, 1200)))).working_day(ANA, &day(TUESDAY));
        assert_eq!(spans(&shown.working), [(600, 1080)]);
        assert_eq!(spans(&shown.closed), [(0, 540), (1080, 1440)]);
        assert_eq!(spans(&shown.away), [(540, 600)]);
        assert!(!shown.has_own_hours);
    }

    #[test]
    fn hours_of_the_date_count_instead_of_the_weeks() {
        let own = DayHours::new(vec![DaySpan { from: 720, to: 900 }]).unwrap();
        let days = BTreeMap::from([(TUESDAY, own)]);
        let rota = Rota::new(BTreeMap::from([(None, tuesdays(540, 1080))]), days, vec![]);
        let schedule = schedule(Some(rota));
        let shown = schedule.working_day(ANA, &day(TUESDAY));
        assert_eq!(spans(&shown.working), [(720, 900)]);
        assert_eq!(spans(&shown.away), [(540, 720), (900, 1080)]);
        assert_eq!(schedule.weekly_hours(ANA, TUESDAY), [DaySpan { from: 540, to: 1080 }]);
        assert_eq!(schedule.weekly_hours(ANA, date(2026, 6, 3)), []);
        assert!(shown.has_own_hours);
    }

    #[test]
    fn time_off_is_not_worked_and_not_away() {
        let tuesday = day(TUESDAY);
        let span = tuesday.between(600, 660).unwrap();
        let off = vec![Absence { time_off: TimeOffId(Uuid::from_u128(2)), span }];
        let rota = Rota::new(BTreeMap::from([(None, tuesdays(540, 1080))]), BTreeMap::new(), off);
        let shown = schedule(Some(rota)).working_day(ANA, &tuesday);
        assert_eq!(spans(&shown.working), [(540, 600), (660, 1080)]);
        assert_eq!(spans(&shown.away), []);
    }

    #[test]
    fn an_employee_without_hours_is_away_while_the_salon_is_open() {
        let shown = schedule(None).working_day(ANA, &day(TUESDAY));
        assert_eq!(spans(&shown.working), []);
        assert_eq!(spans(&shown.away), [(540, 1080)]);
    }

    #[test]
    fn spans_follow_the_wall_clock_where_it_changes() {
        let shown = |of: Date, from: u16, to: u16| {
            let day = day(of);
            let mut slots = DaySlots::default();
            slots.set(day.slot_at(from)..day.slot_at(to));
            day.wall_spans(&slots).iter().map(|span| (span.from, span.to)).collect::<Vec<_>>()
        };
        assert_eq!(shown(date(2026, 3, 29), 0, 540), [(0, 540)], "an hour is skipped");
        assert_eq!(shown(date(2026, 10, 25), 0, 540), [(0, 540)], "an hour comes twice");
        assert_eq!(shown(date(2026, 10, 25), 600, 1440), [(600, 1440)]);
    }
}
