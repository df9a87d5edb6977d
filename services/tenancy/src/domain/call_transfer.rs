//! Whether the caller of a live call can be put through to a person by the API of the call's platform.

use super::{VoiceConnection, VoicePlatform};

/// Why calls over a connection can't be put through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransferHindrance {
    /// The platform has no API for it.
    Platform,
    /// There is no key, or no account, for the platform's API.
    NoApiKey,
    /// The published agent has no number to pass callers on to.
    NoNumber,
}

impl VoiceConnection {
    /// Where calls over it are put through to, of the number that the published agent has.
    ///
    /// # Errors
    /// [`TransferHindrance`], first what no setting would cure.
    pub fn puts_through(&self, number: Option<String>) -> Result<String, TransferHindrance> {
        let has_key = match self.platform {
            // Retell's API changes what a live call is told, and ElevenLabs' takes commands over a socket alone.
            VoicePlatform::Retell | VoicePlatform::ElevenLabs => return Err(TransferHindrance::Platform),
            VoicePlatform::Vapi => self.has_api_key,
            VoicePlatform::Twilio => !self.account.is_empty(),
        };
        if !has_key {
            return Err(TransferHindrance::NoApiKey);
        }
        number.ok_or(TransferHindrance::NoNumber)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{VoiceConnectionId, WebhookCheck};

    fn connection(platform: VoicePlatform, account: &str, has_api_key: bool) -> VoiceConnection {
        VoiceConnection {
            id: VoiceConnectionId(uuid::Uuid::nil()),
            platform,
            label: "Line".to_owned(),
            check: WebhookCheck::PlatformSignature,
            account: account.to_owned(),
            platform_agent: String::new(),
            voice: String::new(),
            has_api_key,
        }
    }

    #[test]
    fn what_no_setting_cures_is_said_first() {
        let number = || Some("+442079460018".to_owned());
        let (retell, eleven) = (VoicePlatform::Retell, VoicePlatform::ElevenLabs);
        for platform in [retell, eleven] {
            assert_eq!(connection(platform, "", true).puts_through(None), Err(TransferHindrance::Platform));
        }
        let vapi = |key| connection(VoicePlatform::Vapi, "", key);
        assert_eq!(vapi(false).puts_through(None), Err(TransferHindrance::NoApiKey));
        assert_eq!(vapi(true).puts_through(None), Err(TransferHindrance::NoNumber));
        assert_eq!(vapi(true).puts_through(number()), Ok("+442079460018".to_owned()));
        let twilio = |account| connection(VoicePlatform::Twilio, account, true).puts_through(number());
        assert_eq!(twilio(""), Err(TransferHindrance::NoApiKey));
        assert_eq!(twilio("AC1"), Ok("+442079460018".to_owned()));
    }
}
