//! Time of an employee that is kept free of bookings.

use jiff::{SignedDuration, Timestamp};

use super::{
    id::{BlockId, EmployeeId},
    span::Span,
};

/// Longest block; whoever is away for longer takes time off.
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

#[cfg(test)]
mod tests {
    use super::*;

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
