//! What the salon notes about a customer.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{CustomerId, customer::Stale};

typed_id::typed_id! {
    /// A note about a customer.
    CustomerNoteId,
}

/// A note about a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomerNote {
    /// Unique in the installation.
    pub id: CustomerNoteId,
    /// Whom it is about.
    pub customer: CustomerId,
    /// What it says.
    pub text: String,
    /// Whether it is shown first, and when the customer is booked.
    pub pinned: bool,
    /// Who wrote it, as the audit trail names them.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
    /// Grows by one with each change.
    pub version: i64,
}

impl CustomerNote {
    /// The note, if no change was made since `version` was seen.
    ///
    /// # Errors
    /// [`Stale`] with the current version.
    pub fn seen_at(self, version: Option<i64>) -> Result<Self, Stale> {
        match version {
            Some(version) if version != self.version => Err(Stale(self.version)),
            _ => Ok(self),
        }
    }

    /// What it says, replaced.
    #[must_use]
    pub fn rewritten(self, text: String, pinned: bool) -> Self {
        if self.text == text && self.pinned == pinned {
            return self;
        }
        Self { text, pinned, version: self.version + 1, ..self }
    }
}
