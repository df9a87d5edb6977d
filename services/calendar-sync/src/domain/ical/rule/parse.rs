//! A rule as it is written.

use jiff::civil::{DateTime, Weekday};

use super::{Day, Frequency, Rule};
use crate::domain::ical::Unread;

/// Of one list in a rule: each day of a year.
const MOST_ITEMS: usize = 366;

impl Rule {
    /// Reads `FREQ=…;…` of a series that begins at `start`.
    pub(in crate::domain::ical) fn parse(text: &str, start: DateTime) -> Result<Self, Unread> {
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
