//! What Postgres itself refuses, whatever the service's code does. The tables are
//! enumerated, so that a new one is under test from its migration on.

use testkit::{
    check_keys,
    isolation::{App, FOREIGN_KEY_VIOLATION, Isolation},
};
use uuid::Uuid;

use crate::{
    customer_merge, customer_note, customer_record,
    follow_up::follow_up,
    idempotency::add,
    stage::{LINDE, Stage, WILLOW},
};

/// Every table with a business.
const TABLES: [&str; 12] = [
    "business",
    "consent_change",
    "customer",
    "customer_merge",
    "customer_note",
    "data_key",
    "employee",
    "follow_up",
    "formula",
    "idempotency_key",
    "patch_test",
    "voice_connection",
];

/// Both businesses with rows in every tenant table.
async fn full() -> Stage {
    let stage = Stage::open().await;
    for business in [WILLOW, LINDE] {
        stage.employee(business, "Ana").await;
        stage.voice_connection(business, "Main line", "secret").await;
        add(&stage, business, "k1", "Mia").await.unwrap();
        follow_up(&stage, business, "Call back").await;
        customer_note::noted(&stage, business).await;
        customer_merge::merged_pair(&stage, business).await;
        customer_record::recorded(&stage, business).await;
    }
    stage
}

#[tokio::test]
async fn no_business_meets_another() {
    let stage = full().await;
    let isolation = Isolation {
        database: &stage.database,
        tables: &TABLES,
        without_business: &[],
        full: WILLOW,
        other: LINDE,
    };
    isolation.check().await;
}

#[tokio::test]
async fn every_key_begins_with_the_business() {
    let stage = Stage::empty().await;
    check_keys(&stage.database, &[]).await;
}

#[tokio::test]
async fn a_row_cannot_point_at_one_of_another_business() {
    let stage = full().await;
    let theirs: Uuid = sqlx::query_scalar("SELECT id FROM data_key WHERE business_id = $1")
        .bind(WILLOW.0)
        .fetch_one(&mut stage.superuser().await)
        .await
        .unwrap();
    let mut app = App::connect(&stage.database).await;
    let connect = |key: &str| {
        format!(
            "INSERT INTO voice_connection
                 (business_id, id, platform, label, data_key_id, sealed_secret, created_at)
             VALUES ('{LINDE}', '{}', 'RETELL', 'x', {key}, '', '2026-06-01')",
            Uuid::from_u128(7)
        )
    };
    let own = connect("(SELECT id FROM data_key)");
    assert_eq!(app.within(Some(LINDE), &own).await, Ok(1));
    assert_eq!(app.refused(LINDE, &connect(&format!("'{theirs}'"))).await, FOREIGN_KEY_VIOLATION);
}
