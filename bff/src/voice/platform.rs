//! The platforms that deliver, each behind its own adapter.

use proto::frontdesk::tenancy::v1::VoicePlatform;

use super::{adapter::Adapter, elevenlabs::ElevenLabs, retell::Retell, twilio::Twilio, vapi::Vapi};

/// A voice platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// retellai.com
    Retell,
    /// vapi.ai
    Vapi,
    /// twilio.com
    Twilio,
    /// elevenlabs.io
    ElevenLabs,
}

impl Platform {
    /// Every platform.
    pub const ALL: [Self; 4] = [Self::Retell, Self::Vapi, Self::Twilio, Self::ElevenLabs];

    /// The platform with this name in paths.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|platform| platform.name() == name)
    }

    /// The platform a connection is kept under.
    pub fn of(platform: VoicePlatform) -> Option<Self> {
        match platform {
            VoicePlatform::Retell => Some(Self::Retell),
            VoicePlatform::Vapi => Some(Self::Vapi),
            VoicePlatform::Twilio => Some(Self::Twilio),
            VoicePlatform::Elevenlabs => Some(Self::ElevenLabs),
            VoicePlatform::Unspecified => None,
        }
    }

    /// What reads and checks its requests.
    pub fn adapter(self) -> &'static dyn Adapter {
        match self {
            Self::Retell => &Retell,
            Self::Vapi => &Vapi,
            Self::Twilio => &Twilio,
            Self::ElevenLabs => &ElevenLabs,
        }
    }

    /// The name in paths and records.
    pub fn name(self) -> &'static str {
        self.adapter().name()
    }
}
