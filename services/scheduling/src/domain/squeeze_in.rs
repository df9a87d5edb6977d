//! Visits that a manager squeezes in beside others.

use caller::Role;
use jiff::Timestamp;

use super::visit::{Placement, Wish};

/// Whether somebody of this role squeezes visits in. Agents and services act as employees.
#[must_use]
pub fn may_squeeze_in(role: Role) -> bool {
    role >= Role::Manager
}

/// The visit at `start` with the first candidate of each service, whatever else they do then.
#[must_use]
pub fn squeeze_in(wish: &Wish, start: Timestamp) -> Placement {
    let employees: Vec<_> = wish.steps().iter().map(|step| step.candidates[0]).collect();
    wish.place(start, &employees)
}
