//! Redis slow, killed, and back.

use core::time::Duration;
use std::time::Instant;

use cache::{Cache, Unreachable};

use crate::shop::{Shop, host, hours};

/// Far more than [`cache::PATIENCE`], far less than a test waits.
const SOON: Duration = Duration::from_secs(2);

#[tokio::test]
async fn a_redis_that_is_gone_fails_no_call_and_holds_up_none() {
    let Shop { redis, cache, table } = Shop::open().await;
    assert_eq!(hours(&cache, &table).await, "0");
    drop(redis);
    let began = Instant::now();
    for to in 1..20 {
        crate::shop::change(&cache, &table, to).await;
        assert_eq!(hours(&cache, &table).await, to.to_string());
    }
    assert!(began.elapsed() < SOON * 2, "{:?}", began.elapsed());
    assert!(matches!(cache.figures().await, Err(Unreachable::Failed(_))));
}

#[tokio::test]
async fn a_redis_that_never_was_fails_no_call() {
    let redis = testkit::redis().await;
    let host = host(&redis);
    drop(redis);
    let (cache, table) = (Cache::open(&host), crate::shop::Table::default());
    assert_eq!(hours(&cache, &table).await, "0");
}

#[tokio::test]
async fn a_slow_redis_is_waited_for_once_and_counted_as_an_error() {
    let shop = Shop::open().await;
    shop.hours().await;
    shop.run(redis::cmd("CLIENT").arg("PAUSE").arg(1500)).await;
    let began = Instant::now();
    for _ in 0..100 {
        assert_eq!(shop.hours().await, "0");
    }
    let took = began.elapsed();
    assert!(took >= cache::PATIENCE, "{took:?}");
    assert!(took < Duration::from_secs(1), "each read waited: {took:?}");
    assert_eq!(shop.table.loads(), 101);
    while shop.cache.figures().await.map_or(0, |figures| figures.total().errors) < 100 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_change_a_slow_redis_was_not_told_of_is_told_later() {
    let shop = Shop::open().await;
    let replica = shop.replica();
    assert_eq!(hours(&replica, &shop.table).await, "0");
    shop.run(redis::cmd("CLIENT").arg("PAUSE").arg(300)).await;
    let began = Instant::now();
    shop.change(1).await;
    assert!(began.elapsed() < SOON, "the writer is not held up");
    while hours(&replica, &shop.table).await != "1" {
        tokio::task::yield_now().await;
    }
}
