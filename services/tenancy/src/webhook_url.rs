//! Where platforms deliver.

use url::Url;

use crate::domain::{VoiceConnection, VoicePlatform};

/// The voice door's addresses, as the outside knows them.
#[derive(Debug, Clone)]
pub struct WebhookUrls {
    /// The installation's public address.
    public_url: Url,
}

impl WebhookUrls {
    /// Those of an installation.
    #[must_use]
    pub fn new(public_url: Url) -> Self {
        Self { public_url }
    }

    /// A connection's.
    #[must_use]
    pub fn of(&self, connection: &VoiceConnection) -> String {
        let platform = match connection.platform {
            VoicePlatform::Retell => "retell",
            VoicePlatform::Vapi => "vapi",
            VoicePlatform::Twilio => "twilio",
            VoicePlatform::ElevenLabs => "elevenlabs",
        };
        let base = self.public_url.as_str().trim_end_matches('/');
        format!("{base}/api/webhooks/voice/{platform}/{}", connection.id)
    }
}
