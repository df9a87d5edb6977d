//! What the service is told.

use boot::{config::ServiceConfig, environment::Environment, faults::Faults, peer::Peer, settings::Settings};
use database::ServiceSettings;

use crate::recordings::{Shelf, ShelfConfig, authorities};

/// Flags and environment of the telemetry service.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "telemetry", version, about = "Calls, transcripts and tool calls")]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
    /// Where scheduling is served.
    #[arg(long, env = "SCHEDULING_URL", default_value = "http://127.0.0.1:7103")]
    pub scheduling_url: String,
    /// Where tenancy is served.
    #[arg(long, env = "TENANCY_URL", default_value = "http://127.0.0.1:7102")]
    pub tenancy_url: String,
    /// Where recordings are kept.
    #[command(flatten)]
    pub recordings: ShelfConfig,
}

impl Settings for Config {
    fn environment(&self) -> Environment {
        self.service.environment
    }

    fn check(&self, faults: &mut Faults) {
        let encryption = self.service.check(crate::SERVICE, faults);
        database::check(&self.service, faults);
        Peer::check("scheduling", &self.scheduling_url, encryption, faults);
        Peer::check("tenancy", &self.tenancy_url, encryption, faults);
        let recordings = &self.recordings;
        let plain = recordings.recordings_endpoint.as_ref().is_some_and(|url| url.scheme() != "https");
        if faults.in_production() && plain {
            faults.add("RECORDINGS_ENDPOINT", "must begin with https:// in production");
        }
        let file = recordings.recordings_ca_file.as_deref();
        let trusts = file.is_none_or(|file| faults.judge("RECORDINGS_CA_FILE", authorities(file)).is_some());
        if trusts {
            faults.judge("RECORDINGS_URL", Shelf::open(recordings));
        }
    }
}

impl ServiceSettings for Config {
    fn service(&self) -> &ServiceConfig {
        &self.service
    }
}
