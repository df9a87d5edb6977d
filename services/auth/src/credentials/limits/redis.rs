//! The limit as all replicas keep it, in Redis. Each step is one script: atomic, one round trip.

use core::time::Duration;

use boot::security::SignInLimit;
use jiff::Timestamp;
use redis::{
    RedisResult, Script, ScriptInvocation,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use uuid::Uuid;

use crate::domain::sign_in_limit::{Attempt, Counted, Digest, Subject, Verdict};

/// A person is waiting at the sign-in page: a slower Redis counts as unreachable.
const PATIENCE: Duration = Duration::from_secs(1);

/// Counters of all replicas.
pub struct RedisCounters {
    connection: ConnectionManager,
    attempt: Script,
    take_back: Script,
    lift: Script,
}

impl RedisCounters {
    /// Counters that connect at the first attempt, and again whenever Redis was gone.
    ///
    /// # Errors
    /// For a client that never could connect.
    pub fn lazy(client: redis::Client) -> RedisResult<Self> {
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        Ok(Self {
            connection: client.get_connection_manager_lazy(config)?,
            attempt: Script::new(include_str!("attempt.lua")),
            take_back: Script::new(include_str!("take_back.lua")),
            lift: Script::new(include_str!("lift.lua")),
        })
    }

    /// Begins an attempt.
    ///
    /// # Errors
    /// When Redis can't.
    pub async fn begin(
        &self,
        subject: &Subject,
        id: Uuid,
        limit: &SignInLimit,
        now: Timestamp,
    ) -> RedisResult<Verdict> {
        let mut call = on(&self.attempt, subject);
        call.arg(now.as_millisecond()).arg(millis(limit.window)).arg(millis(limit.block)).arg(id.to_string());
        limits(&mut call, subject);
        let (until, last): (i64, i64) = call.invoke_async(&mut self.connection.clone()).await?;
        Ok(match until {
            0 => Verdict::Go(Attempt { id, last: last == 1 }),
            until => Verdict::Blocked { until: from_millis(until) },
        })
    }

    /// Takes an attempt back; after a right password its account's failures there as well.
    ///
    /// # Errors
    /// When Redis can't.
    pub async fn take_back(&self, subject: &Subject, attempt: &Attempt, right: bool) -> RedisResult<()> {
        let mut call = on(&self.take_back, subject);
        call.arg(attempt.id.to_string()).arg(i32::from(right));
        limits(&mut call, subject);
        call.invoke_async(&mut self.connection.clone()).await
    }

    /// When the latest block of each account ends.
    ///
    /// # Errors
    /// When Redis can't.
    pub async fn blocked_until(
        &self,
        accounts: &[Digest],
        now: Timestamp,
    ) -> RedisResult<Vec<Option<Timestamp>>> {
        let mut pipe = redis::pipe();
        for account in accounts {
            pipe.zrevrange_withscores(blocks(account), 0, 0);
        }
        let found: Vec<Vec<(String, f64)>> = pipe.query_async(&mut self.connection.clone()).await?;
        // Milliseconds since 1970 are exact in f64.
        let until = |blocks: Vec<(String, f64)>| blocks.first().map(|(_, until)| from_millis(*until as i64));
        Ok(found.into_iter().map(|blocks| until(blocks).filter(|until| *until > now)).collect())
    }

    /// Lifts every block of an account.
    ///
    /// # Errors
    /// When Redis can't.
    pub async fn lift(&self, account: &Digest) -> RedisResult<()> {
        let mut call = self.lift.prepare_invoke();
        call.key(blocks(account)).invoke_async(&mut self.connection.clone()).await
    }
}

fn on<'a>(script: &'a Script, subject: &Subject) -> ScriptInvocation<'a> {
    let mut call = script.prepare_invoke();
    call.key(blocks(&subject.account));
    for Counted { counter, .. } in subject.counted() {
        call.key(format!("signin:{counter}")).key(format!("signin:{counter}:block"));
    }
    call
}

fn limits(call: &mut ScriptInvocation<'_>, subject: &Subject) {
    for Counted { most, .. } in subject.counted() {
        call.arg(most);
    }
}

fn blocks(account: &Digest) -> String {
    format!("signin:blocks:{account}")
}

fn millis(duration: jiff::SignedDuration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn from_millis(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or(Timestamp::MAX)
}

impl core::fmt::Debug for RedisCounters {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("RedisCounters")
    }
}
