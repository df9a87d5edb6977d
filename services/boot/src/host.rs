//! What a service is handed to live in.

use core::time::Duration;
use std::{net::SocketAddr, sync::Arc};

use anyhow::Context;
use caller::{Gate, Keyring, Signer, Verifier};
use tokio_util::sync::CancellationToken;

use crate::{
    clock::Clock,
    config::{Secret, ServiceConfig},
    drain::DrainConfig,
    environment::Environment,
    faults::Faults,
    keyring::read_keyring,
    random,
    security::SecurityProfile,
    stores::StoresConfig,
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
        let keyring = Arc::new(read_keyring(service, &config.passport_keys).context("PASSPORT_KEYS")?);
        let clock = Clock::system();
        let signer = Signer::new(keyring.clone());
        let open_redis = |url| config.stores.open_redis(url);
        Ok(Self {
            service,
            gate: Gate::new(Verifier::new(service, keyring), clock.reader()),
            clock,
            signer,
            redis: config.redis_url.as_ref().map(open_redis).transpose().context("REDIS_URL")?,
            cache: config.cache_url.as_ref().map(open_redis).transpose().context("CACHE_URL")?,
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

/// What a job that prepares a service's database is told of where it lives.
#[derive(Debug, Clone, Copy)]
pub struct JobHost<'a> {
    /// Where the service runs.
    pub environment: Environment,
    /// How strict the service's sign-in is, if it is named.
    pub security_profile: Option<Environment>,
    /// Redis for coordination.
    pub redis_url: Option<&'a Secret>,
    /// Redis for caches.
    pub cache_url: Option<&'a Secret>,
    /// How Postgres and Redis are reached.
    pub stores: &'a StoresConfig,
}

impl JobHost<'_> {
    /// Adds what is wrong with it.
    pub fn check(self, faults: &mut Faults) {
        self.stores.check_redis([("REDIS_URL", self.redis_url), ("CACHE_URL", self.cache_url)], faults);
        faults.note(SecurityProfile::choose(self.environment, self.security_profile));
        faults.require_machine_clock();
    }

    /// A host that calls no service and is called by none: it has a keyring that no other process believes.
    /// Needs a runtime.
    ///
    /// # Errors
    /// A malformed URL, or a profile that production refuses.
    pub fn open(self, service: &'static str, stop: CancellationToken) -> anyhow::Result<Host> {
        let clock = Clock::system();
        let (_, json) = Keyring::generate(&[(service, random::bytes())])?.remove(0);
        let keyring = Arc::new(Keyring::parse(&json)?);
        let open_redis = |url| self.stores.open_redis(url);
        Ok(Host {
            service,
            gate: Gate::new(Verifier::new(service, keyring.clone()), clock.reader()),
            clock,
            signer: Signer::new(keyring),
            redis: self.redis_url.map(open_redis).transpose().context("REDIS_URL")?,
            cache: self.cache_url.map(open_redis).transpose().context("CACHE_URL")?,
            transport: Transport::default(),
            health_listen: None,
            leaving: stop.clone(),
            shutdown: stop,
            drain: DrainConfig::default().drain(),
            environment: self.environment,
            security: SecurityProfile::choose(self.environment, self.security_profile)?,
        })
    }
}
