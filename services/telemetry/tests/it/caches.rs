//! The cache's figures, as its panel reads them.

use core::{convert::Infallible, time::Duration};

use boot::Host;
use cache::{Cache, Kind, LIFE};
use caller::{Role, Worker};
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::v1::{
        ClearCacheRequest, GetCacheStatsRequest, GetCacheStatsResponse, ResetCacheMetricsRequest,
        TestCacheRequest, cache_service_client::CacheServiceClient,
    },
};
use testkit::{SESSION, TestRedis, USER, as_person};
use tonic::{Request, transport::Channel};

use crate::desk::{Desk, SALON};

/// A signed-in person without a business.
fn anyone<T>(host: &Host, message: T) -> Request<T> {
    as_person(host, USER, SESSION, None, Some(Role::Guest), message)
}

fn client(desk: &Desk) -> CacheServiceClient<Channel> {
    CacheServiceClient::new(desk.channel.clone())
}

async fn stats(desk: &Desk) -> GetCacheStatsResponse {
    let request = anyone(&desk.host, GetCacheStatsRequest {});
    client(desk).get_cache_stats(request).await.unwrap().into_inner()
}

/// The figures once so many operations are in them, read while Redis answers as fast as it should:
/// on a busy machine one reading may find it slow.
async fn stats_after(desk: &Desk, operations: i32) -> GetCacheStatsResponse {
    let counted = async {
        loop {
            let stats = stats(desk).await;
            if stats.is_healthy && stats.global_metrics.unwrap().total_operations >= operations {
                return stats;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), counted).await.expect("the figures never came")
}

/// Another service reads something three times: a miss that is stored, and two hits.
async fn use_it(redis: &TestRedis) {
    let (mut host, _) = testkit::host("scheduling");
    host.cache = Some(redis.client());
    let cache = Cache::open(&host);
    for _ in 0..3 {
        let load = || async { Ok::<_, Infallible>("hours".to_owned()) };
        let scope = Worker::new("test", SALON);
        let Ok(_) = cache.read(Kind::new("opening-hours"), &scope, "", LIFE, load).await;
    }
}

#[tokio::test]
async fn what_another_service_did_is_shown_by_kind_and_in_total() {
    let redis = testkit::redis().await;
    let desk = Desk::open_with(Some(&redis)).await;
    use_it(&redis).await;
    let stats = stats_after(&desk, 4).await;
    let total = stats.global_metrics.unwrap();
    assert_eq!((total.total_operations, total.total_hits, total.total_misses), (4, 2, 1));
    assert_eq!(total.total_errors, 0);
    assert!((total.hit_rate_percentage - 200.0 / 3.0).abs() < 1e-9);
    let hours = &stats.operation_breakdown["opening-hours"];
    assert_eq!(hours.count, 4);
    assert!((hours.hit_rate - 200.0 / 3.0).abs() < 1e-9);
    let infrastructure = stats.infrastructure.unwrap();
    assert_eq!((infrastructure.connection_status.as_str(), infrastructure.total_keys), ("CONNECTED", 2));
    assert!(infrastructure.response_time > 0.0);
    assert!(!infrastructure.memory_usage.is_empty());
    assert!(stats.is_healthy);
    let latest = &stats.recent_operations[0];
    assert_eq!((latest.operation.as_str(), latest.result.as_str(), latest.success), ("get", "hit", true));
    assert_eq!(latest.operation_type, "opening-hours");
    assert_eq!(latest.timestamp, testkit::START);
    assert!(latest.duration_ms > 0.0);
}

#[tokio::test]
async fn the_answer_is_json_as_the_panel_reads_it() {
    let redis = testkit::redis().await;
    let desk = Desk::open_with(Some(&redis)).await;
    use_it(&redis).await;
    let json = serde_json::to_value(stats_after(&desk, 4).await).unwrap();
    for number in [
        &json["globalMetrics"]["hitRatePercentage"],
        &json["globalMetrics"]["totalOperations"],
        &json["globalMetrics"]["totalHits"],
        &json["globalMetrics"]["totalMisses"],
        &json["globalMetrics"]["totalErrors"],
        &json["infrastructure"]["responseTime"],
        &json["infrastructure"]["totalKeys"],
        &json["operationBreakdown"]["opening-hours"]["count"],
        &json["operationBreakdown"]["opening-hours"]["hitRate"],
        &json["recentOperations"][0]["durationMs"],
    ] {
        assert!(number.is_number(), "{number} in {json}");
    }
    assert_eq!(json["isHealthy"], true);
    assert_eq!(json["infrastructure"]["connectionStatus"], "CONNECTED");
    assert!(json["infrastructure"]["memoryUsage"].is_string());
    for text in ["operation", "key", "operationType", "result", "timestamp"] {
        assert!(json["recentOperations"][0][text].is_string(), "{text}");
    }
    assert_eq!(json["recentOperations"][0]["success"], true);
}

#[tokio::test]
async fn resetting_clearing_and_testing_do_what_they_say() {
    let redis = testkit::redis().await;
    let desk = Desk::open_with(Some(&redis)).await;
    use_it(&redis).await;
    stats_after(&desk, 4).await;

    let cleared = client(&desk).clear_cache(anyone(&desk.host, ClearCacheRequest {})).await.unwrap();
    assert_eq!(cleared.into_inner().message, "The cache is empty; 2 keys removed.");
    let after = stats(&desk).await;
    assert_eq!(after.infrastructure.unwrap().total_keys, 0);
    assert_eq!(after.global_metrics.unwrap().total_operations, 4, "figures are not what is cached");

    let reset = anyone(&desk.host, ResetCacheMetricsRequest {});
    client(&desk).reset_cache_metrics(reset).await.unwrap();
    assert_eq!(stats(&desk).await.global_metrics.unwrap().total_operations, 0);

    let tested = client(&desk).test_cache(anyone(&desk.host, TestCacheRequest {})).await.unwrap();
    assert!(tested.into_inner().success);
    let after = stats_after(&desk, 1).await;
    assert_eq!(after.recent_operations[0].operation, "test");
    assert_eq!(after.infrastructure.unwrap().total_keys, 0, "the entry is gone");
}

#[tokio::test]
async fn without_redis_the_panel_says_so_and_changes_are_refused() {
    let redis = testkit::redis().await;
    let (gone, never) = (Desk::open_with(Some(&redis)).await, Desk::open().await);
    drop(redis);
    for desk in [gone, never] {
        let stats = stats(&desk).await;
        assert!(!stats.is_healthy);
        assert_eq!(stats.infrastructure.unwrap().connection_status, "DISCONNECTED");
        let refused = client(&desk).clear_cache(anyone(&desk.host, ClearCacheRequest {})).await;
        assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::Unavailable));
        let reset = anyone(&desk.host, ResetCacheMetricsRequest {});
        let refused = client(&desk).reset_cache_metrics(reset).await;
        assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::Unavailable));
        let refused = client(&desk).test_cache(anyone(&desk.host, TestCacheRequest {})).await;
        assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::Unavailable));
    }
}
