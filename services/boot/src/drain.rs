//! How a process stops: it says that it is leaving, serves on while balancers take it out, and then
//! finishes what is under way.

use core::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::environment::Environment;

/// As long as it takes until every node of a cluster has heard that an address is gone.
const LAME_DUCK: u64 = 5;
const DRAIN: u64 = 10;

/// How much time a process takes to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::Args)]
pub struct DrainConfig {
    /// Seconds in which a process that was asked to stop still takes requests, while its health checks
    /// fail and balancers take it out. Unless named, 5 in production and none elsewhere.
    #[arg(long, env = "LAME_DUCK_SECONDS", value_parser = clap::value_parser!(u64).range(..=300))]
    pub lame_duck_seconds: Option<u64>,
    /// Most seconds after that for what is under way; what lasts longer is cut. Both together must be
    /// less than what the process is given before it is killed.
    #[arg(long, env = "DRAIN_SECONDS", default_value_t = DRAIN, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub drain_seconds: u64,
}

impl Default for DrainConfig {
    fn default() -> Self {
        Self { lame_duck_seconds: None, drain_seconds: DRAIN }
    }
}

impl DrainConfig {
    /// Most time for what is under way.
    #[must_use]
    pub fn drain(self) -> Duration {
        Duration::from_secs(self.drain_seconds)
    }

    fn lame_duck(self, environment: Environment) -> Duration {
        let unnamed = if environment == Environment::Production { LAME_DUCK } else { 0 };
        Duration::from_secs(self.lame_duck_seconds.unwrap_or(unnamed))
    }

    /// A token that is cancelled when no more requests are to be taken: so much later than `leaving`,
    /// which is cancelled when the process is asked to stop. Needs a runtime.
    #[must_use]
    pub fn shutdown_after(self, leaving: &CancellationToken, environment: Environment) -> CancellationToken {
        let lame_duck = self.lame_duck(environment);
        if lame_duck.is_zero() {
            return leaving.clone();
        }
        let (leaving, shutdown) = (leaving.clone(), CancellationToken::new());
        let stop = shutdown.clone();
        tokio::spawn(async move {
            leaving.cancelled().await;
            tracing::info!(seconds = lame_duck.as_secs(), "leaving; requests are taken for a while yet");
            sleep(lame_duck).await;
            stop.cancel();
        });
        shutdown
    }
}

/// Runs `work` to its end, or until `drain` has passed since `shutdown`; `None` if it was cut.
pub async fn within<T>(
    drain: Duration,
    shutdown: &CancellationToken,
    work: impl Future<Output = T>,
) -> Option<T> {
    let cut = async {
        shutdown.cancelled().await;
        sleep(drain).await;
    };
    tokio::select! {
        done = work => Some(done),
        () = cut => None,
    }
}

#[cfg(test)]
mod tests {
    use core::future::pending;

    use super::*;

    fn config(lame_duck_seconds: Option<u64>) -> DrainConfig {
        DrainConfig { lame_duck_seconds, ..DrainConfig::default() }
    }

    #[test]
    fn only_production_serves_on_unless_told_otherwise() {
        for (named, environment, seconds) in [
            (Some(7), Environment::Test, 7),
            (Some(0), Environment::Production, 0),
            (None, Environment::Production, LAME_DUCK),
            (None, Environment::Development, 0),
        ] {
            assert_eq!(config(named).lame_duck(environment).as_secs(), seconds, "{named:?} {environment:?}");
        }
    }

    #[tokio::test]
    async fn shutting_down_follows_leaving_and_at_once_without_a_lame_duck() {
        for seconds in [0, 1] {
            let leaving = CancellationToken::new();
            let shutdown = config(Some(seconds)).shutdown_after(&leaving, Environment::Test);
            assert!(!shutdown.is_cancelled());
            leaving.cancel();
            assert_eq!(shutdown.is_cancelled(), seconds == 0);
            shutdown.cancelled().await;
        }
    }

    #[tokio::test]
    async fn work_is_cut_when_the_drain_is_over_and_not_before_it_began() {
        let (drain, shutdown) = (Duration::from_millis(1), CancellationToken::new());
        let begun = tokio::time::Instant::now();
        let last = async { sleep(drain * 20).await };
        assert_eq!(within(drain, &shutdown, last).await, Some(()));
        assert!(begun.elapsed() >= drain * 20);
        shutdown.cancel();
        assert_eq!(within(drain, &shutdown, pending::<()>()).await, None);
    }
}
