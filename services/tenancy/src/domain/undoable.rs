//! What a change found of what is on record of customers, or of a follow-up, kept so that it can be taken back.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    CustomerId, CustomerNote, CustomerNoteId, FollowUpId, Formula, FormulaId, MarketingConsent, PatchTest,
    PatchTestId, Standing,
};

typed_id::typed_id! {
    /// A change that can be taken back.
    ChangeId,
}

/// A change, and what it takes to take it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Undoable {
    /// A note was written.
    NoteWritten(CustomerId, CustomerNoteId),
    /// A note that said this was rewritten, pinned or unpinned.
    NoteRewritten(CustomerNote),
    /// A note was deleted.
    NoteDeleted(CustomerNote),
    /// A patch test was recorded.
    PatchTestRecorded(CustomerId, PatchTestId),
    /// A patch test was deleted.
    PatchTestDeleted(PatchTest),
    /// A formula was recorded.
    FormulaRecorded(CustomerId, FormulaId),
    /// A formula was deleted.
    FormulaDeleted(Formula),
    /// A customer answered about advertising.
    Answered {
        /// Who.
        customer: CustomerId,
        /// The answer before; `None` if they had not been asked.
        before: Option<MarketingConsent>,
        /// The answer since: a customer's version counts other changes as well.
        after: MarketingConsent,
    },
    /// A follow-up was created.
    FollowUpCreated(FollowUpId),
    /// A follow-up that stood so was assigned, completed or reopened.
    FollowUpChanged(FollowUpId, Standing),
}

/// A change, and between which versions of its record it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The change.
    pub change: Undoable,
    /// The record's version before the change; 0 if the change added it.
    pub found: i64,
    /// Its version at which it still is, or is again, what the change left. Of a record that was deleted, the version
    /// that its deletion was published as.
    pub left: i64,
}

impl Undoable {
    /// The change, which has just left its record at this version.
    #[must_use]
    pub fn leaving(self, left: i64) -> Made {
        Made { change: self, found: left - 1, left }
    }

    /// The record.
    #[must_use]
    pub fn record(&self) -> Uuid {
        match self {
            Self::NoteWritten(_, id) => id.0,
            Self::NoteRewritten(note) | Self::NoteDeleted(note) => note.id.0,
            Self::PatchTestRecorded(_, id) => id.0,
            Self::PatchTestDeleted(test) => test.id.0,
            Self::FormulaRecorded(_, id) => id.0,
            Self::FormulaDeleted(formula) => formula.id.0,
            Self::Answered { customer, .. } => customer.0,
            Self::FollowUpCreated(id) | Self::FollowUpChanged(id, _) => id.0,
        }
    }

    /// Whom it is about; `None` for follow-ups, of which it keeps no words.
    #[must_use]
    pub fn customer(&self) -> Option<CustomerId> {
        match self {
            Self::NoteWritten(customer, _)
            | Self::PatchTestRecorded(customer, _)
            | Self::FormulaRecorded(customer, _)
            | Self::Answered { customer, .. } => Some(*customer),
            Self::NoteRewritten(note) | Self::NoteDeleted(note) => Some(note.customer),
            Self::PatchTestDeleted(test) => Some(test.customer),
            Self::FormulaDeleted(formula) => Some(formula.customer),
            Self::FollowUpCreated(_) | Self::FollowUpChanged(..) => None,
        }
    }
}
