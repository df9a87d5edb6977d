//! Which keys of a service's tables begin with the business: a database in which all do is distributed by business
//! without a rewrite.

use sqlx::{Connection, PgConnection};

use crate::TestDatabase;

/// A key that may begin with something else, and why. A primary key, unique constraint or index, exclusion constraint
/// or foreign key, by its name.
pub type Exception = (&'static str, &'static str);

/// Checks every key of every table that has a business. A foreign key has to begin with it on both sides.
///
/// # Panics
/// When other keys than `exceptions` begin with something else.
pub async fn check_keys(database: &TestDatabase, exceptions: &[Exception]) {
    let mut excepted: Vec<_> = exceptions.iter().map(|(name, _)| (*name).to_owned()).collect();
    excepted.sort();
    assert_eq!(
        other_keys(database).await,
        excepted,
        "keys that don't begin with the business, and those that may"
    );
}

/// The keys that begin with something else, and the tables that have no key to begin with it: without a primary key,
/// or where the business may be missing.
///
/// # Panics
/// When the catalogue can't be read.
pub async fn other_keys(database: &TestDatabase) -> Vec<String> {
    let mut superuser = PgConnection::connect(&database.superuser_url).await.expect("the superuser connects");
    let mut names: Vec<String> =
        sqlx::query_scalar(OTHER_KEYS).fetch_all(&mut superuser).await.expect("the catalogue is read");
    names.sort();
    names
}

const OTHER_KEYS: &str = "WITH tenant AS (
        SELECT c.oid, c.relname, a.attnum, a.attnotnull FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'business_id'
    )
    SELECT relname::text FROM tenant WHERE NOT attnotnull
        OR NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = tenant.oid AND i.indisprimary)
    UNION ALL
    SELECT i.indexrelid::regclass::text FROM pg_index i JOIN tenant t ON t.oid = i.indrelid
    WHERE (i.indisunique OR i.indisexclusion) AND i.indkey[0] <> t.attnum
    UNION ALL
    -- An exclusion constraint holds within a business only if it compares businesses for equality.
    SELECT k.conname::text FROM pg_constraint k JOIN tenant t ON t.oid = k.conrelid
    JOIN pg_operator o ON o.oid = k.conexclop[1]
    WHERE k.contype = 'x' AND k.conkey[1] = t.attnum AND o.oprname <> '='
    UNION ALL
    SELECT k.conname::text FROM pg_constraint k
    LEFT JOIN tenant own ON own.oid = k.conrelid LEFT JOIN tenant their ON their.oid = k.confrelid
    WHERE k.contype = 'f' AND (own.oid IS NOT NULL OR their.oid IS NOT NULL)
        AND (k.conkey[1], k.confkey[1]) IS DISTINCT FROM (own.attnum, their.attnum)";
