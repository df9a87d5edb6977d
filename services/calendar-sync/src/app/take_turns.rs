//! Takes turns at what is due, a few at a time.

use core::time::Duration;
use std::sync::Arc;

use tokio::{sync::Notify, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tonic::async_trait;

use crate::error::Error;

/// Work that falls due, shared by all replicas: a turn is one replica's.
#[async_trait]
pub trait Turns: Send + Sync + 'static {
    /// One turn.
    type Turn: Send + 'static;

    /// How many turns one claim takes at most: more would be at one server.
    fn share(&self) -> usize;

    /// Takes at most `limit` turns that are due.
    async fn claim(&self, limit: usize) -> Result<Vec<Self::Turn>, Error>;

    /// Does the work of a turn, and keeps what came of it.
    async fn take(&self, turn: Self::Turn);
}

/// How turns are taken.
#[derive(Debug, Clone)]
pub struct Pace {
    /// Turns at once: one slow calendar holds up no other.
    pub at_once: usize,
    /// How often to look for what is due.
    pub every: Duration,
    /// That there may be something before that.
    pub hint: Arc<Notify>,
}

/// Works until it is asked to stop, and then ends what was begun.
pub async fn take_turns<T: Turns>(turns: Arc<T>, pace: Pace, shutdown: CancellationToken) {
    let mut running = JoinSet::new();
    while !shutdown.is_cancelled() {
        let free = pace.at_once - running.len();
        let share = free.min(turns.share());
        let claimed = if share > 0 { claim(turns.as_ref(), share).await } else { vec![] };
        let may_be_more = claimed.len() == share && share < free;
        for turn in claimed {
            let turns = turns.clone();
            running.spawn(async move { turns.take(turn).await });
        }
        if may_be_more {
            continue;
        }
        tokio::select! {
            () = shutdown.cancelled() => {}
            // Its place is free, and it may be due again already.
            Some(ended) = running.join_next() => log_panic(ended),
            () = pace.hint.notified() => {}
            () = tokio::time::sleep(pace.every) => {}
        }
    }
    while let Some(ended) = running.join_next().await {
        log_panic(ended);
    }
}

async fn claim<T: Turns>(turns: &T, limit: usize) -> Vec<T::Turn> {
    turns.claim(limit).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "what is due can't be read");
        vec![]
    })
}

/// The turn ends by itself; another one tries again. The error is not logged: it quotes the panic's
/// message, which may have values.
fn log_panic(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(panicked = error.is_panic(), "a turn was not ended");
    }
}
