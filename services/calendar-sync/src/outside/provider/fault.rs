//! Why a call to a booking system came to nothing, whatever the system calls it.

use super::{ProviderError, Uncreated, Unwritten};

/// For a 429 that says nothing of how long to wait, in seconds.
pub(super) const REST: u32 = 5;
/// Characters of a refusal that are kept.
pub(super) const LONGEST_REFUSAL: usize = 200;

/// Why a call came to nothing.
#[derive(Debug)]
pub(super) enum Fault {
    /// There is no such record.
    Gone,
    /// It has another version.
    Stale,
    /// It is refused.
    Refused(String),
    /// The key of a creation came with something else before.
    KeySpent,
    /// Something else.
    Provider(ProviderError),
}

impl From<Fault> for ProviderError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Gone => Self::Failed("the booking system knows no such record".to_owned()),
            Fault::Stale => Self::Failed("the booking system says that it changed".to_owned()),
            Fault::KeySpent => Self::Failed("the booking system has it already".to_owned()),
            Fault::Refused(reason) => Self::Failed(reason),
            Fault::Provider(error) => error,
        }
    }
}

impl From<Fault> for Unwritten {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Gone | Fault::Stale => Self::Stale,
            Fault::Refused(reason) => Self::Refused(reason),
            fault @ (Fault::KeySpent | Fault::Provider(_)) => Self::Provider(fault.into()),
        }
    }
}

impl From<Fault> for Uncreated {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::KeySpent => Self::KeySpent,
            other => Self::from(Unwritten::from(other)),
        }
    }
}
