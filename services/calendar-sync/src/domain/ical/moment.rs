//! Dates and times as iCalendar writes them.

use icalendar::parser::Property;
use jiff::{
    Timestamp, Zoned,
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};

use super::Unread;

/// A date, or a time in a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Moment {
    /// A whole day, wherever the reader is.
    Day(Date),
    /// A time of day in a zone; floating times are in the business's.
    Time(DateTime, TimeZone),
}

impl Moment {
    /// The value of a property.
    pub(super) fn read(property: &Property<'_>, own: &TimeZone) -> Result<Self, Unread> {
        Self::parse(property.val.as_str(), zone_of(property)?.as_ref(), own)
    }

    /// Every value of a property that has several, such as EXDATE.
    pub(super) fn list(property: &Property<'_>, own: &TimeZone) -> Result<Vec<Self>, Unread> {
        let zone = zone_of(property)?;
        // Of a period, which RDATE may have, the start counts.
        let starts = property
            .val
            .as_str()
            .split(',')
            .map(|value| value.split_once('/').map_or(value, |(start, _)| start));
        starts.map(|value| Self::parse(value, zone.as_ref(), own)).collect()
    }

    fn parse(text: &str, zone: Option<&TimeZone>, own: &TimeZone) -> Result<Self, Unread> {
        let unread = || Unread::new(format!("has an invalid time: {text:.40}"));
        let text = text.trim();
        let (day, time) = match text.split_once('T') {
            None => return Ok(Self::Day(date(text).ok_or_else(unread)?)),
            Some(parts) => parts,
        };
        let (time, zone) = match time.strip_suffix('Z') {
            Some(time) => (time, TimeZone::UTC),
            None => (time, zone.unwrap_or(own).clone()),
        };
        let at = date(day).zip(time_of_day(time)).map(|(date, time)| date.to_datetime(time));
        Ok(Self::Time(at.ok_or_else(unread)?, zone))
    }

    /// The wall clock's date and time.
    pub(super) fn civil(&self) -> DateTime {
        match self {
            Self::Day(date) => date.to_datetime(Time::midnight()),
            Self::Time(at, _) => *at,
        }
    }

    /// The same kind of moment at another date and time.
    pub(super) fn at(&self, civil: DateTime) -> Self {
        match self {
            Self::Day(_) => Self::Day(civil.date()),
            Self::Time(_, zone) => Self::Time(civil, zone.clone()),
        }
    }

    /// The instant; a day begins at midnight of the business's zone. A time that a clock change skips is as
    /// much later, and of one that comes twice the first counts.
    pub(super) fn instant(&self, own: &TimeZone) -> Result<Timestamp, Unread> {
        let zoned: Result<Zoned, _> = match self {
            Self::Day(date) => date.to_zoned(own.clone()),
            Self::Time(at, zone) => at.to_zoned(zone.clone()),
        };
        zoned.map(|zoned| zoned.timestamp()).map_err(|_| Unread::new("lies beyond all calendars"))
    }
}

fn date(text: &str) -> Option<Date> {
    let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    let part = |from: usize| text.get(from..from + 2)?.parse::<i8>().ok();
    if !digits {
        return None;
    }
    Date::new(text.get(0..4)?.parse().ok()?, part(4)?, part(6)?).ok()
}

fn time_of_day(text: &str) -> Option<Time> {
    let digits = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
    let part = |from: usize| text.get(from..from + 2)?.parse::<i8>().ok();
    if !digits {
        return None;
    }
    // A leap second is the last one before it.
    Time::new(part(0)?, part(2)?, part(4)?.min(59), 0).ok()
}

/// The zone that a property names; `None` for one without.
fn zone_of(property: &Property<'_>) -> Result<Option<TimeZone>, Unread> {
    let named = property.params.iter().find(|parameter| parameter.key.as_str().eq_ignore_ascii_case("TZID"));
    let Some(name) = named.and_then(|parameter| parameter.val.as_ref()) else { return Ok(None) };
    zone(name.as_str().trim_matches('"')).map(Some)
}

/// The zone of a name. Some programs put a path before the IANA name, and others use the names of Windows.
fn zone(name: &str) -> Result<TimeZone, Unread> {
    let known = |name: &str| TimeZone::get(name).ok();
    let mut from_end = name.rsplit('/');
    let last_two = from_end.next().zip(from_end.next()).map(|(city, area)| format!("{area}/{city}"));
    known(name)
        .or_else(|| last_two.as_deref().and_then(known))
        .or_else(|| windows(name).and_then(known))
        .ok_or_else(|| Unread::new(format!("names a time zone that is not known: {name:.80}")))
}

/// The zones that Windows names, in Europe, the Americas, and the larger ones elsewhere.
fn windows(name: &str) -> Option<&'static str> {
    const ZONES: [(&str, &str); 34] = [
        ("AUS Eastern Standard Time", "Australia/Sydney"),
        ("Alaskan Standard Time", "America/Anchorage"),
        ("Arab Standard Time", "Asia/Riyadh"),
        ("Arabian Standard Time", "Asia/Dubai"),
        ("Argentina Standard Time", "America/Buenos_Aires"),
        ("Atlantic Standard Time", "America/Halifax"),
        ("Canada Central Standard Time", "America/Regina"),
        ("Central Europe Standard Time", "Europe/Budapest"),
        ("Central European Standard Time", "Europe/Warsaw"),
        ("Central Standard Time", "America/Chicago"),
        ("China Standard Time", "Asia/Shanghai"),
        ("E. South America Standard Time", "America/Sao_Paulo"),
        ("Eastern Standard Time", "America/New_York"),
        ("Egypt Standard Time", "Africa/Cairo"),
        ("FLE Standard Time", "Europe/Kiev"),
        ("GMT Standard Time", "Europe/London"),
        ("GTB Standard Time", "Europe/Bucharest"),
        ("Greenwich Standard Time", "Atlantic/Reykjavik"),
        ("Hawaiian Standard Time", "Pacific/Honolulu"),
        ("India Standard Time", "Asia/Kolkata"),
        ("Israel Standard Time", "Asia/Jerusalem"),
        ("Mountain Standard Time", "America/Denver"),
        ("New Zealand Standard Time", "Pacific/Auckland"),
        ("Newfoundland Standard Time", "America/St_Johns"),
        ("Pacific Standard Time", "America/Los_Angeles"),
        ("Romance Standard Time", "Europe/Paris"),
        ("Russian Standard Time", "Europe/Moscow"),
        ("SA Pacific Standard Time", "America/Bogota"),
        ("Singapore Standard Time", "Asia/Singapore"),
        ("South Africa Standard Time", "Africa/Johannesburg"),
        ("Tokyo Standard Time", "Asia/Tokyo"),
        ("Turkey Standard Time", "Europe/Istanbul"),
        ("UTC", "Etc/UTC"),
        ("W. Europe Standard Time", "Europe/Berlin"),
    ];
    ZONES.iter().find(|(windows, _)| *windows == name).map(|(_, iana)| *iana)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn london() -> TimeZone {
        TimeZone::get("Europe/London").unwrap()
    }

    fn instant(text: &str) -> Result<String, Unread> {
        let moment = Moment::parse(text, None, &london())?;
        Ok(moment.instant(&london())?.to_string())
    }

    #[test]
    fn days_and_floating_times_are_in_the_zone_of_the_business() {
        assert_eq!(instant("20260601").unwrap(), "2026-05-31T23:00:00Z");
        assert_eq!(instant("20260601T093000").unwrap(), "2026-06-01T08:30:00Z");
        assert_eq!(instant("20260601T093000Z").unwrap(), "2026-06-01T09:30:00Z");
    }

    #[test]
    fn a_skipped_time_is_later_and_of_a_repeated_one_the_first_counts() {
        assert_eq!(instant("20260329T013000").unwrap(), "2026-03-29T01:30:00Z");
        assert_eq!(instant("20261025T013000").unwrap(), "2026-10-25T00:30:00Z");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for wrong in ["", "2026061", "20260631", "20260601T0930", "20260601T250000", "2026-06-01", "Tuesday"]
        {
            assert!(instant(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn zones_are_found_by_the_names_that_programs_give_them() {
        let named = |name: &str| zone(name).map(|zone| zone.iana_name().unwrap_or_default().to_owned());
        assert_eq!(named("Europe/Berlin").unwrap(), "Europe/Berlin");
        assert_eq!(named("/example.org/20070101_1/Europe/Berlin").unwrap(), "Europe/Berlin");
        assert_eq!(named("W. Europe Standard Time").unwrap(), "Europe/Berlin");
        assert!(named("Customized Time Zone").is_err());
        for (windows_name, _) in
            [("GMT Standard Time", ()), ("FLE Standard Time", ()), ("Argentina Standard Time", ())]
        {
            assert!(zone(windows_name).is_ok(), "{windows_name}");
        }
    }
}
