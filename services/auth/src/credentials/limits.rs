//! The limit of failed sign-ins: in Redis for all replicas, in this process while Redis is gone.

mod local;
mod redis;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use anyhow::Context;
use boot::{Host, clock::Clock, security::SignInLimit};
use jiff::Timestamp;

use crate::{
    Error,
    credentials::limits::{local::LocalCounters, redis::RedisCounters},
    domain::{
        client::Origin,
        device::DeviceId,
        email::Email,
        sign_in_limit::{Attempt, LimitKey, Subject, Verdict},
    },
};

/// Counts attempts to prove a password; lets everything through where the profile has no limit.
#[derive(Debug, Clone)]
pub struct Limits(Option<Arc<Active>>);

#[derive(Debug)]
struct Active {
    limit: SignInLimit,
    key: LimitKey,
    clock: Clock,
    redis: Option<RedisCounters>,
    /// Counts alongside Redis, so that an outage of Redis does not reset the attempts.
    local: LocalCounters,
}

/// An attempt under way. It counts as failed unless it is taken back.
#[derive(Debug)]
#[must_use]
pub struct Counting(Option<Begun>);

#[derive(Debug)]
struct Begun {
    limits: Arc<Active>,
    subject: Subject,
    attempt: Attempt,
}

impl Limits {
    /// The limit of the host's profile.
    ///
    /// # Errors
    /// For a Redis that never could be reached.
    pub fn new(host: &Host, key: LimitKey) -> anyhow::Result<Self> {
        let Some(limit) = host.security.sign_in else { return Ok(Self(None)) };
        let redis = host.redis.clone().map(RedisCounters::lazy).transpose().context("REDIS_URL")?;
        let clock = host.clock.clone();
        Ok(Self(Some(Arc::new(Active { limit, key, clock, redis, local: LocalCounters::default() }))))
    }

    /// Begins an attempt on the account of an e-mail, whether there is one or not.
    ///
    /// # Errors
    /// [`Error::Blocked`].
    pub async fn begin(
        &self,
        email: &Email,
        origin: &Origin,
        device: Option<DeviceId>,
    ) -> Result<Counting, Error> {
        let Some(limits) = &self.0 else { return Ok(Counting(None)) };
        let subject = limits.key.subject(email, origin, device, &limits.limit);
        let now = limits.clock.now();
        match limits.begin(&subject, now).await {
            Verdict::Go(attempt) => {
                let limits = limits.clone();
                Ok(Counting(Some(Begun { limits, subject, attempt })))
            }
            Verdict::Blocked { until } => Err(Error::Blocked { until, now }),
        }
    }

    /// When the latest block of each account ends.
    pub async fn blocked_until(&self, emails: &[Email]) -> Vec<Option<Timestamp>> {
        let Some(limits) = &self.0 else { return vec![None; emails.len()] };
        // Redis refuses a request without commands.
        if emails.is_empty() {
            return Vec::new();
        }
        let now = limits.clock.now();
        let accounts: Vec<_> = emails.iter().map(|email| limits.key.account(email)).collect();
        if let Some(redis) = &limits.redis {
            match redis.blocked_until(&accounts, now).await {
                Ok(found) => return found,
                Err(error) => gone(&error),
            }
        }
        accounts.iter().map(|account| limits.local.blocked_until(account, now)).collect()
    }

    /// Lifts every block of an account. Those of its addresses stay: they are not its own.
    pub async fn lift(&self, email: &Email) {
        let Some(limits) = &self.0 else { return };
        let account = limits.key.account(email);
        limits.local.lift(&account, limits.clock.now());
        if let Some(redis) = &limits.redis
            && let Err(error) = redis.lift(&account).await
        {
            gone(&error);
        }
    }
}

impl Active {
    async fn begin(&self, subject: &Subject, now: Timestamp) -> Verdict {
        let id = self.clock.new_id();
        let local = self.local.begin(subject, id, &self.limit, now);
        let Some(redis) = &self.redis else { return local };
        match redis.begin(subject, id, &self.limit, now).await {
            Ok(verdict) => {
                if let (Verdict::Blocked { .. }, Verdict::Go(_)) = (local, verdict) {
                    // Lifted by another replica.
                    self.local.forget(subject);
                }
                verdict
            }
            Err(error) => {
                gone(&error);
                local
            }
        }
    }
}

impl Counting {
    /// Whether the next attempt is blocked if this one fails.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.0.as_ref().is_some_and(|begun| begun.attempt.last)
    }

    /// The password was right: the account's failures there are forgotten.
    pub async fn right(self) {
        self.take_back(true).await;
    }

    /// Refunds the attempt: the password was not checked.
    pub async fn void(self) {
        self.take_back(false).await;
    }

    async fn take_back(self, right: bool) {
        let Some(Begun { limits, subject, attempt }) = self.0 else { return };
        limits.local.take_back(&subject, &attempt, right);
        if let Some(redis) = &limits.redis
            && let Err(error) = redis.take_back(&subject, &attempt, right).await
        {
            gone(&error);
        }
    }
}

fn gone(error: &::redis::RedisError) {
    tracing::warn!(%error, "Redis can't be reached; failed sign-ins are counted in this process");
}
