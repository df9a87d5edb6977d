//! Visits that a manager squeezes in beside others.

use caller::Role;

/// Whether this role may squeeze visits in. Agents and services act as employees.
#[must_use]
pub fn may_squeeze_in(role: Role) -> bool {
    role >= Role::Manager
}
