//! Circuit breakers: a host, or a lane to it, that fails again and again is left alone for a while, so that waiting for it
//! holds up nothing else, and no lane is called more than a few times at once. What fails in a lane is its own; only a
//! host that does not answer at all rests for every lane.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use boot::clock::Clock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::circuit::Circuit;

/// Calls in one lane at once.
const AT_ONCE: usize = 4;
/// Hosts and lanes remembered; those that neither rest nor are being called are forgotten beyond it.
const MOST_HOSTS: usize = 4_096;

/// A breaker for each host, and for each lane.
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

/// Permission to make one call; says how it went.
#[derive(Debug)]
pub struct Permit {
    breakers: Breakers,
    host: String,
    lane: String,
    _call: Option<OwnedSemaphorePermit>,
}

impl Breakers {
    /// None has failed yet.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, hosts: Arc::default() }
    }

    /// Waits for a free call to `host`, in a lane of its own or in that of all who have none.
    ///
    /// # Errors
    /// [`Closed`].
    pub async fn enter(&self, host: &str, lane: Option<&str>) -> Result<Permit, Closed> {
        let lane = lane.map_or_else(|| host.to_owned(), |lane| format!("{lane}@{host}"));
        self.host(host)?;
        let call = self.host(&lane)?.acquire_owned().await.ok();
        // Either may have failed while this call waited.
        self.host(host)?;
        self.host(&lane)?;
        Ok(Permit { breakers: self.clone(), host: host.to_owned(), lane, _call: call })
    }

    fn host(&self, host: &str) -> Result<Arc<Semaphore>, Closed> {
        let now = self.clock.now();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MOST_HOSTS {
            hosts.retain(|_, host| {
                host.circuit.wait(now).is_some() || host.calls.available_permits() < AT_ONCE
            });
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
        self.breakers.record(&self.lane, true);
        self.breakers.record(&self.host, true);
    }

    /// It answered that it can't, in this lane.
    pub fn failed(self) {
        if self.lane != self.host {
            self.breakers.record(&self.host, true);
        }
        self.breakers.record(&self.lane, false);
    }

    /// It did not answer.
    pub fn was_not_answered(self) {
        if self.lane != self.host {
            self.breakers.record(&self.host, false);
        }
        self.breakers.record(&self.lane, false);
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    async fn fail(breakers: &Breakers, lane: Option<&str>, times: usize, end: impl Fn(Permit)) {
        for _ in 0..times {
            end(breakers.enter("example.com", lane).await.unwrap());
        }
    }

    async fn is_open(breakers: &Breakers, lane: Option<&str>) -> bool {
        breakers.enter("example.com", lane).await.is_ok()
    }

    #[tokio::test]
    async fn what_fails_in_a_lane_rests_that_lane_alone() {
        let (clock, time) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        let breakers = Breakers::new(clock);
        fail(&breakers, Some("mia"), 4, Permit::failed).await;
        assert!(!is_open(&breakers, Some("mia")).await);
        assert!(is_open(&breakers, Some("tom")).await && is_open(&breakers, None).await);
        time.advance(SignedDuration::from_secs(15));
        assert!(is_open(&breakers, Some("mia")).await);
    }

    #[tokio::test]
    async fn a_host_that_does_not_answer_rests_for_every_lane_until_it_answers_one() {
        let (clock, time) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        let breakers = Breakers::new(clock);
        for lane in ["mia", "tom", "ann"] {
            fail(&breakers, Some(lane), 1, Permit::was_not_answered).await;
        }
        // One that answers shows that the host does.
        fail(&breakers, Some("eve"), 1, Permit::succeeded).await;
        fail(&breakers, Some("mia"), 3, Permit::was_not_answered).await;
        assert!(is_open(&breakers, Some("tom")).await);
        fail(&breakers, Some("tom"), 1, Permit::was_not_answered).await;
        assert!(!is_open(&breakers, Some("zoe")).await && !is_open(&breakers, None).await);
        time.advance(SignedDuration::from_secs(15));
        fail(&breakers, Some("zoe"), 1, Permit::succeeded).await;
        assert!(is_open(&breakers, None).await);
    }

    #[tokio::test]
    async fn made_up_names_that_fail_are_forgotten_and_what_rests_is_not() {
        let (clock, _) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        let breakers = Breakers::new(clock);
        fail(&breakers, Some("mia"), 4, Permit::was_not_answered).await;
        for n in 0..2 * MOST_HOSTS {
            let made_up = format!("{n}.example.com");
            breakers.enter(&made_up, None).await.unwrap().was_not_answered();
        }
        assert!(breakers.hosts.lock().unwrap().len() <= MOST_HOSTS);
        assert!(!is_open(&breakers, Some("mia")).await);
    }
}
