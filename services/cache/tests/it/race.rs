//! Readers and writers at the same time, in two processes.

use core::{
    convert::Infallible,
    sync::atomic::{AtomicU64, Ordering},
};
use std::sync::Arc;

use cache::{Cache, LIFE};
use caller::Worker;
use proptest::{
    collection::vec,
    prelude::{ProptestConfig, Strategy, any},
    test_runner::TestRunner,
};
use tokio::sync::Notify;

use crate::shop::{HOURS, Shop, Table, WILLOW, change, hours};

/// Loads, says so, and ends when it is let go.
async fn held(cache: &Cache, table: &Table, loaded: &Notify, go: &Notify) -> String {
    let load = || async {
        let value = table.load();
        loaded.notify_one();
        go.notified().await;
        Ok::<_, Infallible>(value)
    };
    let Ok(value) = cache.read(HOURS, &Worker::new("test", WILLOW), "", LIFE, load).await;
    value
}

#[tokio::test]
async fn what_was_loaded_before_a_change_is_not_believed_after_it() {
    let shop = Shop::open().await;
    let (loaded, go) = (Notify::new(), Notify::new());
    let reading = held(&shop.cache, &shop.table, &loaded, &go);
    let meanwhile = async {
        loaded.notified().await;
        shop.change(1).await;
        go.notify_one();
    };
    let (old, ()) = tokio::join!(reading, meanwhile);
    assert_eq!(old, "0", "it began before the change");
    assert_eq!(shop.hours().await, "1");
    assert_eq!(hours(&shop.replica(), &shop.table).await, "1");
}

#[tokio::test]
async fn a_caller_after_a_change_does_not_join_a_load_from_before_it() {
    let shop = Shop::open().await;
    let (loaded, go) = (Notify::new(), Notify::new());
    let reading = held(&shop.cache, &shop.table, &loaded, &go);
    let meanwhile = async {
        loaded.notified().await;
        shop.change(1).await;
        let new = shop.hours().await;
        go.notify_one();
        new
    };
    let (old, new) = tokio::join!(reading, meanwhile);
    assert_eq!((old.as_str(), new.as_str()), ("0", "1"));
    assert_eq!(shop.hours().await, "1", "the old load came in last");
}

#[tokio::test]
async fn a_stampede_loads_once() {
    let shop = Shop::open().await;
    let (loaded, go) = (Notify::new(), Notify::new());
    let first = held(&shop.cache, &shop.table, &loaded, &go);
    let crowd = async {
        loaded.notified().await;
        let readers = (0..50).map(|_| shop.hours());
        let mut crowd = Box::pin(futures::future::join_all(readers));
        // Everybody has found nothing, and waits, when the last of them has asked.
        while total(&shop.cache).await < 51 {
            assert!(futures::poll!(&mut crowd).is_pending());
            tokio::task::yield_now().await;
        }
        go.notify_one();
        crowd.await
    };
    let (value, values) = tokio::join!(first, crowd);
    assert_eq!(value, "0");
    assert!(values.iter().all(|value| value == "0"));
    assert_eq!(shop.table.loads(), 1);
}

async fn total(cache: &Cache) -> u64 {
    cache.figures().await.unwrap().total().misses
}

/// What one task does between its steps: so many turns are given to the others.
type Turns = Vec<u8>;

async fn give_way(turns: u8) {
    for _ in 0..turns {
        tokio::task::yield_now().await;
    }
}

/// Values that were given out, and the latest whose change was acknowledged.
#[derive(Debug, Default)]
struct Ledger {
    given: AtomicU64,
    acknowledged: AtomicU64,
}

async fn write(cache: Cache, table: Arc<Table>, ledger: Arc<Ledger>, turns: Turns) {
    for turn in turns {
        let to = ledger.given.fetch_add(1, Ordering::SeqCst) + 1;
        let committed = table.clone();
        let commit = async move {
            give_way(turn).await;
            // The value of two writers at once is the later one's, as rows are locked.
            committed.value.fetch_max(to, Ordering::SeqCst);
            give_way(turn).await;
            Ok::<_, Infallible>(())
        };
        let Ok(()) = cache.changing(&[HOURS], WILLOW, commit).await;
        ledger.acknowledged.fetch_max(to, Ordering::SeqCst);
        give_way(turn).await;
    }
}

async fn read(cache: Cache, table: Arc<Table>, ledger: Arc<Ledger>, turns: Turns) {
    for turn in turns {
        let least = ledger.acknowledged.load(Ordering::SeqCst);
        let load = || async {
            give_way(turn).await;
            let value = table.load();
            give_way(turn).await;
            Ok::<_, Infallible>(value)
        };
        let Ok(value) = cache.read(HOURS, &Worker::new("test", WILLOW), "", LIFE, load).await;
        let value: u64 = value.parse().unwrap();
        assert!(value >= least, "read {value} after {least} had been acknowledged");
    }
}

#[test]
fn in_no_order_of_events_is_a_read_older_than_a_change_acknowledged_before_it() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let shop = runtime.block_on(Shop::open());
    let turns = || vec(any::<u8>().prop_map(|turn| turn % 24), 1..12);
    let tasks = (vec(turns(), 1..4), vec(turns(), 1..6));
    let mut runner = TestRunner::new(ProptestConfig { cases: 64, ..ProptestConfig::default() });
    let outcome = runner.run(&tasks, |(writers, readers)| {
        runtime.block_on(async {
            shop.run(&mut redis::cmd("FLUSHALL")).await;
            let replicas = [shop.replica(), shop.replica()];
            let (table, ledger) = (Arc::new(Table::default()), Arc::new(Ledger::default()));
            let mut tasks = tokio::task::JoinSet::new();
            for (at, turns) in writers.into_iter().enumerate() {
                let cache = replicas[at % 2].clone();
                tasks.spawn(write(cache, table.clone(), ledger.clone(), turns));
            }
            for (at, turns) in readers.into_iter().enumerate() {
                let cache = replicas[(at + 1) % 2].clone();
                tasks.spawn(read(cache, table.clone(), ledger.clone(), turns));
            }
            while let Some(ended) = tasks.join_next().await {
                ended.unwrap();
            }
        });
        Ok(())
    });
    outcome.unwrap();
}

#[tokio::test]
async fn a_caller_who_hangs_up_takes_no_change_from_the_cache() {
    let shop = Shop::open().await;
    shop.hours().await;
    let (begun, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let commit = {
        let (table, begun, go) = (shop.table.clone(), begun.clone(), go.clone());
        async move {
            begun.notify_one();
            go.notified().await;
            table.value.store(1, Ordering::SeqCst);
            Ok::<_, Infallible>(())
        }
    };
    let mut call = Box::pin(shop.cache.changing(&[HOURS], WILLOW, commit));
    assert!(futures::poll!(&mut call).is_pending());
    begun.notified().await;
    drop(call);
    go.notify_one();
    while shop.hours().await != "1" {
        tokio::task::yield_now().await;
    }
    change(&shop.cache, &shop.table, 2).await;
    assert_eq!(shop.hours().await, "2");
}
