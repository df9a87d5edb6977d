//! Visits that a manager squeezes in beside others.

use jiff::Timestamp;

use super::visit::{Placement, VisitRequest};

/// The visit at `start` in the best way to arrange it, with the first candidate of each service,
/// whatever else they do then. It claims no resource. Nothing, where it can't be arranged.
#[must_use]
pub fn squeeze_in(wish: &VisitRequest, start: Timestamp) -> Option<Placement> {
    let best = wish.arrangements().first()?;
    let chosen = wish.steps().iter().zip(&best.variants);
    let employees = chosen.map(|(step, variant)| Some(step.variants[*variant].candidates.first()?.employee));
    Some(wish.place(start, best, &employees.collect::<Option<Vec<_>>>()?, &[]))
}
