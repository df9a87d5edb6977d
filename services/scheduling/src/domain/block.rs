//! Time of an employee that is kept free of bookings.

use caller::{Role, UserId};
use engine::{
    id::{BlockId, EmployeeId},
    span::Span,
};
use jiff::{SignedDuration, Timestamp};

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
    /// Whether this person may give the time back: managers any, employees what they blocked of
    /// their own time. `account` is the block's employee's.
    #[must_use]
    pub fn may_be_removed_by(&self, actor: &str, role: Role, account: Option<UserId>) -> bool {
        let is_own = account.is_some_and(|account| format!("user:{account}") == actor);
        self.may_be_removed_from(actor, role, is_own)
    }

    /// As [`Self::may_be_removed_by`]; `is_own` says whether the block's employee is the person.
    #[must_use]
    pub fn may_be_removed_from(&self, actor: &str, role: Role, is_own: bool) -> bool {
        role >= Role::Manager || is_own && self.by == actor
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_employee_removes_what_they_blocked_of_their_own_time() {
        let [ana, ben] = [1, 2].map(|n| UserId(Uuid::from_u128(n)));
        let block = |by: UserId| Block {
            id: BlockId(Uuid::nil()),
            employee: EmployeeId(Uuid::nil()),
            title: "Lunch".to_owned(),
            span: Span::new(Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH + MAX_LENGTH).unwrap(),
            by: format!("user:{by}"),
            at: Timestamp::UNIX_EPOCH,
        };
        let may = |by, who: UserId, role, account| {
            block(by).may_be_removed_by(&format!("user:{who}"), role, account)
        };
        assert!(may(ana, ana, Role::Employee, Some(ana)));
        assert!(!may(ben, ana, Role::Employee, Some(ana)), "another person's block");
        assert!(!may(ana, ana, Role::Employee, Some(ben)), "another person's time");
        assert!(!may(ana, ana, Role::Employee, None), "the time of an employee without an account");
        assert!(may(ben, ana, Role::Manager, None));
    }

    #[test]
    fn a_block_takes_some_of_a_day() {
        let at = |minutes| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        assert_eq!(span(at(0), at(0)), Err(LengthError));
        assert_eq!(span(at(5), at(0)), Err(LengthError));
        assert_eq!(span(at(0), at(5)).map(Span::length), Ok(SignedDuration::from_mins(5)));
        assert!(span(at(0), at(24 * 60)).is_ok());
        assert_eq!(span(at(0), at(24 * 60 + 5)), Err(LengthError));
    }
}
