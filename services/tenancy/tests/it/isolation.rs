//! What Postgres itself refuses, whatever the service's code does. The tables are
//! enumerated, so that a new one is under test from its migration on.

use caller::BusinessId;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use uuid::Uuid;

use crate::{
    follow_up::follow_up,
    idempotency::add,
    stage::{LINDE, Stage, WILLOW},
};

const INSUFFICIENT_PRIVILEGE: &str = "42501";
const FOREIGN_KEY_VIOLATION: &str = "23503";

/// Every table with a business.
async fn tenant_tables(stage: &Stage) -> Vec<String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT table_name::text FROM information_schema.columns
         WHERE table_schema = 'public' AND column_name = 'business_id' ORDER BY table_name",
    )
    .fetch_all(&mut stage.superuser().await)
    .await
    .unwrap();
    for known in
        ["business", "customer", "data_key", "employee", "idempotency_key", "outbox", "voice_connection"]
    {
        assert!(tables.iter().any(|table| table == known), "{known} is gone: {tables:?}");
    }
    tables
}

/// Both businesses with rows in every tenant table.
async fn full() -> Stage {
    let stage = Stage::open().await;
    for business in [WILLOW, LINDE] {
        stage.employee(business, "Ana").await;
        stage.voice_connection(business, "Main line", "secret").await;
        add(&stage, business, "k1", "Mia").await.unwrap();
        follow_up(&stage, business, "Call back").await;
        // Filled by followers, of which tenancy has none.
        let followed = format!(
            "INSERT INTO outbox_seen VALUES ('f', 's', 'business', '{business}', '{business}', 1);
             INSERT INTO outbox_parked VALUES
             ('f', 's', {}, 'business', '{business}', '{business}', 'poison', '2026-06-01', '')",
            business.0.as_u128() % 10
        );
        sqlx::raw_sql(AssertSqlSafe(followed)).execute(&mut stage.superuser().await).await.unwrap();
    }
    for table in tenant_tables(&stage).await {
        for business in [WILLOW, LINDE] {
            let rows = format!("SELECT count(*) FROM \"{table}\" WHERE business_id = '{business}'");
            assert!(stage.count(&rows).await > 0, "{table} has no row of {business}: give it one here");
        }
    }
    stage
}

/// The columns of a table that Postgres does not work out itself.
async fn given_columns(stage: &Stage, table: &str) -> String {
    sqlx::query_scalar(
        "SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'",
    )
    .bind(table)
    .fetch_one(&mut stage.superuser().await)
    .await
    .unwrap()
}

/// The app role, outside the service.
struct App(PgConnection);

impl App {
    async fn connect(stage: &Stage) -> Self {
        Self(PgConnection::connect(&stage.database.app_url).await.unwrap())
    }

    /// Runs a statement in a transaction of `business`, rolled back; rows or SQLSTATE and message.
    async fn within(&mut self, business: Option<BusinessId>, sql: &str) -> Result<u64, (String, String)> {
        let mut tx = self.0.begin().await.unwrap();
        if let Some(business) = business {
            sqlx::query("SELECT set_config('app.business_id', $1, true)")
                .bind(business.to_string())
                .execute(&mut *tx)
                .await
                .unwrap();
        }
        let done = sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await;
        tx.rollback().await.unwrap();
        match done {
            Ok(done) => Ok(done.rows_affected()),
            Err(sqlx::Error::Database(error)) => {
                Err((error.code().unwrap_or_default().into_owned(), error.message().to_owned()))
            }
            Err(error) => panic!("{sql}: {error}"),
        }
    }

    /// As [`Self::within`], of which only the SQLSTATE matters.
    async fn refused(&mut self, business: BusinessId, sql: &str) -> String {
        self.within(Some(business), sql).await.expect_err(sql).0
    }
}

#[tokio::test]
async fn every_table_with_a_business_forces_row_level_security_on_all() {
    let stage = Stage::empty().await;
    let loose: Vec<String> = sqlx::query_scalar(
        "SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
           AND a.attname = 'business_id' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)",
    )
    .fetch_all(&mut stage.superuser().await)
    .await
    .unwrap();
    assert!(loose.is_empty(), "{loose:?}");
}

#[tokio::test]
async fn only_bookkeeping_has_no_business() {
    let stage = Stage::empty().await;
    let without: Vec<String> = sqlx::query_scalar(
        "SELECT table_name::text FROM information_schema.tables t
         WHERE table_schema = 'public' AND NOT EXISTS (
             SELECT FROM information_schema.columns c WHERE c.table_schema = t.table_schema
             AND c.table_name = t.table_name AND c.column_name = 'business_id')
         ORDER BY table_name",
    )
    .fetch_all(&mut stage.superuser().await)
    .await
    .unwrap();
    let known = ["installation_audit", "outbox_horizon", "outbox_position", "seaql_migrations"];
    assert_eq!(without, known);
}

#[tokio::test]
async fn the_app_role_owns_nothing_and_bypasses_nothing() {
    let stage = Stage::empty().await;
    let mut app = App::connect(&stage).await;
    let (role, privileged): (String, bool) = sqlx::query_as(
        "SELECT rolname::text, rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication
                OR rolinherit
         FROM pg_roles WHERE rolname = current_user",
    )
    .fetch_one(&mut app.0)
    .await
    .unwrap();
    assert_eq!((role.as_str(), privileged), ("tenancy_app", false));
    let owned = "SELECT count(*) FROM pg_class WHERE relowner = 'tenancy_app'::regrole";
    assert_eq!(stage.count(owned).await, 0);
    let reaches = "SELECT count(*) FROM pg_roles
        WHERE (rolsuper OR rolbypassrls OR rolname = 'tenancy_owner')
          AND pg_has_role('tenancy_app', oid, 'MEMBER')";
    assert_eq!(stage.count(reaches).await, 0);
    for sql in [
        "ALTER TABLE customer DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON customer",
        "TRUNCATE customer",
        "CREATE TABLE mine (id int)",
        "SET ROLE tenancy_owner",
    ] {
        assert_eq!(app.refused(WILLOW, sql).await, INSUFFICIENT_PRIVILEGE, "{sql}");
    }
}

#[tokio::test]
async fn without_a_business_every_full_table_is_empty() {
    let stage = full().await;
    let mut app = App::connect(&stage).await;
    for table in tenant_tables(&stage).await {
        let all = format!("SELECT * FROM \"{table}\"");
        assert_eq!(app.within(None, &all).await, Ok(0), "{table} on a new connection");
        assert!(app.within(Some(WILLOW), &all).await.unwrap() > 0, "{table}");
        // The setting is now '' instead of unset.
        assert_eq!(app.within(None, &all).await, Ok(0), "{table} after another's transaction");
    }
}

#[tokio::test]
async fn rows_of_another_business_can_be_neither_seen_nor_changed() {
    let stage = full().await;
    let mut app = App::connect(&stage).await;
    for table in tenant_tables(&stage).await {
        let theirs = format!("\"{table}\" WHERE business_id = '{WILLOW}'");
        assert_eq!(app.within(Some(LINDE), &format!("SELECT * FROM {theirs}")).await, Ok(0), "{table}");
        let update =
            format!("UPDATE \"{table}\" SET business_id = business_id WHERE business_id = '{WILLOW}'");
        for sql in [update, format!("DELETE FROM {theirs}")] {
            match app.within(Some(LINDE), &sql).await {
                Ok(rows) => assert_eq!(rows, 0, "{sql}"),
                Err((state, _)) => assert_eq!(state, INSUFFICIENT_PRIVILEGE, "{sql}"),
            }
        }
    }
}

#[tokio::test]
async fn no_row_can_be_added_to_another_business_or_given_to_it() {
    let stage = full().await;
    let mut app = App::connect(&stage).await;
    for table in tenant_tables(&stage).await {
        let columns = given_columns(&stage, &table).await;
        let add = format!(
            "INSERT INTO \"{table}\" ({columns}) SELECT {columns}
             FROM (SELECT (jsonb_populate_record(own, '{{\"business_id\": \"{WILLOW}\"}}')).*
             FROM \"{table}\" own LIMIT 1) theirs"
        );
        let (state, message) = app.within(Some(LINDE), &add).await.expect_err(&table);
        assert_eq!(state, INSUFFICIENT_PRIVILEGE, "{table}: {message}");
        assert!(message.contains("row-level security"), "{table}: {message}");
        let give = format!("UPDATE \"{table}\" SET business_id = '{WILLOW}'");
        assert_eq!(app.refused(LINDE, &give).await, INSUFFICIENT_PRIVILEGE, "{table}");
    }
}

#[tokio::test]
async fn every_foreign_key_between_tenant_tables_carries_the_business() {
    let stage = Stage::empty().await;
    let keys: Vec<(String, bool)> = sqlx::query_as(
        "SELECT k.conname::text, EXISTS (
             SELECT FROM unnest(k.conkey, k.confkey) AS pair (own, their)
             JOIN pg_attribute o ON o.attrelid = k.conrelid AND o.attnum = pair.own
             JOIN pg_attribute t ON t.attrelid = k.confrelid AND t.attnum = pair.their
             WHERE o.attname = 'business_id' AND t.attname = 'business_id')
         FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace",
    )
    .fetch_all(&mut stage.superuser().await)
    .await
    .unwrap();
    assert!(keys.len() >= 6, "{keys:?}");
    let plain: Vec<_> = keys.iter().filter(|(_, carries)| !carries).collect();
    assert!(plain.is_empty(), "{plain:?}");
}

#[tokio::test]
async fn every_record_can_be_referenced_only_together_with_its_business() {
    let stage = Stage::empty().await;
    let unreferencable: Vec<String> = sqlx::query_scalar(
        "SELECT c.relname::text FROM pg_class c
         JOIN pg_attribute id ON id.attrelid = c.oid AND id.attname = 'id'
         JOIN pg_attribute business ON business.attrelid = c.oid AND business.attname = 'business_id'
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (
             SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('u', 'p')
             AND k.conkey @> ARRAY[id.attnum, business.attnum] AND cardinality(k.conkey) = 2)",
    )
    .fetch_all(&mut stage.superuser().await)
    .await
    .unwrap();
    assert!(unreferencable.is_empty(), "{unreferencable:?}");
}

#[tokio::test]
async fn a_row_cannot_point_at_one_of_another_business() {
    let stage = full().await;
    let theirs: Uuid = sqlx::query_scalar("SELECT id FROM data_key WHERE business_id = $1")
        .bind(WILLOW.0)
        .fetch_one(&mut stage.superuser().await)
        .await
        .unwrap();
    let mut app = App::connect(&stage).await;
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
