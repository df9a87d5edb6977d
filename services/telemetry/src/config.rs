//! What the service is told.

use boot::{config::ServiceConfig, environment::Environment, faults::Faults, settings::Settings};
use database::ServiceSettings;

/// Flags and environment of the telemetry service.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "telemetry", version, about = "Calls, transcripts and tool calls")]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
}

impl Settings for Config {
    fn environment(&self) -> Environment {
        self.service.environment
    }

    fn check(&self, faults: &mut Faults) {
        self.service.check(crate::SERVICE, faults);
        database::check(&self.service, faults);
    }
}

impl ServiceSettings for Config {
    fn service(&self) -> &ServiceConfig {
        &self.service
    }
}
