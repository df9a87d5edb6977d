//! Tenants that take turns on one connection, some of them badly.

use caller::{BusinessId, Worker};
use database::{Database, Planning};
use futures::{FutureExt, future::join_all};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use sqlx::Connection;

use crate::stage::{LINDE, Stage, WILLOW};

const NAMES: &str = "SELECT name FROM customer ORDER BY name";

async fn names(sql: &impl ConnectionTrait) -> Vec<String> {
    let rows = sql.query_all_raw(Statement::from_string(DbBackend::Postgres, NAMES)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "name").unwrap()).collect()
}

/// One turn: in order, ending in an error, abandoned under way, or rolled back.
async fn turn(stage: &Stage, database: &Database, business: BusinessId, expected: &str, how: usize) {
    let tx = database.begin(&Worker::new("test", business)).await.unwrap();
    assert_eq!(names(&tx).await, [expected]);
    match how {
        0 => tx.commit().await.unwrap(),
        1 => {
            tx.execute_unprepared("SELECT 1 / 0").await.unwrap_err();
        }
        2 => {
            // Waits for a lock that another holds, until after it is abandoned.
            let mut holder = stage.superuser().await;
            sqlx::query("SELECT pg_advisory_lock(7)").execute(&mut holder).await.unwrap();
            let abandoned = tx.execute_unprepared("SELECT pg_advisory_xact_lock(7)");
            assert!(abandoned.now_or_never().is_none());
            drop(tx);
            holder.close().await.unwrap();
        }
        _ => tx.rollback().await.unwrap(),
    }
}

#[tokio::test]
async fn nothing_of_a_tenant_stays_on_a_shared_connection() {
    let stage = Stage::open().await;
    stage.customer(WILLOW, "Ana", "").await;
    stage.customer(LINDE, "Bertha", "").await;
    let database = stage.database.connect_with(&stage.host, 1, Planning::AsPostgresChooses).await;
    let turns = (0..64).map(|n| {
        let (business, expected) = if n % 2 == 0 { (WILLOW, "Ana") } else { (LINDE, "Bertha") };
        turn(&stage, &database, business, expected, (n / 2) % 4)
    });
    join_all(turns).await;
    for how in 0..4 {
        turn(&stage, &database, WILLOW, "Ana", how).await;
        let bare = database.begin_untenanted().await.unwrap();
        assert!(names(&bare).await.is_empty(), "after a turn of kind {how}");
    }
}

#[tokio::test]
async fn the_installation_role_ends_with_its_transaction() {
    let stage = Stage::open().await;
    stage.customer(WILLOW, "Ana", "").await;
    stage.customer(LINDE, "Bertha", "").await;
    let database = stage.database.connect_with(&stage.host, 1, Planning::AsPostgresChooses).await;
    let scope = caller::InstallationScope::worker("test");
    for how in ["commit", "drop"] {
        let tx = database.begin_installation(&scope).await.unwrap();
        assert_eq!(names(&tx).await, ["Ana", "Bertha"]);
        if how == "commit" {
            tx.commit().await.unwrap();
        } else {
            drop(tx);
        }
        let bare = database.begin_untenanted().await.unwrap();
        assert!(names(&bare).await.is_empty(), "after {how}");
        drop(bare);
        turn(&stage, &database, LINDE, "Bertha", 0).await;
    }
}
