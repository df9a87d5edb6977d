//! What the service is told.

use boot::config::ServiceConfig;

/// Flags and environment of the telemetry service.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "telemetry", about = "Calls, transcripts and tool calls")]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
}
