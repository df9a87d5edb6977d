//! Calls to customers whose visits are stranded.

use jiff::Timestamp;

/// Most calls that are shown of a visit.
const MOST_SHOWN: usize = 20;

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The customer knows, and nothing is left to do.
    Told,
    /// The customer did not answer.
    NoAnswer,
}

/// A call to a customer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// What came of it.
    pub outcome: Outcome,
    /// What was agreed; may be empty.
    pub note: String,
    /// When.
    pub at: Timestamp,
    /// Who called, as the audit trail names them.
    pub by: String,
    /// The employee whose account that is; empty if the account has none.
    pub by_name: String,
}

/// Those of some contacts, the latest first, that are shown.
#[must_use]
pub fn shown(contacts: &[Contact]) -> &[Contact] {
    &contacts[..contacts.len().min(MOST_SHOWN)]
}

/// Whether nothing is left to do after these contacts.
#[must_use]
pub fn is_settled(contacts: &[Contact]) -> bool {
    contacts.iter().any(|contact| contact.outcome == Outcome::Told)
}
