//! How many sign-ins may fail, and for whom they count.
//!
//! An attempt counts as failed from its begin, so that attempts at the same time can't slip
//! through together; one that turns out right is taken back.

use core::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use boot::security::SignInLimit;
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use sha2::Sha256;
use uuid::Uuid;

use super::{client::Origin, device::DeviceId, email::Email, purpose::mac_for};

/// Keeps these digests apart from any other made with the same key.
const PURPOSE: &[u8] = b"frontdesk sign-in limit\0";

/// How many times more an address may fail than an account there: a salon shares one.
const ADDRESS_FACTOR: u32 = 20;

/// Makes the names of counters, which do not reveal the account or address they count.
#[derive(Clone)]
pub struct LimitKey(Hmac<Sha256>);

/// Name of a counter, or of an account as counters know it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 16]);

/// What an attempt counts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The account, whether there is one or not.
    pub account: Digest,
    /// The counter that belongs to the account: there from one address, or on one device.
    pub own: Counted,
    /// The counter of the address, whatever the account.
    pub shared: Option<Counted>,
}

impl Subject {
    /// Its counters, its own first.
    pub fn counted(&self) -> impl Iterator<Item = Counted> + use<> {
        [Some(self.own), self.shared].into_iter().flatten()
    }
}

/// A counter and its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// The counter.
    pub counter: Digest,
    /// Failures that lead to a block.
    pub most: u32,
}

/// An attempt that was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Names it among the failures.
    pub id: Uuid,
    /// Whether, should it fail, it was one too many.
    pub last: bool,
}

/// What becomes of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The password may be looked at.
    Go(Attempt),
    /// Not even a right password opens anything.
    Blocked {
        /// When that ends.
        until: Timestamp,
    },
}

impl LimitKey {
    /// A key of 32 random bytes.
    #[must_use]
    pub fn new(key: &[u8; 32]) -> Self {
        Self(mac_for(PURPOSE, key))
    }

    /// The account with this e-mail, if there were one.
    #[must_use]
    pub fn account(&self, email: &Email) -> Digest {
        self.digest("account", email.as_str())
    }

    /// What an attempt counts for. On a trusted device of the account it counts for that device alone,
    /// so that attempts elsewhere can't block the account's owner.
    #[must_use]
    pub fn subject(
        &self,
        email: &Email,
        origin: &Origin,
        device: Option<DeviceId>,
        limit: &SignInLimit,
    ) -> Subject {
        let account = self.account(email);
        let network = origin.network().map(|network| network.to_string());
        let shared = match (&network, device) {
            (Some(network), None) => {
                let most = limit.attempts.saturating_mul(ADDRESS_FACTOR);
                Some(Counted { counter: self.digest("address", network), most })
            }
            _ => None,
        };
        let place = match device {
            Some(device) => format!("{account} device {device}"),
            None => format!("{account} address {}", network.unwrap_or_default()),
        };
        let own = Counted { counter: self.digest("own", &place), most: limit.attempts };
        Subject { account, own, shared }
    }

    fn digest(&self, kind: &str, text: &str) -> Digest {
        let mac = self.0.clone().chain_update(kind).chain_update([0]).chain_update(text);
        let bytes = mac.finalize().into_bytes();
        let mut digest = [0; 16];
        digest.copy_from_slice(&bytes[..16]);
        Digest(digest)
    }
}

impl fmt::Debug for LimitKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LimitKey(…)")
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&B64.encode(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The failures of one counter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failures {
    attempts: Vec<(Timestamp, Uuid)>,
    blocked_until: Option<Timestamp>,
}

impl Failures {
    /// When the block ends, while there is one. The end of a block forgets what led to it.
    pub fn block(&mut self, now: Timestamp) -> Option<Timestamp> {
        if self.blocked_until.is_some_and(|until| until <= now) {
            *self = Self::default();
        }
        self.blocked_until
    }

    /// Counts an attempt; whether it is the last before a block.
    pub fn begin(&mut self, id: Uuid, most: u32, limit: &SignInLimit, now: Timestamp) -> bool {
        self.attempts.retain(|(at, _)| *at > now - limit.window);
        self.attempts.push((now, id));
        let last = self.attempts.len() >= most as usize;
        if last {
            self.blocked_until = Some(now + limit.block);
        }
        last
    }

    /// Takes an attempt back, and the block that it led to.
    pub fn take_back(&mut self, id: Uuid, most: u32) {
        self.attempts.retain(|(_, attempt)| *attempt != id);
        if self.attempts.len() < most as usize {
            self.blocked_until = None;
        }
    }

    /// When both the attempts and the block have expired.
    #[must_use]
    pub fn forgotten_at(&self, limit: &SignInLimit) -> Timestamp {
        let last = self.attempts.last().map_or(Timestamp::MIN, |(at, _)| *at + limit.window);
        self.blocked_until.map_or(last, |until| until.max(last))
    }
}

#[cfg(test)]
mod tests {
    use boot::{environment::Environment, security::SecurityProfile};
    use jiff::SignedDuration;

    use super::*;

    fn limit() -> SignInLimit {
        SecurityProfile::of(Environment::Production).sign_in.unwrap()
    }

    fn at(address: &str) -> Origin {
        super::super::client::Client::parse(address, "", "").unwrap().origin
    }

    fn minute(minute: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + 60 * minute).unwrap()
    }

    #[test]
    fn an_account_counts_by_address_and_an_address_by_itself_twenty_times_as_high() {
        let key = LimitKey::new(&[1; 32]);
        let [olive, mary] = ["olive@demo.test", "mary@demo.test"].map(|text| Email::parse(text).unwrap());
        let here = key.subject(&olive, &at("192.0.2.1"), None, &limit());
        let there = key.subject(&olive, &at("192.0.2.2"), None, &limit());
        let colleague = key.subject(&mary, &at("192.0.2.1"), None, &limit());
        assert_eq!((here.own.most, here.shared.unwrap().most), (5, 100));
        assert_eq!(here.account, there.account);
        assert_ne!(here.own.counter, there.own.counter);
        assert_ne!(here.own.counter, colleague.own.counter);
        assert_eq!(here.shared, colleague.shared);
    }

    #[test]
    fn a_trusted_device_counts_for_itself_wherever_it_is() {
        let key = LimitKey::new(&[1; 32]);
        let olive = Email::parse("olive@demo.test").unwrap();
        let device = Some(DeviceId(Uuid::from_u128(7)));
        let here = key.subject(&olive, &at("192.0.2.1"), device, &limit());
        assert_eq!(here, key.subject(&olive, &at("192.0.2.2"), device, &limit()));
        assert_eq!(here.shared, None);
        assert_ne!(here.own, key.subject(&olive, &at("192.0.2.1"), None, &limit()).own);
    }

    #[test]
    fn a_counters_name_tells_nothing_without_the_key() {
        let olive = Email::parse("olive@demo.test").unwrap();
        let [one, other] = [1, 2].map(|n| LimitKey::new(&[n; 32]));
        assert_ne!(one.account(&olive), other.account(&olive));
        assert!(!format!("{one:?} {}", one.account(&olive)).contains("olive"));
    }

    #[test]
    fn the_fifth_failure_in_fifteen_minutes_blocks_for_sixty() {
        let mut failures = Failures::default();
        for n in 0..4 {
            assert!(!failures.begin(Uuid::from_u128(n), 5, &limit(), minute(0)));
        }
        // A quarter of an hour later they are forgotten.
        for n in 4..8 {
            assert!(!failures.begin(Uuid::from_u128(n), 5, &limit(), minute(15)));
        }
        assert!(failures.begin(Uuid::from_u128(8), 5, &limit(), minute(29)));
        assert_eq!(failures.block(minute(88)), Some(minute(89)));
        assert_eq!(failures.block(minute(89)), None);
        assert!(
            !failures.begin(Uuid::from_u128(9), 5, &limit(), minute(89)),
            "a block forgets what led to it"
        );
    }

    #[test]
    fn a_right_attempt_takes_back_the_block_it_would_have_led_to() {
        let short = SignInLimit { block: SignedDuration::from_mins(5), ..limit() };
        let mut failures = Failures::default();
        for n in 0..5 {
            failures.begin(Uuid::from_u128(n), 5, &short, minute(0));
        }
        failures.take_back(Uuid::from_u128(9), 5);
        assert!(failures.block(minute(0)).is_some(), "an attempt of another counter changes nothing");
        failures.take_back(Uuid::from_u128(4), 5);
        assert_eq!(failures.block(minute(0)), None);
        assert_eq!(failures.forgotten_at(&short), minute(15));
    }
}
