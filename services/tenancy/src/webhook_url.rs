//! Where platforms deliver.

use proto::webhook;
use url::Url;

use crate::domain::{VoiceConnection, VoicePlatform};

/// The version that calls run on, in addresses.
const VERSION: &str = "agent_version";

/// An address without the version.
#[must_use]
pub fn without_version(webhook: &str) -> &str {
    webhook.split_once('?').map_or(webhook, |(address, _)| address)
}

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

    /// Where an agent delivers that was published from a version of the settings: calls say by it what they run on.
    #[must_use]
    pub fn of_version(&self, connection: &VoiceConnection, version: i32) -> String {
        format!("{}?{VERSION}={version}", self.of(connection))
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
        format!("{base}{}", webhook::voice(platform, connection.id))
    }
}
