use std::collections::HashMap;

use caller::BusinessId;
use database::Rotation;
use futures::future::join_all;
use proto::error::Reason;
use sealing::envelope::MasterKeys;
use sqlx::AssertSqlSafe;
use uuid::Uuid;

use crate::{
    stage::{KEYS, LINDE, Stage, WILLOW, assert_refused, serve},
    voice::opened,
};

const SECOND: &str = "second:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI";
const PINE: BusinessId = BusinessId(Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0003));
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

#[tokio::test]
async fn a_data_key_that_was_changed_holds_up_no_other_and_opens_no_secret() {
    let stage = Stage::open().await;
    stage.business(PINE, "Pine & Oak", "", "Europe/London").await;
    let mut connections = HashMap::new();
    for business in [WILLOW, LINDE, PINE] {
        connections.insert(business.0, stage.voice_connection(business, "Main line", SECRET).await);
    }
    // The first of those that are wrapped anew.
    let first = "SELECT business_id FROM data_key ORDER BY id LIMIT 1";
    let broken: Uuid = sqlx::query_scalar(first).fetch_one(&mut stage.superuser().await).await.unwrap();
    flip_data_key(&stage, broken).await;
    let keys = format!("{SECOND},{KEYS}");
    let stage = on(stage, &keys).await;
    let under = async |key: &str| {
        stage.count(&format!("SELECT count(*) FROM data_key WHERE master_key = '{key}'")).await
    };
    assert_eq!((under("first").await, under("second").await), (1, 2));
    for (business, connection) in &connections {
        let opened = opened(&stage, *connection).await;
        if *business == broken {
            assert_refused(opened, Reason::Internal);
        } else {
            assert_eq!(opened.unwrap().secret, SECRET);
        }
    }
    let database = stage.database.connect(&stage.host).await;
    let keys = MasterKeys::parse(&keys).unwrap();
    let rewrap = async || database.rewrap_data_keys::<anyhow::Error>(&keys).await.unwrap();
    assert_eq!(rewrap().await, Rotation { rewrapped: 0, broken: 1 });

    // As it was, for example out of a backup, it is wrapped as the others are.
    flip_data_key(&stage, broken).await;
    assert_eq!(rewrap().await, Rotation { rewrapped: 1, broken: 0 });
    assert_eq!((under("first").await, under("second").await), (0, 3));
    assert_eq!(opened(&stage, connections[&broken]).await.unwrap().secret, SECRET);
}

/// Changes a business's data key; done twice, it is as it was.
async fn flip_data_key(stage: &Stage, business: Uuid) {
    let sql = "UPDATE data_key SET sealed = set_byte(sealed, 30, get_byte(sealed, 30) # 255) WHERE business_id = $1";
    let flipped = sqlx::query(sql).bind(business).execute(&mut stage.superuser().await).await.unwrap();
    assert_eq!(flipped.rows_affected(), 1);
}

/// The service started anew with other keys.
async fn on(stage: Stage, keys: &str) -> Stage {
    let channel = serve(&stage.host, &stage.database, keys).await.unwrap().channel();
    Stage { channel, ..stage }
}
