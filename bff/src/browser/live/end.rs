//! Why a socket is closed.

use axum::extract::ws::CloseFrame;
use tonic::Code;

use crate::refusal::Refusal;

/// Why a socket is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The browser is gone.
    Gone,
    /// The frame is none of the contract's.
    Malformed,
    /// It talks more than any page has to say.
    Talkative,
    /// Not authenticated in time, or the session is over.
    Unauthenticated,
    /// Not a member of a business that was asked for, or not any more.
    NotMember,
    /// auth can't say who may listen.
    Unavailable,
    /// The door stops.
    Restart,
}

impl End {
    /// How the browser is told.
    #[must_use]
    pub fn frame(self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            Self::Gone => return None,
            Self::Malformed => (1008, "malformed frame"),
            Self::Talkative => (1008, "too many frames"),
            Self::Unauthenticated => (4401, "unauthenticated"),
            Self::NotMember => (4403, "not a member"),
            Self::Unavailable => (1013, "try again later"),
            Self::Restart => (1012, "service restart"),
        };
        Some(CloseFrame { code, reason: reason.into() })
    }
}

impl From<Refusal> for End {
    fn from(refusal: Refusal) -> Self {
        match refusal.status().code() {
            Code::Unauthenticated => Self::Unauthenticated,
            _ => Self::Unavailable,
        }
    }
}
