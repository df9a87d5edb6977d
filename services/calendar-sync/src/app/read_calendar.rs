//! Reads calendars and tells scheduling when their employees are busy.

mod tell;
mod together;

use core::time::Duration;
use std::sync::Mutex;

use boot::{clock::Clock, peer::Peer, random::jitter};
use caller::Worker;
use jiff::SignedDuration;
use tonic::async_trait;

use super::{report_sources::ReportSources, take_turns::Turns, taken_turns::TakenTurns};
use crate::{
    SERVICE,
    domain::{
        busy::{Change, Extent, Fact, MOST_BYTES, aside, facts},
        calendar::{self, Token},
        pause,
        read_apart::ReadApart,
        shortfall::Shortfall,
    },
    error::Error,
    measure::{Sync, Way},
    outside::{Cursor, Outside, ReadError, Then},
    store::{Read, ReadTurn, Reading, Store, Tx},
};

/// How long one call to a calendar or to scheduling may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Changes that are read in one turn, and of one side in a check.
pub(super) const MOST_CHANGES: usize = 50_000;

/// Reads calendars.
#[derive(Debug)]
pub struct Reader {
    /// How far calendars were read.
    pub store: Store,
    /// The calendars.
    pub outside: Outside,
    /// Who is told.
    pub scheduling: Peer,
    /// Tells it how reading goes.
    pub report: ReportSources,
    /// Tells the time.
    pub clock: Clock,
    /// How often each calendar is read.
    pub interval: Duration,
    /// Measures.
    pub sync: Sync,
    /// The turns that are taken.
    pub taken: TakenTurns,
    /// The connections to booking systems whose employees this process reads one by one.
    pub apart: Mutex<ReadApart>,
}

/// Why a calendar is out of step; what people are shown of it.
#[derive(Debug, thiserror::Error)]
enum Stopped {
    #[error(transparent)]
    Calendar(#[from] ReadError),
    #[error("scheduling did not take what was read: {0}")]
    Scheduling(String),
    #[error("reading took too long")]
    TooLong,
    #[error(transparent)]
    Here(#[from] Error),
}

/// What a calendar had to say.
struct Said {
    changes: Vec<Change>,
    extent: Extent,
    token: Token,
}

#[async_trait]
impl Turns for Reader {
    type Turn = Reading;

    fn share(&self) -> usize {
        self.taken.share()
    }

    async fn claim(&self, limit: usize) -> Result<Vec<Reading>, Error> {
        let apart = self.apart().at(self.clock.now());
        let readings = self.store.claim_reads(limit, self.interval, self.taken.full(), &apart).await?;
        let first = readings.iter().filter_map(Reading::first);
        first.for_each(|turn| self.taken.take(turn.place.business, &turn.server));
        Ok(readings)
    }

    async fn take(&self, reading: Reading) {
        match reading {
            Reading::Alone(turn) => self.take_alone(turn).await,
            Reading::Together(connection, turns) => self.take_together(connection, &turns).await,
        }
    }
}

impl Reader {
    async fn take_alone(&self, turn: ReadTurn) {
        let held = self.taken.held(turn.place.business, &turn.server);
        if turn.server.is_empty() && turn.kind != calendar::Kind::Demo {
            self.learn_server(&turn).await;
        }
        let read = self.read(&turn).await;
        match &read {
            Ok(()) if !turn.leaving => held.record(true),
            // Passwords that are wrong and access that was revoked say nothing of the server.
            Err(Stopped::Calendar(ReadError::Refused(_))) => held.record(true),
            Err(Stopped::Calendar(ReadError::Failed(_))) => held.record(false),
            _ => {}
        }
        self.settle(&turn, read).await;
    }

    /// Keeps what became of a reading, unless it was kept as it ended.
    async fn settle(&self, turn: &ReadTurn, read: Result<(), Stopped>) {
        let kept = match read {
            Ok(()) => Ok(()),
            Err(Stopped::Calendar(ReadError::Later(wait))) => self.hand_back(turn, wait).await,
            Err(stopped) => self.put_off(turn, &stopped).await,
        };
        if let Err(error) = kept {
            // The turn ends by itself, and telling again changes nothing.
            tracing::warn!(%error, "what became of a read was not kept");
        }
    }

    async fn read(&self, turn: &ReadTurn) -> Result<(), Stopped> {
        if turn.leaving {
            return self.leave(turn).await;
        }
        let said = self.listen(turn).await?;
        self.keep(turn, said).await
    }

    /// Tells scheduling what a calendar said, and keeps that it was read.
    async fn keep(&self, turn: &ReadTurn, said: Said) -> Result<(), Stopped> {
        let read = Read {
            extent: said.extent,
            objects: said.changes.iter().map(|change| change.id.clone()).collect(),
            aside: aside(&said.changes),
            token: said.token.clone(),
        };
        let told = self.news(turn, said).await?;
        let shortfalls = self.tell(turn, &told).await?;
        let tx = self.begin(turn);
        tx.save_read(turn, &told, &shortfalls, &read).await?;
        tx.commit().await?;
        self.measure(&told, &shortfalls);
        Ok(())
    }

    /// Takes back what was told of a calendar, and forgets it once nothing is to be taken out of it.
    async fn leave(&self, turn: &ReadTurn) -> Result<(), Stopped> {
        let tx = self.begin(turn);
        let is_released = tx.is_released(turn.place.calendar).await?;
        tx.commit().await?;
        if !is_released {
            self.release(turn).await?;
        }
        let tx = self.begin(turn);
        tx.delete_calendar(turn).await?;
        Ok(tx.commit().await?)
    }

    /// Its employee is free whenever the calendar alone says otherwise.
    async fn release(&self, turn: &ReadTurn) -> Result<(), Stopped> {
        if tokio::time::timeout(PATIENCE, self.outside.keeper(turn.kind).leave(turn.place)).await.is_err() {
            tracing::warn!(calendar = %turn.place.calendar, "a calendar that is being disconnected did not answer");
        }
        let tx = self.begin(turn);
        let told = tx.told_events(turn.place.calendar).await?;
        tx.commit().await?;
        let gone: Vec<Fact> = told.into_iter().map(|id| Fact { id, since: None, busy: None }).collect();
        self.tell(turn, &gone).await?;
        let left = self.report.leave(turn, self.clock.now()).await;
        left.map_err(|status| Stopped::Scheduling(status.message().to_owned()))?;
        let tx = self.begin(turn);
        tx.save_released(turn.place.calendar).await?;
        Ok(tx.commit().await?)
    }

    fn begin(&self, turn: &ReadTurn) -> Tx {
        self.store.begin(&Worker::new(SERVICE, turn.place.business))
    }

    /// What scheduling is told now: what changed, and what it is to be told again.
    async fn news(&self, turn: &ReadTurn, said: Said) -> Result<Vec<Fact>, Error> {
        let tx = self.begin(turn);
        let news = if said.extent == Extent::Changes && said.changes.is_empty() {
            vec![]
        } else {
            facts(said.changes, said.extent, &tx.told_events(turn.place.calendar).await?)
        };
        let mut told = tx.due_shortfalls(turn.place.calendar).await?;
        tx.commit().await?;
        told.retain(|again| news.iter().all(|fact| fact.id != again.id));
        told.extend(news);
        Ok(told)
    }

    fn measure(&self, told: &[Fact], shortfalls: &[Shortfall]) {
        self.sync.done(Way::Read);
        told.iter().filter_map(|fact| fact.since).for_each(|since| self.sync.arrived(Way::Read, since));
        shortfalls.iter().for_each(|shortfall| self.sync.fell_short(&shortfall.reason));
    }

    /// What changed since the last time, or all there is when that can't be told.
    async fn listen(&self, turn: &ReadTurn) -> Result<Said, ReadError> {
        if let Some(token) = turn.token.clone() {
            match self.pages(turn, Cursor::Since(token)).await {
                Err(ReadError::InvalidToken) => {
                    // Some systems have no tokens: it is so each time.
                    tracing::debug!(calendar = %turn.place.calendar, "the token is no longer valid: reading all");
                }
                Err(other) => return Err(other),
                Ok(said) => return Ok(said),
            }
        }
        let all = self.pages(turn, Cursor::Beginning).await?;
        Ok(Said { extent: Extent::Whole, ..all })
    }

    async fn pages(&self, turn: &ReadTurn, mut cursor: Cursor) -> Result<Said, ReadError> {
        let keeper = self.outside.keeper(turn.kind);
        let (mut changes, mut bytes) = (vec![], 0);
        loop {
            // However many pages a server gives: reading ends with the turn, and within memory.
            let is_much = changes.len() > MOST_CHANGES || bytes > MOST_BYTES;
            if !turn.lease.covers(self.clock.now(), PATIENCE) || is_much {
                return Err(ReadError::Failed("it lists more than can be read in a turn".to_owned()));
            }
            let page = tokio::time::timeout(PATIENCE, keeper.changes(turn.place, cursor)).await;
            let late = |_| ReadError::Failed("it did not answer in time".to_owned());
            let page = page.map_err(late)??;
            bytes += page.changes.iter().map(Change::bytes).sum::<usize>();
            changes.extend(page.changes.into_iter().map(Change::kept));
            if turn.token.is_none() && !changes.is_empty() {
                self.progress(turn, changes.len()).await;
            }
            match page.then {
                Then::More(next) => cursor = Cursor::Next(next),
                Then::End(token) => return Ok(Said { changes, extent: Extent::Changes, token }),
                Then::Whole(token) => return Ok(Said { changes, extent: Extent::Whole, token }),
            }
        }
    }

    /// From its next turn on, the calendar counts for its server as well.
    async fn learn_server(&self, turn: &ReadTurn) {
        let tx = self.begin(turn);
        let learnt = async {
            tx.learn_server(turn.place.calendar).await?;
            tx.commit().await
        };
        if let Err(error) = learnt.await {
            tracing::warn!(%error, "at which server a calendar is was not kept");
        }
    }

    /// A person may watch the first reading; it goes on where that can't be kept.
    async fn progress(&self, turn: &ReadTurn, entries: usize) {
        let tx = self.begin(turn);
        let kept = async {
            tx.save_progress(turn, entries).await?;
            tx.commit().await
        };
        if let Err(error) = kept.await {
            tracing::warn!(%error, "how far a reading has come was not kept");
        }
    }

    /// Nothing went wrong: another turn comes.
    async fn hand_back(&self, turn: &ReadTurn, wait: SignedDuration) -> Result<(), Error> {
        let tx = self.begin(turn);
        tx.hand_back_read(turn, self.clock.now() + wait).await?;
        tx.commit().await
    }

    async fn put_off(&self, turn: &ReadTurn, stopped: &Stopped) -> Result<(), Error> {
        let (calendar, failures) = (turn.place.calendar, turn.failures.saturating_add(1));
        tracing::warn!(%calendar, reason = %stopped, failures, "a calendar was not read");
        self.sync.failed(Way::Read);
        let pause = jitter(pause::after(failures, self.interval));
        let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::ZERO);
        let now = self.clock.now();
        let asked_until = match stopped {
            Stopped::Calendar(ReadError::Resting(wait)) => Some(now + *wait),
            _ => None,
        };
        let again = asked_until.map_or(now + pause, |until| until.max(now + pause));
        let tx = self.begin(turn);
        tx.save_read_failure(turn, &told_of(turn.kind, stopped), again, asked_until).await?;
        tx.commit().await
    }
}

/// Why a calendar is not read, for people, who know what lies in a booking system as that.
fn told_of(kind: calendar::Kind, stopped: &Stopped) -> String {
    let reason = stopped.to_string();
    match (kind, reason.strip_prefix("the calendar ")) {
        (calendar::Kind::Provider, Some(rest)) => format!("the booking system {rest}"),
        _ => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_names_a_booking_system_as_such() {
        let stopped = || Stopped::from(ReadError::Failed("Square answers 503".to_owned()));
        let told = |kind| told_of(kind, &stopped());
        assert_eq!(told(calendar::Kind::Provider), "the booking system can't be read: Square answers 503");
        assert_eq!(told(calendar::Kind::Caldav), "the calendar can't be read: Square answers 503");
    }
}
