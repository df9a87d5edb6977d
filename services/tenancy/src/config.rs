//! What the tenancy service is told.

use boot::{
    config::{Secret, ServiceConfig},
    environment::Environment,
    faults::Faults,
    peer::Peer,
    settings::Settings,
};
use database::ServiceSettings;
use sealing::envelope::MasterKeys;
use url::Url;

use crate::{Addresses, outside::PlatformUrls};

/// Configuration of the tenancy service.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "tenancy", version, about = "Businesses, their people and their voice connections")]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
    /// Master keys as `id:key,id:key,…`, each 32 bytes of base64url without padding. The first
    /// wraps, all unwrap; see [`MasterKeys`] for rotation.
    // Parsed later: clap would print a malformed value.
    #[arg(long, env = "SEALING_KEYS", hide_env_values = true)]
    pub sealing_keys: Secret,
    /// The address under which platforms reach the voice door, such as `https://desk.example.com`.
    #[arg(long, env = "PUBLIC_URL")]
    pub public_url: Option<Url>,
    /// Where Retell's API is.
    #[arg(long, env = "RETELL_API_URL", default_value = "https://api.retellai.com")]
    pub retell_api_url: Url,
    /// Where Vapi's API is.
    #[arg(long, env = "VAPI_API_URL", default_value = "https://api.vapi.ai")]
    pub vapi_api_url: Url,
    /// Where ElevenLabs' API is: another one for accounts whose data stays in a region.
    #[arg(long, env = "ELEVENLABS_API_URL", default_value = "https://api.elevenlabs.io")]
    pub elevenlabs_api_url: Url,
    /// Where Twilio's API is: another one for accounts whose data stays in a region.
    #[arg(long, env = "TWILIO_API_URL", default_value = "https://api.twilio.com")]
    pub twilio_api_url: Url,
    /// Where auth is, which says who joins a business.
    #[arg(long, env = "AUTH_URL", default_value = "http://127.0.0.1:7101")]
    pub auth_url: String,
    /// Where scheduling is served.
    #[arg(long, env = "SCHEDULING_URL", default_value = "http://127.0.0.1:7103")]
    pub scheduling_url: String,
    /// Where calendar-sync is served.
    #[arg(long, env = "CALENDAR_SYNC_URL", default_value = "http://127.0.0.1:7104")]
    pub calendar_sync_url: String,
    /// Where telemetry is served.
    #[arg(long, env = "TELEMETRY_URL", default_value = "http://127.0.0.1:7105")]
    pub telemetry_url: String,
}

impl Settings for Config {
    fn environment(&self) -> Environment {
        self.service.environment
    }

    fn check(&self, faults: &mut Faults) {
        let encryption = self.service.check(crate::NAME, faults);
        database::check(&self.service, faults);
        Peer::check("auth", &self.auth_url, encryption, faults);
        Peer::check("scheduling", &self.scheduling_url, encryption, faults);
        Peer::check("calendar-sync", &self.calendar_sync_url, encryption, faults);
        Peer::check("telemetry", &self.telemetry_url, encryption, faults);
        self.check_addresses(faults);
        if let Some(keys) =
            faults.judge("SEALING_KEYS", MasterKeys::parse(self.sealing_keys.expose()).map_err(Into::into))
        {
            keys.expose().for_each(|key| faults.require_random("SEALING_KEYS", key));
        }
    }
}

impl Config {
    fn check_addresses(&self, faults: &mut Faults) {
        faults.require_present("PUBLIC_URL", self.public_url.as_ref());
        for (setting, url) in [
            ("PUBLIC_URL", self.public_url.as_ref()),
            ("RETELL_API_URL", Some(&self.retell_api_url)),
            ("VAPI_API_URL", Some(&self.vapi_api_url)),
            ("ELEVENLABS_API_URL", Some(&self.elevenlabs_api_url)),
            ("TWILIO_API_URL", Some(&self.twilio_api_url)),
        ] {
            let Some(url) = url else { continue };
            if !url.username().is_empty() || url.password().is_some() || url.cannot_be_a_base() {
                faults.add(setting, "must be an address without a name or a password in it");
            }
            faults.require_https(setting, url.as_str());
        }
    }

    /// What outside is reached, and as what this installation is.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        let local = || Url::parse("http://localhost:8080").expect("an address");
        Addresses {
            public_url: self.public_url.clone().unwrap_or_else(local),
            platforms: PlatformUrls {
                retell: self.retell_api_url.clone(),
                vapi: self.vapi_api_url.clone(),
                elevenlabs: self.elevenlabs_api_url.clone(),
                twilio: self.twilio_api_url.clone(),
            },
        }
    }
}

impl ServiceSettings for Config {
    fn service(&self) -> &ServiceConfig {
        &self.service
    }
}
