//! Reads the appointments of several employees of one connection to a booking system in one turn: each list is asked for
//! once, and what it has is told for each of them by itself.

use std::sync::{MutexGuard, PoisonError};

use futures::{StreamExt, stream};
use jiff::SignedDuration;

use super::{MOST_CHANGES, PATIENCE, Reader, Said, Stopped};
use crate::{
    domain::{
        ConnectionId,
        busy::{Change, Extent, MOST_BYTES},
        calendar::{Place, Token},
        read_apart::ReadApart,
    },
    outside::{Cursor, ReadError, Then},
    store::ReadTurn,
};

/// Employees whom scheduling is told of at once.
const AT_ONCE: usize = 4;

impl Reader {
    pub(super) fn apart(&self) -> MutexGuard<'_, ReadApart> {
        self.apart.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn take_together(&self, connection: ConnectionId, turns: &[ReadTurn]) {
        let Some(first) = turns.first() else { return };
        let held = self.taken.held(first.place.business, &first.server);
        match self.listen_together(turns).await {
            Ok(said) => {
                held.record(true);
                let keeping = turns.iter().zip(said).map(|(turn, said)| self.keep_in_time(turn, said));
                let keeping: Vec<_> = keeping.collect();
                let in_time: Vec<bool> = stream::iter(keeping).buffer_unordered(AT_ONCE).collect().await;
                if in_time.iter().all(|in_time| *in_time) {
                    self.apart().succeeded(connection);
                } else {
                    self.apart().failed(connection, self.clock.now());
                }
            }
            Err(ReadError::Later(wait)) => self.hand_all_back(turns, wait).await,
            Err(error) => {
                // It says nothing of any of them: each is read alone next, and that says how it is.
                tracing::warn!(%connection, %error, "employees of a booking system were not read together");
                if matches!(error, ReadError::Failed(_)) {
                    held.record(false);
                }
                self.apart().failed(connection, self.clock.now());
                self.hand_all_back(turns, SignedDuration::ZERO).await;
            }
        }
    }

    /// Keeps what one of them said; `false` where the others took all the time there was, so that it is read again.
    async fn keep_in_time(&self, turn: &ReadTurn, said: Said) -> bool {
        let kept = if turn.lease.covers(self.clock.now(), PATIENCE) {
            self.keep(turn, said).await
        } else {
            Err(Stopped::TooLong)
        };
        let in_time = !matches!(kept, Err(Stopped::TooLong));
        let read = if in_time { kept } else { Err(ReadError::Later(SignedDuration::ZERO).into()) };
        self.settle(turn, read).await;
        in_time
    }

    async fn hand_all_back(&self, turns: &[ReadTurn], wait: SignedDuration) {
        for turn in turns {
            self.settle(turn, Err(ReadError::Later(wait).into())).await;
        }
    }

    /// What changed since the first of them was read up to, or all there is when that can't be told.
    async fn listen_together(&self, turns: &[ReadTurn]) -> Result<Vec<Said>, ReadError> {
        let Some(first) = turns.first() else { return Ok(vec![]) };
        let read_up_to: Vec<&Token> = turns.iter().filter_map(|turn| turn.token.as_ref()).collect();
        let cursor = self.outside.employees().cursor_of_all(first.place, &read_up_to).await?;
        if cursor != Cursor::Beginning {
            match self.pages_together(turns, cursor).await {
                Err(ReadError::InvalidToken) => {}
                other => return other,
            }
        }
        let all = self.pages_together(turns, Cursor::Beginning).await?;
        Ok(all.into_iter().map(|said| Said { extent: Extent::Whole, ..said }).collect())
    }

    async fn pages_together(&self, turns: &[ReadTurn], mut cursor: Cursor) -> Result<Vec<Said>, ReadError> {
        let places: Vec<Place> = turns.iter().map(|turn| turn.place).collect();
        let mut of_each: Vec<Vec<Change>> = vec![vec![]; turns.len()];
        let (mut count, mut bytes) = (0, 0);
        loop {
            // All of them together take no more time and memory than one may.
            let is_over = turns.iter().any(|turn| !turn.lease.covers(self.clock.now(), PATIENCE));
            if is_over || count > MOST_CHANGES || bytes > MOST_BYTES {
                return Err(ReadError::Failed("it lists more than can be read in a turn".to_owned()));
            }
            let page =
                tokio::time::timeout(PATIENCE, self.outside.employees().changes_of_all(&places, cursor));
            let late = |_| ReadError::Failed("it did not answer in time".to_owned());
            let (found, then) = page.await.map_err(late)??;
            for (changes, found) in of_each.iter_mut().zip(found) {
                count += found.len();
                bytes += found.iter().map(Change::bytes).sum::<usize>();
                changes.extend(found);
            }
            match then {
                Then::More(next) => cursor = Cursor::Next(next),
                Then::End(token) | Then::Whole(token) => {
                    let said = |changes| Said { changes, extent: Extent::Changes, token: token.clone() };
                    return Ok(of_each.into_iter().map(said).collect());
                }
            }
        }
    }
}
