//! The day and the part of it that a caller asks for, in the business's zone.

use jiff::{Timestamp, ToSpan, Zoned, civil::Date, civil::Weekday};

use super::speech::Speech;

/// Days searched when none is asked for.
const DAYS_AHEAD: i32 = 7;

/// A part of the day, as people use the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Until noon.
    Morning,
    /// From noon to five.
    Afternoon,
    /// From five.
    Evening,
}

impl Part {
    /// The part a word names; `None` for "any" and the like.
    ///
    /// # Errors
    /// A word that names none.
    pub fn parse(text: &str) -> Result<Option<Self>, UnknownPart> {
        match text.trim().to_lowercase().as_str() {
            "" | "any" | "anytime" | "any time" | "egal" => Ok(None),
            "morning" | "am" | "morgen" | "morgens" | "vormittag" | "vormittags" | "früh" => {
                Ok(Some(Self::Morning))
            }
            "afternoon" | "pm" | "mittag" | "mittags" | "nachmittag" | "nachmittags" => {
                Ok(Some(Self::Afternoon))
            }
            "evening" | "abend" | "abends" => Ok(Some(Self::Evening)),
            _ => Err(UnknownPart),
        }
    }

    /// "in the morning", "am Vormittag"
    pub fn said(self, speech: Speech<'_>) -> &'static str {
        match self {
            Self::Morning => speech.pick("in the morning", "am Vormittag"),
            Self::Afternoon => speech.pick("in the afternoon", "am Nachmittag"),
            Self::Evening => speech.pick("in the evening", "am Abend"),
        }
    }

    /// The same in minutes after midnight.
    pub fn minutes(self) -> (i32, i32) {
        let (from, to) = self.hours();
        (i32::from(from) * 60, i32::from(to) * 60)
    }

    fn hours(self) -> (i8, i8) {
        match self {
            Self::Morning => (0, 12),
            Self::Afternoon => (12, 17),
            Self::Evening => (17, 24),
        }
    }
}

/// A word that names no part of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownPart;

/// Why a day can't be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayFault {
    /// Neither a date nor a weekday nor today nor tomorrow.
    Unknown,
    /// It is over.
    Past,
}

/// When a caller wants to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedTime {
    /// `None` for any.
    pub day: Option<Date>,
    /// `None` for any.
    pub part: Option<Part>,
}

/// A span that offers may start in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Starts at or after.
    pub from: Timestamp,
    /// Starts before.
    pub to: Timestamp,
}

/// The day `text` names: a date, a weekday (its next, today included), today or tomorrow.
///
/// # Errors
/// [`DayFault`].
pub fn parse(text: &str, today: Date) -> Result<Option<Date>, DayFault> {
    let text = text.trim().to_lowercase();
    let day = match text.as_str() {
        "" | "any" | "any day" | "egal" => return Ok(None),
        "today" | "heute" => today,
        "tomorrow" | "morgen" => ahead(today, 1),
        "übermorgen" => ahead(today, 2),
        text => match (text.parse::<Date>(), weekday(without_preposition(text))) {
            (Ok(date), _) => date,
            (Err(_), Some(weekday)) => ahead(today, i32::from(today.weekday().until(weekday))),
            (Err(_), None) => return Err(DayFault::Unknown),
        },
    };
    if day < today { Err(DayFault::Past) } else { Ok(Some(day)) }
}

fn without_preposition(text: &str) -> &str {
    text.strip_prefix("on ").or(text.strip_prefix("am ")).unwrap_or(text)
}

fn weekday(text: &str) -> Option<Weekday> {
    const NAMES: [(&str, Weekday); 15] = [
        ("monday", Weekday::Monday),
        ("tuesday", Weekday::Tuesday),
        ("wednesday", Weekday::Wednesday),
        ("thursday", Weekday::Thursday),
        ("friday", Weekday::Friday),
        ("saturday", Weekday::Saturday),
        ("sunday", Weekday::Sunday),
        ("montag", Weekday::Monday),
        ("dienstag", Weekday::Tuesday),
        ("mittwoch", Weekday::Wednesday),
        ("donnerstag", Weekday::Thursday),
        ("freitag", Weekday::Friday),
        ("samstag", Weekday::Saturday),
        ("sonnabend", Weekday::Saturday),
        ("sonntag", Weekday::Sunday),
    ];
    NAMES.into_iter().find(|(name, _)| text.len() >= 3 && name.starts_with(text)).map(|(_, weekday)| weekday)
}

/// The windows to search for `wanted`, in order; none of them lies in the past.
pub fn windows(wanted: WantedTime, now: &Zoned) -> Vec<Window> {
    match wanted {
        WantedTime { day: Some(day), part } => windows_of(day, 1, part, now),
        WantedTime { day: None, part } => windows_of(now.date(), DAYS_AHEAD, part, now),
    }
}

/// The windows to search when the day asked for has none.
pub fn windows_after(day: Date, part: Option<Part>, now: &Zoned) -> Vec<Window> {
    windows_of(ahead(day, 1), DAYS_AHEAD, part, now)
}

/// One window for whole days, or one a day for a part of them.
fn windows_of(first: Date, days: i32, part: Option<Part>, now: &Zoned) -> Vec<Window> {
    let at = |day: Date, hour: i8| {
        let (day, hour) = if hour == 24 { (ahead(day, 1), 0) } else { (day, hour) };
        day.at(hour, 0, 0, 0).to_zoned(now.time_zone().clone()).map(|zoned| zoned.timestamp())
    };
    let spans: Vec<_> = match part.map(Part::hours) {
        None => vec![(at(first, 0), at(ahead(first, days), 0))],
        Some((from, to)) => {
            (0..days).map(|n| ahead(first, n)).map(|day| (at(day, from), at(day, to))).collect()
        }
    };
    spans
        .into_iter()
        .filter_map(|(from, to)| Some(Window { from: from.ok()?.max(now.timestamp()), to: to.ok()? }))
        .filter(|window| window.from < window.to)
        .collect()
}

fn ahead(day: Date, days: i32) -> Date {
    day.saturating_add(days.days())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn now(text: &str) -> Zoned {
        text.parse().unwrap()
    }

    fn spans(wanted: WantedTime, at: &str) -> Vec<String> {
        let now = now(at);
        let local = |t: Timestamp| t.to_zoned(now.time_zone().clone()).strftime("%d %H:%M").to_string();
        windows(wanted, &now).into_iter().map(|w| format!("{}-{}", local(w.from), local(w.to))).collect()
    }

    #[test]
    fn a_day_is_a_date_a_weekday_today_or_tomorrow() {
        let monday = date(2026, 6, 1);
        for (text, day) in [
            ("2026-06-09", 9),
            ("today", 1),
            ("Tomorrow", 2),
            ("monday", 1),
            ("Tue", 2),
            ("on Sunday", 7),
            ("thurs", 4),
            ("heute", 1),
            ("Morgen", 2),
            ("übermorgen", 3),
            ("am Samstag", 6),
            ("Sonnabend", 6),
            ("donnerstag", 4),
        ] {
            assert_eq!(parse(text, monday), Ok(Some(date(2026, 6, day))), "{text}");
        }
        assert_eq!(parse("any day", monday), Ok(None));
        assert_eq!(parse("2026-05-31", monday), Err(DayFault::Past));
        for text in ["t", "someday", "2026-02-30", "06/01/2026"] {
            assert_eq!(parse(text, monday), Err(DayFault::Unknown), "{text}");
        }
    }

    #[test]
    fn a_part_of_the_day_is_one_of_three() {
        assert_eq!(Part::parse(" Morning"), Ok(Some(Part::Morning)));
        assert_eq!(Part::parse("Vormittags"), Ok(Some(Part::Morning)));
        assert_eq!(Part::parse("abend"), Ok(Some(Part::Evening)));
        assert_eq!(Part::parse("any"), Ok(None));
        assert_eq!(Part::parse("night"), Err(UnknownPart));
    }

    #[test]
    fn without_a_day_or_part_the_next_seven_days_are_searched_from_now() {
        let wanted = WantedTime { day: None, part: None };
        assert_eq!(spans(wanted, "2026-06-01T09:30[Europe/London]"), ["01 09:30-08 00:00"]);
    }

    #[test]
    fn a_part_without_a_day_is_searched_day_by_day_and_what_is_over_is_left_out() {
        let wanted = WantedTime { day: None, part: Some(Part::Morning) };
        let found = spans(wanted, "2026-06-01T12:30[Europe/London]");
        assert_eq!(found.len(), 6);
        assert_eq!(found[0], "02 00:00-02 12:00");
    }

    #[test]
    fn a_day_of_twenty_three_hours_is_searched_whole() {
        let wanted = WantedTime { day: Some(date(2026, 3, 29)), part: None };
        let found = windows(wanted, &now("2026-03-20T09:00[Europe/London]"));
        assert_eq!(found[0].to.duration_since(found[0].from).as_hours(), 23);
    }

    #[test]
    fn the_days_after_the_one_asked_for_are_searched_for_the_same_part() {
        let found =
            windows_after(date(2026, 6, 2), Some(Part::Evening), &now("2026-06-01T09:00[Europe/London]"));
        assert_eq!(found.len(), 7);
        assert_eq!(found[0].from, "2026-06-03T16:00:00Z".parse().unwrap());
        assert_eq!(found[6].to, "2026-06-09T23:00:00Z".parse().unwrap());
    }
}
