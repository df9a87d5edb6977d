//! One business at the database never meets another.

use caller::{BusinessId, Worker};
use database::{Database, sqlstate};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement};

use crate::{
    salon::{CALENDAR, MIA, OTHER, SALON, Salon, visit},
    shortfalls::unreadable,
};

const FOREIGN_KEY: &str = "23503";
const POLICY: &str = "42501";

async fn begin(app: &Database, business: BusinessId) -> DatabaseTransaction {
    app.begin(&Worker::new("test", business)).await.unwrap()
}

async fn strings(tx: &impl ConnectionTrait, sql: &str) -> Vec<String> {
    let rows = tx.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

/// A salon with a row in every tenant table of its own.
async fn busy_salon() -> Salon {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.put("dentist", 9).await.unwrap();
    salon.scheduling.fall_short("riddle", unreadable());
    salon.put("riddle", 11).await.unwrap();
    salon.until(async || salon.calendar().await.shortfall_count == 1).await;
    salon
}

#[tokio::test]
async fn without_a_business_every_tenant_table_is_empty() {
    let salon = busy_salon().await;
    let superuser = salon.superuser().await;
    let sql = "SELECT table_name::text FROM information_schema.columns
               WHERE table_schema = 'public' AND column_name = 'business_id' ORDER BY 1";
    let tables = strings(&superuser, sql).await;
    let own = ["booked_part", "calendar", "calendar_write", "demo_calendar", "demo_event", "employee"];
    assert_eq!(
        tables,
        [
            &own[..],
            &["event_shortfall", "outbox", "outbox_parked", "outbox_seen", "sync_state", "told_event"]
        ]
        .concat()
    );
    for table in tables {
        let count = format!("SELECT count(*)::text FROM {table}");
        if !table.starts_with("outbox") {
            assert_ne!(strings(&superuser, &count).await, ["0"], "{table}");
        }
        let nobody = salon.app.begin_untenanted().await.unwrap();
        assert_eq!(strings(&nobody, &count).await, ["0"], "{table}");
        let other = begin(&salon.app, OTHER).await;
        assert_eq!(strings(&other, &count).await, ["0"], "{table}");
    }
}

#[tokio::test]
async fn rows_of_another_business_cannot_be_written_or_referenced() {
    let salon = busy_salon().await;
    let attempt = async |sql: String| -> Result<u64, DbErr> {
        let tx = begin(&salon.app, OTHER).await;
        tx.execute_unprepared(&sql).await.map(|done| done.rows_affected())
    };
    for change in
        ["UPDATE calendar SET name = 'x'", "DELETE FROM demo_event", "UPDATE sync_state SET token = ''"]
    {
        assert_eq!(attempt(change.to_owned()).await.unwrap(), 0, "{change}");
    }
    let refused = async |sql: String| sqlstate(&attempt(sql).await.unwrap_err());
    let into_salon = format!("INSERT INTO told_event VALUES ('{SALON}', '{CALENDAR}', 'x')");
    assert_eq!(refused(into_salon).await.as_deref(), Some(POLICY));
    let references = [
        format!("INSERT INTO told_event VALUES ('{OTHER}', '{CALENDAR}', 'x')"),
        format!(
            "INSERT INTO sync_state (business_id, calendar_id, due_at) VALUES ('{OTHER}', '{CALENDAR}', '2026-06-01')"
        ),
        format!("INSERT INTO demo_calendar VALUES ('{OTHER}', '{CALENDAR}')"),
    ];
    for reference in references {
        assert_eq!(refused(reference).await.as_deref(), Some(FOREIGN_KEY));
    }
}
