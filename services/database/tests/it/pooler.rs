//! The real PgBouncer in transaction mode.

use std::{
    fs,
    path::{Path, PathBuf},
};

use caller::{BusinessId, InstallationScope};
use database::{Database, Planning};
use futures::future::join_all;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Statement};
use sqlx::{Connection, PgConnection};
use testkit::TestDatabase;
use uuid::Uuid;

use crate::{
    migrate::{Notes, without_the_owner},
    transaction::{notes, worker, write},
};

const CONNECTIONS: u16 = 3;
/// Clients of each of two replicas, which all have a transaction open whenever they can.
const CLIENTS: u32 = 12;
const ROUNDS: usize = 24;

async fn pooled(connections: u16) -> TestDatabase {
    testkit::database::<Notes>("scheduling").await.behind_pgbouncer(connections).await
}

/// Connections of the app to the server itself.
async fn connections(database: &TestDatabase) -> i64 {
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    let sql = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = 'scheduling_app'";
    sqlx::query_scalar(sql).fetch_one(&mut superuser).await.unwrap()
}

async fn show(tx: &DatabaseTransaction, setting: &str) -> String {
    let show = Statement::from_string(DbBackend::Postgres, format!("SHOW {setting}"));
    tx.query_one_raw(show).await.unwrap().unwrap().try_get_by_index(0).unwrap()
}

/// One transaction of a business that has written `written`; `how` it ends.
async fn turn(database: &Database, business: BusinessId, written: &mut Vec<String>, how: usize) {
    let tx = database.begin(&worker(business)).await.unwrap();
    assert_eq!(notes(&tx).await, *written, "{business} sees its own alone");
    let text = format!("{business} {:04}", written.len());
    write(&tx, business, &text).await.unwrap();
    match how {
        0 => {
            tx.commit().await.unwrap();
            written.push(text);
        }
        1 => drop(tx.execute_unprepared("SELECT 1 / 0").await.unwrap_err()),
        2 => tx.rollback().await.unwrap(),
        _ => drop(tx),
    }
}

#[tokio::test]
async fn businesses_that_take_turns_on_fewer_connections_never_meet() {
    let guard = pooled(CONNECTIONS).await;
    let (host, _) = testkit::host("scheduling");
    let replicas = [
        guard.connect_with(&host, CLIENTS, Planning::Once).await,
        guard.connect_with(&host, CLIENTS, Planning::AsPostgresChooses).await,
    ];
    let clients = (0..2 * CLIENTS).map(|client| {
        let database = &replicas[client as usize % 2];
        async move {
            let business = BusinessId(Uuid::from_u128(u128::from(client) + 1));
            let mut written = Vec::new();
            for round in 0..ROUNDS {
                turn(database, business, &mut written, round % 4).await;
                let bare = database.begin_untenanted().await.unwrap();
                assert_eq!(notes(&bare).await, [""; 0], "without a business");
                bare.commit().await.unwrap();
            }
            written.len()
        }
    });
    let written: usize = join_all(clients).await.into_iter().sum();
    assert_eq!(written, ROUNDS / 4 * 2 * CLIENTS as usize);
    let all = replicas[0].begin_installation(&InstallationScope::worker("test")).await.unwrap();
    assert_eq!(notes(&all).await.len(), written);
    assert_eq!(connections(&guard).await, i64::from(CONNECTIONS));
}

#[tokio::test]
async fn a_transaction_is_told_what_a_connection_would_be_and_only_for_itself() {
    let guard = pooled(1).await;
    let (host, _) = testkit::host("scheduling");
    let once = guard.connect_with(&host, 1, Planning::Once).await;
    let each = guard.connect_with(&host, 1, Planning::AsPostgresChooses).await;
    for _ in 0..2 {
        let tx = once.begin(&worker(BusinessId(Uuid::from_u128(1)))).await.unwrap();
        assert_eq!(show(&tx, "statement_timeout").await, "1min");
        assert_eq!(show(&tx, "idle_in_transaction_session_timeout").await, "1min");
        assert_eq!(show(&tx, "plan_cache_mode").await, "force_generic_plan");
        tx.commit().await.unwrap();
        let tx = each.begin_untenanted().await.unwrap();
        assert_eq!(show(&tx, "plan_cache_mode").await, "auto");
        assert_eq!(show(&tx, "app.business_id").await, "");
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_connection_that_the_server_ends_is_worth_another_try() {
    let guard = pooled(1).await;
    let (host, _) = testkit::host("scheduling");
    let database = guard.connect_with(&host, 1, Planning::Once).await;
    let tx = database.begin_untenanted().await.unwrap();
    let mut superuser = PgConnection::connect(&guard.superuser_url).await.unwrap();
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND usename = 'scheduling_app'";
    sqlx::query(end).execute(&mut superuser).await.unwrap();
    let lost = tx.execute_unprepared("SELECT 1").await.unwrap_err();
    assert!(database::busy(&lost), "{lost}");
    drop(tx);
    let tx = database.begin_untenanted().await.unwrap();
    assert_eq!(show(&tx, "statement_timeout").await, "1min");
}

#[tokio::test]
async fn a_service_starts_behind_a_pooler_and_its_migrations_go_around_it() {
    let guard = pooled(1).await;
    database::prepare::<Notes>(&guard.config()).await.unwrap();
    let current = without_the_owner(&guard);
    assert!(current.database_url.expose().contains("6432"), "through the pooler");
    for _ in 0..2 {
        database::prepare::<Notes>(&current).await.unwrap();
    }
}

#[tokio::test]
async fn a_service_that_is_not_told_of_the_pooler_does_not_start() {
    let guard = pooled(1).await;
    let (host, _) = testkit::host("scheduling");
    let (url, _) = guard.reached();
    let untold = Database::open(&host, &url, 1, boot::config::Pooler::None, Planning::Once).await;
    let refused = untold.unwrap_err().to_string();
    assert!(refused.contains("unsupported startup parameter"), "{refused}");
}

/// What outlives the transaction it is said in, where no pooled connection may be left with it.
const OUTLIVES: [&str; 10] = [
    "pg_advisory_lock(",
    "pg_try_advisory_lock(",
    "pg_advisory_lock_shared(",
    "\"LISTEN ",
    "PgListener",
    "SET SESSION",
    "CREATE TEMP",
    "WITH HOLD",
    "PREPARE ",
    "DISCARD ",
];
/// Files whose connections go to Postgres itself.
const DIRECT: [&str; 2] = ["database/src/migrate.rs", "database/src/roles.rs"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|extension| extension.to_str()) {
            _ if path.is_dir() => sources(&path, found),
            Some("rs" | "sql") => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn no_service_says_anything_to_its_connection_that_outlives_a_transaction() {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for service in fs::read_dir(services).unwrap() {
        let service = service.unwrap().path();
        if !service.ends_with("testkit") {
            sources(&service.join("src"), &mut files);
        }
    }
    assert!(files.iter().any(|file| file.ends_with("scheduling/src/store/hold.rs")), "{}", files.len());
    for file in files.iter().filter(|file| !DIRECT.iter().any(|direct| file.ends_with(direct))) {
        let text = fs::read_to_string(file).unwrap();
        let said: Vec<_> = OUTLIVES.iter().filter(|words| text.contains(**words)).collect();
        assert!(said.is_empty(), "{}: {said:?}", file.display());
    }
}
