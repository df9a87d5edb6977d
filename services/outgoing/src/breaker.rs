//! Circuit breakers: a host, or a lane to it, that fails again and again is left alone for a while, so that waiting for it
//! holds up nothing else, and no host is called more than a few times at once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use boot::clock::Clock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::circuit::Circuit;

/// Calls to one host at once.
const AT_ONCE: usize = 4;
/// Hosts remembered; those in order are forgotten beyond it.
const MOST_HOSTS: usize = 4_096;

/// A breaker for each host.
#[derive(Debug, Clone)]
pub struct Breakers {
    clock: Clock,
    hosts: Arc<Mutex<HashMap<String, Host>>>,
}

#[derive(Debug)]
struct Host {
    circuit: Circuit,
    calls: Arc<Semaphore>,
}

/// The host is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed {
    /// For so long from now.
    pub seconds: i64,
}

/// Leave to make one call; says how it went.
#[derive(Debug)]
pub struct Permit {
    breakers: Breakers,
    host: String,
    _call: Option<OwnedSemaphorePermit>,
}

impl Breakers {
    /// None has failed yet.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, hosts: Arc::default() }
    }

    /// Waits for a free call to `host`.
    ///
    /// # Errors
    /// [`Closed`].
    pub async fn enter(&self, host: &str) -> Result<Permit, Closed> {
        let calls = self.host(host)?;
        let call = calls.acquire_owned().await.ok();
        // It may have failed while this call waited.
        self.host(host)?;
        Ok(Permit { breakers: self.clone(), host: host.to_owned(), _call: call })
    }

    fn host(&self, host: &str) -> Result<Arc<Semaphore>, Closed> {
        let now = self.clock.now();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST_HOSTS {
            hosts.retain(|_, host| !host.circuit.is_in_order() || host.calls.available_permits() < AT_ONCE);
        }
        let known = hosts.entry(host.to_owned()).or_insert_with(|| Host {
            circuit: Circuit::default(),
            calls: Arc::new(Semaphore::new(AT_ONCE)),
        });
        match known.circuit.wait(now) {
            Some(seconds) => Err(Closed { seconds }),
            None => Ok(known.calls.clone()),
        }
    }

    fn record(&self, host: &str, succeeded: bool) {
        let now = self.clock.now();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = hosts.get_mut(host) {
            known.circuit = if succeeded { Circuit::default() } else { known.circuit.failed(now) };
        }
    }
}

impl Permit {
    /// The host answered.
    pub fn succeeded(self) {
        self.breakers.record(&self.host, true);
    }

    /// It did not, or that it can't.
    pub fn failed(self) {
        self.breakers.record(&self.host, false);
    }
}
