//! Visits that a manager squeezes in beside others.

use jiff::Timestamp;

use super::visit::{Placement, VisitRequest};

/// The visit at `start` in its best arrangement, with the first candidate of each service, even if they
/// are busy. It claims no resource. `None` if it can't be arranged.
#[must_use]
pub fn squeeze_in(request: &VisitRequest, start: Timestamp) -> Option<Placement> {
    let best = request.arrangements().first()?;
    let chosen = request.steps().iter().zip(&best.variants);
    let employees = chosen.map(|(step, variant)| Some(step.variants[*variant].candidates.first()?.employee));
    Some(request.place(start, best, &employees.collect::<Option<Vec<_>>>()?, &[]))
}
