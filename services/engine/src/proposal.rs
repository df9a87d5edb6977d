//! Proposals: changes of a day that a person may apply, line by line.

mod change;
mod place;

use std::collections::HashSet;

use jiff::{Timestamp, civil::Date};

pub use change::Change;
pub use place::Place;

use super::{
    appointment::{Appointment, State as VisitState},
    id::{EmployeeId, ProposalId, ProposalLineId, TimeOffId, VisitId},
    optimiser::Gain,
};

/// Most lines that a proposal has.
pub const MAX_LINES: usize = 200;

/// Why there is a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// An employee is away.
    Absence {
        /// Who.
        employee: EmployeeId,
        /// The time off that takes their time.
        time_off: TimeOffId,
    },
    /// A visit starts, or ends, later.
    Delay {
        /// Which.
        visit: VisitId,
        /// By how many minutes.
        minutes: u16,
    },
    /// A day was optimised.
    Optimisation(Optimisation),
}

/// How a day was optimised: what it takes to do it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimisation {
    /// The seed of its random numbers.
    pub seed: i64,
    /// SHA-256 of the canonical input, in hexadecimal digits.
    pub input_hash: String,
    /// The objective's value before, in minutes.
    pub cost_before: i64,
    /// The objective's value after, in minutes.
    pub cost_after: i64,
    /// How many moves were tried.
    pub moves_tried: i64,
    /// Whether their number, rather than time, ended the run.
    pub reproducible: bool,
    /// What it brings.
    pub gain: Gain,
}

/// Who ended something, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// When.
    pub at: Timestamp,
    /// Who, as the audit trail names them.
    pub by: String,
}

/// Where a line stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LineState {
    /// Nothing has happened.
    Open,
    /// It was done.
    Applied(End),
}

/// What happened to a visit after a line was worked out for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// It takes another place.
    Moved(Place),
    /// It was cancelled.
    Cancelled,
    /// It has begun, or is over.
    Begun,
    /// The waiting customer was booked or left the list.
    NotWaiting,
}

/// One visit of a proposal, or one waitlist entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its id.
    pub id: ProposalLineId,
    /// What it changes.
    pub change: Change,
    /// The version of the visit, or of the waitlist's entry, that it was worked out for.
    pub seen: i64,
    /// Where it stands.
    pub state: LineState,
}

impl Line {
    /// What happened to `visit` after the line was worked out for it; `None` while the line still fits. Notes, or a
    /// confirmation, leave a visit what it was.
    #[must_use]
    pub fn since(&self, visit: &Appointment) -> Option<Since> {
        let fits = match self.change {
            Change::Extension { .. } => visit.state == VisitState::InService,
            Change::Move { .. } | Change::Unplaced { .. } | Change::Booking { .. } => visit.state.is_ahead(),
        };
        match (&visit.state, Place::of(visit)) {
            (VisitState::Cancelled(_), _) => Some(Since::Cancelled),
            _ if !fits => Some(Since::Begun),
            (_, now) if self.change.from().is_some_and(|from| *from != now) => Some(Since::Moved(now)),
            _ => None,
        }
    }
}

/// Where a proposal stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Some line can be applied, or a customer is to be called.
    Open,
    /// All of its lines are applied.
    Applied(End),
    /// It was dismissed.
    Dismissed(End),
}

/// Proposed changes to one local date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// The date.
    pub date: Date,
    /// Why there is one.
    pub cause: Cause,
    /// In the order in which they were worked out; at most [`MAX_LINES`].
    pub lines: Vec<Line>,
    /// Where it stands.
    pub state: State,
    /// Who had it worked out, as the audit trail names them.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
    /// Grows by one with each change.
    pub version: i64,
}

/// The proposal was applied or dismissed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the proposal was applied or dismissed before")]
pub struct WrongState;

/// The proposal was changed after the caller read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the proposal was changed in the meantime: it is at version {0}")]
pub struct Stale(pub i64);

/// Why lines can't be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// The proposal is closed.
    #[error(transparent)]
    WrongState(#[from] WrongState),
    /// The proposal has no line of this id, by its place among those named.
    #[error("names no line of the proposal")]
    Unknown(usize),
    /// A line is named twice.
    #[error("names a line twice")]
    Twice(usize),
    /// A line has no place to go to.
    #[error("names a visit that has no place that day")]
    Unplaced(usize),
    /// A line is applied already.
    #[error("is applied already")]
    Applied(usize),
}

impl Proposal {
    /// Returns the proposal if `version` is its current version, or if no version is given.
    ///
    /// # Errors
    /// [`Stale`] with the current version.
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            Some(_) | None => Ok(self),
        }
    }

    /// The lines that are named, in the proposal's order, each with its place among the names.
    ///
    /// # Errors
    /// Once it is closed, and where a line is not one that can be applied.
    pub fn select(&self, ids: &[ProposalLineId]) -> Result<Vec<(usize, &Line)>, SelectError> {
        if self.state != State::Open {
            return Err(WrongState.into());
        }
        let mut seen = HashSet::new();
        for (place, id) in ids.iter().enumerate() {
            let line = self.lines.iter().find(|line| line.id == *id);
            let line = line.ok_or(SelectError::Unknown(place))?;
            if !seen.insert(*id) {
                return Err(SelectError::Twice(place));
            }
            if line.change.to().is_none() {
                return Err(SelectError::Unplaced(place));
            }
            if line.state != LineState::Open {
                return Err(SelectError::Applied(place));
            }
        }
        let places = self.lines.iter().map(|line| (ids.iter().position(|id| *id == line.id), line));
        Ok(places.filter_map(|(place, line)| Some((place?, line))).collect())
    }

    /// The proposal once `ids` of it were applied.
    #[must_use]
    pub fn applied(mut self, ids: &[ProposalLineId], end: End) -> Self {
        for line in self.lines.iter_mut().filter(|line| ids.contains(&line.id)) {
            line.state = LineState::Applied(end.clone());
        }
        let state = if self.open_lines() == 0 { State::Applied(end) } else { State::Open };
        Self { state, version: self.version + 1, ..self }
    }

    /// Puts it aside.
    ///
    /// # Errors
    /// Once it is closed.
    pub fn dismiss(self, end: End) -> Result<Self, WrongState> {
        match self.state {
            State::Open => Ok(Self { state: State::Dismissed(end), version: self.version + 1, ..self }),
            State::Applied(_) | State::Dismissed(_) => Err(WrongState),
        }
    }

    /// Takes a dismissal back.
    ///
    /// # Errors
    /// If it is not dismissed.
    pub fn reopen(self) -> Result<Self, WrongState> {
        match self.state {
            State::Dismissed(_) => Ok(Self { state: State::Open, version: self.version + 1, ..self }),
            State::Open | State::Applied(_) => Err(WrongState),
        }
    }

    /// The proposal once what `ids` of it had done is undone. One that was put aside meanwhile stays so.
    ///
    /// # Errors
    /// If one of them is not applied.
    pub fn undone(mut self, ids: &[ProposalLineId]) -> Result<Self, WrongState> {
        for id in ids {
            let line = self.lines.iter_mut().find(|line| line.id == *id).ok_or(WrongState)?;
            match line.state {
                LineState::Applied(_) => line.state = LineState::Open,
                LineState::Open => return Err(WrongState),
            }
        }
        let state = match self.state {
            State::Dismissed(end) => State::Dismissed(end),
            State::Open | State::Applied(_) => State::Open,
        };
        Ok(Self { state, version: self.version + 1, ..self })
    }

    /// How many lines are not applied.
    #[must_use]
    pub fn open_lines(&self) -> usize {
        self.lines.iter().filter(|line| line.state == LineState::Open).count()
    }
}

#[cfg(test)]
mod tests;
