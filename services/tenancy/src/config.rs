//! What the tenancy service is told.

use boot::config::{Secret, ServiceConfig};

/// Configuration of the tenancy service.
#[derive(Debug, Clone, clap::Args)]
pub struct Config {
    /// What every service is told.
    #[command(flatten)]
    pub service: ServiceConfig,
    /// Master keys as `id:key,id:key,…`, each 32 bytes of base64url without padding. The first
    /// wraps, all unwrap; see [`crate::domain::seal::MasterKeys`] for rotation.
    // Parsed later: clap would print a malformed value.
    #[arg(long, env = "SEALING_KEYS", hide_env_values = true)]
    pub sealing_keys: Secret,
}
