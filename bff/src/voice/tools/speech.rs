//! Times, money and lists as the agent says them, in the language of the call.

use currency::Currency;
use jiff::{
    ToSpan, Zoned,
    civil::{Date, Weekday},
};

use crate::voice::playbook::Language;

/// How a conversation sounds: its language, and the time at the salon.
#[derive(Debug, Clone, Copy)]
pub struct Speech<'a> {
    /// The language.
    pub language: Language,
    /// The time in the business's zone.
    pub now: &'a Zoned,
}

/// The word before the last entry of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// All of them.
    And,
    /// One of them.
    Or,
}

impl Speech<'_> {
    /// What is said in the language.
    pub fn pick<T>(self, english: T, german: T) -> T {
        self.language.pick(english, german)
    }

    /// "today", "tomorrow" or "Tuesday the 2nd of June"; "heute", "morgen" or "Dienstag, den 2. Juni".
    pub fn day(self, day: Date) -> String {
        match (self.near(day), self.language) {
            (Some(near), _) => near.to_owned(),
            (None, Language::English) => english_date(day),
            (None, Language::German) => {
                format!("{}, den {}", german_dates::weekday(day.weekday()), german_dates::day_and_month(day))
            }
        }
    }

    /// As [`Self::day`], where a sentence goes on: "on Tuesday the 2nd of June", "am Dienstag, dem 2. Juni".
    pub fn on_day(self, day: Date) -> String {
        match (self.near(day), self.language) {
            (Some(near), _) => near.to_owned(),
            (None, Language::English) => format!("on {}", english_date(day)),
            (None, Language::German) => {
                format!(
                    "am {}, dem {}",
                    german_dates::weekday(day.weekday()),
                    german_dates::day_and_month(day)
                )
            }
        }
    }

    fn near(self, day: Date) -> Option<&'static str> {
        let today = self.now.date();
        if day == today {
            return Some(self.pick("today", "heute"));
        }
        let tomorrow = today.checked_add(1.day()).is_ok_and(|tomorrow| tomorrow == day);
        tomorrow.then(|| self.pick("tomorrow", "morgen"))
    }

    /// A name as it is said.
    pub fn name(self, written: &str) -> String {
        written.replace('&', self.pick("and", "und"))
    }

    /// "10 am", "2:30 pm" or "noon"; "10 Uhr" or "14 Uhr 30".
    pub fn time(self, at: &Zoned) -> String {
        self.clock(at.hour().into(), at.minute().into())
    }

    /// The same of an hour and a minute; 24 is midnight.
    pub fn clock(self, hour: i32, minute: i32) -> String {
        match self.language {
            _ if hour == 24 => self.pick("midnight", "Mitternacht").to_owned(),
            Language::English => english_clock(hour, minute),
            Language::German if minute == 0 => format!("{hour} Uhr"),
            Language::German => format!("{hour} Uhr {minute:02}"),
        }
    }

    /// "tomorrow at 10 am", "am Dienstag, dem 2. Juni um 10 Uhr"
    pub fn when(self, at: &Zoned) -> String {
        let (day, time) = (self.on_day(at.date()), self.time(at));
        self.pick(format!("{day} at {time}"), format!("{day} um {time}"))
    }

    /// As [`Self::when`], of a visit that is moved there.
    pub fn until_when(self, at: &Zoned) -> String {
        let time = self.time(at);
        match self.language {
            Language::English => format!("{} at {time}", self.on_day(at.date())),
            Language::German => format!("{} um {time}", self.day(at.date())),
        }
    }

    /// "a", "a or b", "a, b or c".
    pub fn list(self, parts: &[String], joint: Joint) -> String {
        let last = match joint {
            Joint::And => self.pick("and", "und"),
            Joint::Or => self.pick("or", "oder"),
        };
        match parts {
            [] => String::new(),
            [one] => one.clone(),
            [front @ .., end] => format!("{} {last} {end}", front.join(", ")),
        }
    }

    /// "45 pounds", "12 euros 50", "4500 JPY"; "45 Pfund", "12 Euro 50".
    pub fn money(self, minor: i32, currency: &str) -> String {
        let digits = currency.parse::<Currency>().map_or(2, |currency| currency.digits());
        let parts = (0..digits).fold(1, |parts, _| parts * 10);
        let (whole, part) = (minor / parts, minor % parts);
        let name = match (currency, whole) {
            ("GBP", 1) => self.pick("pound", "Pfund"),
            ("GBP", _) => self.pick("pounds", "Pfund"),
            ("EUR", 1) => self.pick("euro", "Euro"),
            ("EUR", _) => self.pick("euros", "Euro"),
            ("USD" | "CAD" | "AUD" | "NZD", 1) => self.pick("dollar", "Dollar"),
            ("USD" | "CAD" | "AUD" | "NZD", _) => self.pick("dollars", "Dollar"),
            ("CHF", _) => self.pick("CHF", "Franken"),
            (other, _) => other,
        };
        let whole = if self.language == Language::German && whole == 1 {
            "ein".to_owned()
        } else {
            whole.to_string()
        };
        if part == 0 { format!("{whole} {name}") } else { format!("{whole} {name} {part:0digits$}") }
    }

    /// "30 minutes", "1 hour", "2 hours 15 minutes"; "30 Minuten", "eine Stunde".
    pub fn duration(self, minutes: i32) -> String {
        let unit = |n: i32, one: (&str, &str), many: (&str, &str)| match (self.language, n) {
            (Language::German, 1) => format!("eine {}", one.1),
            _ => format!("{n} {}", if n == 1 { self.pick(one.0, one.1) } else { self.pick(many.0, many.1) }),
        };
        let hours = |n| unit(n, ("hour", "Stunde"), ("hours", "Stunden"));
        let rest = |n| unit(n, ("minute", "Minute"), ("minutes", "Minuten"));
        match (minutes / 60, minutes % 60) {
            (0, minutes) => rest(minutes),
            (n, 0) => hours(n),
            (n, minutes) => format!("{} {}", hours(n), rest(minutes)),
        }
    }

    /// A day of the week.
    pub fn weekday(self, day: Weekday) -> &'static str {
        match self.language {
            Language::English => english_weekday(day),
            Language::German => german_dates::weekday(day),
        }
    }
}

fn english_date(day: Date) -> String {
    let suffix = match day.day() {
        11..=13 => "th",
        n if n % 10 == 1 => "st",
        n if n % 10 == 2 => "nd",
        n if n % 10 == 3 => "rd",
        _ => "th",
    };
    format!("{} the {}{suffix} of {}", english_weekday(day.weekday()), day.day(), day.strftime("%B"))
}

fn english_weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

fn english_clock(hour: i32, minute: i32) -> String {
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

/// `text` with a capital first letter.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn spoken<T>(language: Language, say: impl Fn(Speech<'_>) -> T) -> T {
        let now: Zoned = "2026-06-01T09:00[Europe/Berlin]".parse().unwrap();
        say(Speech { language, now: &now })
    }

    #[test]
    fn a_day_is_named_as_people_name_it() {
        let day = |language, day| spoken(language, |speech| (speech.day(day), speech.on_day(day)));
        let english = |of| day(Language::English, of).0;
        assert_eq!(english(date(2026, 6, 1)), "today");
        assert_eq!(english(date(2026, 6, 2)), "tomorrow");
        for (n, said) in [
            (3, "Wednesday the 3rd"),
            (11, "Thursday the 11th"),
            (21, "Sunday the 21st"),
            (22, "Monday the 22nd"),
        ] {
            assert_eq!(english(date(2026, 6, n)), format!("{said} of June"));
        }
        assert_eq!(day(Language::English, date(2026, 6, 3)).1, "on Wednesday the 3rd of June");
        assert_eq!(day(Language::German, date(2026, 6, 1)), ("heute".into(), "heute".into()));
        assert_eq!(day(Language::German, date(2026, 6, 2)).1, "morgen");
        let german = day(Language::German, date(2026, 3, 7));
        assert_eq!(german, ("Samstag, den 7. März".into(), "am Samstag, dem 7. März".into()));
    }

    #[test]
    fn a_time_is_said_with_its_half_of_the_day_or_by_24_hours() {
        for (clock, english, german) in [
            ("00:15", "12:15 am", "0 Uhr 15"),
            ("10:00", "10 am", "10 Uhr"),
            ("12:00", "noon", "12 Uhr"),
            ("12:05", "12:05 pm", "12 Uhr 05"),
            ("14:30", "2:30 pm", "14 Uhr 30"),
        ] {
            let at: Zoned = format!("2026-06-01T{clock}[Europe/London]").parse().unwrap();
            assert_eq!(spoken(Language::English, |speech| speech.time(&at)), english);
            assert_eq!(spoken(Language::German, |speech| speech.time(&at)), german);
        }
        assert_eq!(spoken(Language::German, |speech| speech.clock(24, 0)), "Mitternacht");
    }

    #[test]
    fn money_is_said_in_whole_and_part() {
        for (minor, currency, english, german) in [
            (4500, "GBP", "45 pounds", "45 Pfund"),
            (100, "EUR", "1 euro", "ein Euro"),
            (1250, "EUR", "12 euros 50", "12 Euro 50"),
            (1205, "CHF", "12 CHF 05", "12 Franken 05"),
            (4500, "JPY", "4500 JPY", "4500 JPY"),
            (9000, "RWF", "9000 RWF", "9000 RWF"),
            (12_050, "KWD", "12 KWD 050", "12 KWD 050"),
        ] {
            assert_eq!(spoken(Language::English, |speech| speech.money(minor, currency)), english);
            assert_eq!(spoken(Language::German, |speech| speech.money(minor, currency)), german);
        }
    }

    #[test]
    fn a_list_and_a_length_read_like_speech() {
        let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let list = |language| spoken(language, |speech| speech.list(&words(&["a", "b", "c"]), Joint::Or));
        assert_eq!(
            (list(Language::English).as_str(), list(Language::German).as_str()),
            ("a, b or c", "a, b oder c")
        );
        assert_eq!(spoken(Language::English, |speech| speech.list(&words(&["a"]), Joint::And)), "a");
        for (minutes, english, german) in [
            (45, "45 minutes", "45 Minuten"),
            (60, "1 hour", "eine Stunde"),
            (135, "2 hours 15 minutes", "2 Stunden 15 Minuten"),
        ] {
            assert_eq!(spoken(Language::English, |speech| speech.duration(minutes)), english);
            assert_eq!(spoken(Language::German, |speech| speech.duration(minutes)), german);
        }
        assert_eq!(sentence("tomorrow at 10 am"), "Tomorrow at 10 am");
        assert_eq!(sentence("übermorgen"), "Übermorgen");
    }
}
