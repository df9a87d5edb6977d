//! Redis, with an end to everybody's patience.

use core::time::Duration;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use redis::{
    Client, FromRedisValue, Pipeline, RedisError, RedisResult,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

/// How long a call waits for the cache before it does without.
pub const PATIENCE: Duration = Duration::from_millis(50);
/// After a failure readers leave Redis alone for so long.
const REST: Duration = Duration::from_secs(1);
/// How long a request to Redis may take when no call waits for it.
const LONG_PATIENCE: Duration = Duration::from_secs(2);

/// Redis did not answer as it should.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// The service was given none.
    #[error("no cache is configured")]
    None,
    /// It can't be reached, or refused.
    #[error("the cache can’t be reached")]
    Failed(#[from] RedisError),
    /// It took too long.
    #[error("the cache took too long to answer")]
    Slow,
    /// It failed a moment ago.
    #[error("the cache failed a moment ago")]
    Resting,
}

/// One multiplexed connection, made when it is first needed and again when it is lost.
#[derive(Clone)]
pub(crate) struct Connection {
    manager: ConnectionManager,
    rest: Arc<Mutex<Option<Instant>>>,
}

impl core::fmt::Debug for Connection {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// A connection to be made. Needs a runtime.
    pub(crate) fn open(client: &Client) -> RedisResult<Self> {
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(LONG_PATIENCE))
            .set_response_timeout(Some(LONG_PATIENCE))
            // The rest between attempts is ours.
            .set_number_of_retries(0);
        let manager = ConnectionManager::new_lazy_with_config(client.clone(), config)?;
        Ok(Self { manager, rest: Arc::default() })
    }

    /// Asks while a call waits: not at all while Redis rests.
    pub(crate) async fn ask<T: FromRedisValue>(&self, pipeline: &Pipeline) -> Result<T, Unreachable> {
        if self.rests() {
            return Err(Unreachable::Resting);
        }
        let answer = self.within(PATIENCE, pipeline).await;
        *self.lock() = answer.is_err().then(|| Instant::now() + REST);
        answer
    }

    /// Tells Redis what it has to know, rested or not, while a call waits.
    pub(crate) async fn tell(&self, pipeline: &Pipeline) -> Result<(), Unreachable> {
        self.within(PATIENCE, pipeline).await
    }

    /// Asks with the long timeout: for background work, or to measure how slow Redis is.
    pub(crate) async fn ask_patiently<T: FromRedisValue>(
        &self,
        pipeline: &Pipeline,
    ) -> Result<T, Unreachable> {
        self.within(LONG_PATIENCE, pipeline).await
    }

    async fn within<T: FromRedisValue>(
        &self,
        patience: Duration,
        pipeline: &Pipeline,
    ) -> Result<T, Unreachable> {
        let mut manager = self.manager.clone();
        let answer = tokio::time::timeout(patience, pipeline.query_async(&mut manager)).await;
        Ok(answer.map_err(|_| Unreachable::Slow)??)
    }

    fn rests(&self) -> bool {
        self.lock().is_some_and(|until| Instant::now() < until)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
