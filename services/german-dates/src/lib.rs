//! Days and months in German, which jiff has no names for.

use jiff::civil::{Date, Weekday};

const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

/// "Montag".
#[must_use]
pub const fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Montag",
        Weekday::Tuesday => "Dienstag",
        Weekday::Wednesday => "Mittwoch",
        Weekday::Thursday => "Donnerstag",
        Weekday::Friday => "Freitag",
        Weekday::Saturday => "Samstag",
        Weekday::Sunday => "Sonntag",
    }
}

/// "1. Juni".
#[must_use]
pub fn day_and_month(date: Date) -> String {
    format!("{}. {}", date.day(), MONTHS[usize::from(date.month().unsigned_abs()) - 1])
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn days_and_months_are_named() {
        assert_eq!(weekday(date(2026, 6, 1).weekday()), "Montag");
        assert_eq!(weekday(date(2026, 5, 31).weekday()), "Sonntag");
        assert_eq!(day_and_month(date(2026, 1, 1)), "1. Januar");
        assert_eq!(day_and_month(date(2026, 12, 31)), "31. Dezember");
    }
}
