//! Reads a year of appointments from systems that give a month at a time.

use core::future::Future;

use futures::future::try_join_all;
use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, Serialize};

use super::{ProviderError, TheirAppointment, TheirPage};
use crate::domain::provider::CallLimit;

/// Days in a window: such systems give a month, of any length, at most.
const DAYS: i32 = 28;
/// From the month before on, as far as anyone books.
const WINDOWS: u16 = 16;
/// Windows that are read at once, of one connection by one worker: a year of a system that takes a second to answer is
/// read in four, and an appointment whose answer was lost is found in as many.
const AT_ONCE: u16 = 4;
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
    since: Option<Timestamp>,
    /// The windows of which a page is read next.
    open: Vec<Window>,
    /// The first window of which none was read.
    next: u16,
}

/// A page of a month that is read next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Window {
    /// Its first day.
    pub(super) from: Date,
    /// Which page of it; the first, without.
    pub(super) page: Option<String>,
    /// What changed since then is read; all, without.
    pub(super) since: Option<Timestamp>,
}

/// What was read of a window for each employee, and the page of it that comes next.
pub(super) type WindowPage = (Vec<Vec<TheirAppointment>>, Option<String>);

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

/// How many windows a system that allows so many calls is asked for at once.
fn at_once(limit: CallLimit) -> u16 {
    u16::try_from(limit.burst).unwrap_or(AT_ONCE).clamp(1, AT_ONCE)
}

/// How many calls the page after `after` takes.
pub(super) fn calls(after: Option<&str>, limit: CallLimit) -> u32 {
    match after.map(serde_json::from_str) {
        Some(Ok(Step::Next(reading))) => u32::try_from(reading.open.len()).unwrap_or(1),
        _ => at_once(limit).into(),
    }
}

/// Up to where all were read who were read up to these, each of them; `None` where one was not.
pub(super) fn earliest(read_up_to: &[&str]) -> Option<String> {
    let done = |token: &&str| match serde_json::from_str(token) {
        Ok(Step::Done(done)) => Some(done),
        _ => None,
    };
    let all = read_up_to.iter().map(done).collect::<Option<Vec<Done>>>()?;
    let whole = all.iter().map(|done| done.whole).min()?;
    let until = all.iter().map(|done| done.until).min()?;
    serde_json::to_string(&Step::Done(Done { whole, until })).ok()
}

impl Window {
    /// Its last day.
    pub(super) fn to(&self) -> Date {
        days_after(self.from, DAYS - 1)
    }
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
        let begin = |whole, since| Self { began: now, whole, since, open: vec![], next: 0 };
        let Some(after) = after else { return Ok(begin(now, None)) };
        match serde_json::from_str(after) {
            Ok(Step::Next(reading)) => Ok(reading),
            Ok(Step::Done(Done { whole, until }))
                if by_changes && now.duration_since(whole) < WHOLE_EVERY =>
            {
                Ok(begin(whole, Some(until)))
            }
            _ => Err(ProviderError::Forgotten),
        }
    }

    /// Reads the next page of each open window, all at once, for so many employees.
    ///
    /// # Errors
    /// Of the first page that can't be read.
    pub(super) async fn read<F>(
        mut self,
        limit: CallLimit,
        employees: usize,
        page: impl FnMut(Window) -> F,
    ) -> Result<TheirPage, ProviderError>
    where
        F: Future<Output = Result<WindowPage, ProviderError>> + Send,
    {
        self.open_windows(limit);
        let read = try_join_all(self.open.iter().cloned().map(page)).await?;
        let (mut of_each, mut pages) = (vec![vec![]; employees], Vec::with_capacity(read.len()));
        for (found, next) in read {
            of_each.iter_mut().zip(found).for_each(|(all, found)| all.extend(found));
            pages.push(next);
        }
        // One that was moved meanwhile is in two windows: the later version counts.
        of_each.iter_mut().for_each(|all| all.sort_by_key(TheirAppointment::changed_at));
        let (next, more) = self.after_pages(pages, limit);
        Ok(TheirPage { of_each, next, more })
    }

    /// Opens windows, until as many are open as are read at once.
    fn open_windows(&mut self, limit: CallLimit) {
        let first = TimeZone::UTC.to_datetime(self.began).date();
        while self.open.len() < at_once(limit).into() && self.next < WINDOWS {
            let from = days_after(first, DAYS * (i32::from(self.next) - 1));
            self.open.push(Window { from, page: None, since: self.since });
            self.next += 1;
        }
    }

    /// Where it goes on after a page of each open window, which these pages follow, and whether it does so now.
    fn after_pages(mut self, pages: Vec<Option<String>>, limit: CallLimit) -> (String, bool) {
        let open = core::mem::take(&mut self.open).into_iter().zip(pages);
        self.open = open
            .filter_map(|(window, page)| page.map(|page| Window { page: Some(page), ..window }))
            .collect();
        self.open_windows(limit);
        let more = !self.open.is_empty();
        let step = if more {
            Step::Next(self)
        } else {
            Step::Done(Done { whole: self.whole, until: self.began - OVERLAP })
        };
        (serde_json::to_string(&step).unwrap_or_default(), more)
    }
}

fn days_after(day: Date, days: i32) -> Date {
    day.saturating_add(SignedDuration::from_hours(24 * i64::from(days)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: CallLimit = CallLimit { per_second: 20, burst: 1_000 };

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    /// The windows of a reading, the most that were open at once, and its token.
    fn read(mut reading: Reading, limit: CallLimit) -> (Vec<Window>, usize, String) {
        let (mut windows, mut most) = (vec![], 0);
        loop {
            reading.open_windows(limit);
            most = most.max(reading.open.len());
            windows.extend(reading.open.clone());
            let none = vec![None; reading.open.len()];
            let (next, more) = reading.after_pages(none, limit);
            if !more {
                return (windows, most, next);
            }
            reading = Reading::after(Some(&next), false, at("2030-01-01T00:00:00Z")).unwrap();
            assert_eq!(calls(Some(&next), limit), u32::try_from(reading.open.len()).unwrap());
        }
    }

    #[test]
    fn windows_follow_each_other_without_a_gap_for_more_than_a_year() {
        let (windows, most, _) = read(Reading::after(None, true, at("2026-06-01T08:00:00Z")).unwrap(), LIMIT);
        let first = (windows[0].from, windows[0].to());
        assert_eq!(first, ("2026-05-04".parse().unwrap(), "2026-05-31".parse().unwrap()));
        for pair in windows.windows(2) {
            assert_eq!(pair[0].to().tomorrow().unwrap(), pair[1].from);
        }
        assert!(windows.last().unwrap().to() > "2027-06-01".parse::<Date>().unwrap());
        assert_eq!(most, usize::from(AT_ONCE));
    }

    #[test]
    fn a_system_is_asked_for_no_more_windows_at_once_than_it_takes_calls() {
        for (burst, expected) in [(0, 1), (1, 1), (3, 3), (4, 4), (1_000, 4)] {
            let limit = CallLimit { per_second: 1, burst };
            let (windows, most, _) =
                read(Reading::after(None, true, at("2026-06-01T08:00:00Z")).unwrap(), limit);
            assert_eq!((windows.len(), most), (WINDOWS.into(), expected), "{burst}");
            assert_eq!(calls(None, limit), u32::try_from(expected).unwrap());
        }
    }

    #[test]
    fn changes_are_read_after_all_was_and_all_again_after_some_hours() {
        let begin = at("2026-06-01T08:00:00Z");
        let (_, _, token) = read(Reading::after(None, true, begin).unwrap(), LIMIT);
        let soon = Reading::after(Some(&token), true, begin + SignedDuration::from_mins(1)).unwrap();
        let (windows, _, token) = read(soon, LIMIT);
        assert!(windows.iter().all(|window| window.since == Some(begin - OVERLAP)));
        let later = begin + WHOLE_EVERY;
        assert_eq!(Reading::after(Some(&token), true, later), Err(ProviderError::Forgotten));
        assert_eq!(Reading::after(Some(&token), false, begin), Err(ProviderError::Forgotten));
        assert_eq!(Reading::after(Some("7"), true, begin), Err(ProviderError::Forgotten));
    }

    #[test]
    fn what_is_read_together_goes_on_from_where_the_first_of_all_was_read_up_to() {
        let done = |whole: &str, until: &str| {
            serde_json::to_string(&Step::Done(Done { whole: at(whole), until: at(until) })).unwrap()
        };
        let mia = done("2026-06-01T06:00:00Z", "2026-06-01T08:02:00Z");
        let tom = done("2026-06-01T07:00:00Z", "2026-06-01T08:01:00Z");
        let both = done("2026-06-01T06:00:00Z", "2026-06-01T08:01:00Z");
        assert_eq!(earliest(&[&mia, &tom]), Some(both));
        assert_eq!(earliest(&[&mia, "7"]), None);
        let reading = Reading::after(None, true, at("2026-06-01T08:00:00Z")).unwrap();
        let (halfway, _) = reading.after_pages(vec![], LIMIT);
        assert_eq!(earliest(&[&halfway, &tom]), None, "it was not read to the end");
    }

    #[test]
    fn a_window_is_read_to_its_last_page_while_others_go_on() {
        let mut reading = Reading::after(None, true, at("2026-06-01T08:00:00Z")).unwrap();
        reading.open_windows(LIMIT);
        let (second, last) = (reading.open[1].clone(), reading.open[3].to());
        let (next, more) = reading.after_pages(vec![None, Some("2".to_owned()), None, None], LIMIT);
        let reading = Reading::after(Some(&next), true, at("2026-06-01T08:00:00Z")).unwrap();
        assert!(more && reading.open.len() == 4);
        assert_eq!(reading.open[0], Window { page: Some("2".to_owned()), ..second });
        assert_eq!(reading.open[1].from, last.tomorrow().unwrap());
    }
}
