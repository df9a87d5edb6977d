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
        if let Some(keys) =
            faults.judge("SEALING_KEYS", MasterKeys::parse(self.sealing_keys.expose()).map_err(Into::into))
        {
            keys.expose().for_each(|key| faults.require_random("SEALING_KEYS", key));
        }
    }
}

impl ServiceSettings for Config {
    fn service(&self) -> &ServiceConfig {
        &self.service
    }
}
