//! What a change of several records found, kept so that it can be taken back.

mod before;

use engine::{
    appointment::{Appointment, Cancellation, State},
    hours::{DayHours, WeeklyPattern},
    progress::Stage,
    visit::Occupied,
    waitlist::Entry,
    working::OpeningException,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use self::before::{DescriptionBefore, PlaceBefore};
use super::time_off::{State as Standing, TimeOff};

/// What was changed at once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Undoable {
    /// Visits.
    pub visits: Vec<VisitChange>,
    /// Waitlist entries that ended.
    pub entries: Vec<EntryChange>,
    /// Waitlist entries that were added.
    #[serde(default)]
    pub joined: Vec<EntryChange>,
    /// A proposal.
    pub proposal: Option<ProposalChange>,
    /// Time off.
    pub time_off: Option<TimeOffChange>,
    /// When the salon is open, or an employee works.
    #[serde(default)]
    pub working_time: Option<WorkingTimeChange>,
    /// A call to the customer of a stranded visit.
    #[serde(default)]
    pub contact: Option<Uuid>,
    /// A visit that entered another state.
    #[serde(default)]
    pub step: Option<StepChange>,
}

/// A visit that entered another state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepChange {
    /// Which.
    pub visit: Uuid,
    /// Its version before the change.
    pub found: i64,
    /// Its version after the change.
    pub version: i64,
    /// Where it stood.
    pub before: Stage,
    /// Who had cancelled it, and why.
    #[serde(default)]
    pub cancellation: Option<Cancellation>,
}

/// A record that is again what it was before a change: at `to` it says what it said at `from`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Returned {
    /// Which.
    pub record: Uuid,
    /// Its version before the change.
    pub from: i64,
    /// Its version once the change was taken back.
    pub to: i64,
}

/// Hours or a closure that were changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkingTimeChange {
    /// What they were.
    pub before: WorkingTime,
    /// What they became.
    pub after: WorkingTime,
}

/// What one record of the working time says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkingTime {
    /// The salon's IANA zone and its week; `None` before it had any.
    Opening(Option<(String, WeeklyPattern)>),
    /// Dates with other opening hours; `None` where there are none.
    Exception(Uuid, Option<OpeningException>),
    /// An employee's week from a date on; `None` where there is none.
    Week(Uuid, Option<Date>, Option<WeeklyPattern>),
    /// An employee's hours on a date; `None` where the week counts.
    Day(Uuid, Date, Option<DayHours>),
}

/// A visit that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VisitChange {
    /// Which.
    pub visit: Uuid,
    /// Its version before the change; 0 if it was not booked, or if that was not kept.
    #[serde(default)]
    pub found: i64,
    /// Its version after the change.
    pub version: i64,
    /// What it was.
    pub before: Before,
}

/// What a visit was before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Before {
    /// Not booked.
    Unbooked,
    /// Not cancelled.
    Standing,
    /// Somewhere else, or something else.
    At(PlaceBefore),
    /// Where it is, with other notes and wishes.
    Described(DescriptionBefore),
}

/// A waitlist entry that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryChange {
    /// Which.
    pub entry: Uuid,
    /// Its version before the change; 0 if it was not on the list, or if that was not kept.
    #[serde(default)]
    pub found: i64,
    /// Its version after the change.
    pub version: i64,
}

/// A proposal that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProposalChange {
    /// Which.
    pub id: Uuid,
    /// How.
    pub act: ProposalAct,
}

/// What was done with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProposalAct {
    /// It was made.
    Added,
    /// These lines of it were applied.
    Applied(Vec<Uuid>),
    /// It was put aside, at this version.
    Dismissed(i64),
}

/// Time off that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeOffChange {
    /// Which.
    pub id: Uuid,
    /// Its version before the change; 0 if it was not kept.
    #[serde(default)]
    pub found: i64,
    /// Its version after the change.
    pub version: i64,
    /// Whether it was reported, not decided on.
    pub reported: bool,
    /// Where it stood, if it was withdrawn.
    #[serde(default)]
    pub withdrawn: Option<Standing>,
}

impl Undoable {
    /// One visit that is now booked.
    #[must_use]
    pub fn booked(booked: &Appointment) -> Self {
        Self { visits: vec![VisitChange::booked(booked)], ..Self::default() }
    }

    /// Follows records that returned to what this change left, so that it can be taken back as well.
    #[must_use]
    pub fn following(mut self, returned: &[Returned]) -> Self {
        let follow = |record: Uuid, version: &mut i64| {
            let back = returned.iter().find(|back| (back.record, back.from) == (record, *version));
            *version = back.map_or(*version, |back| back.to);
        };
        for change in &mut self.visits {
            follow(change.visit, &mut change.version);
        }
        for change in self.entries.iter_mut().chain(&mut self.joined) {
            follow(change.entry, &mut change.version);
        }
        if let Some(change) = &mut self.step {
            follow(change.visit, &mut change.version);
        }
        if let Some(change) = &mut self.time_off {
            follow(change.id, &mut change.version);
        }
        self
    }
}

impl VisitChange {
    /// A visit that is now booked.
    #[must_use]
    pub fn booked(booked: &Appointment) -> Self {
        Self { visit: booked.id.0, found: 0, version: booked.version, before: Before::Unbooked }
    }

    /// A visit that is now cancelled.
    #[must_use]
    pub fn cancelled(cancelled: &Appointment) -> Self {
        let (found, version) = (cancelled.version - 1, cancelled.version);
        Self { visit: cancelled.id.0, found, version, before: Before::Standing }
    }

    /// A visit about which something else is about to be said.
    #[must_use]
    pub fn described(visit: &Appointment) -> Self {
        Self::of(visit, Before::Described(DescriptionBefore::of(visit)))
    }

    /// A visit that is about to leave where or what it is, where it takes `rows`.
    #[must_use]
    pub fn moved(visit: &Appointment, rows: &[Occupied]) -> Self {
        Self::of(visit, Before::At(PlaceBefore::of(visit, rows)))
    }

    /// A visit that is about to change.
    fn of(visit: &Appointment, before: Before) -> Self {
        Self { visit: visit.id.0, found: visit.version, version: visit.version + 1, before }
    }
}

impl StepChange {
    /// A visit that `entered` another state.
    #[must_use]
    pub fn of(visit: &Appointment, entered: &Appointment) -> Self {
        let (found, version) = (visit.version, entered.version);
        let cancellation = match &visit.state {
            State::Cancelled(cancellation) => Some(cancellation.clone()),
            _ => None,
        };
        Self { visit: visit.id.0, found, version, before: visit.state.stage(), cancellation }
    }
}

impl EntryChange {
    /// An entry as it is after the change.
    #[must_use]
    pub fn of(changed: &Entry) -> Self {
        Self { entry: changed.id.0, found: changed.version - 1, version: changed.version }
    }
}

impl TimeOffChange {
    /// Time off that was decided on.
    #[must_use]
    pub fn decided(time_off: &TimeOff) -> Self {
        let (found, version) = (time_off.version - 1, time_off.version);
        Self { id: time_off.id.0, found, version, reported: false, withdrawn: None }
    }

    /// Time off that was withdrawn.
    #[must_use]
    pub fn withdrawn(time_off: &TimeOff, before: Standing) -> Self {
        Self { withdrawn: Some(before), ..Self::decided(time_off) }
    }

    /// Time off that counts since it was reported.
    #[must_use]
    pub fn reported(time_off: &TimeOff) -> Self {
        Self { reported: true, ..Self::decided(time_off) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(found: i64, version: i64) -> Undoable {
        let change = EntryChange { entry: Uuid::from_u128(1), found, version };
        Undoable { entries: vec![change], ..Undoable::default() }
    }

    #[test]
    fn a_change_follows_its_record_back_and_no_other() {
        let back = |record, from, to| Returned { record: Uuid::from_u128(record), from, to };
        // The change to 3 was taken back: at 4 the record says what it said at 2.
        assert_eq!(entry(1, 2).following(&[back(1, 2, 4)]), entry(1, 4));
        for other in [back(2, 2, 4), back(1, 3, 4), back(1, 1, 4)] {
            assert_eq!(entry(1, 2).following(&[other]), entry(1, 2));
        }
    }

    #[test]
    fn what_an_earlier_version_kept_is_read() {
        let kept = r#"{"visits":[],"entries":[{"entry":"00000000-0000-0000-0000-000000000001","version":2}],
            "proposal":null,"time_off":null}"#;
        assert_eq!(serde_json::from_str::<Undoable>(kept).unwrap(), entry(0, 2));
    }
}
