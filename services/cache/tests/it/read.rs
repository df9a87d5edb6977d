//! Reading through the cache, one after the other.

use core::{convert::Infallible, time::Duration};

use cache::{Cache, Kind, LIFE};
use caller::{BusinessId, Worker};

use crate::shop::{CATALOGUE, HOURS, LINDE, Shop, WILLOW};

#[tokio::test]
async fn what_was_read_is_not_loaded_again() {
    let shop = Shop::open().await;
    assert_eq!((shop.hours().await, shop.hours().await), ("0".to_owned(), "0".to_owned()));
    assert_eq!(shop.table.loads(), 1);
}

#[tokio::test]
async fn a_change_is_seen_by_the_next_read_of_every_process() {
    let shop = Shop::open().await;
    let replica = shop.replica();
    for to in 1..20 {
        shop.change(to).await;
        assert_eq!(crate::shop::hours(&replica, &shop.table).await, to.to_string());
        assert_eq!(shop.hours().await, to.to_string());
    }
    assert_eq!(shop.table.loads(), 19);
}

#[tokio::test]
async fn businesses_kinds_and_keys_have_nothing_in_common() {
    let shop = Shop::open().await;
    let read = async |kind: Kind, business: BusinessId, key: &str| {
        let said = format!("{} {business} {key}", kind.name());
        let load = || async { Ok::<_, Infallible>(said.clone()) };
        let Ok(read) = shop.cache.read(kind, &Worker::new("test", business), key, LIFE, load).await;
        (read == said, read)
    };
    for _ in 0..2 {
        for (kind, business, key) in
            [(HOURS, WILLOW, "1"), (HOURS, WILLOW, "2"), (HOURS, LINDE, "1"), (CATALOGUE, WILLOW, "1")]
        {
            let (own, read) = read(kind, business, key).await;
            assert!(own, "{read}");
        }
    }
}

#[tokio::test]
async fn a_change_in_one_business_leaves_the_others_alone() {
    let shop = Shop::open().await;
    shop.hours().await;
    let commit = async { Ok::<_, Infallible>(()) };
    let Ok(()) = shop.cache.changing(&[HOURS, CATALOGUE], LINDE, commit).await;
    let commit = async { Ok::<_, Infallible>(()) };
    let Ok(()) = shop.cache.changing(&[CATALOGUE], WILLOW, commit).await;
    shop.hours().await;
    assert_eq!(shop.table.loads(), 1);
}

#[tokio::test]
async fn a_refusal_is_not_kept() {
    let shop = Shop::open().await;
    let scope = Worker::new("test", WILLOW);
    let refused: Result<String, _> =
        shop.cache.read(HOURS, &scope, "", LIFE, || async { Err("unknown") }).await;
    assert_eq!(refused, Err("unknown"));
    assert_eq!(shop.hours().await, "0");
}

#[tokio::test]
async fn a_value_lives_thirty_seconds_however_long_it_was_asked_to() {
    let shop = Shop::open().await;
    let load = || async { Ok::<_, Infallible>("value".to_owned()) };
    let scope = Worker::new("test", WILLOW);
    let Ok(_) = shop.cache.read(HOURS, &scope, "", Duration::from_secs(3600), load).await;
    let [key] = shop.keys("cache:*:value:*").await.try_into().unwrap();
    let left = shop.run(redis::cmd("PTTL").arg(key)).await;
    let left: u128 = redis::from_redis_value(left).unwrap();
    assert!((1..=LIFE.as_millis()).contains(&left), "{left}");
}

#[tokio::test]
async fn a_value_whose_generation_redis_forgot_counts_no_more() {
    let shop = Shop::open().await;
    shop.hours().await;
    let [generation] = shop.keys("cache:*:generation").await.try_into().unwrap();
    shop.run(redis::cmd("DEL").arg(generation)).await;
    shop.hours().await;
    assert_eq!(shop.table.loads(), 2);
    shop.run(&mut redis::cmd("FLUSHALL")).await;
    shop.hours().await;
    assert_eq!(shop.table.loads(), 3);
}

#[tokio::test]
async fn an_entry_that_no_version_of_the_service_wrote_is_loaded_again() {
    let shop = Shop::open().await;
    shop.hours().await;
    let [value] = shop.keys("cache:*:value:*").await.try_into().unwrap();
    let [generation] = shop.keys("cache:*:generation").await.try_into().unwrap();
    let generation = shop.run(redis::cmd("GET").arg(generation)).await;
    let mut stamped: Vec<u8> = redis::from_redis_value(generation).unwrap();
    // A field that says it is longer than it is.
    stamped.extend([0x0a, 0x7f]);
    shop.run(redis::cmd("SET").arg(value).arg(stamped)).await;
    assert_eq!(shop.hours().await, "0");
    assert_eq!(shop.table.loads(), 2);
}

#[tokio::test]
async fn without_a_cache_everything_is_loaded() {
    let (host, _) = testkit::host("scheduling");
    let shop = Shop { cache: Cache::open(&host), ..Shop::open().await };
    shop.hours().await;
    shop.change(4).await;
    assert_eq!(shop.hours().await, "4");
    assert_eq!(shop.table.loads(), 2);
}
