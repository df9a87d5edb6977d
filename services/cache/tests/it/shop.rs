//! A service that reads its hours through the cache, and a database that knows them.

use core::{
    convert::Infallible,
    sync::atomic::{AtomicU64, Ordering},
};
use std::sync::Arc;

use boot::Host;
use cache::{Cache, Kind, LIFE};
use caller::{BusinessId, Worker};
use testkit::TestRedis;
use uuid::Uuid;

pub const HOURS: Kind = Kind::new("opening-hours");
pub const CATALOGUE: Kind = Kind::new("catalogue");
pub const WILLOW: BusinessId = BusinessId(Uuid::from_u128(1));
pub const LINDE: BusinessId = BusinessId(Uuid::from_u128(2));

/// What is committed, and how often it was read.
#[derive(Debug, Default)]
pub struct Table {
    pub value: AtomicU64,
    pub loads: AtomicU64,
}

impl Table {
    pub fn load(&self) -> String {
        self.loads.fetch_add(1, Ordering::SeqCst);
        self.value.load(Ordering::SeqCst).to_string()
    }

    pub fn loads(&self) -> u64 {
        self.loads.load(Ordering::SeqCst)
    }
}

pub struct Shop {
    pub redis: TestRedis,
    pub cache: Cache,
    pub table: Arc<Table>,
}

impl Shop {
    pub async fn open() -> Self {
        let redis = testkit::redis().await;
        Self { cache: Cache::open(&host(&redis)), redis, table: Arc::default() }
    }

    /// Another process of the service.
    pub fn replica(&self) -> Cache {
        Cache::open(&host(&self.redis))
    }

    pub async fn hours(&self) -> String {
        hours(&self.cache, &self.table).await
    }

    /// Commits a value and tells the cache, as a store does.
    pub async fn change(&self, to: u64) {
        change(&self.cache, &self.table, to).await;
    }

    pub async fn run(&self, command: &mut redis::Cmd) -> redis::Value {
        let mut connection = self.redis.client().get_multiplexed_async_connection().await.unwrap();
        command.query_async(&mut connection).await.unwrap()
    }

    pub async fn keys(&self, pattern: &str) -> Vec<String> {
        let keys = self.run(redis::cmd("KEYS").arg(pattern)).await;
        let mut keys: Vec<String> = redis::from_redis_value(keys).unwrap();
        keys.sort();
        keys
    }
}

pub async fn hours(cache: &Cache, table: &Table) -> String {
    let load = || async { Ok::<_, Infallible>(table.load()) };
    let Ok(hours) = cache.read(HOURS, &Worker::new("test", WILLOW), "", LIFE, load).await;
    hours
}

pub async fn change(cache: &Cache, table: &Arc<Table>, to: u64) {
    let table = table.clone();
    let commit = async move {
        table.value.store(to, Ordering::SeqCst);
        Ok::<_, Infallible>(())
    };
    let Ok(()) = cache.changing(&[HOURS], WILLOW, commit).await;
}

pub fn host(redis: &TestRedis) -> Host {
    let (mut host, _) = testkit::host("scheduling");
    host.cache = Some(redis.client());
    host
}
