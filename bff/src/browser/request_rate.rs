//! How often one person may ask.

use core::{num::NonZeroU32, time::Duration};
use std::sync::Arc;

use caller::UserId;
use governor::{
    DefaultDirectRateLimiter, Quota,
    clock::{Clock, DefaultClock},
};
use moka::sync::Cache;
use proto::error::{Reason, retry_later};

use crate::{
    edge::{Limit, LimitCounter},
    refusal::Refusal,
};

/// A page that opens asks for many things at once, and a person has several open: so many seconds'
/// requests may come together.
const BURST_SECONDS: u32 = 4;
/// Pages of one person that are hidden in the same moment, as when a browser is closed.
const REPORTS_AT_ONCE: NonZeroU32 = NonZeroU32::new(20).unwrap();
const TURNS_A_MINUTE: NonZeroU32 = NonZeroU32::new(20).unwrap();
/// A person who types quickly, and tries again what failed.
const TURNS_AT_ONCE: NonZeroU32 = NonZeroU32::new(10).unwrap();
/// Persons remembered; of more than these, those seen least are forgotten, and start with a full burst.
const MOST_PERSONS: u64 = 100_000;
/// By then everyone has a full burst again.
const IDLE: Duration = Duration::from_secs(60);

/// Token buckets, one for each person; each replica of the door counts by itself.
#[derive(Debug)]
pub struct RequestRate {
    quota: Option<Quota>,
    buckets: Cache<UserId, Arc<DefaultDirectRateLimiter>>,
    clock: DefaultClock,
    limit: Limit,
    limited: LimitCounter,
}

impl RequestRate {
    /// `per_second` requests of one person; any number without.
    #[must_use]
    pub fn new(per_second: Option<NonZeroU32>) -> Self {
        let burst = |rate: NonZeroU32| rate.saturating_mul(NonZeroU32::new(BURST_SECONDS).unwrap_or(rate));
        Self::of(
            Limit::PersonRequests,
            per_second.map(|rate| Quota::per_second(rate).allow_burst(burst(rate))),
        )
    }

    /// One report a second of all pages of a person, which sends one in many seconds from each.
    #[must_use]
    pub fn of_reports() -> Self {
        let quota = Quota::per_second(NonZeroU32::MIN).allow_burst(REPORTS_AT_ONCE);
        Self::of(Limit::PersonReports, Some(quota))
    }

    /// A turn of a chat every three seconds: a language model costs money.
    #[must_use]
    pub fn of_chats() -> Self {
        let quota = Quota::per_minute(TURNS_A_MINUTE).allow_burst(TURNS_AT_ONCE);
        Self::of(Limit::PersonChats, Some(quota))
    }

    fn of(limit: Limit, quota: Option<Quota>) -> Self {
        let buckets = Cache::builder().max_capacity(MOST_PERSONS).time_to_idle(IDLE).build();
        Self { quota, buckets, clock: DefaultClock::default(), limit, limited: LimitCounter::new() }
    }

    /// Counts a request of `person`.
    ///
    /// # Errors
    /// 429 with the time to wait, above the rate.
    pub fn admit(&self, person: UserId) -> Result<(), Refusal> {
        let Some(quota) = self.quota else { return Ok(()) };
        let bucket = self.buckets.get_with(person, || Arc::new(DefaultDirectRateLimiter::direct(quota)));
        bucket.check().map_err(|early| {
            self.limited.count(self.limit);
            let wait = early.wait_time_from(self.clock.now());
            retry_later(Reason::RateLimited, "too many requests from your account", wait).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn one_person_gets_a_burst_and_leaves_the_others_theirs() {
        let rate = RequestRate::new(NonZeroU32::new(1));
        let [one, other] = [1, 2].map(|id| UserId(Uuid::from_u128(id)));
        let refused = (0..100).filter(|_| rate.admit(one).is_err()).count();
        // The bucket fills while the test runs.
        assert!((1..=96).contains(&refused), "{refused}");
        assert!(rate.admit(other).is_ok());
    }

    #[test]
    fn without_a_rate_nothing_is_counted() {
        let rate = RequestRate::new(None);
        assert!((0..10_000).all(|_| rate.admit(UserId(Uuid::nil())).is_ok()));
        assert_eq!(rate.buckets.entry_count(), 0);
    }
}
