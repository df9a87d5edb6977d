//! What one network gets of what all visitors share.

use core::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use moka::future::Cache;

/// Networks whose rate is remembered: when there are more, the rarest are forgotten.
const MOST_NETWORKS: u64 = 100_000;

/// What counts as one visitor: an IPv4 address, or the /64 that an IPv6 host picks addresses from.
#[must_use]
pub fn network(address: IpAddr) -> IpNet {
    match address.to_canonical() {
        IpAddr::V4(address) => Ipv4Net::from(address).into(),
        IpAddr::V6(address) => Ipv6Net::new_assert(address, 64).trunc().into(),
    }
}

/// So many at a time of each network. It remembers only who holds something now.
#[derive(Debug)]
pub struct Shares {
    most: usize,
    held: Mutex<HashMap<IpNet, usize>>,
}

/// One of a network's share, until it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    network: IpNet,
}

impl Shares {
    /// One in `parts` of `all`, but one at least.
    #[must_use]
    pub fn of(all: usize, parts: usize) -> Arc<Self> {
        Arc::new(Self { most: all.checked_div(parts).unwrap_or(all).max(1), held: Mutex::default() })
    }

    /// Takes one for the network of `address`, unless it holds its share already.
    #[must_use]
    pub fn take(self: &Arc<Self>, address: IpAddr) -> Option<Share> {
        let network = network(address);
        let mut held = self.held();
        let holds = held.entry(network).or_default();
        if *holds >= self.most {
            return None;
        }
        *holds += 1;
        Some(Share { shares: self.clone(), network })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<IpNet, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut held = self.shares.held();
        if let Some(holds) = held.get_mut(&self.network) {
            *holds -= 1;
            if *holds == 0 {
                held.remove(&self.network);
            }
        }
    }
}

/// So many within a time of each network.
#[derive(Debug)]
pub struct Rate {
    most: u32,
    counts: Cache<IpNet, Arc<AtomicU32>>,
}

impl Rate {
    /// `most` within `window`, which begins with a network's first.
    #[must_use]
    pub fn new(most: u32, window: Duration) -> Self {
        Self { most, counts: Cache::builder().max_capacity(MOST_NETWORKS).time_to_live(window).build() }
    }

    /// Counts one of the network of `address`; whether it may have it.
    pub async fn admits(&self, address: IpAddr) -> bool {
        let count = self.counts.get_with(network(address), async { Arc::default() }).await;
        count.fetch_add(1, Ordering::Relaxed) < self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(address: &str) -> IpAddr {
        address.parse().unwrap()
    }

    #[test]
    fn a_network_gets_its_share_and_leaves_the_others_theirs() {
        let shares = Shares::of(8, 4);
        let held = [shares.take(at("203.0.113.9")), shares.take(at("203.0.113.9"))];
        assert!(held.iter().all(Option::is_some));
        assert!(shares.take(at("203.0.113.9")).is_none());
        assert!(shares.take(at("203.0.113.10")).is_some());
        drop(held);
        assert!(shares.take(at("203.0.113.9")).is_some());
        assert!(shares.held().is_empty(), "who holds nothing is forgotten");
    }

    #[test]
    fn a_host_that_picks_its_ipv6_addresses_is_one_network() {
        assert_eq!(network(at("2001:db8::1")), network(at("2001:db8::ffff:1")));
        assert_ne!(network(at("2001:db8::1")), network(at("2001:db8:0:1::1")));
        assert_eq!(network(at("::ffff:203.0.113.9")), network(at("203.0.113.9")));
        assert_ne!(network(at("203.0.113.9")), network(at("203.0.113.8")));
    }

    #[test]
    fn a_share_is_one_at_least() {
        assert!(Shares::of(1, 4).take(at("203.0.113.9")).is_some());
        assert!(Shares::of(0, 0).take(at("203.0.113.9")).is_some());
    }

    #[tokio::test]
    async fn so_many_of_a_network_are_admitted_within_a_time() {
        let rate = Rate::new(2, Duration::from_secs(600));
        let mut admitted = Vec::new();
        for address in ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"] {
            admitted.push(rate.admits(at(address)).await);
        }
        assert_eq!(admitted, [true, true, false, true]);
    }
}
