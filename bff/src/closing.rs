//! The order in which the doors close: requests end, then what they left behind, and last what tells of both.

use core::time::Duration;

use boot::drain;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Before the drain is over, calls that are still under way say goodbye.
const FAREWELL: Duration = Duration::from_secs(8);

/// What is open while the doors are.
pub struct Open<Requests, Sockets, LeftBehind, GiveUp, Records> {
    /// Serves; ends when the last request has ended after a shutdown.
    pub requests: Requests,
    /// Ends when live sockets are closed.
    pub sockets: Sockets,
    /// Ends when calls and what requests left behind are done; after the given time they are hurried.
    pub left_behind: LeftBehind,
    /// Cuts those off, and logs what is lost.
    pub give_up: GiveUp,
    /// Hands over what was noted of requests.
    pub records: Records,
}

impl<Requests, Sockets, LeftBehind, Left, GiveUp, Records>
    Open<Requests, Sockets, LeftBehind, GiveUp, Records>
where
    Requests: Future<Output = ()>,
    Sockets: Future<Output = ()>,
    LeftBehind: Fn(Duration) -> Left,
    Left: Future<Output = ()>,
    GiveUp: Future<Output = ()>,
    Records: Future<Output = ()>,
{
    /// Serves until the `shutdown`, and closes within the `drain`.
    pub async fn until_closed(self, drain: Duration, shutdown: &CancellationToken) {
        let Self { requests, sockets, left_behind, give_up, records } = self;
        let served = CancellationToken::new();
        let closing = async {
            shutdown.cancelled().await;
            let until = Instant::now() + drain.saturating_sub(FAREWELL);
            let left = || until.saturating_duration_since(Instant::now());
            tokio::join!(sockets, left_behind(left()), served.cancelled());
            // What the last requests left behind.
            left_behind(left()).await;
        };
        let closed = drain::within(drain, shutdown, closing);
        let serving = async {
            requests.await;
            served.cancel();
        };
        let ((), closed) = tokio::join!(serving, closed);
        if closed.is_none() {
            tracing::warn!("live sockets, calls or messages were still open after the drain");
            give_up.await;
        }
        records.await;
    }
}

#[cfg(test)]
mod tests {
    use core::future::{pending, ready};
    use std::sync::Mutex;

    use tokio::{sync::Notify, time::timeout};

    use super::*;

    const DRAIN: Duration = Duration::from_secs(10);
    const PATIENCE: Duration = Duration::from_secs(30);

    /// What happened, in its order.
    #[derive(Default)]
    struct Log(Mutex<Vec<&'static str>>);

    impl Log {
        fn note(&self, what: &'static str) {
            self.0.lock().unwrap().push(what);
        }

        fn read(&self) -> Vec<&'static str> {
            self.0.lock().unwrap().clone()
        }
    }

    #[tokio::test]
    async fn requests_end_before_what_they_left_behind_and_that_before_the_records() {
        let (log, shutdown, last_request) = (Log::default(), CancellationToken::new(), Notify::new());
        let open = Open {
            requests: async {
                last_request.notified().await;
                log.note("the last request ends");
            },
            sockets: async { log.note("sockets are closed") },
            left_behind: |_: Duration| async {
                log.note("what was left behind is waited for");
                // A call is under way until the last request comes from it.
                last_request.notify_one();
            },
            give_up: async { log.note("given up") },
            records: async { log.note("records are handed over") },
        };
        let stopping = async {
            assert!(log.read().is_empty(), "all is open until the shutdown");
            shutdown.cancel();
        };
        let closed = async { tokio::join!(open.until_closed(DRAIN, &shutdown), stopping) };
        timeout(PATIENCE, closed).await.expect("it closes");
        let expected = [
            "sockets are closed",
            "what was left behind is waited for",
            "the last request ends",
            "what was left behind is waited for",
            "records are handed over",
        ];
        assert_eq!(log.read(), expected);
    }

    #[tokio::test]
    async fn what_outlasts_the_drain_is_given_up_before_the_records_are_handed_over() {
        let (log, shutdown) = (Log::default(), CancellationToken::new());
        let open = Open {
            requests: async { log.note("the last request ends") },
            sockets: async {},
            left_behind: |_: Duration| pending(),
            give_up: async { log.note("given up") },
            records: async { log.note("records are handed over") },
        };
        shutdown.cancel();
        timeout(PATIENCE, open.until_closed(Duration::ZERO, &shutdown)).await.expect("it closes");
        assert_eq!(log.read(), ["the last request ends", "given up", "records are handed over"]);
    }

    #[tokio::test]
    async fn calls_are_hurried_eight_seconds_before_the_drain_is_over() {
        let (shutdown, given) = (CancellationToken::new(), Mutex::new(vec![]));
        let open = Open {
            requests: async {},
            sockets: async {},
            left_behind: |within: Duration| {
                given.lock().unwrap().push(within);
                ready(())
            },
            give_up: async {},
            records: async {},
        };
        shutdown.cancel();
        timeout(PATIENCE, open.until_closed(DRAIN, &shutdown)).await.expect("it closes");
        let given = given.into_inner().unwrap();
        assert_eq!(given.len(), 2);
        assert!(given.iter().all(|within| *within <= Duration::from_secs(2)), "{given:?}");
    }
}
