//! Voice platforms' own APIs, by which the published agent is brought there.

mod api;
mod elevenlabs;
mod retell;
mod twilio;
mod vapi;

use std::sync::Arc;

use jiff::Timestamp;
use outgoing::Web;
use serde_json::Value;
use tonic::async_trait;
use url::Url;

use crate::domain::{PlatformAgent, PublicationFault, Script, Span, VoicePlatform, VoiceSecret};

/// Where the platforms' APIs are.
#[derive(Debug, Clone)]
pub struct PlatformUrls {
    /// Retell's.
    pub retell: Url,
    /// Vapi's.
    pub vapi: Url,
    /// ElevenLabs'.
    pub elevenlabs: Url,
    /// Twilio's.
    pub twilio: Url,
}

/// An agent at a platform, and what opens it.
#[derive(Debug)]
pub struct Account {
    /// The agent there.
    pub agent: String,
    /// The account there, where the API needs one.
    pub number: String,
    /// The key for the platform's API.
    pub key: VoiceSecret,
    /// What its deliveries are checked with.
    pub secret: VoiceSecret,
}

/// A platform whose agents are set up by its API.
#[async_trait]
pub trait AgentPlatform: core::fmt::Debug + Send + Sync {
    /// What its agent is found to have once a script is published.
    fn expected(&self, script: &Script) -> PlatformAgent;

    /// What its agent has now; tools are the salon's alone, those that deliver to `webhook`.
    async fn read(&self, account: &Account, webhook: &str) -> Result<PlatformAgent, PublicationFault>;

    /// Brings a script there; what was set up there otherwise stays. Doing it twice is doing it once.
    async fn publish(&self, account: &Account, script: &Script) -> Result<(), PublicationFault>;
}

/// Calls that are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// When they started.
    pub span: Span,
    /// Where the platform delivers what happens in them.
    pub webhook: &'a str,
    /// Where the list goes on; empty for its beginning.
    pub page: &'a str,
}

/// A call that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedCall {
    /// The platform's id.
    pub id: String,
    /// When it ended.
    pub ended_at: Timestamp,
}

/// Calls of a list, at most a hundred.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPage {
    /// Those of them that have ended.
    pub calls: Vec<EndedCall>,
    /// Where the list goes on.
    pub next: Option<String>,
}

/// A platform that tells its calls by its API.
#[async_trait]
pub trait CallHistory: core::fmt::Debug + Send + Sync {
    /// The salon's calls of a span.
    async fn list(&self, account: &Account, wanted: Wanted<'_>) -> Result<CallPage, PublicationFault>;

    /// All that the platform knows of one call.
    async fn read(&self, account: &Account, call: &str) -> Result<Value, PublicationFault>;
}

/// A live call whose caller is to be put through.
#[derive(Debug, Clone, Copy)]
pub struct Transfer<'a> {
    /// The platform's id of it.
    pub call: &'a str,
    /// The number that is to ring, E.164.
    pub number: &'a str,
    /// Where the platform delivers what happens in the call.
    pub webhook: &'a str,
}

/// A platform that puts callers of live calls through by its API.
#[async_trait]
pub trait CallControl: core::fmt::Debug + Send + Sync {
    /// Puts a caller through; the agent says no more.
    async fn transfer(&self, account: &Account, transfer: Transfer<'_>) -> Result<(), PublicationFault>;
}

/// Every platform.
#[derive(Debug, Clone)]
pub struct Platforms {
    retell: Arc<retell::Retell>,
    vapi: Arc<vapi::Vapi>,
    elevenlabs: Arc<elevenlabs::ElevenLabs>,
    twilio: Arc<twilio::Twilio>,
}

impl Platforms {
    /// The platforms at these addresses, called by `web`.
    #[must_use]
    pub fn new(web: &Web, urls: PlatformUrls) -> Self {
        let api = |base| api::Api { web: web.clone(), base };
        Self {
            retell: Arc::new(retell::Retell(api(urls.retell))),
            vapi: Arc::new(vapi::Vapi(api(urls.vapi))),
            elevenlabs: Arc::new(elevenlabs::ElevenLabs(api(urls.elevenlabs))),
            twilio: Arc::new(twilio::Twilio(api(urls.twilio))),
        }
    }

    /// Where one of them takes the agent; `None` for one where our own agent speaks.
    #[must_use]
    pub fn of(&self, platform: VoicePlatform) -> Option<&dyn AgentPlatform> {
        match platform {
            VoicePlatform::Retell => Some(self.retell.as_ref()),
            VoicePlatform::Vapi => Some(self.vapi.as_ref()),
            VoicePlatform::ElevenLabs => Some(self.elevenlabs.as_ref()),
            VoicePlatform::Twilio => None,
        }
    }

    /// Where one of them puts callers through; `None` for one whose API does not.
    #[must_use]
    pub fn control(&self, platform: VoicePlatform) -> Option<&dyn CallControl> {
        match platform {
            VoicePlatform::Vapi => Some(self.vapi.as_ref()),
            VoicePlatform::Twilio => Some(self.twilio.as_ref()),
            VoicePlatform::Retell | VoicePlatform::ElevenLabs => None,
        }
    }

    /// Where Twilio has a recording of an account.
    #[must_use]
    pub fn twilio_recording(&self, account: &str, recording: &str) -> Option<Url> {
        self.twilio.recording(account, recording)
    }

    /// Where one of them tells its calls.
    #[must_use]
    pub fn history(&self, platform: VoicePlatform) -> &dyn CallHistory {
        match platform {
            VoicePlatform::Retell => self.retell.as_ref(),
            VoicePlatform::Vapi => self.vapi.as_ref(),
            VoicePlatform::ElevenLabs => self.elevenlabs.as_ref(),
            VoicePlatform::Twilio => self.twilio.as_ref(),
        }
    }
}
