//! Keeps a fifth of the pool for voice calls. Without it, a caller on the telephone would wait behind everything else
//! that a busy database has queued.

use core::time::Duration;
use std::sync::Arc;

use caller::Priority;
use sea_orm::{ConnAcquireErr, DbErr};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// One in so many connections is kept for voice.
const RESERVED: u32 = 5;

/// The connections that anyone may use.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    shared: Arc<Semaphore>,
    patience: Duration,
}

/// The right to a connection, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _shared: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// Of a pool of so many connections; a call that waits longer than `patience` for a turn is refused. The wait for
    /// the connection itself comes on top.
    pub(crate) fn of(pool: u32, patience: Duration) -> Self {
        let shared = (pool - pool / RESERVED) as usize;
        Self { shared: Arc::new(Semaphore::new(shared)), patience }
    }

    /// Waits for a turn, first come first served. Voice needs none.
    ///
    /// # Errors
    /// When it takes too long: the same as of a pool that is exhausted.
    pub(crate) async fn take(&self, priority: Priority) -> Result<Turn, DbErr> {
        let shared = match priority {
            Priority::Voice => None,
            Priority::Normal => {
                let waited = timeout(self.patience, self.shared.clone().acquire_owned()).await;
                let permit = waited.map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))?;
                Some(permit.map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::ConnectionClosed))?)
            }
        };
        Ok(Turn { _shared: shared })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_fifth_is_kept_for_voice() {
        let turns = Turns::of(10, Duration::ZERO);
        let mut held = Vec::new();
        for _ in 0..8 {
            held.push(turns.take(Priority::Normal).await.unwrap());
        }
        let refused = turns.take(Priority::Normal).await.unwrap_err();
        assert!(crate::error::busy(&refused), "{refused}");
        turns.take(Priority::Voice).await.unwrap();
        held.pop();
        turns.take(Priority::Normal).await.unwrap();
    }

    #[tokio::test]
    async fn a_small_pool_keeps_no_connection() {
        let turns = Turns::of(2, Duration::ZERO);
        let _held =
            (turns.take(Priority::Normal).await.unwrap(), turns.take(Priority::Normal).await.unwrap());
        turns.take(Priority::Normal).await.unwrap_err();
    }
}
