//! Visits of a salon that worked before it came here: what each went through, and what it took from whom until when.

use engine::{
    appointment::{Appointment, BookingDetails, CancelError, CancelRequest, Canceller},
    id::VisitId,
    item::Item,
    progress::{Entry, Progress, Stage, StepError},
    refusal::Refusal,
    schedule::Schedule,
    squeeze_in::squeeze_in,
    visit::{Occupied, Placement, VisitRequestError},
};
use jiff::Timestamp;

/// Why a visit can't have been as it is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PastVisitError {
    /// The business has no such service, or the employee does not do it.
    #[error(transparent)]
    Place(#[from] VisitRequestError),
    /// It was cancelled after it had begun.
    #[error(transparent)]
    Cancel(#[from] CancelError),
    /// A state does not lead to the next, or it was too early or too late for it.
    #[error(transparent)]
    Step(#[from] StepError),
    /// Something happened before what it follows.
    #[error("must be in the order in which they happened")]
    OutOfOrder,
}

/// A visit as it is told of.
#[derive(Debug, Clone)]
pub struct PastVisit {
    /// Unique in the installation.
    pub id: VisitId,
    /// The service, and who did it or would have done it.
    pub item: Item,
    /// For whom, and in which call it was booked.
    pub details: BookingDetails,
    /// When the customer came or would have come.
    pub starts_at: Timestamp,
    /// When it was booked, and by whom, as the audit trail names them.
    pub booked: (Timestamp, String),
    /// What was agreed.
    pub price_minor: i32,
    /// The start that it was moved away from, when and by whom.
    pub moved: Option<Moved>,
    /// What it was brought to: state, when, by whom.
    pub steps: Vec<(Stage, Timestamp, String)>,
    /// Why it was cancelled, if it was.
    pub cancel_reason: String,
}

/// A move of a visit.
#[derive(Debug, Clone)]
pub struct Moved {
    /// Its start before.
    pub from: Timestamp,
    /// When it was moved.
    pub at: Timestamp,
    /// Who moved it.
    pub by: String,
}

/// What a visit took from whom, and from when until when the ledger said so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// What it took.
    pub row: Occupied,
    /// Since when it was known.
    pub since: Timestamp,
    /// Until when; `None` if it still is.
    pub until: Option<Timestamp>,
}

/// A visit as it is kept.
#[derive(Debug, Clone)]
pub struct Remembered {
    /// The visit.
    pub appointment: Appointment,
    /// Where it was before it was moved.
    pub before: Option<(Appointment, Moved)>,
    /// The states that it went through.
    pub progress: Progress,
    /// What it took.
    pub rows: Vec<Recorded>,
}

impl PastVisit {
    /// The visit by the rules that it would have been booked by. Only whether an employee was at work is not asked: who
    /// worked when then is not known.
    ///
    /// # Errors
    /// A service that the employee doesn't do, steps that don't lead to each other, or that are not in order.
    pub fn remember(self, schedule: &Schedule) -> Result<Remembered, PastVisitError> {
        let (booked_at, booked_by) = self.booked.clone();
        let first = self.place(schedule, self.moved.as_ref().map_or(self.starts_at, |moved| moved.from))?;
        let appointment = Appointment::book(self.id, &first, self.details.clone(), booked_at);
        let entry = Entry { stage: Stage::Booked, at: booked_at, by: booked_by, freed_at: None };
        let mut kept =
            Kept { appointment, entries: vec![entry], open: first.occupied, since: booked_at, rows: vec![] };
        let before = match &self.moved {
            None => None,
            Some(moved) => {
                let before = kept.appointment.clone();
                let there = self.place(schedule, self.starts_at)?;
                kept.take(there.occupied.clone(), moved.at)?;
                kept.appointment = kept.appointment.moved_to(&there);
                Some((before, moved.clone()))
            }
        };
        for (stage, at, by) in self.steps {
            kept = kept.enter(stage, at, by, &self.cancel_reason, schedule)?;
        }
        kept.remembered(before)
    }

    /// Where it is at `start`, at the price that was agreed.
    fn place(&self, schedule: &Schedule, start: Timestamp) -> Result<Placement, PastVisitError> {
        let request = schedule.request_again(&[self.item])?;
        let mut placement =
            squeeze_in(&request, start).ok_or(VisitRequestError::from(Refusal::NotTogether))?;
        for item in &mut placement.items {
            item.price_minor = self.price_minor;
        }
        placement.price.minor = self.price_minor;
        Ok(placement)
    }
}

/// A visit on its way through its states.
struct Kept {
    appointment: Appointment,
    entries: Vec<Entry>,
    /// What it takes now, and since when.
    open: Vec<Occupied>,
    since: Timestamp,
    rows: Vec<Recorded>,
}

impl Kept {
    /// Has it take other time from `at` on.
    fn take(&mut self, rows: Vec<Occupied>, at: Timestamp) -> Result<(), PastVisitError> {
        if at <= self.since {
            return Err(PastVisitError::OutOfOrder);
        }
        let (since, until) = (self.since, Some(at));
        self.rows.extend(self.open.drain(..).map(|row| Recorded { row, since, until }));
        (self.open, self.since) = (rows, at);
        Ok(())
    }

    fn enter(
        mut self,
        stage: Stage,
        at: Timestamp,
        by: String,
        reason: &str,
        schedule: &Schedule,
    ) -> Result<Self, PastVisitError> {
        if self.entries.last().is_some_and(|last| at <= last.at) {
            return Err(PastVisitError::OutOfOrder);
        }
        let progress = Progress::new(self.entries.clone()).ok_or(PastVisitError::OutOfOrder)?;
        self.appointment = if stage == Stage::Cancelled {
            let (by, reason) = (by.clone(), reason.to_owned());
            let request = CancelRequest { at, by, canceller: Canceller::Staff, reason };
            self.appointment.cancel(request, &schedule.policy)?
        } else {
            self.appointment.enter(stage, &progress, at, &schedule.zone)?.0
        };
        let left = stage.leaves(&self.open, at);
        let frees = left != self.open;
        if frees {
            self.take(left, at)?;
        }
        self.entries.push(Entry { stage, at, by, freed_at: frees.then_some(at) });
        Ok(self)
    }

    fn remembered(self, before: Option<(Appointment, Moved)>) -> Result<Remembered, PastVisitError> {
        let Self { appointment, entries, open, since, mut rows } = self;
        rows.extend(open.into_iter().map(|row| Recorded { row, since, until: None }));
        let progress = Progress::new(entries).ok_or(PastVisitError::OutOfOrder)?;
        Ok(Remembered { appointment, before, progress, rows })
    }
}
