//! An open load: requests start on time whether or not earlier ones are answered,
//! and latency counts from the moment a request was due.

use core::time::Duration;

use tokio::{task::JoinSet, time::Instant};

/// How hard, how long.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// Requests a second.
    pub per_second: u32,
    /// Seconds.
    pub seconds: u32,
}

/// What was measured, sorted.
#[derive(Debug)]
pub struct Latencies(Vec<Duration>);

impl Latencies {
    /// The latency that a share of the requests did not exceed.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Duration {
        let last = self.0.len().saturating_sub(1);
        // At most a few hundred thousand requests: exact in f64.
        let rank = (share * last as f64).round() as usize;
        self.0.get(rank).copied().unwrap_or_default()
    }

    /// How many requests were answered.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// Runs `request(n)` at the given rate.
///
/// # Errors
/// The first request that failed.
pub async fn run<F, Fut>(rate: Rate, request: F) -> anyhow::Result<Latencies>
where
    F: Fn(u32) -> Fut,
    Fut: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    let mut running = JoinSet::new();
    let began = Instant::now();
    for n in 0..rate.per_second * rate.seconds {
        let due = began + Duration::from_secs(1) * n / rate.per_second;
        tokio::time::sleep_until(due).await;
        let answer = request(n);
        running.spawn(async move {
            answer.await?;
            anyhow::Ok(due.elapsed())
        });
    }
    let mut latencies = Vec::with_capacity(running.len());
    while let Some(done) = running.join_next().await {
        latencies.push(done??);
    }
    latencies.sort_unstable();
    Ok(Latencies(latencies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_taken_from_the_sorted_latencies() {
        let latencies = Latencies((0..=100).map(Duration::from_millis).collect());
        assert_eq!(latencies.quantile(0.99), Duration::from_millis(99));
        assert_eq!(latencies.quantile(0.5), Duration::from_millis(50));
    }
}
