//! A better day as changes that a person may apply.

use std::collections::BTreeMap;

use jiff::{Timestamp, civil::Date};

use super::{Gain, Input, Outcome, Run, Who};
use crate::{
    appointment::Appointment,
    id::{EmployeeId, VisitId, WaitlistEntryId},
    item::Item,
    proposal::{Change, Optimisation, Place},
    schedule::Schedule,
    visit::Placement,
    waitlist::Entry,
};

/// Why a date can't be made better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DateError {
    /// It is over.
    #[error("lies in the past")]
    Past,
    /// The date lies beyond the booking horizon.
    #[error("lies beyond the booking horizon")]
    TooFar,
}

/// Today and later dates, as far as there is booking.
///
/// # Errors
/// [`DateError`]
pub fn may_optimise(date: Date, schedule: &Schedule, now: Timestamp) -> Result<Date, DateError> {
    let on = |at: Timestamp| schedule.zone.to_datetime(at).date();
    if date < on(now) {
        return Err(DateError::Past);
    }
    if date > on(schedule.policy.end(now)) { Err(DateError::TooFar) } else { Ok(date) }
}

impl Outcome {
    /// What it would change, each with the version of the visit, or of the waitlist's entry, that it
    /// was worked out for; then those for whom there is no place.
    #[must_use]
    pub fn proposed(
        &self,
        input: &Input,
        visits: &BTreeMap<VisitId, Appointment>,
        entries: &BTreeMap<WaitlistEntryId, Entry>,
    ) -> Vec<(Change, i64)> {
        let placed = self.changes.iter().filter_map(|change| match change.who {
            Who::Visit(id) => {
                let visit = visits.get(&id)?;
                let (from, to) = (Place::of(visit), Place::anew(&visit.items, &change.placement));
                Some((Change::Move { visit: id, from, to }, visit.version))
            }
            Who::Waiting(id) => {
                let entry = entries.get(&id)?;
                let to = place_of(&entry.items, &change.placement);
                Some((Change::Booking { entry: id, to }, entry.version))
            }
        });
        let is_placed = |id| self.changes.iter().any(|change| change.who == Who::Visit(id));
        let stranded = input.visits.iter().filter(|visit| visit.place == super::Place::Stranded);
        let unplaced = stranded.filter(|visit| !is_placed(visit.id)).filter_map(|stranded| {
            let visit = visits.get(&stranded.id)?;
            Some((Change::Unplaced { visit: visit.id, from: Place::of(visit) }, visit.version))
        });
        placed.chain(unplaced).collect()
    }

    /// What it takes to work it out again, and what it brings.
    #[must_use]
    pub fn optimisation(&self, input: &Input, run: Run, gain: Gain) -> Optimisation {
        Optimisation {
            seed: run.seed.cast_signed(),
            input_hash: input.hash(),
            cost_before: self.before.total(),
            cost_after: self.after.total(),
            moves_tried: self.tried.into(),
            reproducible: self.is_reproducible,
            gain,
        }
    }
}

/// Where a visit of `items` would be: by whom, in their order.
fn place_of(items: &[Item], placement: &Placement) -> Place {
    let mut left: Vec<_> = placement.items.iter().collect();
    let employee = |item: &Item| -> Option<EmployeeId> {
        let same =
            left.iter().position(|placed| (placed.service, placed.guest) == (item.service, item.guest))?;
        Some(left.remove(same).employee)
    };
    let employees = items.iter().filter_map(employee).collect();
    Place { starts_at: placement.starts_at, ends_at: placement.ends_at, employees }
}
