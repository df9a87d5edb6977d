//! Voice platforms' own APIs, by which the published agent is brought there.

mod api;
mod elevenlabs;
mod retell;
mod vapi;

use std::sync::Arc;

use outgoing::Web;
use tonic::async_trait;
use url::Url;

use crate::domain::{PlatformAgent, PublicationFault, Script, VoicePlatform, VoiceSecret};

/// Where the platforms' APIs are.
#[derive(Debug, Clone)]
pub struct PlatformUrls {
    /// Retell's.
    pub retell: Url,
    /// Vapi's.
    pub vapi: Url,
    /// ElevenLabs'.
    pub elevenlabs: Url,
}

/// An agent at a platform, and what opens it.
#[derive(Debug)]
pub struct Account {
    /// The agent there.
    pub agent: String,
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

/// Every platform that takes the agent.
#[derive(Debug, Clone)]
pub struct Platforms {
    retell: Arc<dyn AgentPlatform>,
    vapi: Arc<dyn AgentPlatform>,
    elevenlabs: Arc<dyn AgentPlatform>,
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
        }
    }

    /// One of them; `None` for one where our own agent speaks.
    #[must_use]
    pub fn of(&self, platform: VoicePlatform) -> Option<&dyn AgentPlatform> {
        match platform {
            VoicePlatform::Retell => Some(self.retell.as_ref()),
            VoicePlatform::Vapi => Some(self.vapi.as_ref()),
            VoicePlatform::ElevenLabs => Some(self.elevenlabs.as_ref()),
            VoicePlatform::Twilio => None,
        }
    }
}
