//! The limit as one process keeps it: what stands in while Redis is gone.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use boot::security::SignInLimit;
use jiff::Timestamp;
use uuid::Uuid;

use crate::domain::sign_in_limit::{Attempt, Counted, Digest, Failures, Subject, Verdict};

/// Counters kept; a flood of addresses costs the oldest of them, not memory.
const MOST: usize = 4096;

/// Counters of this process.
#[derive(Debug, Default)]
pub struct LocalCounters(Mutex<HashMap<Digest, Kept>>);

#[derive(Debug, Default)]
struct Kept {
    failures: Failures,
    /// The account it counts for; `None` for a network address.
    account: Option<Digest>,
}

impl LocalCounters {
    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins an attempt.
    pub fn begin(&self, subject: &Subject, id: Uuid, limit: &SignInLimit, now: Timestamp) -> Verdict {
        let mut kept = self.lock();
        let blocks = subject.counted().filter_map(|Counted { counter, .. }| {
            kept.get_mut(&counter).and_then(|kept| kept.failures.block(now))
        });
        if let Some(until) = blocks.max() {
            return Verdict::Blocked { until };
        }
        make_room(&mut kept, limit, now);
        let mut last = false;
        for counted in subject.counted() {
            let counter = kept.entry(counted.counter).or_default();
            counter.account = (counted == subject.own).then_some(subject.account);
            last |= counter.failures.begin(id, counted.most, limit, now);
        }
        Verdict::Go(Attempt { id, last })
    }

    /// Takes an attempt back; after a right password its account's failures there as well.
    pub fn take_back(&self, subject: &Subject, attempt: &Attempt, right: bool) {
        let mut kept = self.lock();
        if right {
            kept.remove(&subject.own.counter);
        }
        for counted in subject.counted() {
            if let Some(kept) = kept.get_mut(&counted.counter) {
                kept.failures.take_back(attempt.id, counted.most);
            }
        }
    }

    /// Forgets the failures of a subject.
    pub fn forget(&self, subject: &Subject) {
        let mut kept = self.lock();
        for Counted { counter, .. } in subject.counted() {
            kept.remove(&counter);
        }
    }

    /// When the latest block of an account ends.
    pub fn blocked_until(&self, account: &Digest, now: Timestamp) -> Option<Timestamp> {
        let mut kept = self.lock();
        let own = kept.values_mut().filter(|kept| kept.account.as_ref() == Some(account));
        own.filter_map(|kept| kept.failures.block(now)).max()
    }

    /// Lifts every block of an account.
    pub fn lift(&self, account: &Digest, now: Timestamp) {
        let blocked = |kept: &mut Kept| kept.failures.block(now).is_some();
        self.lock().retain(|_, kept| kept.account.as_ref() != Some(account) || !blocked(kept));
    }
}

fn make_room(kept: &mut HashMap<Digest, Kept>, limit: &SignInLimit, now: Timestamp) {
    if kept.len() + 2 <= MOST {
        return;
    }
    kept.retain(|_, kept| kept.failures.forgotten_at(limit) > now);
    if kept.len() + 2 <= MOST {
        return;
    }
    // A quarter at once, so that a flood doesn't sort at every attempt.
    let mut ends: Vec<_> = kept.values().map(|kept| kept.failures.forgotten_at(limit)).collect();
    ends.sort_unstable();
    let least = ends[ends.len() / 4];
    kept.retain(|_, kept| kept.failures.forgotten_at(limit) > least);
}

#[cfg(test)]
mod tests {
    use boot::{environment::Environment, security::SecurityProfile};

    use super::*;
    use crate::domain::{client::Client, email::Email, sign_in_limit::LimitKey};

    #[test]
    fn a_flood_of_addresses_takes_no_more_memory_than_allowed() {
        let limit = SecurityProfile::of(Environment::Production).sign_in.unwrap();
        let (key, local) = (LimitKey::new(&[1; 32]), LocalCounters::default());
        let email = Email::parse("owner@demo.test").unwrap();
        let start = Timestamp::from_second(1_800_000_000).unwrap();
        for n in 0..20_000_u32 {
            let address = core::net::Ipv4Addr::from(n).to_string();
            let origin = Client::parse(&address, "", "").unwrap().origin;
            let subject = key.subject(&email, &origin, None, &limit);
            let now = start + jiff::SignedDuration::from_millis(n.into());
            let begun = local.begin(&subject, Uuid::from_u128(n.into()), &limit, now);
            assert!(matches!(begun, Verdict::Go(_)));
            assert!(local.lock().len() <= MOST);
        }
        assert!(local.lock().len() > MOST / 2, "the latest are kept");
    }
}
