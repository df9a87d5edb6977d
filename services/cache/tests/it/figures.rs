//! What was counted.

use cache::{Cache, Figures, KindFigures};

use crate::shop::{HOURS, Shop};

/// The figures once so many operations are in them.
async fn figures(cache: &Cache, operations: u64) -> Figures {
    loop {
        let figures = cache.figures().await.unwrap();
        if figures.total().operations >= operations {
            return figures;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn every_operation_is_counted_under_its_kind_whichever_process_did_it() {
    let shop = Shop::open().await;
    let replica = shop.replica();
    // miss, stored; hit; removed; miss, stored; hit.
    shop.hours().await;
    crate::shop::hours(&replica, &shop.table).await;
    shop.change(1).await;
    crate::shop::hours(&replica, &shop.table).await;
    shop.hours().await;
    let figures = figures(&shop.cache, 7).await;
    let hours = figures.kinds[HOURS.name()];
    assert_eq!((hours.operations, hours.hits, hours.misses, hours.errors), (7, 2, 2, 0));
    assert!(hours.micros > 0);
    assert!((hours.hit_rate() - 50.0).abs() < f64::EPSILON);
    assert_eq!(figures.total(), hours);
}

#[tokio::test]
async fn the_latest_operations_are_told_the_latest_first_and_fifty_at_most() {
    let shop = Shop::open().await;
    shop.hours().await;
    shop.change(1).await;
    let first = figures(&shop.cache, 3).await;
    let told: Vec<_> =
        first.recent.iter().map(|recent| (recent.operation.as_str(), recent.result.as_str())).collect();
    assert_eq!(told, [("invalidate", "removed"), ("set", "stored"), ("get", "miss")]);
    let last = first.recent.last().unwrap();
    assert_eq!(last.kind, "opening-hours");
    assert!(last.key.starts_with("cache:scheduling:opening-hours:"), "{}", last.key);
    assert_eq!(last.at, testkit::START);
    for _ in 0..60 {
        shop.hours().await;
    }
    let later = figures(&shop.cache, 64).await;
    assert_eq!(later.recent.len(), 50);
    assert_eq!(later.recent[0].result, "hit");
}

#[tokio::test]
async fn figures_are_kept_outside_the_cache_and_start_again_from_zero() {
    let shop = Shop::open().await;
    shop.hours().await;
    figures(&shop.cache, 2).await;
    assert_eq!(shop.keys("cachestats:*").await.len(), 2);
    shop.cache.clear().await.unwrap();
    assert_eq!(figures(&shop.cache, 2).await.total().operations, 2);
    shop.cache.reset_figures().await.unwrap();
    let figures = shop.cache.figures().await.unwrap();
    assert_eq!(figures.total(), KindFigures::default());
    assert!(figures.recent.is_empty());
}
