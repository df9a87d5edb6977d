//! What a service is handed to live in.

use core::time::Duration;
use std::{net::SocketAddr, sync::Arc};

use anyhow::{Context, ensure};
use caller::{Gate, Keyring, Signer, Verifier};
use tokio_util::sync::CancellationToken;

use crate::{
    clock::Clock,
    config::{Secret, ServiceConfig},
    environment::Environment,
    security::SecurityProfile,
    transport::Transport,
};

/// Clock, keys, Redis and the sign to stop.
#[derive(Debug, Clone)]
pub struct Host {
    /// The service's name, as passports and databases name it.
    pub service: &'static str,
    /// Tells the time.
    pub clock: Clock,
    /// Signs passports in the service's name.
    pub signer: Signer,
    /// Lets calls in.
    pub gate: Gate,
    /// Redis for coordination, where there is one.
    pub redis: Option<redis::Client>,
    /// Redis for caches, where there is one.
    pub cache: Option<redis::Client>,
    /// How other services are called, and call.
    pub transport: Transport,
    /// Where health checks in plain text are answered, if anywhere.
    pub health_listen: Option<SocketAddr>,
    /// Cancelled when the process is asked to stop: it is no longer ready, but takes requests.
    pub leaving: CancellationToken,
    /// Cancelled when no more requests are taken, and everything ends.
    pub shutdown: CancellationToken,
    /// What is under way then is cut after this long.
    pub drain: Duration,
    /// Where the process runs.
    pub environment: Environment,
    /// How strict it is.
    pub security: SecurityProfile,
}

impl Host {
    /// Whether the process was asked to stop.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.leaving.is_cancelled() || self.shutdown.is_cancelled()
    }

    /// Reads the keyring and opens (without connecting) what the configuration names. `leaving` is
    /// cancelled when the process is asked to stop. Needs a runtime.
    ///
    /// # Errors
    /// A missing or malformed keyring, a keyring of another service, a malformed URL, certificates
    /// that can't be used.
    pub fn new(
        service: &'static str,
        config: &ServiceConfig,
        leaving: CancellationToken,
    ) -> anyhow::Result<Self> {
        let path = config.passport_keys.display();
        let json =
            std::fs::read_to_string(&config.passport_keys).with_context(|| format!("reading {path}"))?;
        let keyring = Arc::new(Keyring::parse(&json).with_context(|| format!("parsing {path}"))?);
        config.environment.require_own_keys(&keyring)?;
        config.environment.require_machine_clock()?;
        let clock = Clock::system();
        let signer = Signer::new(keyring.clone());
        ensure!(signer.issuer() == service, "{path} is the keyring of {}", signer.issuer());
        let open = |url: &Secret| redis::Client::open(url.expose());
        Ok(Self {
            service,
            gate: Gate::new(Verifier::new(service, keyring), clock.reader()),
            clock,
            signer,
            redis: config.redis_url.as_ref().map(open).transpose().context("REDIS_URL")?,
            cache: config.cache_url.as_ref().map(open).transpose().context("CACHE_URL")?,
            transport: config.transport.open(config.environment)?,
            health_listen: config.health_listen,
            shutdown: config.drain.shutdown_after(&leaving, config.environment),
            leaving,
            drain: config.drain.drain(),
            environment: config.environment,
            security: SecurityProfile::choose(config.environment, config.security_profile)?,
        })
    }
}
