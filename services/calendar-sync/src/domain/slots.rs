//! How the turns of a process that reads or writes calendars are shared: one server that hangs, or one business with many
//! calendars, leaves the others theirs.

use std::collections::HashMap;

use caller::BusinessId;
use url::Url;

/// How many turns there are, and whose they are at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// All of a process.
    pub all: usize,
    /// At one server.
    pub at_server: usize,
    /// At Google, or at one booking system: many people's calendars are there, and calls are limited by account. While two
    /// of them and another server hang, a share is left to the others.
    pub at_platform: usize,
    /// Of one business: more than at a server, so that one that hangs does not hold up its others.
    pub in_business: usize,
    /// That are taken in one claim, which may be at one server.
    pub share: usize,
}

/// Turns that read: a thousand calendars at Google are read within a minute while it takes a second to answer.
pub const READS: Bounds = Bounds { all: 64, at_server: 12, at_platform: 24, in_business: 16, share: 4 };
/// Turns that write: events come by ones and twos.
pub const WRITES: Bounds = Bounds { all: 22, at_server: 4, at_platform: 8, in_business: 6, share: 2 };
/// Turns in a row that failed at a server, after which it has one share alone until it answers again.
const FAILURES: usize = 4;
/// The server of all calendars at Google.
pub const GOOGLE: &str = "google";

/// The server of an address. Another port is another server.
#[must_use]
pub fn server_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The server of all connections to a booking system.
#[must_use]
pub fn booking_system(kind: &str, profile: &str) -> String {
    format!("{kind} {profile}").trim_end().to_owned()
}

/// Booking systems have kinds in capitals, and hosts are in small letters.
fn is_platform(server: &str) -> bool {
    server == GOOGLE || server.starts_with(|first: char| first.is_ascii_uppercase())
}

/// The turns that are taken.
#[derive(Debug)]
pub struct Slots {
    bounds: Bounds,
    servers: HashMap<String, Server>,
    businesses: HashMap<BusinessId, usize>,
}

#[derive(Debug, Default)]
struct Server {
    taken: usize,
    failures: usize,
}

/// What has as many turns as it may have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Full {
    /// Servers.
    pub servers: Vec<String>,
    /// Businesses.
    pub businesses: Vec<BusinessId>,
}

impl Slots {
    /// No turn is taken yet.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, servers: HashMap::new(), businesses: HashMap::new() }
    }

    /// How many are taken in one claim.
    #[must_use]
    pub fn share(&self) -> usize {
        self.bounds.share
    }

    /// What takes no further share now.
    #[must_use]
    pub fn full(&self) -> Full {
        let Bounds { at_server, at_platform, in_business, share, .. } = self.bounds;
        let is_full = |(name, server): &(&String, &Server)| {
            let healthy = if is_platform(name) { at_platform } else { at_server };
            let most = if server.failures < FAILURES { healthy } else { share };
            server.taken + share > most
        };
        let servers = self.servers.iter().filter(is_full).map(|(name, _)| name.clone());
        let businesses = self.businesses.iter().filter(|(_, taken)| *taken + share > in_business);
        Full { servers: servers.collect(), businesses: businesses.map(|(business, _)| *business).collect() }
    }

    /// A turn is taken. Calendars that are at no server count for their business alone.
    pub fn take(&mut self, business: BusinessId, server: &str) {
        *self.businesses.entry(business).or_default() += 1;
        if !server.is_empty() {
            self.servers.entry(server.to_owned()).or_default().taken += 1;
        }
    }

    /// A turn has ended.
    pub fn give_back(&mut self, business: BusinessId, server: &str) {
        if let Some(taken) = self.businesses.get_mut(&business) {
            *taken = taken.saturating_sub(1);
        }
        self.businesses.retain(|_, taken| *taken > 0);
        if let Some(known) = self.servers.get_mut(server) {
            known.taken = known.taken.saturating_sub(1);
        }
        self.servers.retain(|_, known| known.taken > 0 || known.failures > 0);
    }

    /// A server answered, or it did not.
    pub fn record(&mut self, server: &str, answered: bool) {
        if let Some(known) = self.servers.get_mut(server) {
            known.failures = if answered { 0 } else { known.failures.saturating_add(1) };
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const fn business(n: u128) -> BusinessId {
        BusinessId(Uuid::from_u128(n))
    }

    /// How many turns at a server are taken by businesses of their own until no more may be.
    fn taken(slots: &mut Slots, server: &str) -> usize {
        let mut taken = 0;
        while !slots.full().servers.contains(&server.to_owned()) {
            for _ in 0..READS.share {
                taken += 1;
                slots.take(business(u128::try_from(taken).unwrap()), server);
            }
        }
        taken
    }

    #[test]
    fn a_server_has_a_part_of_the_turns_and_one_that_does_not_answer_a_share_until_it_does() {
        let mut slots = Slots::new(READS);
        assert_eq!(taken(&mut slots, "sick.example.com"), READS.at_server);
        assert_eq!(slots.full().servers, ["sick.example.com"]);
        for n in 1..=READS.at_server {
            slots.record("sick.example.com", false);
            slots.give_back(business(u128::try_from(n).unwrap()), "sick.example.com");
        }
        assert_eq!(taken(&mut slots, "sick.example.com"), READS.share);
        assert_eq!(taken(&mut slots, "well.example.com"), READS.at_server, "another one is not its affair");
        slots.record("sick.example.com", true);
        assert!(!slots.full().servers.contains(&"sick.example.com".to_owned()));
    }

    #[test]
    fn google_has_turns_for_a_thousand_calendars_a_minute_and_leaves_some_to_others() {
        for bounds in [READS, WRITES] {
            let Bounds { all, at_server, at_platform, share, .. } = bounds;
            assert!(all >= 2 * at_platform + at_server + share);
        }
        let square = booking_system("SQUARE", "");
        for platform in [GOOGLE, square.as_str(), &booking_system("PROFILE", "phorest")] {
            let mut slots = Slots::new(READS);
            let most = taken(&mut slots, platform);
            assert_eq!(most, READS.at_platform);
            // While it takes a second to answer; at times all of a share but one wait for the next claim.
            assert!((most - READS.share + 1) * 60 >= 1_000);
            for n in 1..=most {
                slots.record(platform, false);
                slots.give_back(business(u128::try_from(n).unwrap()), platform);
            }
            assert_eq!(taken(&mut slots, platform), READS.share, "it hangs");
        }
    }

    #[test]
    fn a_business_with_a_server_that_hangs_has_turns_for_its_others() {
        let mut slots = Slots::new(READS);
        for _ in 0..READS.at_server {
            slots.take(business(1), "sick.example.com");
        }
        let expected = Full { servers: vec!["sick.example.com".to_owned()], businesses: vec![] };
        assert_eq!(slots.full(), expected);
        for _ in 0..READS.share {
            slots.take(business(1), "");
        }
        assert_eq!(slots.full().businesses, [business(1)]);
        slots.give_back(business(1), "");
        assert_eq!(slots.full().businesses, [business(1)], "a share would be too much");
    }

    #[test]
    fn what_has_no_turn_and_never_failed_is_forgotten() {
        let mut slots = Slots::new(READS);
        slots.take(business(1), "well.example.com");
        slots.record("well.example.com", true);
        slots.give_back(business(1), "well.example.com");
        assert!(slots.servers.is_empty() && slots.businesses.is_empty());
    }

    #[test]
    fn another_port_is_another_server() {
        let server = |text: &str| server_of(&text.parse().unwrap());
        assert_eq!(server("https://dav.example.com/mia/"), "dav.example.com");
        assert_eq!(server("http://127.0.0.1:5232/mia/"), "127.0.0.1:5232");
    }
}
