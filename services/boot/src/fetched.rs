//! What another party publishes, such as its keys: fetched when first needed, sparingly after, and
//! believed while that party is away.

use core::fmt::{Debug, Display};
use std::sync::{Arc, PoisonError, RwLock};

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::clock::Clock;

/// How often the other party is asked.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// What was fetched is believed this long without asking.
    pub fresh: SignedDuration,
    /// From one fetch to the next, whatever is missing from what was fetched.
    pub pause: SignedDuration,
    /// The same while nothing was ever fetched.
    pub outage: SignedDuration,
}

/// A value of another party's.
pub struct Fetched<T> {
    pace: Pace,
    clock: Clock,
    kept: RwLock<Option<Kept<T>>>,
    /// When the last fetch ended. The task that holds the lock fetches; the others wait for its
    /// outcome.
    asked: Mutex<Option<Timestamp>>,
}

struct Kept<T> {
    value: Arc<T>,
    at: Timestamp,
    /// How often it had been fetched before.
    round: u64,
}

/// There is no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotFetched<E> {
    /// It was asked for, and this came of it.
    #[error("{0}")]
    Failed(E),
    /// It was asked for a moment ago, in vain.
    #[error("it was away a moment ago")]
    Away,
}

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), at: self.at, round: self.round }
    }
}

impl<T> Debug for Fetched<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Fetched").field("pace", &self.pace).finish_non_exhaustive()
    }
}

impl<T> Fetched<T> {
    /// Nothing yet.
    #[must_use]
    pub fn new(pace: Pace, clock: Clock) -> Self {
        Self { pace, clock, kept: RwLock::new(None), asked: Mutex::new(None) }
    }

    /// The last fetched value, however old, without fetching.
    #[must_use]
    pub fn known(&self) -> Option<Arc<T>> {
        self.kept().map(|kept| kept.value)
    }

    /// Whether a fetch is due and none is under way.
    #[must_use]
    pub fn is_due(&self) -> bool {
        let kept = self.kept();
        let fresh = kept.as_ref().is_some_and(|kept| self.is_within(self.pace.fresh, kept.at));
        !fresh && self.asked.try_lock().is_ok_and(|asked| !self.pauses(*asked, kept.is_some()))
    }

    /// What is known if it is fresh and `suits`, else what `fetch` brings. One fetches for all who
    /// wait, and only after a pause; when it fails, what was known before is believed on.
    ///
    /// # Errors
    /// [`NotFetched`] when nothing was ever fetched.
    pub async fn get<E: Display>(
        &self,
        suits: impl Fn(&T) -> bool,
        fetch: impl Future<Output = Result<T, E>>,
    ) -> Result<Arc<T>, NotFetched<E>> {
        let seen = self.kept();
        if let Some(kept) = &seen
            && self.is_within(self.pace.fresh, kept.at)
            && suits(&kept.value)
        {
            return Ok(kept.value.clone());
        }
        let mut asked = self.asked.lock().await;
        let kept = self.kept();
        let renewed = kept.as_ref().map(|kept| kept.round) > seen.map(|kept| kept.round);
        if renewed || self.pauses(*asked, kept.is_some()) {
            return kept.map(|kept| kept.value).ok_or(NotFetched::Away);
        }
        let fetched = fetch.await;
        // The pause begins now, so that tasks that waited for this fetch do not fetch again in turn.
        let now = self.clock.now();
        *asked = Some(now);
        match (fetched, kept) {
            (Ok(value), kept) => {
                let value = Arc::new(value);
                let round = kept.map_or(0, |kept| kept.round + 1);
                let renewed = Kept { value: value.clone(), at: now, round };
                *self.kept.write().unwrap_or_else(PoisonError::into_inner) = Some(renewed);
                Ok(value)
            }
            (Err(error), Some(kept)) => {
                tracing::warn!(%error, "what is known could not be renewed");
                Ok(kept.value)
            }
            (Err(error), None) => Err(NotFetched::Failed(error)),
        }
    }

    fn kept(&self) -> Option<Kept<T>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn pauses(&self, asked: Option<Timestamp>, known: bool) -> bool {
        let pause = if known { self.pace.pause } else { self.pace.outage };
        asked.is_some_and(|at| self.is_within(pause, at))
    }

    /// Whether `at` is not longer ago than `time`; a clock set back does not count.
    fn is_within(&self, time: SignedDuration, at: Timestamp) -> bool {
        (SignedDuration::ZERO..time).contains(&self.clock.now().duration_since(at))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::sync::Notify;

    use super::*;
    use crate::clock::TestClock;

    const PACE: Pace = Pace {
        fresh: SignedDuration::from_mins(5),
        pause: SignedDuration::from_secs(10),
        outage: SignedDuration::from_secs(1),
    };

    fn nothing_yet() -> (Fetched<u32>, TestClock) {
        let (clock, time) = Clock::test("2026-06-01T08:00:00Z".parse().unwrap());
        (Fetched::new(PACE, clock), time)
    }

    async fn got(fetched: &Fetched<u32>, outcome: Result<u32, &'static str>) -> Result<u32, String> {
        let got = fetched.get(|_| true, async move { outcome }).await;
        got.map(|value| *value).map_err(|error| error.to_string())
    }

    const AWAY: &str = "it was away a moment ago";

    #[tokio::test]
    async fn what_is_fresh_is_not_asked_for_and_what_is_stale_is_believed_while_its_source_is_away() {
        let (fetched, time) = nothing_yet();
        assert_eq!(got(&fetched, Ok(1)).await, Ok(1));
        time.advance(SignedDuration::from_secs(299));
        assert_eq!(got(&fetched, Ok(2)).await, Ok(1));
        time.advance(SignedDuration::from_secs(1));
        assert_eq!(got(&fetched, Err("down")).await, Ok(1));
        assert_eq!(got(&fetched, Ok(3)).await, Ok(1), "it was asked a moment ago");
        time.advance(SignedDuration::from_secs(10));
        assert_eq!(got(&fetched, Ok(4)).await, Ok(4));
    }

    #[tokio::test]
    async fn what_does_not_suit_is_asked_for_once_in_a_pause() {
        let (fetched, time) = nothing_yet();
        assert_eq!(got(&fetched, Ok(1)).await, Ok(1));
        let suited = async |value| {
            *fetched.get(|have| *have == value, async move { Ok::<_, &str>(value) }).await.unwrap()
        };
        assert_eq!(suited(2).await, 1);
        time.advance(SignedDuration::from_secs(10));
        assert_eq!((suited(2).await, suited(3).await), (2, 2));
    }

    #[tokio::test]
    async fn who_waited_for_a_fetch_that_failed_does_not_fetch_in_turn() {
        let (fetched, time) = nothing_yet();
        let (begun, fail, asked) = (Notify::new(), Notify::new(), AtomicUsize::new(0));
        let ask = || {
            fetched.get(|_| true, async {
                asked.fetch_add(1, Ordering::SeqCst);
                begun.notify_one();
                fail.notified().await;
                // The source takes longer to fail than the pause.
                time.advance(SignedDuration::from_secs(10));
                Err::<u32, _>("down")
            })
        };
        let ending = async {
            begun.notified().await;
            fail.notify_one();
        };
        let (first, second, third, ()) = tokio::join!(ask(), ask(), ask(), ending);
        assert_eq!(first, Err(NotFetched::Failed("down")));
        assert_eq!((second, third), (Err(NotFetched::Away), Err(NotFetched::Away)));
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        assert_eq!(got(&fetched, Ok(1)).await, Err(AWAY.to_owned()));
        time.advance(SignedDuration::from_secs(1));
        assert_eq!(got(&fetched, Ok(1)).await, Ok(1));
    }

    #[tokio::test]
    async fn known_returns_the_old_value_without_fetching_and_is_due_when_stale() {
        let (fetched, time) = nothing_yet();
        assert_eq!((fetched.known(), fetched.is_due()), (None, true));
        assert_eq!(got(&fetched, Ok(1)).await, Ok(1));
        assert!(!fetched.is_due());
        time.advance(SignedDuration::from_mins(5));
        assert_eq!((fetched.known().as_deref(), fetched.is_due()), (Some(&1), true));
    }
}
