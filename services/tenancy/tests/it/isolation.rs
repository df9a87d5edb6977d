//! What Postgres itself refuses, whatever the service's code does. The tables are
//! enumerated, so that a new one is under test from its migration on.

use caller::BusinessId;
use proto::frontdesk::tenancy::v1::ImportKind;
use testkit::{
    Ageless, Unnoted, check_keys, check_lives, check_noted,
    isolation::{App, FOREIGN_KEY_VIOLATION, INSUFFICIENT_PRIVILEGE, Isolation},
};
use uuid::Uuid;

use crate::{
    agent_chat, agent_publication, agent_settings, customer_export, customer_merge, customer_note,
    customer_record, erasure,
    follow_up::follow_up,
    idempotency::add,
    import::imports,
    item::{create, described},
    logo,
    stage::{LINDE, Stage, WILLOW},
    stock::receive_in,
    supplier::supplier,
    unread_calls,
};

/// Every table with a business.
const TABLES: [&str; 31] = [
    "agent_chat",
    "agent_draft",
    "agent_publication",
    "agent_version",
    "business",
    "business_logo",
    "call_check",
    "change_entry",
    "consent_change",
    "customer",
    "customer_erasure",
    "customer_erasure_holder",
    "customer_export",
    "customer_merge",
    "customer_note",
    "data_key",
    "employee",
    "follow_up",
    "formula",
    "idempotency_key",
    "import",
    "import_key",
    "import_line",
    "import_part",
    "item",
    "patch_test",
    "stock_movement",
    "supplier",
    "undoable_change",
    "unread_call",
    "voice_connection",
];

const UNNOTED: [Unnoted; 5] = [
    ("noted with the record that they belong to", &["business_logo", "customer_erasure_holder"]),
    ("each record that an import makes is noted", &["import_key", "import_line", "import_part"]),
    ("kept by workers for themselves", &["agent_publication", "call_check", "unread_call"]),
    ("no record of the business", &["data_key"]),
    ("says how to undo what is noted", &["undoable_change"]),
];

/// Both businesses with rows in every tenant table.
async fn full() -> Stage {
    let stage = Stage::open().await;
    for business in [WILLOW, LINDE] {
        stage.employee(business, "Ana").await;
        stage.voice_connection(business, "Main line", "secret").await;
        add(&stage, business, "k1", "Mia").await.unwrap();
        follow_up(&stage, business, "Call back").await;
        agent_publication::connected(&stage, business).await;
        unread_calls::given_up(&stage, business).await;
        agent_settings::published(&stage, business).await;
        agent_chat::started(&stage, business, true).await.unwrap();
        let gone = stage.customer(business, "Gone", "").await;
        erasure::erase(&stage, business, &gone.id).await.unwrap();
        customer_note::noted(&stage, business).await;
        customer_merge::merged_pair(&stage, business).await;
        customer_record::recorded(&stage, business).await;
        supplier(&stage, business, "Acme").await;
        let item = create(&stage, business, described("Shampoo")).await.unwrap();
        receive_in(&stage, business, &item.id, 5).await.unwrap();
        imported(&stage, business).await;
        logo::set(&stage, business, logo::png(20)).await.unwrap();
        customer_export::begin(&stage, business, "").await.unwrap();
    }
    stage
}

/// An import that is being received, and one that is checked.
async fn imported(stage: &Stage, business: BusinessId) {
    let imports = imports(stage, business);
    let id = imports.begin(ImportKind::Customers).await;
    imports.put(&id, 0, "name\nMia").await.unwrap();
    let checked = imports.checked(ImportKind::Customers, "name\nTom").await;
    // The check drops what it no longer needs.
    let keys = format!("INSERT INTO import_key VALUES ('{business}', '{}', 'name', 2)", checked.id);
    sqlx::query(sqlx::AssertSqlSafe(keys)).execute(&mut stage.superuser().await).await.unwrap();
}

#[tokio::test]
async fn a_movement_is_never_changed_or_deleted() {
    let stage = full().await;
    let mut app = App::connect(&stage.database).await;
    for sql in
        ["UPDATE stock_movement SET quantity = 1", "DELETE FROM stock_movement", "TRUNCATE stock_movement"]
    {
        assert_eq!(app.refused(WILLOW, sql).await, INSUFFICIENT_PRIVILEGE, "{sql}");
    }
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
async fn changes_of_every_record_are_noted() {
    let stage = Stage::empty().await;
    check_noted(&stage.database, &UNNOTED).await;
}

/// Tables whose rows stay however old they are.
const AGELESS: [Ageless; 2] = [
    (
        "records of the business",
        &[
            "agent_draft",
            "agent_version",
            "business",
            "business_logo",
            "consent_change",
            "customer",
            "customer_erasure",
            "customer_erasure_holder",
            "customer_merge",
            "customer_note",
            "data_key",
            "employee",
            "follow_up",
            "formula",
            "item",
            "patch_test",
            "stock_movement",
            "supplier",
            "voice_connection",
        ],
    ),
    (
        "end with the import or the connection that they belong to",
        &["agent_publication", "call_check", "import_key", "import_line", "import_part", "unread_call"],
    ),
];

#[tokio::test]
async fn how_long_rows_are_kept_is_decided_of_every_table() {
    let stage = Stage::empty().await;
    check_lives(&stage.database, tenancy::retention::KEPT, &AGELESS).await;
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
