//! Why a call to a booking system came to nothing, whatever the system calls it.

use jiff::SignedDuration;
use proto::label::cleaned;

use super::{ProviderError, Uncreated, Unwritten};

/// For a 429 that says nothing of how long to wait, in seconds.
const REST: u32 = 5;
/// As long as a system may ask to be left alone for, in seconds: no person can end that rest.
const LONGEST_REST: u32 = 3_600;
/// Characters of a refusal that are kept.
const LONGEST_REFUSAL: usize = 200;

/// What a system says of a refusal, as it can be kept and shown.
pub(super) fn refusal_text(said: &str) -> String {
    cleaned(&said.replace(['\n', '\t'], " ")).chars().take(LONGEST_REFUSAL).collect()
}

/// What a 429 means that asks for so many seconds.
pub(super) fn later(retry_after: Option<u32>) -> ProviderError {
    let seconds = retry_after.unwrap_or(REST).min(LONGEST_REST);
    ProviderError::Later(SignedDuration::from_secs(seconds.into()))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_kept_without_what_no_row_takes_and_as_far_as_it_is_read() {
        assert_eq!(refusal_text("No\0 such\u{202E}\nplace"), "No such place");
        assert_eq!(refusal_text(&"x".repeat(100_000)).len(), 200);
    }

    #[test]
    fn a_system_is_left_alone_as_it_asks_for_an_hour_at_most() {
        for (asked, left_alone) in [(None, 5), (Some(0), 0), (Some(90), 90), (Some(u32::MAX), 3_600)] {
            assert_eq!(later(asked), ProviderError::Later(SignedDuration::from_secs(left_alone)));
        }
    }
}
