//! What the service is told.

use boot::{config::ServiceConfig, environment::Environment, faults::Faults, peer::Peer, settings::Settings};
use database::ServiceSettings;

/// Flags and environment.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "scheduling", version, about = "Finds times that are free, and books them once.")]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
    /// Where tenancy is served.
    #[arg(long, env = "TENANCY_URL", default_value = "http://127.0.0.1:7102")]
    pub tenancy_url: String,
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
        Peer::check("telemetry", &self.telemetry_url, encryption, faults);
        Peer::check("tenancy", &self.tenancy_url, encryption, faults);
    }
}

impl ServiceSettings for Config {
    fn service(&self) -> &ServiceConfig {
        &self.service
    }
}
