//! Visits that a manager squeezes in beside others.

use caller::Role;
use jiff::Timestamp;

use super::visit::{Placement, Wish};

/// Whether somebody of this role squeezes visits in. Agents and services act as employees.
#[must_use]
pub fn may_squeeze_in(role: Role) -> bool {
    role >= Role::Manager
}

/// The visit at `start` in the best way to arrange it, with the first candidate of each service,
/// whatever else they do then. It claims no resource. Nothing, where it can't be arranged.
#[must_use]
pub fn squeeze_in(wish: &Wish, start: Timestamp) -> Option<Placement> {
    let best = wish.arrangements().first()?;
    let chosen = wish.steps().iter().zip(&best.variants);
    let employees = chosen.map(|(step, variant)| Some(step.variants[*variant].candidates.first()?.employee));
    Some(wish.place(start, best, &employees.collect::<Option<Vec<_>>>()?, &[]))
}
