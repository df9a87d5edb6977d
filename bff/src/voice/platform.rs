//! The platforms that deliver, each behind its own adapter.

use http::HeaderMap;
use jiff::Timestamp;
use proto::frontdesk::tenancy::v1::VoicePlatform;
use tonic::Status;

use super::{delivery::Delivery, retell};

/// A voice platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// retellai.com
    Retell,
}

impl Platform {
    /// Every platform.
    pub const ALL: [Self; 1] = [Self::Retell];

    /// The platform with this name in paths.
    pub fn named(name: &str) -> Option<Self> {
        (name == retell::NAME).then_some(Self::Retell)
    }

    /// The platform a connection is kept under.
    pub fn of(platform: VoicePlatform) -> Option<Self> {
        match platform {
            VoicePlatform::Retell => Some(Self::Retell),
            VoicePlatform::Unspecified
            | VoicePlatform::Vapi
            | VoicePlatform::Twilio
            | VoicePlatform::Elevenlabs => None,
        }
    }

    /// The name in paths and records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Retell => retell::NAME,
        }
    }

    /// Checks that the platform signed `body` around `now`.
    pub fn verify(
        self,
        headers: &HeaderMap,
        body: &[u8],
        secret: &str,
        now: Timestamp,
    ) -> Result<(), retell::signature::Fault> {
        match self {
            Self::Retell => retell::signature::verify(headers, body, secret, now),
        }
    }

    /// Reads a body that was believed.
    pub fn parse(self, body: &[u8]) -> Result<Delivery, Status> {
        match self {
            Self::Retell => retell::parse(body),
        }
    }
}
