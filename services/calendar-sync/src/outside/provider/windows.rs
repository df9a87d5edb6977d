//! Reads a year of appointments from systems that give a month at a time.

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::ProviderError;

/// Days in a window: such systems give a month, of any length, at most.
const DAYS: i32 = 28;
/// From the month before on, as far as anyone books.
const WINDOWS: u16 = 16;
/// After which all is read again. What came near is found then, and that an appointment was moved beyond the last window:
/// no window's changes list it any more.
const WHOLE_EVERY: SignedDuration = SignedDuration::from_hours(6);
/// Changes are asked for from a little before the last reading on: clocks differ.
const OVERLAP: SignedDuration = SignedDuration::from_mins(2);

/// Where a reading stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reading {
    /// When it began.
    began: Timestamp,
    /// When all was last read; this one, where it reads all.
    whole: Timestamp,
    /// What changed since then is read; all, without.
    pub(super) since: Option<Timestamp>,
    window: u16,
    /// Which page of the window; the first, without.
    pub(super) page: Option<String>,
}

/// Up to where it was read.
#[derive(Debug, Serialize, Deserialize)]
struct Done {
    whole: Timestamp,
    until: Timestamp,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Step {
    Next(Reading),
    Done(Done),
}

impl Reading {
    /// Where to go on after `after`; from the beginning, without. With `by_changes`, what changed is read after all
    /// was.
    ///
    /// # Errors
    /// [`ProviderError::Forgotten`] when all is to be read.
    pub(super) fn after(
        after: Option<&str>,
        by_changes: bool,
        now: Timestamp,
    ) -> Result<Self, ProviderError> {
        let Some(after) = after else {
            return Ok(Self { began: now, whole: now, since: None, window: 0, page: None });
        };
        match serde_json::from_str(after) {
            Ok(Step::Next(reading)) => Ok(reading),
            Ok(Step::Done(Done { whole, until }))
                if by_changes && now.duration_since(whole) < WHOLE_EVERY =>
            {
                Ok(Self { began: now, whole, since: Some(until), window: 0, page: None })
            }
            _ => Err(ProviderError::Forgotten),
        }
    }

    /// The first and the last day of its window.
    pub(super) fn days(&self) -> (Date, Date) {
        let first = TimeZone::UTC.to_datetime(self.began).date();
        let from = first
            .saturating_add(SignedDuration::from_hours(24 * i64::from(DAYS * (i32::from(self.window) - 1))));
        (from, from.saturating_add(SignedDuration::from_hours(24 * i64::from(DAYS - 1))))
    }

    /// Where it goes on, after a page that `page` follows in its window, and whether it does so now.
    pub(super) fn next(self, page: Option<String>) -> (String, bool) {
        let window = self.window + u16::from(page.is_none());
        let step = if window < WINDOWS {
            Step::Next(Self { window, page, ..self })
        } else {
            Step::Done(Done { whole: self.whole, until: self.began - OVERLAP })
        };
        let more = matches!(step, Step::Next(_));
        (serde_json::to_string(&step).unwrap_or_default(), more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// The windows of a reading, and its token.
    fn read(mut reading: Reading) -> (Vec<(Date, Date)>, String) {
        let mut days = vec![];
        loop {
            days.push(reading.days());
            let (next, more) = reading.next(None);
            if !more {
                return (days, next);
            }
            reading = Reading::after(Some(&next), false, at("2030-01-01T00:00:00Z")).unwrap();
        }
    }

    #[test]
    fn windows_follow_each_other_without_a_gap_for_more_than_a_year() {
        let (days, _) = read(Reading::after(None, true, at("2026-06-01T08:00:00Z")).unwrap());
        assert_eq!(days[0], ("2026-05-04".parse().unwrap(), "2026-05-31".parse().unwrap()));
        for pair in days.windows(2) {
            assert_eq!(pair[0].1.tomorrow().unwrap(), pair[1].0);
        }
        assert!(days.last().unwrap().1 > "2027-06-01".parse::<Date>().unwrap());
    }

    #[test]
    fn changes_are_read_after_all_was_and_all_again_after_some_hours() {
        let begin = at("2026-06-01T08:00:00Z");
        let (_, token) = read(Reading::after(None, true, begin).unwrap());
        let soon = Reading::after(Some(&token), true, begin + SignedDuration::from_mins(1)).unwrap();
        assert_eq!(soon.since, Some(begin - OVERLAP));
        let (_, token) = read(soon);
        let later = begin + WHOLE_EVERY;
        assert_eq!(Reading::after(Some(&token), true, later), Err(ProviderError::Forgotten));
        assert_eq!(Reading::after(Some(&token), false, begin), Err(ProviderError::Forgotten));
        assert_eq!(Reading::after(Some("7"), true, begin), Err(ProviderError::Forgotten));
    }

    #[test]
    fn a_page_within_a_window_is_read_before_the_next_window() {
        let reading = Reading::after(None, true, at("2026-06-01T08:00:00Z")).unwrap();
        let (next, more) = reading.clone().next(Some("2".to_owned()));
        let second = Reading::after(Some(&next), true, at("2026-06-01T08:00:00Z")).unwrap();
        assert!(more && second.days() == reading.days() && second.page.as_deref() == Some("2"));
    }
}
