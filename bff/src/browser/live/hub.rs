//! One reader per log, many sockets: recent changes in memory, and their fan-out.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::broadcast;

use super::{
    change::{Change, News},
    cursor::{Cursor, LOGS, Log},
};

/// Changes kept for those who come back.
const KEPT: usize = 4096;

/// What sockets are told.
#[derive(Debug, Clone)]
pub enum Word {
    /// News at a position of a log.
    News(Log, i64, Arc<News>),
    /// Something may have been missed: read everything again.
    Reset,
}

/// Where the news of all logs come together.
#[derive(Debug)]
pub struct Hub {
    state: Mutex<State>,
    sender: broadcast::Sender<Word>,
}

#[derive(Debug, Default)]
struct State {
    /// How far each log has been read.
    heads: Cursor,
    /// Of each log, everything after this is in `recent`.
    floors: Cursor,
    recent: VecDeque<(Log, i64, Arc<News>)>,
}

/// What a socket begins with.
#[derive(Debug)]
pub struct Resumed {
    /// Where the socket is now.
    pub cursor: Cursor,
    /// What it missed; `None` when that is not known any more.
    pub missed: Option<Vec<(Log, i64, Arc<News>)>>,
}

impl Hub {
    /// A hub that has heard of no log, for sockets that lag behind by at most so many changes.
    #[must_use]
    pub fn new(lag: usize) -> Self {
        Self { state: Mutex::default(), sender: broadcast::Sender::new(lag) }
    }

    /// Everything from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<Word> {
        self.sender.subscribe()
    }

    /// What was missed since `cursor`; nothing without one.
    #[must_use]
    pub fn resume(&self, cursor: Option<Cursor>) -> Resumed {
        let state = self.state();
        let missed = match cursor {
            None => Some(Vec::new()),
            Some(cursor) => state.since(cursor),
        };
        Resumed { cursor: state.heads, missed }
    }

    /// How far a log has been read.
    #[must_use]
    pub fn head(&self, log: Log) -> Option<i64> {
        self.state().heads.0[log]
    }

    /// A log was read up to `position`, where this was.
    pub fn news(&self, log: Log, position: i64, news: Option<News>) {
        let mut state = self.state();
        if !state.heads.advance(log, position) {
            return;
        }
        let Some(news) = news.map(Arc::new) else { return };
        if matches!(*news, News::Changed(_) | News::Membership(..)) {
            state.keep(log, position, news.clone());
        }
        // Sent under the lock, so that a resuming subscriber sees each change once.
        drop(self.sender.send(Word::News(log, position, news)));
    }

    /// A log is read from `position` on, and what was before is not known.
    pub fn restart(&self, log: Log, position: i64) {
        let mut state = self.state();
        state.recent.retain(|(of, ..)| *of != log);
        state.heads.0[log] = Some(position);
        state.floors.0[log] = Some(position);
        drop(self.sender.send(Word::Reset));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn keep(&mut self, log: Log, position: i64, news: Arc<News>) {
        if self.recent.len() == KEPT
            && let Some((log, position, _)) = self.recent.pop_front()
        {
            self.floors.0[log] = Some(position);
        }
        self.recent.push_back((log, position, news));
    }

    fn since(&self, cursor: Cursor) -> Option<Vec<(Log, i64, Arc<News>)>> {
        for log in 0..LOGS.len() {
            let (at, floor, head) = (cursor.0[log]?, self.floors.0[log]?, self.heads.0[log]?);
            if at < floor || at > head {
                return None;
            }
        }
        let missed = self.recent.iter().filter(|(log, position, _)| cursor.0[*log] < Some(*position));
        Some(missed.cloned().collect())
    }
}

impl News {
    /// The change, where there is one.
    #[must_use]
    pub fn change(&self) -> Option<&Change> {
        match self {
            Self::Changed(change) | Self::Membership(change, _) => Some(change),
            Self::SessionEnded(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proto::frontdesk::live::v1::Topic;

    use super::*;

    fn changed(id: i64) -> Option<News> {
        let business = uuid::Uuid::nil().into();
        Some(News::Changed(Change { business, topic: Topic::Calls, id: id.to_string() }))
    }

    fn hub() -> Hub {
        let hub = Hub::new(16);
        (0..LOGS.len()).for_each(|log| hub.restart(log, 100));
        hub
    }

    fn positions(resumed: &Resumed) -> Option<Vec<i64>> {
        resumed.missed.as_ref().map(|missed| missed.iter().map(|(_, position, _)| *position).collect())
    }

    #[test]
    fn who_comes_back_gets_what_was_missed_and_nothing_twice() {
        let hub = hub();
        let left = hub.resume(None).cursor;
        hub.news(2, 101, changed(1));
        let then = hub.resume(None).cursor;
        hub.news(3, 107, changed(2));
        hub.news(3, 107, changed(2));
        assert_eq!(positions(&hub.resume(Some(left))), Some(vec![101, 107]));
        assert_eq!(positions(&hub.resume(Some(then))), Some(vec![107]));
        assert_eq!(positions(&hub.resume(None)), Some(vec![]));
    }

    #[test]
    fn a_cursor_older_than_memory_or_of_another_life_is_reset() {
        let hub = hub();
        let left = hub.resume(None).cursor;
        (0..=KEPT as i64).for_each(|n| hub.news(2, 101 + n, changed(n)));
        assert_eq!(positions(&hub.resume(Some(left))), None);
        assert_eq!(positions(&hub.resume(Some(Cursor([Some(100); 4])))), None);
        assert_eq!(positions(&hub.resume(Some(Cursor([Some(i64::MAX); 4])))), None);
        assert_eq!(positions(&hub.resume(Some(Cursor::default()))), None);
    }

    #[test]
    fn nothing_is_known_of_a_log_that_began_anew() {
        let hub = hub();
        hub.news(2, 101, changed(1));
        let left = hub.resume(None).cursor;
        let mut listener = hub.listen();
        hub.restart(2, 500);
        assert!(matches!(listener.try_recv(), Ok(Word::Reset)));
        assert_eq!(positions(&hub.resume(Some(left))), None);
    }
}
