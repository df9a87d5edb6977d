//! Looking after the cache as a whole, as its panel does.

use core::time::Duration;
use std::time::Instant;

use crate::{
    Cache, Kind, Open, Unreachable,
    connection::Connection,
    operation::{Outcome, Verb},
    place::{Generation, PREFIX},
};

const TEST: Kind = Kind::new("test");
/// Keys that one step of a scan looks at.
const STEP: usize = 1000;
/// Steps of a count; what lies beyond is not counted.
const MOST_STEPS: usize = 100;
/// What is left of a test that was cut off goes by itself.
const TEST_LIFE: Duration = Duration::from_secs(10);

/// How Redis does, as it says itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Health {
    /// It answers.
    Connected {
        /// How long it took to answer a PING.
        ping: Duration,
        /// `used_memory_human` of all it keeps.
        memory: String,
        /// Keys of the cache, without those of other users of Redis; counts at most about a hundred
        /// thousand.
        keys: u64,
    },
    /// It does not, or there is none.
    Disconnected,
}

impl Cache {
    /// Asks Redis how it does.
    pub async fn health(&self) -> Health {
        let Some(open) = &self.open else { return Health::Disconnected };
        health(&open.redis).await.unwrap_or(Health::Disconnected)
    }

    /// Removes every key of the cache, and no other; says how many.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn clear(&self) -> Result<u64, Unreachable> {
        let redis = &self.open.as_ref().ok_or(Unreachable::None)?.redis;
        let (mut cursor, mut removed) = (0, 0);
        loop {
            let (next, keys) = scan(redis, cursor).await?;
            if !keys.is_empty() {
                let mut pipeline = redis::pipe();
                pipeline.unlink(keys);
                let (gone,): (u64,) = redis.ask_patiently(&pipeline).await?;
                removed += gone;
            }
            if next == 0 {
                return Ok(removed);
            }
            cursor = next;
        }
    }

    /// As [`Self::clear`], after which a service may start on another state of its database; nothing where there is
    /// no cache.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn forget_all(&self) -> Result<(), Unreachable> {
        match self.clear().await {
            Ok(_) | Err(Unreachable::None) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Writes, reads and removes one entry; whether it came back as it went.
    ///
    /// # Errors
    /// When Redis does not answer.
    pub async fn test(&self) -> Result<bool, Unreachable> {
        let open = self.open.as_ref().ok_or(Unreachable::None)?;
        let key = format!("{PREFIX}{}:{}:{}", self.service, TEST.name(), self.clock.new_id());
        let began = Instant::now();
        let tested = round_trip(open, &key).await;
        let outcome = if matches!(tested, Ok(true)) { Outcome::Removed } else { Outcome::Error };
        self.record(open, TEST, Verb::Test, outcome, &key, began.elapsed());
        tested
    }
}

async fn health(redis: &Connection) -> Result<Health, Unreachable> {
    let mut ping = redis::pipe();
    ping.ping().ignore();
    // Connecting is not part of an answer's time.
    redis.ask_patiently::<()>(&ping).await?;
    let began = Instant::now();
    redis.ask_patiently::<()>(&ping).await?;
    let ping = began.elapsed();
    let mut pipeline = redis::pipe();
    pipeline.cmd("INFO").arg("memory");
    let (info,): (String,) = redis.ask_patiently(&pipeline).await?;
    let memory = info.lines().find_map(|line| line.strip_prefix("used_memory_human:"));
    let memory = memory.map(str::trim).unwrap_or_default().to_owned();
    Ok(Health::Connected { ping, memory, keys: count(redis).await? })
}

async fn count(redis: &Connection) -> Result<u64, Unreachable> {
    let (mut cursor, mut counted) = (0, 0);
    for _ in 0..MOST_STEPS {
        let (next, keys) = scan(redis, cursor).await?;
        counted += keys.len() as u64;
        if next == 0 {
            break;
        }
        cursor = next;
    }
    Ok(counted)
}

async fn scan(redis: &Connection, cursor: u64) -> Result<(u64, Vec<String>), Unreachable> {
    let mut pipeline = redis::pipe();
    pipeline.cmd("SCAN").arg(cursor).arg("MATCH").arg(format!("{PREFIX}*")).arg("COUNT").arg(STEP);
    let (found,) = redis.ask_patiently(&pipeline).await?;
    Ok(found)
}

async fn round_trip(open: &Open, key: &str) -> Result<bool, Unreachable> {
    let written = Generation::draw();
    let mut pipeline = redis::pipe();
    pipeline.set_ex(key, written.bytes(), TEST_LIFE.as_secs()).ignore().get(key).del(key);
    let (read, removed): (Option<Vec<u8>>, u64) = open.redis.ask_patiently(&pipeline).await?;
    Ok(read.as_deref().and_then(Generation::parse) == Some(written) && removed == 1)
}
