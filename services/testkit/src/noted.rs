//! Which tables of a service note by themselves who changed their rows: a record that people change leaves a trace,
//! whatever code changes it.

use sqlx::{Connection, PgConnection};

use crate::TestDatabase;

/// Why the changes of some tables are not noted, and which these are.
pub type Unnoted = (&'static str, &'static [&'static str]);

/// Tables of every service that are no records.
const BOOKKEEPING: [&str; 5] = ["change_entry", "idempotency_key", "outbox", "outbox_parked", "outbox_seen"];

/// Checks that every table with a business notes its changes, but for those of `unnoted`.
///
/// # Panics
/// When the changes of other tables are not noted.
pub async fn check_noted(database: &TestDatabase, unnoted: &[Unnoted]) {
    let mut superuser = PgConnection::connect(&database.superuser_url).await.expect("the superuser connects");
    let mut silent: Vec<String> =
        sqlx::query_scalar(SILENT).fetch_all(&mut superuser).await.expect("the catalogue is read");
    silent.retain(|table| !BOOKKEEPING.contains(&table.as_str()));
    silent.sort();
    let mut excepted: Vec<_> = unnoted.iter().flat_map(|(_, tables)| *tables).collect();
    excepted.sort();
    assert_eq!(
        silent.iter().collect::<Vec<_>>(),
        excepted,
        "tables whose changes are not noted, and those that may"
    );
}

const SILENT: &str = "SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'business_id'
        AND NOT EXISTS (
            SELECT FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE t.tgrelid = c.oid AND p.proname IN ('note_change', 'note_set'))";
