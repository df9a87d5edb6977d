//! A business's account at a voice platform.

use core::{fmt, str::FromStr};

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

typed_id::typed_id! {
    /// A voice connection of a business.
    VoiceConnectionId,
}

/// Which platform answers the phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoicePlatform {
    /// Retell AI.
    Retell,
}

impl VoicePlatform {
    /// As it is stored.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Retell => "RETELL",
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
        match text {
            "RETELL" => Ok(Self::Retell),
            other => Err(UnknownPlatform(other.to_owned())),
        }
    }
}

/// An account at a voice platform, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceConnection {
    /// Unique in the installation: webhooks name it alone.
    pub id: VoiceConnectionId,
    /// Where the account is.
    pub platform: VoicePlatform,
    /// What the owner calls it.
    pub label: String,
}

/// The key a platform signs its webhooks with. Never printed, wiped when dropped.
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
}
