//! As of when the busy times of outside calendars and booking systems are known.

pub use calendar_kind::Kind;
use engine::id::EmployeeId;
use jiff::{SignedDuration, Timestamp};

use super::id::SourceId;

/// How long what was read counts as current where calendars are read all the time: Google and booking systems once a
/// minute, and a reading is reported once a minute. One attempt that fails is no news.
pub const FRESH_FOR: SignedDuration = SignedDuration::from_mins(5);

/// What takes time of an employee from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusySource {
    /// Which.
    pub id: SourceId,
    /// Whose time.
    pub employee: EmployeeId,
    /// What kind of system it is.
    pub kind: Kind,
    /// What its people call it.
    pub name: String,
    /// How reading it goes.
    pub reading: Reading,
}

/// How reading a source goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// How often it is read.
    pub every: SignedDuration,
    /// When it was last read through; `None` before the first time.
    pub read_at: Option<Timestamp>,
    /// Why it can't be read now.
    pub failure: Option<Failure>,
}

/// Why a source can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Since when.
    pub since: Timestamp,
    /// Why.
    pub reason: String,
}

/// What is reported of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceReport {
    /// The source as it is.
    pub source: BusySource,
    /// Whether it was disconnected.
    pub is_gone: bool,
}

/// How current what is known of a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness<'a> {
    /// It was read a moment ago.
    Fresh,
    /// It was not read for a while, and why is not known: perhaps what reads calendars stands still.
    Stale,
    /// It can't be read.
    Unreachable(&'a Failure),
    /// It was never read.
    Unread,
}

impl Freshness<'_> {
    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fresh => "FRESH",
            Self::Stale => "STALE",
            Self::Unreachable(_) => "UNREACHABLE",
            Self::Unread => "UNREAD",
        }
    }
}

impl Reading {
    /// Until when it is current, unless it is read before.
    #[must_use]
    pub fn fresh_until(&self) -> Option<Timestamp> {
        self.read_at?.checked_add(FRESH_FOR).ok()?.checked_add(self.every).ok()
    }

    /// How current it is at `now`.
    #[must_use]
    pub fn freshness(&self, now: Timestamp) -> Freshness<'_> {
        match (self.read_at, &self.failure) {
            (Some(read), _) if now.duration_since(read) <= FRESH_FOR + self.every => Freshness::Fresh,
            (_, Some(failure)) => Freshness::Unreachable(failure),
            (Some(_), None) => Freshness::Stale,
            (None, None) => Freshness::Unread,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(second: i64) -> Timestamp {
        let start: Timestamp = "2026-06-01T08:00:00Z".parse().unwrap();
        start + SignedDuration::from_secs(second)
    }

    fn reading(read_at: Option<i64>, failure: Option<Failure>) -> Reading {
        Reading { every: SignedDuration::ZERO, read_at: read_at.map(at), failure }
    }

    fn failing(since: i64) -> Failure {
        Failure { since: at(since), reason: "the calendar can't be read".to_owned() }
    }

    #[test]
    fn one_attempt_that_fails_is_no_news_but_five_minutes_without_a_reading_are() {
        let reading = reading(Some(0), Some(failing(10)));
        assert_eq!(reading.freshness(at(300)), Freshness::Fresh);
        assert_eq!(reading.freshness(at(301)), Freshness::Unreachable(&failing(10)));
    }

    #[test]
    fn an_installation_that_reads_once_an_hour_is_not_stale_for_an_hour() {
        let hourly = Reading { every: SignedDuration::from_hours(1), ..reading(Some(0), None) };
        assert_eq!(hourly.freshness(at(3_900)), Freshness::Fresh);
        assert_eq!(hourly.freshness(at(3_901)), Freshness::Stale);
    }

    #[test]
    fn silence_is_told_from_failure() {
        let silent = reading(Some(0), None);
        assert_eq!(silent.freshness(at(301)), Freshness::Stale);
        assert_eq!(Reading::default().freshness(at(0)), Freshness::Unread);
        let never = reading(None, Some(failing(0)));
        assert_eq!(never.freshness(at(1)), Freshness::Unreachable(&failing(0)));
    }

    fn readings() -> impl Strategy<Value = Reading> {
        let failure = proptest::option::of((-4_000_i64..4_000).prop_map(failing));
        let read_at = proptest::option::of((-4_000_i64..4_000).prop_map(at));
        let every = (0_i64..600).prop_map(SignedDuration::from_secs);
        (every, read_at, failure).prop_map(|(every, read_at, failure)| Reading { every, read_at, failure })
    }

    proptest! {
        #[test]
        fn nothing_becomes_fresh_by_waiting_and_a_failure_is_never_hidden_for_longer(
            reading in readings(), now in -4_000_i64..4_000, wait in 0_i64..4_000
        ) {
            let (first, then) = (reading.freshness(at(now)), reading.freshness(at(now + wait)));
            prop_assert!(first == Freshness::Fresh || then == first);
            let recent = reading.read_at.is_some_and(|read| read >= at(now) - FRESH_FOR - reading.every);
            prop_assert_eq!(first == Freshness::Fresh, recent);
            prop_assert_eq!(recent, reading.fresh_until().is_some_and(|until| at(now) <= until));
            if !recent && let Some(failure) = &reading.failure {
                prop_assert_eq!(first, Freshness::Unreachable(failure));
            }
        }
    }
}
