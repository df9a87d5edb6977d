//! What the service is told.

use boot::config::ServiceConfig;

/// Flags and environment.
#[derive(Debug, Clone, clap::Parser)]
#[command(name = "scheduling", about = "Finds times that are free, and books them once.")]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
    /// Where tenancy is served.
    #[arg(long, env = "TENANCY_URL", default_value = "http://127.0.0.1:7102")]
    pub tenancy_url: String,
}
