//! The cache as a whole.

use cache::{Cache, Health, Unreachable};

use crate::shop::Shop;

#[tokio::test]
async fn clearing_removes_the_cache_and_nothing_else() {
    let shop = Shop::open().await;
    let mut fill = redis::cmd("MSET");
    for n in 0..2500 {
        fill.arg(format!("cache:scheduling:catalogue:{n}")).arg("x");
    }
    shop.run(&mut fill).await;
    let others = ["cached:x", "cachestats:kept", "limit:sign-in", "wake"];
    for other in others {
        shop.run(redis::cmd("SET").arg(other).arg("x")).await;
    }
    assert_eq!(shop.cache.clear().await.unwrap(), 2500);
    assert_eq!(shop.keys("*").await, others);
    assert_eq!(shop.cache.clear().await.unwrap(), 0);
}

#[tokio::test]
async fn what_is_cleared_is_loaded_again() {
    let shop = Shop::open().await;
    shop.hours().await;
    shop.cache.clear().await.unwrap();
    shop.hours().await;
    assert_eq!(shop.table.loads(), 2);
}

#[tokio::test]
async fn health_is_what_redis_says_and_counts_keys_of_the_cache_alone() {
    let shop = Shop::open().await;
    shop.run(redis::cmd("SET").arg("limit:sign-in").arg("x")).await;
    shop.hours().await;
    let Health::Connected { ping, memory, keys } = shop.cache.health().await else { panic!("connected") };
    assert!(ping.as_secs() < 2 && !ping.is_zero());
    assert!(memory.ends_with(['K', 'M']), "{memory}");
    assert_eq!(keys, 2, "a generation and a value");
}

#[tokio::test]
async fn the_test_entry_comes_back_and_is_gone_afterwards() {
    let shop = Shop::open().await;
    assert!(shop.cache.test().await.unwrap());
    assert!(shop.keys("cache:*").await.is_empty());
}

#[tokio::test]
async fn without_redis_the_panel_is_told_so() {
    let Shop { redis, cache, .. } = Shop::open().await;
    drop(redis);
    assert_eq!(cache.health().await, Health::Disconnected);
    assert!(matches!(cache.clear().await, Err(Unreachable::Failed(_))));
    assert!(matches!(cache.test().await, Err(Unreachable::Failed(_))));
    assert!(matches!(cache.reset_figures().await, Err(Unreachable::Failed(_))));
    let none = Cache::open(&testkit::host("scheduling").0);
    assert_eq!(none.health().await, Health::Disconnected);
    assert!(matches!(none.clear().await, Err(Unreachable::None)));
}
