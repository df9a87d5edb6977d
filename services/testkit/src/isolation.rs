//! What Postgres itself refuses between businesses, whatever a service's code does: one harness for every schema.

use caller::BusinessId;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::TestDatabase;

/// The SQLSTATE of what a role or a policy forbids.
pub const INSUFFICIENT_PRIVILEGE: &str = "42501";
/// The SQLSTATE of a reference to a row there is not.
pub const FOREIGN_KEY_VIOLATION: &str = "23503";

/// Tables of every service that have no business.
const BOOKKEEPING: [&str; 4] =
    ["installation_audit", "outbox_horizon", "outbox_position", "seaql_migrations"];

/// A statement's SQLSTATE and message.
pub type Refused = (String, String);

/// The app role, outside its service.
#[derive(Debug)]
pub struct App(PgConnection);

impl App {
    /// A connection of its own.
    ///
    /// # Panics
    /// When it can't connect.
    pub async fn connect(database: &TestDatabase) -> Self {
        Self(PgConnection::connect(&database.app_url).await.expect("the app role connects"))
    }

    /// The connection itself.
    pub fn connection(&mut self) -> &mut PgConnection {
        &mut self.0
    }

    /// Runs a statement in a transaction of `business`, rolled back; the rows it touched.
    ///
    /// # Errors
    /// What Postgres refuses.
    ///
    /// # Panics
    /// When the connection is lost.
    pub async fn within(&mut self, business: Option<BusinessId>, sql: &str) -> Result<u64, Refused> {
        let mut tx = self.0.begin().await.expect("a transaction begins");
        if let Some(business) = business {
            sqlx::query("SELECT set_config('app.business_id', $1, true)")
                .bind(business.to_string())
                .execute(&mut *tx)
                .await
                .expect("the business is set");
        }
        let done = sqlx::query(AssertSqlSafe(sql)).execute(&mut *tx).await;
        tx.rollback().await.expect("a transaction is rolled back");
        match done {
            Ok(done) => Ok(done.rows_affected()),
            Err(sqlx::Error::Database(error)) => {
                Err((error.code().unwrap_or_default().into_owned(), error.message().to_owned()))
            }
            Err(error) => panic!("{sql}: {error}"),
        }
    }

    /// The SQLSTATE of a statement that is refused.
    ///
    /// # Panics
    /// When it is not.
    pub async fn refused(&mut self, business: BusinessId, sql: &str) -> String {
        self.within(Some(business), sql).await.expect_err(sql).0
    }
}

/// A service's schema, and two businesses in it.
#[derive(Debug, Clone, Copy)]
pub struct Isolation<'a> {
    /// A database of the service.
    pub database: &'a TestDatabase,
    /// Every table with a business, but for the log's own; a new one is under test once it is here.
    pub tables: &'a [&'a str],
    /// Every other table, but for what all services have.
    pub without_business: &'a [&'a str],
    /// A business with a row in each of `tables`.
    pub full: BusinessId,
    /// Another one.
    pub other: BusinessId,
}

impl Isolation<'_> {
    /// Checks the schema and every table of it.
    ///
    /// # Panics
    /// With what is not as it must be.
    pub async fn check(&self) {
        self.fill_log().await;
        self.check_schema().await;
        self.check_role().await;
        let mut app = App::connect(self.database).await;
        for table in self.tenant_tables().await {
            self.check_table(&mut app, &table).await;
        }
    }

    async fn superuser(&self) -> PgConnection {
        PgConnection::connect(&self.database.superuser_url).await.expect("the superuser connects")
    }

    async fn strings(&self, sql: &str) -> Vec<String> {
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut self.superuser().await).await.expect(sql)
    }

    /// Every table with a business, as the schema has it.
    async fn tenant_tables(&self) -> Vec<String> {
        let sql = "SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = 'public' AND column_name = 'business_id' ORDER BY 1";
        self.strings(sql).await
    }

    /// The log's tables are filled by other services' events, which a test may not have.
    async fn fill_log(&self) {
        let business = self.full;
        let sql = format!(
            "INSERT INTO outbox (event_id, business_id, aggregate_id, version, occurred_at, event)
             VALUES (gen_random_uuid(), '{business}', '{business}', 1, '2026-06-01', '');
             INSERT INTO outbox_seen VALUES ('{business}', 'isolation', 's', 'business', '{business}', 1);
             INSERT INTO outbox_parked VALUES
             ('{business}', 'isolation', 's', 1, 'business', '{business}', 'poison', '2026-06-01', '')"
        );
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut self.superuser().await)
            .await
            .expect("a log is filled");
    }

    async fn check_schema(&self) {
        let sorted = |own: &[&str], log: &[&str]| {
            let mut all: Vec<_> = own.iter().chain(log).map(|table| (*table).to_owned()).collect();
            all.sort();
            all
        };
        let expected = sorted(self.tables, &["outbox", "outbox_parked", "outbox_seen"]);
        assert_eq!(self.tenant_tables().await, expected, "tables with a business");
        let without = "SELECT table_name::text FROM information_schema.tables t
            WHERE table_schema = 'public' AND NOT EXISTS (
                SELECT FROM information_schema.columns c WHERE c.table_schema = t.table_schema
                AND c.table_name = t.table_name AND c.column_name = 'business_id') ORDER BY 1";
        assert_eq!(
            self.strings(without).await,
            sorted(self.without_business, &BOOKKEEPING),
            "tables without"
        );
        for (rule, offenders) in RULES {
            let offenders = self.strings(offenders).await;
            assert!(offenders.is_empty(), "{rule}: {offenders:?}");
        }
    }

    async fn check_role(&self) {
        let service = self.database.service.replace('-', "_");
        let mut app = App::connect(self.database).await;
        let privileged = format!(
            "SELECT rolname::text FROM pg_roles WHERE rolname = '{service}_app'
                AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication OR rolinherit)
             UNION ALL SELECT relname::text FROM pg_class WHERE relowner = '{service}_app'::regrole
             UNION ALL SELECT rolname::text FROM pg_roles
             WHERE (rolsuper OR rolbypassrls OR rolname = '{service}_owner')
                AND pg_has_role('{service}_app', oid, 'MEMBER')"
        );
        assert_eq!(
            self.strings(&privileged).await,
            Vec::<String>::new(),
            "what the app role may not be or own"
        );
        let mut forbidden =
            vec![format!("SET ROLE {service}_owner"), "CREATE TABLE mine (id int)".to_owned()];
        for table in self.tables {
            forbidden.extend([
                format!("ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"),
                format!("DROP POLICY tenant ON {table}"),
                format!("TRUNCATE {table}"),
            ]);
        }
        for sql in forbidden {
            assert_eq!(app.refused(self.full, &sql).await, INSUFFICIENT_PRIVILEGE, "{sql}");
        }
    }

    async fn check_table(&self, app: &mut App, table: &str) {
        let (full, other) = (self.full, self.other);
        let all = format!("SELECT * FROM \"{table}\"");
        assert_eq!(app.within(None, &all).await, Ok(0), "{table} without a business");
        let rows = app.within(Some(full), &all).await.expect(table);
        assert!(rows > 0, "{table} has no row of {full}: give it one in this test");
        // The setting is now '' instead of unset.
        assert_eq!(app.within(None, &all).await, Ok(0), "{table} after another's transaction");
        let theirs = format!("\"{table}\" WHERE business_id = '{full}'");
        assert_eq!(app.within(Some(other), &format!("SELECT * FROM {theirs}")).await, Ok(0), "{table}");
        let update = format!("UPDATE \"{table}\" SET business_id = business_id WHERE business_id = '{full}'");
        for sql in [update, format!("DELETE FROM {theirs}")] {
            match app.within(Some(other), &sql).await {
                Ok(rows) => assert_eq!(rows, 0, "{sql}"),
                Err((state, _)) => assert_eq!(state, INSUFFICIENT_PRIVILEGE, "{sql}"),
            }
        }
        self.check_no_row_is_given_away(app, table).await;
    }

    async fn check_no_row_is_given_away(&self, app: &mut App, table: &str) {
        let given = format!(
            "SELECT string_agg(quote_ident(column_name), ', ') FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = '{table}' AND is_generated = 'NEVER'"
        );
        let columns = self.strings(&given).await.pop().unwrap_or_default();
        let add = format!(
            "INSERT INTO \"{table}\" ({columns}) SELECT {columns}
             FROM (SELECT (jsonb_populate_record(own, '{{\"business_id\": \"{}\"}}')).*
             FROM \"{table}\" own LIMIT 1) theirs",
            self.other
        );
        let (state, message) = app.within(Some(self.full), &add).await.expect_err(table);
        assert_eq!(state, INSUFFICIENT_PRIVILEGE, "{table}: {message}");
        assert!(message.contains("row-level security"), "{table}: {message}");
        let give = format!("UPDATE \"{table}\" SET business_id = '{}'", self.other);
        assert_eq!(app.refused(self.full, &give).await, INSUFFICIENT_PRIVILEGE, "{table}");
    }
}

/// What holds for every schema, and the query for what breaks it.
const RULES: [(&str, &str); 2] = [
    (
        "a table with a business forces row-level security",
        "SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
           AND a.attname = 'business_id' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)",
    ),
    (
        "a record of the installation's own making can be referenced together with its business",
        "SELECT c.relname::text FROM pg_class c
         JOIN pg_attribute id ON id.attrelid = c.oid AND id.attname = 'id' AND id.atttypid = 'uuid'::regtype
         JOIN pg_attribute business ON business.attrelid = c.oid AND business.attname = 'business_id'
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (
             SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('u', 'p')
             AND k.conkey @> ARRAY[id.attnum, business.attnum] AND cardinality(k.conkey) = 2)",
    ),
];
