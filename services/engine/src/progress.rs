//! What a visit goes through, from its booking to its end, and back after a wrong click.

use super::{
    appointment::{Appointment, State, WrongState},
    day::Day,
    span::Span,
    visit::Occupied,
    window::{Untimely, Window},
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

/// How long before its start a visit may begin at the earliest: its customer arrives, is served, or says that they
/// will be late. What changes a visit earlier than that is a move.
const AHEAD: SignedDuration = SignedDuration::from_hours(2);
/// How long after its planned end a visit in service may still be given more time.
const OVERRUN: SignedDuration = SignedDuration::from_hours(12);

/// Why a visit can't enter a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The present state does not lead there.
    #[error(transparent)]
    WrongState(#[from] WrongState),
    /// Not at this time.
    #[error(transparent)]
    Untimely(#[from] Untimely),
}

/// Where a visit stands, whatever goes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// As [`State::Booked`].
    Booked,
    /// As [`State::Confirmed`].
    Confirmed,
    /// As [`State::Arrived`].
    Arrived,
    /// As [`State::InService`].
    InService,
    /// As [`State::Completed`].
    Completed,
    /// As [`State::Cancelled`].
    Cancelled,
    /// As [`State::NoShow`].
    NoShow,
}

impl Stage {
    /// Whether a visit may go on from here to `to`. None is cancelled in passing, and who has
    /// come did not stay away.
    fn leads_to(self, to: Self) -> bool {
        match (self.order(), to.order()) {
            (Some(from), Some(to)) => from < to,
            (Some(_), None) => to == Self::NoShow && matches!(self, Self::Booked | Self::Confirmed),
            (None, _) => false,
        }
    }

    /// Its place in a visit that goes well.
    fn order(self) -> Option<u8> {
        match self {
            Self::Booked => Some(0),
            Self::Confirmed => Some(1),
            Self::Arrived => Some(2),
            Self::InService => Some(3),
            Self::Completed => Some(4),
            Self::Cancelled | Self::NoShow => None,
        }
    }

    /// What a visit whose employees were to be kept by `rows` still takes once it came here at `at`.
    #[must_use]
    pub fn leaves(self, rows: &[Occupied], at: Timestamp) -> Vec<Occupied> {
        match self {
            Self::Booked | Self::Confirmed | Self::Arrived | Self::InService => rows.to_vec(),
            // The employees clean up as after any visit, only earlier.
            Self::Completed => rows.iter().filter_map(|row| ended(*row, at, true)).collect(),
            Self::NoShow => rows.iter().filter_map(|row| ended(*row, at, false)).collect(),
            Self::Cancelled => vec![],
        }
    }
}

/// The row, if its visit ends at `at`; `None` if its service had not begun by then.
fn ended(row: Occupied, at: Timestamp, cleans_up: bool) -> Option<Occupied> {
    if at >= row.during.ends_at() {
        return Some(row);
    }
    let service = Span::new(row.service.starts_at(), row.service.ends_at().min(at))?;
    let buffer = row.during.ends_at().duration_since(row.service.ends_at());
    let ends_at = if cleans_up { service.ends_at() + buffer } else { at };
    let during = Span::new(row.during.starts_at(), ends_at)?;
    Some(Occupied { during, service, ..row })
}

impl State {
    /// The state without what it carries.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self {
            Self::Booked => Stage::Booked,
            Self::Confirmed => Stage::Confirmed,
            Self::Arrived => Stage::Arrived,
            Self::InService => Stage::InService,
            Self::Completed => Stage::Completed,
            Self::Cancelled(_) => Stage::Cancelled,
            Self::NoShow => Stage::NoShow,
        }
    }

    /// The state of a stage; [`WrongState`] for a cancelled one, which needs a cancel request.
    fn at(stage: Stage) -> Result<Self, WrongState> {
        match stage {
            Stage::Booked => Ok(Self::Booked),
            Stage::Confirmed => Ok(Self::Confirmed),
            Stage::Arrived => Ok(Self::Arrived),
            Stage::InService => Ok(Self::InService),
            Stage::Completed => Ok(Self::Completed),
            Stage::NoShow => Ok(Self::NoShow),
            Stage::Cancelled => Err(WrongState),
        }
    }
}

/// When a visit came to a stage, and who brought it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The stage.
    pub stage: Stage,
    /// When.
    pub at: Timestamp,
    /// Who, as the audit trail names them.
    pub by: String,
    /// When the ledger noted that some of the visit's time became free by it, if any did.
    pub freed_at: Option<Timestamp>,
}

/// Which way a visit changes its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// To a later one.
    Forward,
    /// To where it stood before, as if it had never left.
    Back,
}

/// The stages of a visit up to where it stands, without what was taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress(Vec<Entry>);

impl Progress {
    /// The entries of a visit, by time; `None` if there are none.
    #[must_use]
    pub fn new(entries: Vec<Entry>) -> Option<Self> {
        (!entries.is_empty()).then_some(Self(entries))
    }

    /// Its stages, by time.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// How the visit came to where it stands.
    #[must_use]
    pub fn present(&self) -> &Entry {
        self.0.last().expect("a visit stands somewhere")
    }

    /// Where it stood before, as long as the local day lasts on which it went on from there.
    fn undone(&self, now: Timestamp, zone: &TimeZone) -> Option<Stage> {
        let day = |at: Timestamp| zone.to_datetime(at).date();
        let before = self.0.len().checked_sub(2).map(|before| self.0[before].stage);
        before.filter(|_| day(self.present().at) == day(now))
    }
}

impl Appointment {
    /// The states it can be brought to, in the order in which visits go through them, each with when.
    pub fn onward(&self) -> impl Iterator<Item = (Stage, Window)> {
        const IN_ORDER: [Stage; 5] =
            [Stage::Confirmed, Stage::Arrived, Stage::InService, Stage::Completed, Stage::NoShow];
        let from = self.state.stage();
        let stages = IN_ORDER.into_iter().filter(move |to| from.leads_to(*to));
        stages.map(|to| (to, self.window_of(to)))
    }

    /// The state that a wrong click can be taken back to, and until when: the end of the local day on which it
    /// was made.
    #[must_use]
    pub fn back(&self, progress: &Progress, now: Timestamp, zone: &TimeZone) -> Option<(Stage, Timestamp)> {
        let before = progress.undone(now, zone)?;
        Some((before, Day::of(zone.to_datetime(now).date(), zone).ends_at()))
    }

    /// When it can be reported late: from shortly before its start until its planned end; in service also after it.
    /// `None` if it is over.
    #[must_use]
    pub fn delay_window(&self) -> Option<Window> {
        let from = Some(self.starts_at - AHEAD);
        match self.state {
            State::InService => Some(Window::until(self.ends_at + OVERRUN)),
            _ if self.state.is_ahead() => Some(Window { from, until: Some(self.ends_at) }),
            _ => None,
        }
    }

    /// When it can be brought to a later state.
    fn window_of(&self, to: Stage) -> Window {
        match to {
            Stage::Confirmed => Window::until(self.starts_at),
            Stage::Arrived | Stage::InService => Window::from(self.starts_at - AHEAD),
            // A service that began early may end before the planned start.
            Stage::Completed if self.state == State::InService => Window::default(),
            Stage::Completed | Stage::NoShow => Window::from(self.starts_at),
            Stage::Booked | Stage::Cancelled => Window::default(),
        }
    }

    /// Brings the visit to another stage: any later one, or the one before on the same local day.
    ///
    /// # Errors
    /// Where neither is so, for a visit that was or shall be cancelled, and where it is too early or too late for
    /// the state.
    pub fn enter(
        self,
        to: Stage,
        progress: &Progress,
        now: Timestamp,
        zone: &TimeZone,
    ) -> Result<(Self, Step), StepError> {
        let from = self.state.stage();
        let step = if from.leads_to(to) {
            self.window_of(to).check(now)?;
            Step::Forward
        } else if from != Stage::Cancelled && progress.undone(now, zone) == Some(to) {
            Step::Back
        } else {
            return Err(WrongState.into());
        };
        Ok((Self { state: State::at(to)?, version: self.version + 1, ..self }, step))
    }

    /// Takes a cancellation back on the same local day.
    ///
    /// # Errors
    /// Later, and for a visit that is not cancelled.
    pub fn restore(self, progress: &Progress, now: Timestamp, zone: &TimeZone) -> Result<Self, WrongState> {
        match (self.state.stage(), progress.undone(now, zone)) {
            (Stage::Cancelled, Some(before)) => {
                Ok(Self { state: State::at(before)?, version: self.version + 1, ..self })
            }
            _ => Err(WrongState),
        }
    }
}

#[cfg(test)]
mod tests;
