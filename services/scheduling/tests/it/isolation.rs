//! What Postgres itself refuses, whatever the service's code does. The tables are
//! enumerated, so that a new one is under test from its migration on.

use caller::BusinessId;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::salon::{ANA, COLOUR, CUT, OTHER, Salon, WILLOW, booking, by, fact, local, with_key};

const INSUFFICIENT_PRIVILEGE: &str = "42501";
const FOREIGN_KEY_VIOLATION: &str = "23503";

/// Every table with a business.
async fn tenant_tables(salon: &Salon) -> Vec<String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT table_name::text FROM information_schema.columns
         WHERE table_schema = 'public' AND column_name = 'business_id' ORDER BY table_name",
    )
    .fetch_all(&mut salon.superuser().await)
    .await
    .unwrap();
    assert!(tables.len() >= 20, "{tables:?}");
    tables
}

/// Willow with a row in every tenant table, and the same rows again in the other business.
async fn full() -> Salon {
    let salon = Salon::open().await;
    let tuesday = |time| local("2026-06-02", time);
    let request = booking(vec![by(CUT, ANA)], tuesday("09:00"));
    salon.book_as(with_key(salon.agent(request), "k1")).await.unwrap();
    salon.hold(vec![by(CUT, ANA)], tuesday("10:00")).await.unwrap();
    salon
        .import(vec![
            fact("a", tuesday("09:00"), tuesday("09:30")),
            fact("b", tuesday("12:00"), tuesday("13:00")),
        ])
        .await
        .unwrap();
    let mut superuser = salon.superuser().await;
    // Filled by followers.
    sqlx::raw_sql(AssertSqlSafe(format!(
        "INSERT INTO customer VALUES ('{WILLOW}', '{ANA}', 'Mia', '');
         INSERT INTO opening_exception VALUES ('{WILLOW}', '{ANA}', '2026-12-25', '2026-12-26', '{{}}', '{{}}', '');
         INSERT INTO resource VALUES ('{WILLOW}', '{ANA}', 'Window', 'chair');
         INSERT INTO dependency VALUES ('{WILLOW}', '{ANA}', '{CUT}', '{COLOUR}', 'PARALLEL');
         INSERT INTO day_hours VALUES ('{WILLOW}', '{ANA}', '2026-06-03', '{{540}}', '{{600}}');
         INSERT INTO time_off VALUES ('{WILLOW}', '{ANA}', '{ANA}', 'HOLIDAY', '', '2026-07-01', '2026-07-02',
            NULL, NULL, 'REQUESTED', 'user:1', '2026-06-01', NULL, NULL, NULL, 1);
         INSERT INTO unmatched_phrase VALUES ('{WILLOW}', '{ANA}', 'dye', 1, '2026-06-01', '2026-06-01', NULL);
         INSERT INTO pairing VALUES ('{WILLOW}', '{ANA}', '{CUT}', '{COLOUR}', '', '2026-06-01');
         INSERT INTO unmet_demand VALUES ('{WILLOW}', '2026-06-01', '{{{CUT}}}', 'ANY', 1);
         INSERT INTO waitlist_entry VALUES ('{WILLOW}', '{ANA}', '{ANA}', '2026-06-02', '2026-06-02', 0, 1440, '',
            '2026-06-01', 'WAITING', NULL, NULL, NULL, NULL, 1);
         INSERT INTO waitlist_item VALUES ('{WILLOW}', '{ANA}', 1, '{CUT}', NULL, NULL, 0);
         INSERT INTO series VALUES ('{WILLOW}', '{ANA}', 'WEEKLY', 1, 2, '2026-06-01', 'user:1');
         INSERT INTO block VALUES ('{WILLOW}', '{ANA}', '{ANA}', 'Lunch', '2026-07-01', '2026-07-02', 'user:1',
            '2026-06-01', NULL, NULL);
         INSERT INTO proposal VALUES ('{WILLOW}', '{ANA}', '2026-06-02', 'OPTIMISATION', NULL, NULL, NULL, NULL, 1, '',
            0, 0, 0, true, 'OPEN', 'user:1', '2026-06-01', NULL, NULL, 1);
         INSERT INTO proposal_line VALUES ('{WILLOW}', '{ANA}', '{ANA}', 1, 'BOOKING', NULL, '{ANA}', 1, NULL, NULL,
            NULL, '2026-06-02', '2026-06-03', '{{{ANA}}}', NULL, NULL);
         INSERT INTO outbox_seen VALUES ('f', 's', 'business', '{WILLOW}', '{WILLOW}', 1);
         INSERT INTO outbox_parked VALUES ('f', 's', 1, 'business', '{WILLOW}', '{WILLOW}', 'poison', '2026-06-01', '');"
    )))
    .execute(&mut superuser)
    .await
    .unwrap();
    for table in tenant_tables(&salon).await {
        let rows = format!("SELECT count(*) FROM \"{table}\" WHERE business_id = '{WILLOW}'");
        assert!(salon.count(&rows).await > 0, "{table} has no row: give it one here");
    }
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    salon
}

/// The app role, outside the service.
struct App(PgConnection);

impl App {
    async fn connect(salon: &Salon) -> Self {
        Self(PgConnection::connect(&salon.database.app_url).await.unwrap())
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
    let salon = Salon::empty().await;
    let loose: Vec<String> = sqlx::query_scalar(
        "SELECT c.relname::text FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
           AND a.attname = 'business_id' AND NOT (c.relrowsecurity AND c.relforcerowsecurity)",
    )
    .fetch_all(&mut salon.superuser().await)
    .await
    .unwrap();
    assert!(loose.is_empty(), "{loose:?}");
}

#[tokio::test]
async fn without_a_business_every_full_table_is_empty() {
    let salon = full().await;
    let mut app = App::connect(&salon).await;
    for table in tenant_tables(&salon).await {
        let all = format!("SELECT * FROM \"{table}\"");
        assert_eq!(app.within(None, &all).await, Ok(0), "{table} on a new connection");
        assert!(app.within(Some(WILLOW), &all).await.unwrap() > 0, "{table}");
        // The setting is now '' instead of unset.
        assert_eq!(app.within(None, &all).await, Ok(0), "{table} after another's transaction");
    }
}

#[tokio::test]
async fn rows_of_another_business_can_be_neither_seen_nor_changed() {
    let salon = full().await;
    let mut app = App::connect(&salon).await;
    for table in tenant_tables(&salon).await {
        let theirs = format!("\"{table}\" WHERE business_id = '{WILLOW}'");
        assert_eq!(app.within(Some(OTHER), &format!("SELECT * FROM {theirs}")).await, Ok(0), "{table}");
        let update =
            format!("UPDATE \"{table}\" SET business_id = business_id WHERE business_id = '{WILLOW}'");
        for sql in [update, format!("DELETE FROM {theirs}")] {
            match app.within(Some(OTHER), &sql).await {
                Ok(rows) => assert_eq!(rows, 0, "{sql}"),
                Err((state, _)) => assert_eq!(state, INSUFFICIENT_PRIVILEGE, "{sql}"),
            }
        }
    }
}

#[tokio::test]
async fn a_look_by_itself_sees_one_business_and_leaves_the_connection_with_none() {
    let salon = full().await;
    let mut app = App::connect(&salon).await;
    let tuesday = "ARRAY['2026-06-02'::date], ARRAY['2026-06-01 23:00+00'::timestamptz],
        ARRAY['2026-06-02 23:00+00'::timestamptz], ARRAY[-1::bigint], '2026-06-01'::timestamptz";
    let look = |business: BusinessId| format!("SELECT part FROM look_at_days('{business}', {tuesday})");
    for (business, parts) in
        [(WILLOW, vec!["VERSIONS", "TAKEN", "HELD", "SCHEDULE"]), (OTHER, vec!["VERSIONS", "SCHEDULE"])]
    {
        let rows: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(look(business))).fetch_all(&mut app.0).await.unwrap();
        assert_eq!(rows, parts);
        assert_eq!(app.within(None, "SELECT * FROM ledger").await, Ok(0), "after a look at {business}");
    }
}

#[tokio::test]
async fn no_row_can_be_given_to_another_business() {
    let salon = full().await;
    let mut app = App::connect(&salon).await;
    for table in tenant_tables(&salon).await {
        let give = format!("UPDATE \"{table}\" SET business_id = '{OTHER}'");
        assert_eq!(app.refused(WILLOW, &give).await, INSUFFICIENT_PRIVILEGE, "{table}");
    }
    let add = format!("INSERT INTO business_day VALUES ('{WILLOW}', '2026-06-09', 1, '2026-06-01')");
    assert_eq!(app.refused(OTHER, &add).await, INSUFFICIENT_PRIVILEGE);
    assert_eq!(app.within(Some(WILLOW), &add).await, Ok(1));
}

#[tokio::test]
async fn every_foreign_key_between_tenant_tables_carries_the_business() {
    let salon = Salon::empty().await;
    let keys: Vec<(String, bool)> = sqlx::query_as(
        "SELECT k.conname::text, EXISTS (
             SELECT FROM unnest(k.conkey, k.confkey) AS pair (own, their)
             JOIN pg_attribute o ON o.attrelid = k.conrelid AND o.attnum = pair.own
             JOIN pg_attribute t ON t.attrelid = k.confrelid AND t.attnum = pair.their
             WHERE o.attname = 'business_id' AND t.attname = 'business_id')
         FROM pg_constraint k WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace",
    )
    .fetch_all(&mut salon.superuser().await)
    .await
    .unwrap();
    assert!(keys.len() >= 10, "{keys:?}");
    let plain: Vec<_> = keys.iter().filter(|(_, carries)| !carries).collect();
    assert!(plain.is_empty(), "{plain:?}");
}

#[tokio::test]
async fn every_record_can_be_referenced_only_together_with_its_business() {
    let salon = Salon::empty().await;
    let unreferencable: Vec<String> = sqlx::query_scalar(
        "SELECT c.relname::text FROM pg_class c
         JOIN pg_attribute id ON id.attrelid = c.oid AND id.attname = 'id'
         JOIN pg_attribute business ON business.attrelid = c.oid AND business.attname = 'business_id'
         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT EXISTS (
             SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('u', 'p')
             AND k.conkey @> ARRAY[id.attnum, business.attnum] AND cardinality(k.conkey) = 2)",
    )
    .fetch_all(&mut salon.superuser().await)
    .await
    .unwrap();
    assert!(unreferencable.is_empty(), "{unreferencable:?}");
}

#[tokio::test]
async fn a_row_cannot_point_at_one_of_another_business() {
    let salon = full().await;
    let mut app = App::connect(&salon).await;
    let skill = format!("INSERT INTO service_employee VALUES ('{OTHER}', '{CUT}', '{ANA}')");
    assert_eq!(app.refused(OTHER, &skill).await, FOREIGN_KEY_VIOLATION);
}

#[tokio::test]
async fn the_ledger_is_only_added_to_and_closed_and_the_audit_trail_only_added_to() {
    let salon = full().await;
    let mut app = App::connect(&salon).await;
    for sql in [
        "DELETE FROM ledger",
        "TRUNCATE ledger",
        "UPDATE ledger SET during = during",
        "UPDATE ledger SET blocking = false",
        "UPDATE ledger SET visit_id = visit_id",
        "UPDATE audit SET actor = 'nobody'",
        "DELETE FROM audit",
    ] {
        assert_eq!(app.refused(WILLOW, sql).await, INSUFFICIENT_PRIVILEGE, "{sql}");
    }
    let close = "UPDATE ledger SET recorded = tstzrange(lower(recorded), '2027-01-01') WHERE is_open";
    assert!(app.within(Some(WILLOW), close).await.unwrap() > 0);
}

#[tokio::test]
async fn the_ledger_refuses_what_no_code_should_ask_of_it() {
    let salon = full().await;
    let mut app = App::connect(&salon).await;
    let row = |kind: &str, visit: &str, span: &str| {
        format!(
            "INSERT INTO ledger (business_id, id, subject_id, visit_id, kind, blocking, during, service_during,
                 expires_at, recorded)
             VALUES ('{WILLOW}', gen_random_uuid(), '{ANA}', '{visit}', '{kind}', true, '{span}', '{span}',
                 NULL, '[2026-06-01,)')"
        )
    };
    let visit = "00000000-0000-0000-0000-00000000000f";
    let free = "[2026-06-02 15:00+01,2026-06-02 16:00+01)";
    assert_eq!(app.within(Some(WILLOW), &row("BOOKING", visit, free)).await, Ok(1));
    let taken = "[2026-06-02 09:29+01,2026-06-02 09:31+01)";
    let check = "23514";
    for (sql, state) in [
        (row("BOOKING", visit, taken), "23P01"),
        (row("BOOKING", visit, "empty"), "23502"),
        (row("BOOKING", visit, "[2026-06-02,)"), "23502"),
        (row("BOOKING", visit, "[2026-06-02,2026-06-04)"), check),
        (row("HOLD", visit, free), check),
        (row("BUSY", visit, free), check),
        (row("BLOCK", visit, free), check),
        (row("BLOCK", "00000000-0000-0000-0000-000000000000", free), check),
        (row("BOOKING", "00000000-0000-0000-0000-000000000000", free), check),
        (row("LUNCH", visit, free), check),
    ] {
        assert_eq!(app.refused(WILLOW, &sql).await, state, "{sql}");
    }
}
