//! An open load: requests start on time whether or not earlier ones are answered,
//! and latency counts from the moment a request was due.

use core::time::Duration;
use std::{thread, time::Instant};

use tokio::{sync::mpsc, task::JoinSet};

/// How hard, how long.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// Requests a second.
    pub per_second: u32,
    /// Seconds.
    pub seconds: u32,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Served,
    /// As too busy, to be tried again.
    Refused,
}

/// What was measured of the requests that were served, sorted.
#[derive(Debug)]
pub struct Latencies {
    sorted: Vec<Duration>,
    /// How many were not served.
    pub refused: usize,
    /// From the first counted request's turn to the last answer.
    pub span: Duration,
}

impl From<Vec<Duration>> for Latencies {
    /// Of requests that were sent one after the other.
    fn from(mut taken: Vec<Duration>) -> Self {
        let span = taken.iter().sum();
        taken.sort_unstable();
        Self { sorted: taken, refused: 0, span }
    }
}

impl Latencies {
    /// The latency that a share of the requests did not exceed.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Duration {
        let last = self.sorted.len().saturating_sub(1);
        // At most a few hundred thousand requests: exact in f64.
        let rank = (share * last as f64).round() as usize;
        self.sorted.get(rank).copied().unwrap_or_default()
    }

    /// How many requests were served.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sorted.len()
    }
}

/// Requests of the first seconds are not counted: pools open their connections then, and
/// connections meet their statements for the first time.
pub const WARM_UP_SECONDS: u32 = 3;

/// Runs `request(n)` at the given rate, after a warm-up at the same rate.
///
/// # Errors
/// The first request that failed.
pub async fn run<F, Fut>(rate: Rate, request: F) -> anyhow::Result<Latencies>
where
    F: Fn(u32) -> Fut,
    Fut: Future<Output = anyhow::Result<Answer>> + Send + 'static,
{
    let mut running = JoinSet::new();
    let warm_up = rate.per_second * WARM_UP_SECONDS;
    let began = Instant::now();
    let mut turns = turns(began, rate.per_second, warm_up + rate.per_second * rate.seconds);
    while let Some((n, due)) = turns.recv().await {
        let answer = request(n);
        running.spawn(async move {
            let answer = answer.await?;
            anyhow::Ok((n >= warm_up).then(|| (answer, due.elapsed())))
        });
    }
    let mut sorted = Vec::with_capacity(running.len());
    let mut refused = 0;
    while let Some(done) = running.join_next().await {
        match done?? {
            Some((Answer::Served, took)) => sorted.push(took),
            Some((Answer::Refused, _)) => refused += 1,
            None => {}
        }
    }
    sorted.sort_unstable();
    let span = began.elapsed().saturating_sub(Duration::from_secs(WARM_UP_SECONDS.into()));
    Ok(Latencies { sorted, refused, span })
}

/// Every request's number when it is due. From a thread: the runtime's timers tick in whole
/// milliseconds, and each would be counted as the system's.
fn turns(began: Instant, per_second: u32, count: u32) -> mpsc::UnboundedReceiver<(u32, Instant)> {
    let (turn, turns) = mpsc::unbounded_channel();
    thread::spawn(move || {
        for n in 0..count {
            let due = began + Duration::from_secs(1) * n / per_second;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if turn.send((n, due)).is_err() {
                break;
            }
        }
    });
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_taken_from_the_sorted_latencies() {
        let latencies = Latencies::from((0..=100).map(Duration::from_millis).collect::<Vec<_>>());
        assert_eq!(latencies.quantile(0.99), Duration::from_millis(99));
        assert_eq!(latencies.quantile(0.5), Duration::from_millis(50));
    }

    #[tokio::test]
    async fn refused_requests_are_counted_apart_from_those_that_were_served() {
        let rate = Rate { per_second: 100, seconds: 1 };
        let answer = |n: u32| if n.is_multiple_of(4) { Answer::Refused } else { Answer::Served };
        let latencies = run(rate, |n| async move { Ok(answer(n)) }).await.unwrap();
        assert_eq!((latencies.count(), latencies.refused), (75, 25));
    }
}
