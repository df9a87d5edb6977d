//! Writes what employees have to do into their calendars.

use core::time::Duration;

use boot::{clock::Clock, random::jitter, telemetry::set_parent};
use caller::Worker;
use jiff::SignedDuration;
use tonic::async_trait;
use tracing::Instrument;

use super::{take_turns::Turns, taken_turns::TakenTurns};
use crate::{
    SERVICE,
    domain::{event::Etag, pause},
    error::Error,
    measure::{Sync, Way},
    outside::{Outside, WriteError},
    store::{Rests, Store, WriteTurn},
};

/// How often the plan is polled. A poll is one indexed query, and a person may be waiting.
pub const POLL: Duration = Duration::from_millis(200);
/// How long one call to a calendar may take.
const PATIENCE: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// Changes by others that are written over in one turn.
const ATTEMPTS: usize = 3;

/// Writes to calendars.
#[derive(Debug)]
pub struct Writer {
    /// What is planned.
    pub store: Store,
    /// The calendars.
    pub outside: Outside,
    /// Tells the time.
    pub clock: Clock,
    /// Measures.
    pub sync: Sync,
    /// The turns that are taken.
    pub taken: TakenTurns,
}

/// Why an event was not written.
#[derive(Debug)]
enum Stopped {
    /// It is tried again.
    Failed(String),
    /// It is tried again, and so is whatever else waits for its calendar, no sooner.
    Unreachable(String),
    /// Nothing went wrong: another turn comes.
    Later(SignedDuration),
    /// It waits for a person.
    Refused(String),
}

impl Stopped {
    fn unreachable(reason: &str) -> Self {
        Self::Unreachable(reason.to_owned())
    }
}

#[async_trait]
impl Turns for Writer {
    type Turn = WriteTurn;

    fn share(&self) -> usize {
        self.taken.share()
    }

    async fn claim(&self, limit: usize) -> Result<Vec<WriteTurn>, Error> {
        let turns = self.store.claim_writes(limit, self.taken.full()).await?;
        turns.iter().for_each(|turn| self.taken.take(turn.place.business, &turn.server));
        Ok(turns)
    }

    /// In the trace of what made it due.
    async fn take(&self, turn: WriteTurn) {
        let span = tracing::info_span!(
            "calendar write",
            calendar.id = %turn.place.calendar,
            calendar.kind = turn.kind.name(),
            event.id = %turn.event.id,
            event.removed = turn.removed,
            error.type = tracing::field::Empty,
        );
        if let Some(traceparent) = &turn.traceparent {
            set_parent(&span, traceparent);
        }
        let held = self.taken.held(turn.place.business, &turn.server);
        async {
            let written = self.write(&turn).await;
            match &written {
                Ok(_) => held.record(true),
                Err(Stopped::Unreachable(_)) => held.record(false),
                Err(_) => {}
            }
            let kept = match written {
                Ok(etag) => {
                    self.sync.arrived(Way::Write, turn.since);
                    self.sync.done(Way::Write);
                    tracing::info!(calendar = %turn.place.calendar, event = %turn.event.id, "a calendar was written");
                    self.keep(&turn, etag).await
                }
                Err(stopped) => self.stop(&turn, &stopped).await,
            };
            if let Err(error) = kept {
                // The turn ends by itself, and writing again changes nothing.
                tracing::warn!(%error, "what became of a write was not kept");
            }
        }
        .instrument(span)
        .await;
    }
}

impl Writer {
    /// Puts or deletes the event. Changes that others made to our event are overwritten: the
    /// appointment is authoritative.
    async fn write(&self, turn: &WriteTurn) -> Result<Option<Etag>, Stopped> {
        let mut expected = turn.etag.clone();
        for _ in 0..ATTEMPTS {
            if !turn.lease.covers(self.clock.now(), PATIENCE) {
                return Err(Stopped::unreachable("the calendar took too long"));
            }
            let attempt = tokio::time::timeout(PATIENCE, self.attempt(turn, expected.take())).await;
            match attempt.map_err(|_| Stopped::unreachable("the calendar did not answer in time"))? {
                Ok(etag) => return Ok(etag),
                Err(WriteError::Changed(current)) => expected = Some(current),
                Err(WriteError::Failed(reason)) => return Err(Stopped::Failed(reason)),
                Err(WriteError::Unreachable(reason)) => return Err(Stopped::Unreachable(reason)),
                Err(WriteError::Later(wait)) => return Err(Stopped::Later(wait)),
                Err(WriteError::Refused(reason)) => return Err(Stopped::Refused(reason)),
            }
        }
        Err(Stopped::Failed("the event keeps changing in the calendar".to_owned()))
    }

    async fn attempt(&self, turn: &WriteTurn, expected: Option<Etag>) -> Result<Option<Etag>, WriteError> {
        let keeper = self.outside.keeper(turn.kind);
        if turn.removed {
            keeper.delete(turn.place, &turn.event.id, expected).await.map(|()| None)
        } else {
            keeper.put(turn.place, turn.event.clone(), expected).await.map(Some)
        }
    }

    async fn keep(&self, turn: &WriteTurn, etag: Option<Etag>) -> Result<(), Error> {
        let tx = self.store.begin(&Worker::new(SERVICE, turn.place.business));
        tx.save_written(turn, etag).await?;
        tx.commit().await
    }

    async fn stop(&self, turn: &WriteTurn, stopped: &Stopped) -> Result<(), Error> {
        if !matches!(stopped, Stopped::Later(_)) {
            tracing::Span::current().record("error.type", "calendar");
        }
        match stopped {
            Stopped::Later(wait) => self.hand_back(turn, *wait).await,
            Stopped::Failed(reason) => self.put_off(turn, reason, Rests::Event).await,
            Stopped::Unreachable(reason) => self.put_off(turn, reason, Rests::Calendar).await,
            Stopped::Refused(reason) => self.park(turn, reason).await,
        }
    }

    async fn hand_back(&self, turn: &WriteTurn, wait: SignedDuration) -> Result<(), Error> {
        let tx = self.store.begin(&Worker::new(SERVICE, turn.place.business));
        tx.hand_back_write(turn, self.clock.now() + wait).await?;
        tx.commit().await
    }

    /// One event that is refused stops no other.
    async fn park(&self, turn: &WriteTurn, reason: &str) -> Result<(), Error> {
        tracing::warn!(reason, "a calendar refused an event, which waits for a person");
        self.sync.refused();
        let tx = self.store.begin(&Worker::new(SERVICE, turn.place.business));
        tx.park_write(turn, reason).await?;
        tx.commit().await
    }

    async fn put_off(&self, turn: &WriteTurn, reason: &str, rests: Rests) -> Result<(), Error> {
        tracing::warn!(reason, failures = turn.failures + 1, "a calendar was not written");
        self.sync.failed(Way::Write);
        let pause = jitter(pause::after(turn.failures.saturating_add(1), FIRST_PAUSE));
        let again = self.clock.now() + SignedDuration::try_from(pause).unwrap_or(SignedDuration::ZERO);
        let tx = self.store.begin(&Worker::new(SERVICE, turn.place.business));
        tx.save_write_failure(turn, reason, again, rests).await?;
        tx.commit().await
    }
}
