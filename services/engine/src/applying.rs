//! What it takes to apply a line of a proposal.

use super::{
    appointment::Appointment,
    item::Item,
    occupancy::{Rearrangement, Target},
    policy::Booker,
    proposal::{Change, Line},
    refusal::Refusal,
    schedule::Schedule,
    visit::{Occupied, VisitRequestError},
    waitlist::Entry,
};
use jiff::Timestamp;

/// Why a line is not applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The visit was moved, cancelled or begun since, or the waitlist's entry changed; it has this version.
    #[error("was worked out for another version: it is at version {0}")]
    Stale(i64),
    /// It is applied already, or its visit has begun, ended or been cancelled.
    #[error("can't be applied any more")]
    WrongState,
    /// The place is not free, or never was.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl From<VisitRequestError> for LineError {
    fn from(error: VisitRequestError) -> Self {
        match error {
            // The services of visits are never deleted.
            VisitRequestError::UnknownService(_) | VisitRequestError::Length(_) => Self::WrongState,
            VisitRequestError::Refused(refusal) => Self::Refused(refusal),
        }
    }
}

impl Line {
    /// Where `visit`, which takes `rows`, shall be.
    ///
    /// # Errors
    /// [`LineError`]
    pub fn rearrangement(
        &self,
        visit: &Appointment,
        rows: &[Occupied],
        schedule: &Schedule,
        now: Timestamp,
    ) -> Result<Rearrangement, LineError> {
        if self.since(visit).is_some() {
            return Err(LineError::Stale(visit.version));
        }
        let target = match &self.change {
            Change::Move { to, .. } => {
                let employees: Vec<_> = to.employees.iter().copied().map(Some).collect();
                let items = visit.rearranged(Some(&employees)).map_err(|_| LineError::WrongState)?;
                schedule.policy.admit_anew(visit.starts_at, to.starts_at, now)?;
                Target::Start(schedule.request_again(&items)?, to.starts_at)
            }
            Change::Extension { to, .. } => {
                Target::Exactly(visit.overrun(rows, to.ends_at).map_err(|_| LineError::WrongState)?)
            }
            Change::Unplaced { .. } | Change::Booking { .. } => return Err(LineError::WrongState),
        };
        // The rows of a squeezed-in visit block no time, so there is none to free.
        let before = if visit.squeezed_in { vec![] } else { rows.to_vec() };
        Ok(Rearrangement { before, target })
    }

    /// Where the visit of `entry` shall be, whose customer has had all it needs before.
    ///
    /// # Errors
    /// [`LineError`]
    pub fn booking(
        &self,
        entry: &Entry,
        schedule: &Schedule,
        now: Timestamp,
    ) -> Result<Rearrangement, LineError> {
        entry.waits().map_err(|_| LineError::WrongState)?;
        if entry.version != self.seen {
            return Err(LineError::Stale(entry.version));
        }
        let Some(to) = self.change.to().filter(|to| to.employees.len() == entry.items.len()) else {
            return Err(LineError::WrongState);
        };
        let by = |(item, &employee): (&Item, _)| Item { employee: Some(employee), ..*item };
        let items: Vec<_> = entry.items.iter().zip(&to.employees).map(by).collect();
        let request = schedule.request_again(&items)?;
        schedule.policy.admit(to.starts_at, Booker::Desk, now)?;
        Ok(Rearrangement { before: vec![], target: Target::Start(request, to.starts_at) })
    }
}
