//! Dates written as three numbers, of which the day or the month may come first.

use jiff::civil::Date;

use super::stored_names::stored_names;

/// What comes first in a date such as 03/04/2026.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// It is in April.
    DayFirst,
    /// It is in March.
    MonthFirst,
}

stored_names!(DateOrder {
    DayFirst = "DAY_FIRST",
    MonthFirst = "MONTH_FIRST",
});

/// In which order the dates of a table are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dates {
    /// Each is the same day in both orders, or there are none.
    Alike,
    /// At least one is a day in this order alone, and none in the other alone.
    In(DateOrder, String),
    /// Each is a day in both orders, and this one another day in each.
    Open(OpenDate),
    /// Some are days in one order alone and some in the other alone.
    Mixed {
        /// One whose day comes first.
        day_first: String,
        /// One whose month comes first.
        month_first: String,
    },
}

/// A date that means two days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDate {
    /// As it is written.
    pub text: String,
    /// What it means if the day comes first.
    pub day_first: Date,
    /// What it means if the month comes first.
    pub month_first: Date,
}

/// Why the dates of a table can't be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DateFault {
    /// No one has said in which order they are.
    #[error("is needed: “{0}” may have its day or its month first")]
    Open(String),
    /// They are in another order than was said.
    #[error("is not that of the table: see “{0}”")]
    Contradicted(String),
    /// They are in two orders.
    #[error("has dates in two orders, such as “{0}” and “{1}”: write them all in one")]
    Mixed(String, String),
}

impl Dates {
    /// The order of the dates among `texts`; other texts, and dates as in 2026-04-03, say nothing about it.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let (mut day_first, mut month_first, mut open) = (None, None, None);
        for text in texts {
            match both(text) {
                (Some(_), None) => day_first = day_first.or(Some(text)),
                (None, Some(_)) => month_first = month_first.or(Some(text)),
                (Some(day), Some(month)) if day != month => open = open.or(Some((text, day, month))),
                _ => {}
            }
        }
        match (day_first, month_first, open) {
            (Some(day), Some(month), _) => {
                Self::Mixed { day_first: day.to_owned(), month_first: month.to_owned() }
            }
            (Some(text), None, _) => Self::In(DateOrder::DayFirst, text.to_owned()),
            (None, Some(text), _) => Self::In(DateOrder::MonthFirst, text.to_owned()),
            (None, None, Some((text, day_first, month_first))) => {
                Self::Open(OpenDate { text: text.to_owned(), day_first, month_first })
            }
            (None, None, None) => Self::Alike,
        }
    }

    /// The order in which they are read, if that matters; a person may have `chosen` one.
    ///
    /// # Errors
    /// [`DateFault`].
    pub fn order(&self, chosen: Option<DateOrder>) -> Result<Option<DateOrder>, DateFault> {
        match (self, chosen) {
            (Self::Alike, _) => Ok(None),
            (Self::In(order, text), Some(other)) if other != *order => {
                Err(DateFault::Contradicted(text.clone()))
            }
            (Self::In(order, _), _) => Ok(Some(*order)),
            (Self::Open(_), Some(order)) => Ok(Some(order)),
            (Self::Open(date), None) => Err(DateFault::Open(date.text.clone())),
            (Self::Mixed { day_first, month_first }, _) => {
                Err(DateFault::Mixed(day_first.clone(), month_first.clone()))
            }
        }
    }
}

/// The day that a text means: written as 2026-04-03, or as 03/04/2026 or 3.4.2026 in the order of its table. Without
/// an order only what is the same day in both is one.
#[must_use]
pub fn date(text: &str, order: Option<DateOrder>) -> Option<Date> {
    if let Some(date) = text.parse().ok().filter(|_| text.len() == 10 && text.contains('-')) {
        return Some(date);
    }
    match (both(text), order) {
        ((day_first, _), Some(DateOrder::DayFirst)) => day_first,
        ((_, month_first), Some(DateOrder::MonthFirst)) => month_first,
        ((day_first, month_first), None) => day_first.filter(|_| day_first == month_first),
    }
}

/// The days that a text means if the day comes first, and if the month does.
fn both(text: &str) -> (Option<Date>, Option<Date>) {
    let Some((one, other, year)) = numbers(text) else { return (None, None) };
    (Date::new(year, other, one).ok(), Date::new(year, one, other).ok())
}

fn numbers(text: &str) -> Option<(i8, i8, i16)> {
    let parts = |separator: char| {
        let mut parts = text.split(separator);
        let three = [parts.next()?, parts.next()?, parts.next()?];
        (parts.next().is_none() && three.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit())))
            .then_some(three)
    };
    let [one, other, year] = parts('/').or_else(|| parts('.'))?;
    if one.len() > 2 || other.len() > 2 || year.len() != 4 {
        return None;
    }
    Some((one.parse().ok()?, other.parse().ok()?, year.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn one_date_that_is_a_day_in_one_order_alone_tells_the_order_of_all() {
        let told = |texts: &[&str]| Dates::of(texts.iter().copied());
        assert_eq!(
            told(&["03/04/2026", "13/04/2026"]),
            Dates::In(DateOrder::DayFirst, "13/04/2026".to_owned())
        );
        assert_eq!(
            told(&["3.4.2026", "4.13.2026"]),
            Dates::In(DateOrder::MonthFirst, "4.13.2026".to_owned())
        );
        assert_eq!(told(&["2026-04-03", "5/5/2026", "soon", "31/31/2026", "30/02/26", ""]), Dates::Alike);
        let mixed = told(&["13/04/2026", "04/13/2026"]);
        assert_eq!(
            mixed.order(None),
            Err(DateFault::Mixed("13/04/2026".to_owned(), "04/13/2026".to_owned()))
        );
    }

    #[test]
    fn what_the_dates_leave_open_is_asked_and_what_they_say_is_not_overruled() {
        let open = Dates::of(["2026-04-13", "03/04/2026"]);
        let Dates::Open(date) = &open else { panic!("{open:?}") };
        assert_eq!((date.day_first, date.month_first), (day("2026-04-03"), day("2026-03-04")));
        assert_eq!(open.order(None), Err(DateFault::Open("03/04/2026".to_owned())));
        assert_eq!(open.order(Some(DateOrder::MonthFirst)), Ok(Some(DateOrder::MonthFirst)));
        let told = Dates::of(["13/04/2026"]);
        assert_eq!(told.order(None), Ok(Some(DateOrder::DayFirst)));
        assert!(matches!(told.order(Some(DateOrder::MonthFirst)), Err(DateFault::Contradicted(_))));
    }

    #[test]
    fn a_date_is_read_in_the_order_of_its_table_alone() {
        let (day_first, month_first) = (Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst));
        assert_eq!(date("3.4.2026", day_first), Some(day("2026-04-03")));
        assert_eq!(date("03/04/2026", month_first), Some(day("2026-03-04")));
        assert_eq!(date("13/04/2026", month_first), None);
        assert_eq!(date("03/04/2026", None), None);
        assert_eq!(date("05/05/2026", None), Some(day("2026-05-05")));
        for order in [None, day_first, month_first] {
            assert_eq!(date("2026-04-03", order), Some(day("2026-04-03")));
            for text in
                ["3/4.2026", "3/4/26", "3/4/2026/1", "+3/4/2026", "2026-4-3", "20260403", "003/4/2026"]
            {
                assert_eq!(date(text, order), None, "{text}");
            }
        }
    }

    fn dates() -> impl Strategy<Value = Vec<Date>> {
        let any_day = (1900_i16..2100, 1_i8..=12, 1_i8..=31);
        prop::collection::vec(any_day.prop_filter_map("a day", |(y, m, d)| Date::new(y, m, d).ok()), 1..20)
    }

    proptest! {
        #[test]
        fn a_column_in_either_order_is_read_as_it_was_written_or_asked_about(
            dates in dates(), month_first: bool, dots: bool, padded: bool,
        ) {
            let order = if month_first { DateOrder::MonthFirst } else { DateOrder::DayFirst };
            let separator = if dots { '.' } else { '/' };
            let written: Vec<String> = dates.iter().map(|date| {
                let (one, other) = if month_first { (date.month(), date.day()) } else { (date.day(), date.month()) };
                if padded {
                    format!("{one:02}{separator}{other:02}{separator}{}", date.year())
                } else {
                    format!("{one}{separator}{other}{separator}{}", date.year())
                }
            }).collect();
            let told = Dates::of(written.iter().map(String::as_str));
            let chosen = match &told {
                Dates::Open(open) => {
                    let at = written.iter().position(|text| *text == open.text).unwrap();
                    let meant = if month_first { open.month_first } else { open.day_first };
                    prop_assert_eq!(meant, dates[at], "the right one is among the two choices");
                    prop_assert!(told.order(None).is_err());
                    Some(order)
                }
                _ => None,
            };
            let found = told.order(chosen).unwrap();
            let read: Vec<_> = written.iter().filter_map(|text| date(text, found)).collect();
            prop_assert_eq!(read, dates);
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            prop_assert_eq!(Dates::of([text.as_str()]).order(None).is_ok(), both(&text).0.is_none()
                || both(&text).1.is_none() || both(&text).0 == both(&text).1);
        }
    }
}
