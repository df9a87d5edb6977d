//! Time of an employee that is kept free of bookings.

use caller::Role;
use engine::{
    id::{BlockId, EmployeeId},
    span::Span,
};
use jiff::{SignedDuration, Timestamp};

use super::person::may_act_for;

/// Longest block; a longer absence is time off.
pub const MAX_LENGTH: SignedDuration = SignedDuration::from_hours(24);

/// A block's end does not fit its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must lie after starts_at, by at most 24 hours")]
pub struct LengthError;

/// The time a block takes.
///
/// # Errors
/// Where it would be empty, backwards or too long.
pub fn span(starts_at: Timestamp, ends_at: Timestamp) -> Result<Span, LengthError> {
    Span::new(starts_at, ends_at).filter(|span| span.length() <= MAX_LENGTH).ok_or(LengthError)
}

/// Blocked time of an employee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its id.
    pub id: BlockId,
    /// Whose time.
    pub employee: EmployeeId,
    /// What for.
    pub title: String,
    /// When.
    pub span: Span,
    /// Who blocked it, as the audit trail names them.
    pub by: String,
    /// When it was blocked.
    pub at: Timestamp,
}

impl Block {
    /// Whether this person may give the time back: those who [may act for](may_act_for) the employee; employees,
    /// what they blocked themselves. `is_own` says whether the block's employee is the person.
    #[must_use]
    pub fn may_be_removed_by(&self, actor: &str, role: Role, is_own: bool) -> bool {
        may_act_for(role, is_own && self.by == actor)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_employee_removes_what_they_blocked_of_their_own_time() {
        let block = |by: &str| Block {
            id: BlockId(Uuid::nil()),
            employee: EmployeeId(Uuid::nil()),
            title: "Lunch".to_owned(),
            span: Span::new(Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + MAX_LENGTH).unwrap(),
            by: by.to_owned(),
            at: Timestamp::UNIX_EPOCH,
        };
        let may = |by, who, role, is_own| block(by).may_be_removed_by(who, role, is_own);
        assert!(may("user:ana", "user:ana", Role::Employee, true));
        assert!(!may("user:ben", "user:ana", Role::Employee, true), "another person's block");
        assert!(!may("user:ana", "user:ana", Role::Employee, false), "another person's time");
        assert!(may("user:ben", "user:ana", Role::Manager, false));
    }
}
