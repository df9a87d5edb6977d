//! Imports that an earlier release left under way, after the upgrade.

use std::sync::Arc;

use boot::clock::Clock;
use database::migrate;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{ImportLineState as Line, ImportState as State},
};
use sea_orm_migration::{MigrationTrait, MigratorTrait};
use sqlx::{Connection, PgConnection};
use tenancy::{NAME, migration::Migrator};
use uuid::Uuid;

use crate::{
    import::imports,
    stage::{Stage, WILLOW, assert_refused},
};

const RECEIVING: u128 = 1;
const CHECKED: u128 = 2;
const CHECKING: u128 = 3;
const IMPORTING: u128 = 4;
const APPOINTMENTS: u128 = 5;
const DONE: u128 = 6;

/// The schema of the release before tables had assigned columns and an order of dates.
struct BeforeColumns;

impl MigratorTrait for BeforeColumns {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        before("m0024_import_columns")
    }
}

/// The schema of the release before open tables expired.
struct BeforeExpiry;

impl MigratorTrait for BeforeExpiry {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        before("m0027_import_expiry")
    }
}

fn before(name: &str) -> Vec<Box<dyn MigrationTrait>> {
    let mut steps = Migrator::migrations();
    let end = steps.iter().position(|step| step.name() == name).unwrap();
    steps.truncate(end);
    steps
}

const SALON: &str = "
    INSERT INTO business (business_id, name, time_zone, version, created_at)
        VALUES ('01900000-0000-7000-8000-000000000001', 'Willow & Co', 'Europe/London', 1, '2026-06-01')";

/// A table in each state; those that wait for a person are not due, and a killed worker held one.
const UNDER_WAY: &str = r#"
    CREATE FUNCTION pg_temp.id(n int) RETURNS uuid LANGUAGE sql AS
        $$ SELECT lpad(to_hex(n), 32, '0')::uuid $$;
    INSERT INTO import (business_id, id, kind, file_name, state, line_count, checked_count, bad_count,
            imported_count, failed_count, created_by, created_at, started_by, finished_at, lease_id, due_at)
        SELECT '01900000-0000-7000-8000-000000000001', pg_temp.id(n), kind, 'table.csv', state, lines, checked, bad,
            imported, 0, 'user:00000000-0000-0000-0000-000000000007', now() - interval '1 hour',
            CASE WHEN state IN ('IMPORTING', 'DONE') THEN 'user:00000000-0000-0000-0000-000000000007' END,
            CASE WHEN state = 'DONE' THEN now() - interval '1 minute' END,
            CASE WHEN state = 'IMPORTING' THEN gen_random_uuid() END,
            CASE WHEN state IN ('CHECKING', 'IMPORTING') THEN now() - interval '1 minute' END
        FROM (VALUES (1, 'CUSTOMERS', 'RECEIVING', 0, 0, 0, 0),
            (2, 'CUSTOMERS', 'CHECKED', 2, 2, 1, 0),
            (3, 'CUSTOMERS', 'CHECKING', 1, 0, 0, 0),
            (4, 'CUSTOMERS', 'IMPORTING', 2, 2, 0, 1),
            (5, 'APPOINTMENTS', 'CHECKING', 1, 0, 0, 0),
            (6, 'CUSTOMERS', 'DONE', 1, 1, 0, 1)) AS tables (n, kind, state, lines, checked, bad, imported);
    INSERT INTO import_part (business_id, import_id, part, text)
        VALUES ('01900000-0000-7000-8000-000000000001', pg_temp.id(1), 0, E'name,phone\nMia,+442079460001\n');
    INSERT INTO import_line (business_id, import_id, line, state, cells, field, fault, record_id)
        SELECT '01900000-0000-7000-8000-000000000001', pg_temp.id(n), line, state, cells::jsonb,
            CASE WHEN state = 'BAD' THEN 'phone' END, CASE WHEN state = 'BAD' THEN 'is no telephone number' END,
            CASE WHEN state = 'IMPORTED' THEN gen_random_uuid() END
        FROM (VALUES (2, 2, 'GOOD', '["Tom", "", "", "+442079460002", "", ""]'),
            (2, 3, 'BAD', '["Eva", "", "", "anonymous", "", ""]'),
            (3, 2, 'UNCHECKED', '["", "Zoe", "Lind", "+442079460003", "", ""]'),
            (4, 2, 'IMPORTED', '["Ida", "", "", "+442079460004", "", ""]'),
            (4, 3, 'GOOD', '["Ben", "", "", "+442079460005", "", "regular"]'),
            (5, 2, 'UNCHECKED', '["1", "", "", "03/04/2026 9:00", "", "", "", "Cut", "", "Ana", "", "", "", "", "", "",
                ""]'),
            (6, 2, 'IMPORTED', '["Kai", "", "", "", "", ""]')) AS kept (n, line, state, cells);"#;

/// A checked table whose dates a person said to be with the month first; its cells are as they were written.
const MONTH_FIRST: &str = r#"
    INSERT INTO import (business_id, id, kind, state, line_count, checked_count, bad_count, imported_count,
            failed_count, created_by, created_at, columns, date_order)
        VALUES ('01900000-0000-7000-8000-000000000001', '00000000-0000-0000-0000-000000000005', 'APPOINTMENTS',
            'CHECKED', 1, 1, 0, 0, 0, 'user:00000000-0000-0000-0000-000000000007', now(),
            '[{"heading": "Start", "field": "start"}, {"heading": "Room", "field": null}]', 'MONTH_FIRST');
    INSERT INTO import_line (business_id, import_id, line, state, cells)
        VALUES ('01900000-0000-7000-8000-000000000001', '00000000-0000-0000-0000-000000000005', 2, 'GOOD',
            '["1", "", "", "03/04/2026 9:00", "", "", "", "Cut", "", "Ana", "", "", "", "", "", "", ""]');"#;

/// This release on a database that had the schema of `M` when it got `rows`. The clock begins at the database's time,
/// from which the migration counts.
async fn upgraded<M: MigratorTrait>(rows: &'static str) -> Stage {
    let (clock, time) = Clock::test(Clock::system().now());
    let database = Arc::new(testkit::database::<M>(NAME).await);
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    for sql in [SALON, rows] {
        sqlx::raw_sql(sql).execute(&mut superuser).await.unwrap();
    }
    superuser.close().await.unwrap();
    migrate::<Migrator>(&database.migration_url).await.unwrap();
    Stage::beside(database, testkit::host_on(NAME, clock), time).await
}

fn id(number: u128) -> String {
    Uuid::from_u128(number).to_string()
}

/// Has the appointments of a checked table imported; when the first one starts.
async fn booked(stage: &Stage) -> String {
    let imports = imports(stage, WILLOW);
    imports.until_state(&id(APPOINTMENTS), State::Checked).await;
    imports.start(&id(APPOINTMENTS)).await.unwrap();
    let done = imports.until_state(&id(APPOINTMENTS), State::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (1, 0));
    let visit = stage.scheduling.imported().remove(0);
    visit.items[0].starts_at.clone().unwrap().local
}

#[tokio::test]
async fn tables_of_an_earlier_release_are_read_checked_and_imported_to_the_end() {
    let stage = upgraded::<BeforeColumns>(UNDER_WAY).await;
    let imports = imports(&stage, WILLOW);
    for (import, state) in [(RECEIVING, State::Receiving), (CHECKED, State::Checked), (DONE, State::Done)] {
        assert_eq!(imports.get(&id(import)).await.state(), state);
    }
    assert!(imports.whole(&id(CHECKED)).await.table_columns.is_empty(), "no release kept them");
    assert_eq!(imports.bad(&id(CHECKED), Line::Bad).await, [(3, "phone".to_owned())]);

    imports.check(&id(RECEIVING), 1).await.unwrap();
    for import in [RECEIVING, CHECKED, CHECKING] {
        imports.until_state(&id(import), State::Checked).await;
        imports.start(&id(import)).await.unwrap();
        let done = imports.until_state(&id(import), State::Done).await;
        assert_eq!((done.imported_count, done.failed_count), (1, 0), "{done:?}");
    }
    let done = imports.until_state(&id(IMPORTING), State::Done).await;
    assert_eq!((done.imported_count, done.failed_count), (2, 0), "the line before the upgrade counts");
    let added = "SELECT count(*) FROM customer WHERE name IN ('Mia', 'Tom', 'Zoe Lind', 'Ben')";
    assert_eq!(stage.count(added).await, 4);
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 4, "none is imported again");
}

#[tokio::test]
async fn dates_are_read_in_the_order_in_which_the_earlier_release_read_them() {
    let stage = upgraded::<BeforeColumns>(UNDER_WAY).await;
    let start = booked(&stage).await;
    assert!(start.starts_with("2026-04-03T09:00"), "{start}: it read all with the day first");
    let stage = upgraded::<BeforeExpiry>(MONTH_FIRST).await;
    let start = booked(&stage).await;
    assert!(start.starts_with("2026-03-04T09:00"), "{start}: a person said so");
}

#[tokio::test]
async fn tables_that_were_open_expire_a_day_after_the_upgrade() {
    let stage = upgraded::<BeforeColumns>(UNDER_WAY).await;
    let imports = imports(&stage, WILLOW);
    let undated = "SELECT count(*) FROM import WHERE finished_at IS NULL AND due_at IS NULL";
    assert_eq!(stage.count(undated).await, 0);
    stage.time.advance(SignedDuration::from_hours(23));
    imports.until_state(&id(IMPORTING), State::Done).await;
    assert_eq!(imports.get(&id(RECEIVING)).await.state(), State::Receiving, "it has an hour left");
    stage.time.advance(SignedDuration::from_hours(2));
    for import in [RECEIVING, CHECKED] {
        imports.until_state(&id(import), State::Expired).await;
        assert_refused(imports.start(&id(import)).await, Reason::WrongState);
    }
    assert_eq!(stage.count("SELECT count(*) FROM import_part").await, 0);
    let left = format!("SELECT count(*) FROM import_line WHERE import_id = '{}'", id(CHECKED));
    assert_eq!(stage.count(&left).await, 0);
}
