//! For how long the rows of a service's tables are kept: by their age, or for a reason that is said.

use database::Kept;
use sqlx::{Connection, PgConnection};

use crate::TestDatabase;

/// Why no age ends the rows of some tables, and which these are.
pub type Ageless = (&'static str, &'static [&'static str]);

/// Tables of every service, each with a job of its own.
const BOOKKEEPING: [&str; 4] = ["idempotency_key", "outbox", "outbox_parked", "outbox_seen"];

/// Checks that the rows of every table with a business end by their age, but for those of `ageless`.
///
/// # Panics
/// When it was decided of another table, or of none of these, how long its rows are kept.
pub async fn check_lives(database: &TestDatabase, kept: &[Kept], ageless: &[Ageless]) {
    let mut superuser = PgConnection::connect(&database.superuser_url).await.expect("the superuser connects");
    let mut tables: Vec<String> =
        sqlx::query_scalar(TABLES).fetch_all(&mut superuser).await.expect("the catalogue is read");
    tables.retain(|table| !BOOKKEEPING.contains(&table.as_str()));
    tables.retain(|table| kept.iter().all(|kept| kept.table != table));
    tables.sort();
    let mut excepted: Vec<_> = ageless.iter().flat_map(|(_, tables)| *tables).collect();
    excepted.sort();
    assert_eq!(
        tables.iter().collect::<Vec<_>>(),
        excepted,
        "tables whose rows no age ends, and those that may"
    );
}

const TABLES: &str = "SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'business_id'";
