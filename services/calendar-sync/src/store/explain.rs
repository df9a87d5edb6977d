//! The hot queries, as they are planned under row-level security.

use caller::{BusinessId, InstallationScope, Worker};
use database::Database;
use sea_orm::{ConnectionTrait, DatabaseTransaction};
use uuid::Uuid;

use super::{calendar, demo_event, read, shortfall, write};
use crate::migration::Migrator;

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(7));

/// Three businesses with twenty thousand calendars, some of them full, and writes of which
/// few are due.
const FILL: &str = "
    INSERT INTO calendar (business_id, id, kind, employee_id, name, connected_at)
    SELECT lpad(to_hex(7 + n % 3), 32, '0')::uuid, md5('calendar' || n)::uuid, 'DEMO', md5('employee' || n)::uuid,
           'Private', timestamptz '2026-06-01 08:00Z' FROM generate_series(1, 20000) n;
    INSERT INTO sync_state (business_id, calendar_id, due_at)
    SELECT business_id, id, connected_at + (row_number() OVER ()) * interval '1 second' FROM calendar;
    INSERT INTO demo_calendar (business_id, id) SELECT business_id, id FROM calendar;
    INSERT INTO demo_event (business_id, calendar_id, id, title, starts_at, ends_at, change, changed_at)
    SELECT business_id, id, 'event-' || n, 'School', connected_at + n * interval '1 hour',
           connected_at + n * interval '1 hour' + interval '30 minutes', n, connected_at
    FROM calendar, generate_series(1, 400) n WHERE md5(id::text) < '006';
    INSERT INTO event_shortfall (business_id, calendar_id, event_id, title, starts_at, ends_at, reason)
    SELECT business_id, calendar_id, id, title, starts_at, ends_at, 'OUT_OF_RANGE' FROM demo_event;
    INSERT INTO calendar_write (business_id, calendar_id, event_id, appointment_id, title, starts_at, ends_at,
        wanted, written, wanted_at, due_at)
    SELECT business_id, calendar_id, id, md5(id)::uuid, title, starts_at, ends_at, 1,
           CASE WHEN change % 50 = 0 THEN 0 ELSE 1 END, changed_at, changed_at + change * interval '1 second' FROM demo_event;
    ANALYZE;";

async fn plan(tx: &DatabaseTransaction, sql: &str, parameters: &str) -> String {
    tx.execute_unprepared(&format!("PREPARE hot AS {sql}")).await.unwrap();
    let explain = database::statement(&format!("EXPLAIN EXECUTE hot({parameters})"), []);
    let rows = tx.query_all_raw(explain).await.unwrap();
    tx.execute_unprepared("DEALLOCATE hot").await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap() + "\n").collect()
}

#[tokio::test]
async fn no_hot_query_scans_a_whole_table() {
    let database = testkit::database::<Migrator>(crate::SERVICE).await;
    sea_orm::Database::connect(&database.superuser_url)
        .await
        .unwrap()
        .execute_unprepared(FILL)
        .await
        .unwrap();
    let (host, _) = testkit::host(crate::SERVICE);
    let app: Database = database.connect(&host).await;
    let id = "'00000000-0000-0000-0000-000000000001'::uuid";
    let business = format!("'{BUSINESS}'::uuid");
    let tx = app.begin(&Worker::new("explain", BUSINESS)).await.unwrap();
    let full = tx
        .query_one_raw(database::statement("SELECT calendar_id FROM demo_event LIMIT 1", []))
        .await
        .unwrap()
        .unwrap();
    let full = format!("'{}'::uuid", full.try_get_by_index::<Uuid>(0).unwrap());
    let hot = [
        (calendar::page_sql(), format!("{business}, {id}, {id}, 50"), "calendar_of_employee"),
        (demo_event::changes_sql(), format!("{business}, {full}, 3, false, 250"), "demo_event_change"),
        (
            shortfall::DUE.to_owned(),
            format!("{business}, {full}, timestamptz '2026-06-01'"),
            "event_shortfall_pkey",
        ),
        (
            demo_event::page_sql(),
            format!("{business}, {full}, timestamptz '2026-06-01', '', 50"),
            "demo_event_by_start",
        ),
    ];
    for (sql, parameters, index) in hot {
        let plan = plan(&tx, &sql, &parameters).await;
        assert!(!plan.contains("Seq Scan") && plan.contains(index), "{sql}\n{plan}");
    }
    tx.commit().await.unwrap();
    let (now, later) = ("timestamptz '2026-06-01 08:00:10Z'", "timestamptz '2026-06-01 08:00:40Z'");
    let claims = [
        (read::CLAIM, format!("{now}, 8, {id}, {later}, {later}"), "sync_state_due"),
        (write::CLAIM, format!("{now}, 8, {id}, {later}"), "calendar_write_due"),
    ];
    let tx = app.begin_installation(&InstallationScope::worker("explain")).await.unwrap();
    for (sql, parameters, index) in claims {
        let plan = plan(&tx, sql, &parameters).await;
        assert!(!plan.contains("Seq Scan") && plan.contains(index), "{sql}\n{plan}");
    }
}
