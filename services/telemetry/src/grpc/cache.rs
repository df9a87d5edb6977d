//! `CacheService`: how the services' shared cache does.

use cache::{Cache, Figures, Health, KindFigures, PATIENCE, Recent, Unreachable};
use caller::Unscoped;
use proto::{
    error::{Reason, refuse},
    frontdesk::telemetry::v1::{
        CacheOperation, CacheServiceHandler, ClearCacheRequest, ClearCacheResponse, GetCacheStatsRequest,
        GetCacheStatsResponse, GlobalMetrics, Infrastructure, OperationBreakdown, ResetCacheMetricsRequest,
        ResetCacheMetricsResponse, TestCacheRequest, TestCacheResponse,
    },
};
use tonic::{Status, async_trait};

/// Serves `CacheService`.
#[derive(Debug)]
pub struct Caches {
    cache: Cache,
}

impl Caches {
    /// The figures and the health of the Redis that `cache` is in.
    #[must_use]
    pub fn new(cache: Cache) -> Self {
        Self { cache }
    }
}

#[async_trait]
impl CacheServiceHandler for Caches {
    async fn get_cache_stats(
        &self,
        _: Unscoped,
        _: GetCacheStatsRequest,
    ) -> Result<GetCacheStatsResponse, Status> {
        let health = self.cache.health().await;
        // A Redis that is gone took its figures along: the panel says so by its status.
        let figures = match health {
            Health::Connected { .. } => self.cache.figures().await.map_err(unreachable)?,
            Health::Disconnected => Figures::default(),
        };
        Ok(stats(&figures, health))
    }

    async fn reset_cache_metrics(
        &self,
        _: Unscoped,
        _: ResetCacheMetricsRequest,
    ) -> Result<ResetCacheMetricsResponse, Status> {
        self.cache.reset_figures().await.map_err(unreachable)?;
        Ok(ResetCacheMetricsResponse { message: "The figures start again from zero.".to_owned() })
    }

    async fn clear_cache(&self, _: Unscoped, _: ClearCacheRequest) -> Result<ClearCacheResponse, Status> {
        let removed = self.cache.clear().await.map_err(unreachable)?;
        let keys = if removed == 1 { "key" } else { "keys" };
        Ok(ClearCacheResponse { message: format!("The cache is empty; {removed} {keys} removed.") })
    }

    async fn test_cache(&self, _: Unscoped, _: TestCacheRequest) -> Result<TestCacheResponse, Status> {
        let success = self.cache.test().await.map_err(unreachable)?;
        let message = if success {
            "An entry was written, read and removed."
        } else {
            "The entry did not come back as it was written."
        };
        Ok(TestCacheResponse { message: message.to_owned(), success })
    }
}

fn unreachable(error: Unreachable) -> Status {
    tracing::warn!(%error, "the cache panel was not served");
    refuse(Reason::Unavailable, error.to_string())
}

fn stats(figures: &Figures, health: Health) -> GetCacheStatsResponse {
    let total = figures.total();
    GetCacheStatsResponse {
        global_metrics: Some(GlobalMetrics {
            hit_rate_percentage: total.hit_rate(),
            total_operations: count(total.operations),
            total_hits: count(total.hits),
            total_misses: count(total.misses),
            total_errors: count(total.errors),
        }),
        is_healthy: matches!(health, Health::Connected { ping, .. } if ping <= PATIENCE),
        infrastructure: Some(infrastructure(health)),
        recent_operations: figures.recent.iter().map(operation).collect(),
        operation_breakdown: figures
            .kinds
            .iter()
            .map(|(kind, figures)| (kind.clone(), breakdown(figures)))
            .collect(),
    }
}

fn infrastructure(health: Health) -> Infrastructure {
    match health {
        Health::Connected { ping, memory, keys } => Infrastructure {
            connection_status: "CONNECTED".to_owned(),
            response_time: ping.as_secs_f64() * 1000.0,
            memory_usage: memory,
            total_keys: count(keys),
        },
        Health::Disconnected => {
            Infrastructure { connection_status: "DISCONNECTED".to_owned(), ..Infrastructure::default() }
        }
    }
}

fn operation(recent: &Recent) -> CacheOperation {
    CacheOperation {
        operation: recent.operation.clone(),
        key: recent.key.clone(),
        operation_type: recent.kind.clone(),
        result: recent.result.clone(),
        success: recent.result != "error",
        duration_ms: recent.micros as f64 / 1000.0,
        timestamp: recent.at.clone(),
    }
}

fn breakdown(figures: &KindFigures) -> OperationBreakdown {
    OperationBreakdown { count: count(figures.operations), hit_rate: figures.hit_rate() }
}

fn count(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
