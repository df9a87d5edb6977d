//! A business's account at a voice platform.

use core::{fmt, str::FromStr};

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::WebhookCheck;

typed_id::typed_id! {
    /// A voice connection of a business.
    VoiceConnectionId,
}

/// Which platform answers the phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoicePlatform {
    /// Retell AI.
    Retell,
    /// Vapi.
    Vapi,
    /// Twilio.
    Twilio,
    /// ElevenLabs.
    ElevenLabs,
}

impl VoicePlatform {
    /// Every platform.
    pub const ALL: [Self; 4] = [Self::Retell, Self::Vapi, Self::Twilio, Self::ElevenLabs];

    /// As it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retell => "RETELL",
            Self::Vapi => "VAPI",
            Self::Twilio => "TWILIO",
            Self::ElevenLabs => "ELEVENLABS",
        }
    }

    /// How its deliveries are checked where the owner says nothing of it.
    #[must_use]
    pub fn usual_check(self) -> WebhookCheck {
        match self {
            Self::Vapi => WebhookCheck::Bearer,
            Self::Retell | Self::Twilio | Self::ElevenLabs => WebhookCheck::PlatformSignature,
        }
    }

    /// Whether its deliveries can be checked like this.
    #[must_use]
    pub fn offers(self, check: &WebhookCheck) -> bool {
        match check {
            WebhookCheck::PlatformSignature => self != Self::Vapi,
            WebhookCheck::Bearer | WebhookCheck::Hmac(_) => self == Self::Vapi,
        }
    }

    /// Whether its API takes the secret of webhooks as its key.
    #[must_use]
    pub fn has_one_key(self) -> bool {
        matches!(self, Self::Retell | Self::Twilio)
    }

    /// Whether its account is what this names.
    #[must_use]
    pub fn has_account(self, account: &str) -> bool {
        let sid = |text: &str| text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match self {
            Self::Twilio => account.strip_prefix("AC").is_some_and(sid),
            Self::Retell | Self::Vapi | Self::ElevenLabs => account.is_empty(),
        }
    }
}

/// A platform this version doesn't know.
#[derive(Debug, thiserror::Error)]
#[error("unknown voice platform {0:?}")]
pub struct UnknownPlatform(String);

impl FromStr for VoicePlatform {
    type Err = UnknownPlatform;
    fn from_str(text: &str) -> Result<Self, UnknownPlatform> {
        let known = Self::ALL.into_iter().find(|platform| platform.as_str() == text);
        known.ok_or_else(|| UnknownPlatform(text.to_owned()))
    }
}

/// An account at a voice platform, without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceConnection {
    /// Unique in the installation: webhooks name it alone.
    pub id: VoiceConnectionId,
    /// Where the account is.
    pub platform: VoicePlatform,
    /// What the owner calls it.
    pub label: String,
    /// How deliveries are checked.
    pub check: WebhookCheck,
    /// The account there; empty where its API needs none.
    pub account: String,
    /// The agent there; empty while it is not known.
    pub platform_agent: String,
    /// What the agent there sounds like; empty leaves the voice that was chosen there.
    pub voice: String,
    /// Whether there is a key for the platform's API.
    pub has_api_key: bool,
}

/// A secret of a connection. Never printed, wiped when dropped.
#[derive(Clone)]
pub struct VoiceSecret(Zeroizing<String>);

impl VoiceSecret {
    /// Wraps a secret.
    #[must_use]
    pub fn new(secret: String) -> Self {
        Self(Zeroizing::new(secret))
    }

    /// The secret, for the one who needs it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether both are the same, in constant time.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl fmt::Debug for VoiceSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VoiceSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printing_a_secret_shows_nothing_of_it() {
        assert_eq!(format!("{:?}", VoiceSecret::new("hunter2".to_owned())), "VoiceSecret(…)");
    }

    #[test]
    fn a_platform_is_stored_by_its_name_and_offers_its_usual_check() {
        for platform in VoicePlatform::ALL {
            assert_eq!(platform.as_str().parse::<VoicePlatform>().unwrap(), platform);
            assert!(platform.offers(&platform.usual_check()));
        }
        assert!("SIPGATE".parse::<VoicePlatform>().is_err());
        assert!(!VoicePlatform::Retell.offers(&WebhookCheck::Bearer));
        assert!(!VoicePlatform::Vapi.offers(&WebhookCheck::PlatformSignature));
    }

    #[test]
    fn twilio_has_an_account_and_the_others_none() {
        assert!(VoicePlatform::Twilio.has_account("AC0123456789abcdef0123456789abcdef"));
        for wrong in
            ["", "AC0123", "SK0123456789abcdef0123456789abcdef", "AC0123456789abcdef0123456789abcdeg"]
        {
            assert!(!VoicePlatform::Twilio.has_account(wrong), "{wrong}");
        }
        assert!(VoicePlatform::Vapi.has_account("") && !VoicePlatform::Vapi.has_account("AC1"));
    }
}
