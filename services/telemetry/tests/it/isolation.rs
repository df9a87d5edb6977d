//! One business at the database never meets another.

use caller::{BusinessId, Worker};
use database::{Database, sqlstate};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement};

use crate::desk::{Desk, LINE, OTHER, SALON, answered, said, started};

const FOREIGN_KEY: &str = "23503";
const POLICY: &str = "42501";

async fn begin(app: &Database, business: BusinessId) -> DatabaseTransaction {
    app.begin(&Worker::new("test", business)).await.unwrap()
}

async fn strings(tx: &impl ConnectionTrait, sql: &str) -> Vec<String> {
    let rows = tx.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// A desk with a row of the salon in every tenant table.
async fn busy_desk() -> (Desk, String) {
    let desk = Desk::open().await;
    let mut facts = started("platform-1");
    facts.turns = vec![said(proto::frontdesk::telemetry::v1::Speaker::Agent, "Hello")];
    let call = desk.record("event", facts).await.unwrap().call_id;
    let run = desk.begin("tool").await.unwrap().tool_call_id;
    desk.finish(answered(&run)).await.unwrap();
    (desk, call)
}

#[tokio::test]
async fn without_a_business_every_tenant_table_is_empty() {
    let (desk, _) = busy_desk().await;
    let superuser = desk.superuser().await;
    let sql = "SELECT table_name::text FROM information_schema.columns
               WHERE table_schema = 'public' AND column_name = 'business_id' ORDER BY 1";
    let tables = strings(&superuser, sql).await;
    assert_eq!(tables, ["call", "delivery", "outbox", "outbox_parked", "outbox_seen", "tool_call", "turn"]);
    for table in tables {
        let count = format!("SELECT count(*)::text FROM {table}");
        if !["outbox_parked", "outbox_seen"].contains(&table.as_str()) {
            assert_ne!(strings(&superuser, &count).await, ["0"], "{table}");
        }
        let nobody = desk.app.begin_untenanted().await.unwrap();
        assert_eq!(strings(&nobody, &count).await, ["0"], "{table}");
        let other = begin(&desk.app, OTHER).await;
        assert_eq!(strings(&other, &count).await, ["0"], "{table}");
    }
}

#[tokio::test]
async fn rows_of_another_business_cannot_be_written_or_referenced() {
    let (desk, call) = busy_desk().await;
    let attempt = async |sql: String| -> Result<u64, DbErr> {
        let tx = begin(&desk.app, OTHER).await;
        tx.execute_unprepared(&sql).await.map(|done| done.rows_affected())
    };
    for change in ["UPDATE call SET summary = 'x'", "DELETE FROM turn", "UPDATE tool_call SET ok = false"] {
        assert_eq!(attempt(change.to_owned()).await.unwrap(), 0, "{change}");
    }
    let refused = async |sql: String| sqlstate(&attempt(sql).await.unwrap_err());
    let into_salon = format!("INSERT INTO turn VALUES ('{SALON}', '{call}', 7, 'AGENT', 'x', NULL)");
    assert_eq!(refused(into_salon).await.as_deref(), Some(POLICY));
    let references = [
        format!("INSERT INTO turn VALUES ('{OTHER}', '{call}', 7, 'AGENT', 'x', NULL)"),
        format!(
            "INSERT INTO delivery VALUES ('{OTHER}', '{LINE}', '{LINE}', 'k', '{call}', '', '2026-06-01')"
        ),
    ];
    for reference in references {
        assert_eq!(refused(reference).await.as_deref(), Some(FOREIGN_KEY));
    }
    let unchanged = desk.get(&call).await.unwrap();
    assert_eq!((unchanged.turns.len(), unchanged.call.unwrap().summary.as_str()), (1, ""));
}
