use futures::future::join_all;
use proto::error::Reason;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{
    stage::{KEYS, LINDE, Stage, WILLOW, assert_refused, serve},
    voice::opened,
};

const SECOND: &str = "second:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
const SECRET: &str = "key_hunter2hunter2";

/// Puts the sealed secret of each row into the other.
async fn swap(stage: &Stage, columns: &str, one: Uuid, other: Uuid) {
    let sql = format!(
        "UPDATE voice_connection c SET ({columns}) = (
             SELECT {columns} FROM voice_connection o WHERE o.id IN ('{one}', '{other}') AND o.id <> c.id)
         WHERE c.id IN ('{one}', '{other}')"
    );
    let swapped = sqlx::query(AssertSqlSafe(sql)).execute(&mut stage.superuser().await).await.unwrap();
    assert_eq!(swapped.rows_affected(), 2);
}

#[tokio::test]
async fn no_secret_lies_in_the_database_in_the_clear() {
    let stage = Stage::open().await;
    stage.voice_connection(WILLOW, "Main line", SECRET).await;
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT encode(convert_to(c::text, 'UTF8'), 'escape') || encode(sealed_secret, 'escape') FROM voice_connection c
         UNION ALL SELECT encode(sealed, 'escape') FROM data_key
         UNION ALL SELECT encode(event, 'escape') FROM outbox",
    )
    .fetch_all(&mut stage.superuser().await)
    .await
    .unwrap();
    assert_eq!(rows.len(), 4);
    assert!(rows.iter().all(|row| !row.contains("hunter2")), "{rows:?}");
    let hex = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert!(rows.iter().all(|row| !row.contains(&hex)), "{rows:?}");
}

#[tokio::test]
async fn secrets_swapped_between_rows_of_a_business_do_not_open() {
    let stage = Stage::open().await;
    let one = stage.voice_connection(WILLOW, "One", "s1").await;
    let other = stage.voice_connection(WILLOW, "Other", "s2").await;
    swap(&stage, "sealed_secret", one, other).await;
    assert_refused(opened(&stage, one).await, Reason::Internal);
    assert_refused(opened(&stage, other).await, Reason::Internal);
    swap(&stage, "sealed_secret", one, other).await;
    assert_eq!(opened(&stage, one).await.unwrap().secret, "s1");
}

#[tokio::test]
async fn secrets_swapped_between_businesses_do_not_open() {
    let stage = Stage::open().await;
    let one = stage.voice_connection(WILLOW, "One", "s1").await;
    let other = stage.voice_connection(LINDE, "Other", "s2").await;
    swap(&stage, "sealed_secret", one, other).await;
    assert_refused(opened(&stage, one).await, Reason::Internal);
    // Whole rows moved to the other business, with the keys that sealed them.
    swap(&stage, "sealed_secret", one, other).await;
    let move_all = format!(
        "ALTER TABLE voice_connection DROP CONSTRAINT voice_connection_data_key;
         ALTER TABLE data_key DROP CONSTRAINT data_key_one;
         ALTER TABLE call_check DROP CONSTRAINT call_check_connection;
         UPDATE voice_connection SET business_id = '{WILLOW}';
         UPDATE data_key SET business_id = '{WILLOW}'"
    );
    sqlx::raw_sql(AssertSqlSafe(move_all)).execute(&mut stage.superuser().await).await.unwrap();
    assert_eq!(opened(&stage, one).await.unwrap().secret, "s1");
    assert_refused(opened(&stage, other).await, Reason::Internal);
}

#[tokio::test]
async fn a_business_has_one_data_key_however_many_connect_at_once() {
    let stage = Stage::open().await;
    let labels: Vec<_> = (0..6).map(|n| format!("Line {n}")).collect();
    let made = join_all(labels.iter().map(|label| stage.voice_connection(WILLOW, label, SECRET))).await;
    stage.voice_connection(LINDE, "Main line", SECRET).await;
    assert_eq!(stage.count("SELECT count(*) FROM data_key").await, 2);
    for id in made {
        assert_eq!(opened(&stage, id).await.unwrap().secret, SECRET);
    }
}

#[tokio::test]
async fn master_keys_rotate_while_secrets_stay_readable() {
    let stage = Stage::open().await;
    let id = stage.voice_connection(WILLOW, "Main line", SECRET).await;
    stage.voice_connection(LINDE, "Main line", SECRET).await;
    let under = |key: &str| format!("SELECT count(*) FROM data_key WHERE master_key = '{key}'");
    assert_eq!(stage.count(&under("first")).await, 2);

    // The new key is known first, then wraps, then the old one is dropped.
    let stage = on(stage, &format!("{KEYS},{SECOND}")).await;
    assert_eq!(stage.count(&under("first")).await, 2);
    let stage = on(stage, &format!("{SECOND},{KEYS}")).await;
    assert_eq!(stage.count(&under("second")).await, 2);
    assert_eq!(opened(&stage, id).await.unwrap().secret, SECRET);
    let stage = on(stage, SECOND).await;
    assert_eq!(opened(&stage, id).await.unwrap().secret, SECRET);
}

#[tokio::test]
async fn without_the_master_key_of_a_data_key_the_service_does_not_start() {
    let stage = Stage::open().await;
    stage.voice_connection(WILLOW, "Main line", SECRET).await;
    let error = serve(&stage.host, &stage.database, SECOND).await.unwrap_err();
    assert!(format!("{error:#}").contains("the master key \"first\" is not configured"), "{error:#}");
}

/// The service started anew with other keys.
async fn on(stage: Stage, keys: &str) -> Stage {
    let channel = serve(&stage.host, &stage.database, keys).await.unwrap().channel();
    Stage { channel, ..stage }
}
