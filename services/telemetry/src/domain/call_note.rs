//! What people note about a call.

use jiff::Timestamp;

use super::CallNoteId;

/// Notes about one call.
pub const MOST: usize = 50;

/// Something a person noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallNote {
    /// Its id.
    pub id: CallNoteId,
    /// The words.
    pub text: String,
    /// Who, as the audit trail names them.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

impl CallNote {
    /// Whether `actor` may delete it: their own, or anyone's.
    #[must_use]
    pub fn yields_to(&self, actor: &str, of_others: bool) -> bool {
        of_others || self.created_by == actor
    }
}
