//! What a service reads from its flags and environment.

use std::{net::SocketAddr, path::PathBuf};

pub use crate::secret::Secret;
use crate::{
    drain::DrainConfig,
    environment::Environment,
    faults::Faults,
    keyring::read_keyring,
    security::SecurityProfile,
    stores::StoresConfig,
    telemetry::{self, ExportConfig},
    transport::{Encryption, TransportConfig},
};

/// What stands between a service and Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Pooler {
    /// Nothing, or a pooler that gives each client a connection for as long as the client is there.
    #[default]
    None,
    /// PgBouncer in transaction mode: each transaction may run on another connection. Statements are prepared for
    /// their transaction alone, and settings last as long.
    Transaction,
}

/// What every service with a database is told.
#[derive(Debug, Clone, clap::Args)]
pub struct ServiceConfig {
    /// Address the gRPC port is bound to.
    #[arg(long, env = "LISTEN")]
    pub listen: SocketAddr,
    /// A second address that answers gRPC health checks in plain text, and nothing else: kubelet
    /// and load balancers hold no client certificate.
    #[arg(long, env = "HEALTH_LISTEN")]
    pub health_listen: Option<SocketAddr>,
    /// How services talk to each other.
    #[command(flatten)]
    pub transport: TransportConfig,
    /// How the process stops.
    #[command(flatten)]
    pub drain: DrainConfig,
    /// Database, as the role that owns nothing.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Secret,
    /// Database, as the role that owns the tables; migrations alone use it. Without it the process
    /// starts only on a schema that a job has brought up to date.
    #[arg(long, env = "MIGRATION_URL", hide_env_values = true)]
    pub migration_url: Option<Secret>,
    /// Most connections to the database.
    #[arg(long, env = "DATABASE_POOL", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub database_pool: u32,
    /// The pooler between the service and the database, if any. Migrations always go to Postgres itself.
    #[arg(long, env = "DATABASE_POOLER", value_enum, default_value = "none")]
    pub database_pooler: Pooler,
    /// Redis for coordination: wake-ups and limits.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<Secret>,
    /// Redis for caches.
    #[arg(long, env = "CACHE_URL", hide_env_values = true)]
    pub cache_url: Option<Secret>,
    /// How Postgres and Redis are reached.
    #[command(flatten)]
    pub stores: StoresConfig,
    /// Where telemetry goes.
    #[command(flatten)]
    pub export: ExportConfig,
    /// File with this service's passport keyring.
    #[arg(long, env = "PASSPORT_KEYS")]
    pub passport_keys: PathBuf,
    /// Where the process runs.
    #[arg(long, env = "ENVIRONMENT", value_enum, default_value = "production")]
    pub environment: Environment,
    /// How strict sign-in is; as the environment is, when it is not named.
    #[arg(long, env = "SECURITY_PROFILE", value_enum)]
    pub security_profile: Option<Environment>,
}

impl ServiceConfig {
    /// Adds what is wrong with it to what is already known of `service`; what encrypts its calls,
    /// if nothing is wrong with that.
    pub fn check(&self, service: &str, faults: &mut Faults) -> Option<Encryption> {
        if let Some(health) = self.health_listen
            && health.port() != 0
            && health.port() == self.listen.port()
        {
            faults.add("HEALTH_LISTEN", format!("{} is the port of LISTEN as well", health.port()));
        }
        if let Some(keyring) = faults.judge("PASSPORT_KEYS", read_keyring(service, &self.passport_keys)) {
            faults.require_own_keys(&keyring);
        }
        let redis = [("REDIS_URL", self.redis_url.as_ref()), ("CACHE_URL", self.cache_url.as_ref())];
        self.stores.check_redis(redis, faults);
        faults.note(SecurityProfile::choose(self.environment, self.security_profile));
        faults.require_machine_clock();
        telemetry::check(&self.export, faults);
        self.transport.check(faults)
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        service: ServiceConfig,
    }

    fn parse() -> Cli {
        Cli::parse_from([
            "scheduling",
            "--listen=127.0.0.1:7103",
            "--database-url=postgres://scheduling_app:hunter2@db/scheduling",
            "--migration-url=postgres://scheduling_owner:hunter3@db/scheduling",
            "--redis-url=redis://:hunter4@cache",
            "--passport-keys=/keys/scheduling.json",
        ])
    }

    #[test]
    fn printing_a_configuration_shows_no_secret() {
        let cli = parse();
        let printed = format!("{cli:?}");
        assert!(!printed.contains("hunter"), "{printed}");
        assert!(printed.contains("127.0.0.1:7103"), "{printed}");
        assert!(cli.service.database_url.expose().contains("hunter2"));
    }

    #[test]
    fn help_hides_the_values_of_secrets_in_the_environment() {
        for argument in Cli::command().get_arguments().filter(|a| a.get_id().as_str().ends_with("_url")) {
            assert!(argument.is_hide_env_values_set(), "{}", argument.get_id());
        }
    }

    #[test]
    fn an_environment_that_is_not_named_is_production() {
        assert_eq!(parse().service.environment, Environment::Production);
    }
}
