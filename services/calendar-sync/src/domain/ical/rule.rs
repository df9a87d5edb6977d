//! Recurrence rules: when a series happens, on the wall clock.
//!
//! Rules by the hour, minute or second, by the number of a week or by the day of a year are not read: what has
//! one is put aside with its reason rather than guessed.

use jiff::{
    Span,
    civil::{Date, DateTime, Weekday},
};

use super::{Budget, Unread, moment::Moment};

/// Periods looked at for one series at most.
const MOST_PERIODS: i64 = 40_000;
/// Of one list in a rule: each day of a year.
const MOST_ITEMS: usize = 366;

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
    /// Reads `FREQ=…;…` of a series that begins at `start`.
    pub(super) fn parse(text: &str, start: DateTime) -> Result<Self, Unread> {
        let parts = text.split(';').filter(|part| !part.is_empty());
        let parts: Vec<(String, &str)> = parts
            .map(|part| {
                part.split_once('=').map(|(name, value)| (name.trim().to_ascii_uppercase(), value.trim()))
            })
            .collect::<Option<_>>()
            .ok_or_else(|| unread(text))?;
        let mut rule = Self {
            frequency: Frequency::Daily,
            interval: 1,
            count: None,
            until: None,
            days: vec![],
            month_days: vec![],
            months: vec![],
            positions: vec![],
            week_start: Weekday::Monday,
        };
        if !parts.iter().any(|(name, _)| name == "FREQ") {
            return Err(unread(text));
        }
        for (name, value) in parts {
            rule.take(&name, value, start).ok_or_else(|| unread(text))?;
        }
        let ordinals = rule.days.iter().any(|(ordinal, _)| ordinal.is_some());
        let misplaced = ordinals && matches!(rule.frequency, Frequency::Daily | Frequency::Weekly);
        if misplaced || (rule.count.is_some() && rule.until.is_some()) { Err(unread(text)) } else { Ok(rule) }
    }

    fn take(&mut self, name: &str, value: &str, start: DateTime) -> Option<()> {
        match name {
            "FREQ" => self.frequency = frequency(value)?,
            "INTERVAL" => {
                self.interval = value.parse().ok().filter(|interval| (1..=10_000).contains(interval))?
            }
            "COUNT" => self.count = Some(value.parse().ok().filter(|count| *count > 0)?),
            "UNTIL" => self.until = Some(value.to_owned()),
            "BYDAY" => self.days = list(value, day)?,
            "BYMONTHDAY" => self.month_days = list(value, |text| number(text, 31))?,
            "BYMONTH" => self.months = list(value, |text| number(text, 12).filter(|month| *month > 0))?,
            "BYSETPOS" => {
                self.positions =
                    list(value, |text| text.parse().ok().filter(|at: &i16| (1..=366).contains(&at.abs())))?;
            }
            "WKST" => self.week_start = weekday(value)?,
            // They may say once more what the start says.
            "BYHOUR" => same(value, start.hour())?,
            "BYMINUTE" => same(value, start.minute())?,
            "BYSECOND" => same(value, start.second())?,
            _ => return None,
        }
        Some(())
    }

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

fn unread(rule: &str) -> Unread {
    Unread::new(format!("repeats by a rule that is not supported: {rule:.120}"))
}

fn frequency(text: &str) -> Option<Frequency> {
    Some(match text {
        "DAILY" => Frequency::Daily,
        "WEEKLY" => Frequency::Weekly,
        "MONTHLY" => Frequency::Monthly,
        "YEARLY" => Frequency::Yearly,
        _ => return None,
    })
}

fn list<T>(text: &str, one: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let items = text.split(',').map(|item| one(item.trim()));
    let items: Vec<T> = items.take(MOST_ITEMS + 1).collect::<Option<_>>()?;
    (items.len() <= MOST_ITEMS).then_some(items)
}

/// From 1 to `most`, or from the end.
fn number(text: &str, most: i8) -> Option<i8> {
    text.parse().ok().filter(|number: &i8| (1..=most).contains(&number.saturating_abs()))
}

fn day(text: &str) -> Option<Day> {
    let (ordinal, name) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let ordinal = match ordinal {
        "" => None,
        text => Some(number(text, 53)?),
    };
    Some((ordinal, weekday(name)?))
}

fn weekday(name: &str) -> Option<Weekday> {
    Some(match name {
        "MO" => Weekday::Monday,
        "TU" => Weekday::Tuesday,
        "WE" => Weekday::Wednesday,
        "TH" => Weekday::Thursday,
        "FR" => Weekday::Friday,
        "SA" => Weekday::Saturday,
        "SU" => Weekday::Sunday,
        _ => return None,
    })
}

fn same(text: &str, own: i8) -> Option<()> {
    (text.parse() == Ok(own)).then_some(())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn times(start: &str, rule: &str, most: usize) -> Vec<String> {
        let start: DateTime = start.parse().unwrap();
        let rule = Rule::parse(rule, start).unwrap();
        let most = rule.count.map_or(most, |count| most.min(count as usize));
        rule.times(start, start.date(), &Budget::default())
            .take(most)
            .map(|at| at.date().to_string())
            .collect()
    }

    #[test]
    fn the_examples_of_the_standard() {
        // RFC 5545, 3.8.5.3, all from 2 September 1997 or the start it names.
        let cases: [(&str, &str, &[&str]); 13] = [
            (
                "1997-09-02T09:00",
                "FREQ=DAILY;INTERVAL=10;COUNT=3",
                &["1997-09-02", "1997-09-12", "1997-09-22"],
            ),
            ("1998-01-01T09:00", "FREQ=DAILY;BYMONTH=1", &["1998-01-01", "1998-01-02", "1998-01-03"]),
            (
                "1997-09-02T09:00",
                "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,TH;COUNT=5",
                &["1997-09-02", "1997-09-04", "1997-09-16", "1997-09-18", "1997-09-30"],
            ),
            (
                "1997-08-05T09:00",
                "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
                &["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"],
            ),
            (
                "1997-08-05T09:00",
                "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
                &["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"],
            ),
            (
                "1997-09-05T09:00",
                "FREQ=MONTHLY;COUNT=3;BYDAY=1FR",
                &["1997-09-05", "1997-10-03", "1997-11-07"],
            ),
            (
                "1997-09-22T09:00",
                "FREQ=MONTHLY;COUNT=3;BYDAY=-2MO",
                &["1997-09-22", "1997-10-20", "1997-11-17"],
            ),
            ("1997-09-28T09:00", "FREQ=MONTHLY;BYMONTHDAY=-3", &["1997-09-28", "1997-10-29", "1997-11-28"]),
            (
                "1998-02-13T09:00",
                "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
                &["1998-02-13", "1998-03-13", "1998-11-13"],
            ),
            (
                "1997-09-04T09:00",
                "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
                &["1997-09-04", "1997-10-07", "1997-11-06"],
            ),
            (
                "1997-06-10T09:00",
                "FREQ=YEARLY;COUNT=4;BYMONTH=6,7",
                &["1997-06-10", "1997-07-10", "1998-06-10", "1998-07-10"],
            ),
            ("1997-05-19T09:00", "FREQ=YEARLY;BYDAY=20MO", &["1997-05-19", "1998-05-18", "1999-05-17"]),
            (
                "1997-03-13T09:00",
                "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
                &["1997-03-13", "1997-03-20", "1997-03-27", "1998-03-05"],
            ),
        ];
        for (start, rule, expected) in cases {
            assert_eq!(times(start, rule, expected.len()), expected, "{rule}");
        }
    }

    #[test]
    fn a_day_that_a_month_has_not_is_left_out() {
        assert_eq!(times("2026-01-31T10:00", "FREQ=MONTHLY", 3), ["2026-01-31", "2026-03-31", "2026-05-31"]);
        assert_eq!(times("2024-02-29T10:00", "FREQ=YEARLY", 2), ["2024-02-29", "2028-02-29"]);
    }

    #[test]
    fn what_was_skipped_is_what_is_before_the_day_of_interest() {
        let start: DateTime = "2015-03-02T09:00".parse().unwrap();
        let interest = date(2026, 6, 1);
        for text in
            ["FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY;BYDAY=MO,FR", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=YEARLY"]
        {
            let rule = Rule::parse(text, start).unwrap();
            let after = |from: Date| -> Vec<DateTime> {
                let budget = Budget::default();
                rule.times(start, from, &budget).filter(|at| at.date() >= interest).take(20).collect()
            };
            assert_eq!(after(interest), after(start.date()), "{text}");
        }
    }

    #[test]
    fn an_unsupported_or_malformed_rule_is_refused_with_its_text() {
        for wrong in [
            "FREQ=HOURLY",
            "FREQ=DAILY;BYHOUR=9,10",
            "FREQ=YEARLY;BYWEEKNO=20",
            "FREQ=YEARLY;BYYEARDAY=1",
            "FREQ=DAILY;BYDAY=1MO",
            "FREQ=WEEKLY;COUNT=0",
            "FREQ=WEEKLY;INTERVAL=0",
            "FREQ=DAILY;COUNT=2;UNTIL=20260101",
            "COUNT=2",
            "weekly",
        ] {
            let refused = Rule::parse(wrong, "2026-06-01T09:00".parse().unwrap()).unwrap_err();
            assert!(refused.0.contains(wrong), "{refused}");
        }
        assert!(Rule::parse("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "2026-06-01T09:00".parse().unwrap()).is_ok());
    }
}
