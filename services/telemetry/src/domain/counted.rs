//! What a call adds to the figures: its part of each, under the quarter of an hour in which it started.
//!
//! A change of a call changes the figures by the difference. Local midnights and hours begin with a quarter of an hour
//! in UTC in every zone, so quarters add up to the days of any.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::{
    call::{Call, CallState},
    outcome::Outcome,
};

/// Seconds of a quarter of an hour.
pub const QUARTER: i64 = 15 * 60;

/// What is counted by the quarter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Part {
    /// Calls.
    pub calls: i64,
    /// Those that ended.
    pub ended: i64,
    /// Those of them in which the caller said something, or the agent did.
    pub answered: i64,
    /// Those of them in which a booking was looked for or made.
    pub wanted: i64,
    /// Those of them that were booked.
    pub booked: i64,
}

/// A figure that is counted by its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Ended calls by outcome.
    Outcome,
    /// Ended calls by why they led to no booking.
    Missed,
    /// Ended calls with a look-up that failed by a fault of ours.
    Failed,
    /// Value of the agent's visits by currency.
    Value,
    /// Ended calls from which a person booked a visit that is not cancelled.
    TeamBooked,
    /// Value of those visits by currency.
    TeamValue,
    /// Look-ups by how long they took.
    Latency,
    /// Calls by the service that was looked for or booked.
    Asked,
    /// Calls by the service that was booked, by the agent or by the team.
    BookedService,
    /// Ended calls by the service that was looked for, with nothing booked.
    MissedService,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Outcome,
        Self::Missed,
        Self::Failed,
        Self::Value,
        Self::TeamBooked,
        Self::TeamValue,
        Self::Latency,
        Self::Asked,
        Self::BookedService,
        Self::MissedService,
    ];

    /// Its name in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Outcome => "OUTCOME",
            Self::Missed => "MISSED",
            Self::Failed => "FAILED",
            Self::Value => "VALUE",
            Self::TeamBooked => "TEAM_BOOKED",
            Self::TeamValue => "TEAM_VALUE",
            Self::Latency => "LATENCY",
            Self::Asked => "ASKED",
            Self::BookedService => "BOOKED_SERVICE",
            Self::MissedService => "MISSED_SERVICE",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Amounts by kind and key.
pub type Tally = BTreeMap<(Kind, String), i64>;

/// What a call adds to the figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The quarter of an hour it counts in.
    pub quarter: Timestamp,
    /// What it adds there.
    pub part: Part,
    /// What it adds by key.
    pub tally: Tally,
}

impl Counted {
    /// What a call adds.
    #[must_use]
    pub fn of(call: &Call) -> Self {
        let outcome = match call.state() {
            CallState::Live => None,
            CallState::Ended { outcome, .. } => Some(outcome),
        };
        let flag = |is: bool| i64::from(is);
        let part = Part {
            calls: 1,
            ended: flag(outcome.is_some()),
            answered: flag(outcome.is_some_and(|outcome| outcome != Outcome::Abandoned)),
            wanted: flag(call.wanted_booking()),
            booked: flag(outcome == Some(Outcome::Booked)),
        };
        Self { quarter: quarter(call.facts.started_at()), part, tally: tally(call, outcome) }
    }
}

impl Call {
    /// What it adds to the figures.
    #[must_use]
    pub fn counted(&self) -> Option<Counted> {
        self.counted.then(|| Counted::of(self))
    }
}

fn tally(call: &Call, outcome: Option<Outcome>) -> Tally {
    let mut tally = Tally::new();
    if let Some(outcome) = outcome {
        tally.insert((Kind::Outcome, outcome.name().to_owned()), 1);
        if call.runs.failed > 0 {
            tally.insert((Kind::Failed, String::new()), 1);
        }
        if call.visits.has_booking_of_team() {
            tally.insert((Kind::TeamBooked, String::new()), 1);
        }
    }
    if let Some(missed) = call.missed() {
        tally.insert((Kind::Missed, missed.name().to_owned()), 1);
        for service in &call.runs.services {
            tally.insert((Kind::MissedService, service.to_string()), 1);
        }
    }
    let booked = call.visits.services();
    for service in call.services() {
        tally.insert((Kind::Asked, service.to_string()), 1);
        if booked.contains(&service) {
            tally.insert((Kind::BookedService, service.to_string()), 1);
        }
    }
    for (kind, value) in [(Kind::Value, call.visits.value()), (Kind::TeamValue, call.visits.team_value())] {
        tally.extend(value.into_iter().map(|(currency, minor)| ((kind, currency), minor)));
    }
    let latencies = call.runs.latencies.iter();
    tally.extend(latencies.map(|(step, runs)| ((Kind::Latency, step.to_string()), *runs)));
    tally
}

/// The quarter of an hour in which an instant lies.
#[must_use]
pub fn quarter(at: Timestamp) -> Timestamp {
    floor(at, QUARTER)
}

/// The day of UTC in which an instant lies.
#[must_use]
pub fn utc_day(at: Timestamp) -> Timestamp {
    floor(at, 24 * 60 * 60)
}

fn floor(at: Timestamp, seconds: i64) -> Timestamp {
    // The instant may lie within a second before 1970.
    let second = at.as_second() - i64::from(at.subsec_nanosecond() < 0);
    Timestamp::from_second(second - second.rem_euclid(seconds)).unwrap_or(Timestamp::MIN)
}

/// The difference that takes the figures from `before` to `after`; `None` adds nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// By the quarter.
    pub parts: BTreeMap<Timestamp, Part>,
    /// By quarter, kind and key; without zeros.
    pub tally: BTreeMap<(Timestamp, Kind, String), i64>,
}

impl Difference {
    /// From one to the other.
    #[must_use]
    pub fn between(before: Option<&Counted>, after: Option<&Counted>) -> Self {
        let mut difference = Self::default();
        for (counted, sign) in before.map(|c| (c, -1)).into_iter().chain(after.map(|c| (c, 1))) {
            let part = difference.parts.entry(counted.quarter).or_default();
            part.add(counted.part, sign);
            for ((kind, key), amount) in &counted.tally {
                *difference.tally.entry((counted.quarter, *kind, key.clone())).or_default() += sign * amount;
            }
        }
        difference.parts.retain(|_, part| *part != Part::default());
        difference.tally.retain(|_, amount| *amount != 0);
        difference
    }
}

impl Part {
    /// Adds another, `sign` times.
    pub fn add(&mut self, other: Self, sign: i64) {
        self.calls += sign * other.calls;
        self.ended += sign * other.ended;
        self.answered += sign * other.answered;
        self.wanted += sign * other.wanted;
        self.booked += sign * other.booked;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_counts_in_its_quarter_and_its_day_also_before_1970() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert_eq!(quarter(at("2026-06-01T08:14:59.9Z")), at("2026-06-01T08:00:00Z"));
        assert_eq!(quarter(at("2026-06-01T08:15:00Z")), at("2026-06-01T08:15:00Z"));
        assert_eq!(quarter(at("1969-12-31T23:59:59.9Z")), at("1969-12-31T23:45:00Z"));
        assert_eq!(utc_day(at("2026-06-01T23:59:59Z")), at("2026-06-01T00:00:00Z"));
    }

    #[test]
    fn a_difference_takes_back_what_was_counted_and_says_nothing_of_what_stays() {
        let counted = |second: i64, ended: i64| Counted {
            quarter: Timestamp::from_second(second).unwrap(),
            part: Part { calls: 1, ended, ..Part::default() },
            tally: Tally::from([((Kind::Value, "GBP".to_owned()), 100 * ended)]),
        };
        assert_eq!(Difference::between(Some(&counted(0, 1)), Some(&counted(0, 1))), Difference::default());
        let ended = Difference::between(Some(&counted(0, 0)), Some(&counted(0, 1)));
        assert_eq!(ended.parts[&Timestamp::UNIX_EPOCH], Part { ended: 1, ..Part::default() });
        let moved = Difference::between(Some(&counted(0, 1)), Some(&counted(QUARTER, 1)));
        assert_eq!(moved.parts[&Timestamp::UNIX_EPOCH], Part { calls: -1, ended: -1, ..Part::default() });
        assert_eq!((moved.parts.len(), moved.tally.len()), (2, 2));
    }
}
