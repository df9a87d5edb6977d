//! Times, money and lists as the agent says them.

use jiff::{ToSpan, Zoned, civil::Date};

/// "today", "tomorrow" or "Tuesday the 2nd of June".
pub fn day(day: Date, today: Date) -> String {
    if day == today {
        return "today".to_owned();
    }
    if today.checked_add(1.day()).is_ok_and(|tomorrow| tomorrow == day) {
        return "tomorrow".to_owned();
    }
    let suffix = match day.day() {
        11..=13 => "th",
        n if n % 10 == 1 => "st",
        n if n % 10 == 2 => "nd",
        n if n % 10 == 3 => "rd",
        _ => "th",
    };
    format!("{} the {}{suffix} of {}", day.strftime("%A"), day.day(), day.strftime("%B"))
}

/// As [`day`], where a sentence goes on.
pub fn on_day(date: Date, today: Date) -> String {
    let named = day(date, today);
    if named.starts_with("to") { named } else { format!("on {named}") }
}

/// A name as it is said.
pub fn name(written: &str) -> String {
    written.replace('&', "and")
}

/// "10 am", "2:30 pm" or "noon".
pub fn time(at: &Zoned) -> String {
    clock(at.hour().into(), at.minute().into())
}

/// The same of an hour and a minute.
pub fn clock(hour: i32, minute: i32) -> String {
    let half = if hour < 12 { "am" } else { "pm" };
    let twelve = match hour % 12 {
        0 => 12,
        hour => hour,
    };
    match (hour, minute) {
        (12, 0) => "noon".to_owned(),
        (_, 0) => format!("{twelve} {half}"),
        (_, minute) => format!("{twelve}:{minute:02} {half}"),
    }
}

/// "a", "a or b", "a, b or c", with `last` before the last.
pub fn list(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., end] => format!("{} {last} {end}", front.join(", ")),
    }
}

/// "45 pounds", "12 euros 50", "4500 JPY".
pub fn money(minor: i32, currency: &str) -> String {
    let (whole, part) = match currency {
        "JPY" | "KRW" | "VND" | "CLP" | "ISK" | "UGX" | "XAF" | "XOF" | "PYG" => (minor, 0),
        _ => (minor / 100, minor % 100),
    };
    let name = match (currency, whole) {
        ("GBP", 1) => "pound",
        ("GBP", _) => "pounds",
        ("EUR", 1) => "euro",
        ("EUR", _) => "euros",
        ("USD" | "CAD" | "AUD" | "NZD", 1) => "dollar",
        ("USD" | "CAD" | "AUD" | "NZD", _) => "dollars",
        (other, _) => other,
    };
    if part == 0 { format!("{whole} {name}") } else { format!("{whole} {name} {part:02}") }
}

/// "30 minutes", "1 hour", "2 hours 15 minutes".
pub fn duration(minutes: i32) -> String {
    let unit = |n: i32, name: &str| format!("{n} {name}{}", if n == 1 { "" } else { "s" });
    match (minutes / 60, minutes % 60) {
        (0, minutes) => unit(minutes, "minute"),
        (hours, 0) => unit(hours, "hour"),
        (hours, minutes) => format!("{} {}", unit(hours, "hour"), unit(minutes, "minute")),
    }
}

/// `text` with a capital first letter.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_day_is_named_as_people_name_it() {
        let today = date(2026, 6, 1);
        assert_eq!(day(today, today), "today");
        assert_eq!(day(date(2026, 6, 2), today), "tomorrow");
        for (n, said) in [
            (3, "Wednesday the 3rd"),
            (11, "Thursday the 11th"),
            (21, "Sunday the 21st"),
            (22, "Monday the 22nd"),
        ] {
            assert_eq!(day(date(2026, 6, n), today), format!("{said} of June"));
        }
    }

    #[test]
    fn a_time_is_said_with_its_half_of_the_day() {
        for (clock, said) in [
            ("00:15", "12:15 am"),
            ("10:00", "10 am"),
            ("12:00", "noon"),
            ("12:05", "12:05 pm"),
            ("14:30", "2:30 pm"),
        ] {
            let at: Zoned = format!("2026-06-01T{clock}[Europe/London]").parse().unwrap();
            assert_eq!(time(&at), said);
        }
    }

    #[test]
    fn money_is_said_in_whole_and_part() {
        assert_eq!(money(4500, "GBP"), "45 pounds");
        assert_eq!(money(100, "EUR"), "1 euro");
        assert_eq!(money(1250, "EUR"), "12 euros 50");
        assert_eq!(money(1205, "CHF"), "12 CHF 05");
        assert_eq!(money(4500, "JPY"), "4500 JPY");
    }

    #[test]
    fn a_list_and_a_length_read_like_speech() {
        let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        assert_eq!(list(&words(&["a", "b", "c"]), "or"), "a, b or c");
        assert_eq!(list(&words(&["a"]), "and"), "a");
        assert_eq!(
            (duration(45), duration(60), duration(135)),
            ("45 minutes".into(), "1 hour".into(), "2 hours 15 minutes".into())
        );
        assert_eq!(sentence("tomorrow at 10 am"), "Tomorrow at 10 am");
    }
}
