//! Recurrence rules: when a series happens, on the wall clock.
//!
//! Rules by the hour, minute or second, by the number of a week or by the day of a year are not read: what has
//! one is put aside with its reason rather than guessed.

mod parse;

use jiff::{
    Span,
    civil::{Date, DateTime, Weekday},
};

use super::{Budget, Unread, moment::Moment};

/// Periods looked at for one series at most.
const MOST_PERIODS: i64 = 40_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frequency {
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

/// A weekday, with which one of its month or year where the rule says so; negative from the end.
type Day = (Option<i8>, Weekday);

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule {
    frequency: Frequency,
    interval: i64,
    pub(super) count: Option<u32>,
    /// As it is written: it is a date or a time, with the start's zone.
    pub(super) until: Option<String>,
    days: Vec<Day>,
    month_days: Vec<i8>,
    months: Vec<i8>,
    positions: Vec<i16>,
    week_start: Weekday,
}

impl Rule {
    /// The wall-clock times of the series from `start`, in order, without end. Where the rule does not count,
    /// those before `from` may be left out. They break off once the budget is spent.
    pub(super) fn times(
        &self,
        start: DateTime,
        from: Date,
        budget: &Budget,
    ) -> impl Iterator<Item = DateTime> {
        let first = if self.count.is_some() { 0 } else { self.periods_before(start.date(), from) };
        let later = (first..first + MOST_PERIODS).map_while(move |period| {
            budget.spend(self.breadth())?;
            let mut dates = self.dates(start.date(), period)?;
            budget.spend(dates.len())?;
            dates.sort_unstable();
            dates.dedup();
            Some(self.chosen(&dates))
        });
        // The start is the first one, whatever the rule says.
        let rest =
            later.flatten().map(move |date| date.to_datetime(start.time())).filter(move |at| *at > start);
        core::iter::once(start).chain(rest)
    }

    /// What each period costs, even without a date: its lists are gone through for each other.
    fn breadth(&self) -> usize {
        (1 + self.days.len()) * (1 + self.month_days.len()) * (1 + self.months.len()) + self.positions.len()
    }

    /// Whole periods between the start and `from`, less one.
    fn periods_before(&self, start: Date, from: Date) -> i64 {
        let days = i64::from((from - start).get_days());
        let long = match self.frequency {
            Frequency::Daily => 1,
            Frequency::Weekly => 7,
            Frequency::Monthly => 31,
            Frequency::Yearly => 366,
        };
        (days / (long * self.interval) - 1).max(0)
    }

    /// The dates of one period; `None` beyond all calendars.
    fn dates(&self, start: Date, period: i64) -> Option<Vec<Date>> {
        let steps = period.checked_mul(self.interval)?;
        match self.frequency {
            Frequency::Daily => {
                let date = days_after(start, steps)?;
                Some(if self.fits(date) { vec![date] } else { vec![] })
            }
            Frequency::Weekly => {
                let into = i64::from(start.weekday().since(self.week_start));
                let first = days_after(start, steps.checked_mul(7)? - into)?;
                let days = (0..7).map(|day| days_after(first, day)).collect::<Option<Vec<_>>>()?;
                let wanted = |date: &Date| match self.days.as_slice() {
                    [] => date.weekday() == start.weekday(),
                    days => days.iter().any(|(_, day)| *day == date.weekday()),
                };
                Some(days.into_iter().filter(wanted).filter(|date| self.in_month(*date)).collect())
            }
            Frequency::Monthly => {
                let month = start.first_of_month().checked_add(Span::new().try_months(steps).ok()?).ok()?;
                Some(if self.in_month(month) { self.of_month(month, start) } else { vec![] })
            }
            Frequency::Yearly => {
                let year =
                    start.year().checked_add(i16::try_from(steps).ok()?).filter(|year| *year <= 9999)?;
                Some(self.of_year(year, start))
            }
        }
    }

    fn of_year(&self, year: i16, start: Date) -> Vec<Date> {
        let months: Vec<i8> = match (self.months.as_slice(), self.days.as_slice(), self.month_days.as_slice())
        {
            ([], [], []) => vec![start.month()],
            ([], [], _) => (1..=12).collect(),
            ([], _, []) => {
                let first = Date::constant(year, 1, 1);
                return self.weekdays_of(first, i64::from(first.days_in_year()));
            }
            ([], _, _) => (1..=12).collect(),
            (months, _, _) => months.to_vec(),
        };
        let firsts = months.into_iter().filter_map(|month| Date::new(year, month, 1).ok());
        firsts.flat_map(|month| self.of_month(month, start)).collect()
    }

    /// The dates in the month that begins with `first`.
    fn of_month(&self, first: Date, start: Date) -> Vec<Date> {
        let length = first.days_in_month();
        let on = |day: i8| first.with().day(day).build().ok();
        match (self.month_days.as_slice(), self.days.as_slice()) {
            ([], []) => on(start.day()).into_iter().collect(),
            ([], _) => self.weekdays_of(first, i64::from(length)),
            (days, _) => {
                let days = days.iter().map(|day| if *day < 0 { length + 1 + day } else { *day });
                let dates = days.filter(|day| *day > 0).filter_map(on);
                dates.filter(|date| self.on_weekday(*date)).collect()
            }
        }
    }

    /// The wanted weekdays among the `length` days from `first`.
    fn weekdays_of(&self, first: Date, length: i64) -> Vec<Date> {
        let dates = |weekday: Weekday| -> Vec<Date> {
            let into = i64::from(weekday.since(first.weekday()));
            let days = (into..length).step_by(7);
            days.filter_map(|day| days_after(first, day)).collect()
        };
        let wanted = |(ordinal, weekday): &Day| {
            let all = dates(*weekday);
            match ordinal {
                None => all,
                Some(at) => position(&all, i16::from(*at)).into_iter().collect(),
            }
        };
        self.days.iter().flat_map(wanted).collect()
    }

    fn fits(&self, date: Date) -> bool {
        let length = date.days_in_month();
        let on = |day: &i8| date.day() == if *day < 0 { length + 1 + day } else { *day };
        self.in_month(date)
            && self.on_weekday(date)
            && (self.month_days.is_empty() || self.month_days.iter().any(on))
    }

    fn in_month(&self, date: Date) -> bool {
        self.months.is_empty() || self.months.contains(&date.month())
    }

    fn on_weekday(&self, date: Date) -> bool {
        self.days.is_empty() || self.days.iter().any(|(_, day)| *day == date.weekday())
    }

    /// Those of a period's dates that the rule's positions choose.
    fn chosen(&self, dates: &[Date]) -> Vec<Date> {
        if self.positions.is_empty() {
            return dates.to_vec();
        }
        let mut chosen: Vec<Date> = self.positions.iter().filter_map(|at| position(dates, *at)).collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

/// The date that many days later; `None` beyond all calendars.
fn days_after(date: Date, days: i64) -> Option<Date> {
    date.checked_add(Span::new().try_days(days).ok()?).ok()
}

/// The date at a position from 1, or from the end by a negative one.
fn position(dates: &[Date], at: i16) -> Option<Date> {
    let index = usize::from(at.unsigned_abs()).checked_sub(1)?;
    if at > 0 { dates.get(index) } else { dates.iter().rev().nth(index) }.copied()
}

/// Whether a series that ends with `until` still has `at`.
pub(super) fn is_within(until: &Moment, at: &Moment, own: &jiff::tz::TimeZone) -> Result<bool, Unread> {
    Ok(match until {
        Moment::Day(last) => at.civil().date() <= *last,
        Moment::Time(..) => at.instant(own)? <= until.instant(own)?,
    })
}

#[cfg(test)]
mod tests;
