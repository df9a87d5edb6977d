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
    /// Who put other words into it last, where that is not who wrote it: their words are not signed with its name.
    #[serde(default)]
    pub edited_by: Option<String>,
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

    /// What it says, replaced by `editor`.
    #[must_use]
    pub fn rewritten(self, text: String, pinned: bool, editor: &str) -> Self {
        if self.text == text && self.pinned == pinned {
            return self;
        }
        let edited_by = if self.text == text {
            self.edited_by.clone()
        } else {
            (editor != self.created_by).then(|| editor.to_owned())
        };
        Self { text, pinned, edited_by, version: self.version + 1, ..self }
    }

    /// As it was `before`, by a change of its own.
    #[must_use]
    pub fn restored(self, before: Self) -> Self {
        let Self { text, pinned, edited_by, .. } = before;
        Self { text, pinned, edited_by, version: self.version + 1, ..self }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn another_person_s_words_are_not_signed_by_the_author_alone() {
        let note = CustomerNote {
            id: CustomerNoteId(Uuid::from_u128(1)),
            customer: CustomerId(Uuid::from_u128(2)),
            text: "Likes tea".to_owned(),
            pinned: false,
            created_by: "user:1".to_owned(),
            created_at: Timestamp::UNIX_EPOCH,
            edited_by: None,
            version: 1,
        };
        let rewritten = |note: &CustomerNote, text: &str, editor| {
            note.clone().rewritten(text.to_owned(), !note.pinned, editor)
        };
        assert_eq!(rewritten(&note, "Likes tea", "user:2").edited_by, None, "it was pinned");
        let edited = rewritten(&note, "Never pays", "user:2");
        assert_eq!(edited.edited_by.as_deref(), Some("user:2"));
        assert_eq!(rewritten(&edited, "Never pays", "user:3").edited_by.as_deref(), Some("user:2"));
        assert_eq!(rewritten(&edited, "Likes tea", "user:1").edited_by, None, "the author's own again");
        let restored = edited.restored(note.clone());
        assert_eq!(restored, CustomerNote { version: 3, ..note });
    }
}
