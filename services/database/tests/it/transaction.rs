use std::time::Duration;

use boot::Host;
use caller::{Audience, BusinessId, InstallationScope, Method, Role, Rule, ScopeKind, Worker};
use database::{self, Database, Planning, named, statement};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, Statement};
use testkit::TestDatabase;
use uuid::Uuid;

use crate::migrate::Notes;

const ONE: BusinessId = BusinessId(Uuid::from_u128(1));
const TWO: BusinessId = BusinessId(Uuid::from_u128(2));

static ADMINISTER: Method = Method {
    service: "scheduling",
    path: "/test.v1.Admin/Administer",
    rest: "",
    rule: Rule {
        audiences: &[Audience::User],
        least_role: Role::Admin,
        scope: ScopeKind::Installation,
        services: &[],
        served_by: &[],
        sensitive: false,
        development_only: false,
        long_running: false,
        idempotency_key: false,
        immutable: false,
    },
};

pub fn worker(business: BusinessId) -> Worker {
    Worker::new("test", business)
}

async fn prepared(pool: u32) -> (Host, TestDatabase, Database) {
    let (host, _) = testkit::host("scheduling");
    let database = testkit::database::<Notes>("scheduling").await;
    let connected = database.connect_with(&host, pool, Planning::AsPostgresChooses).await;
    (host, database, connected)
}

pub async fn write(tx: &DatabaseTransaction, business: BusinessId, text: &str) -> Result<(), DbErr> {
    let sql = "INSERT INTO note (business_id, text) VALUES (:business_id, :text)";
    tx.execute_raw(statement(sql, named! { business_id: business.0, text })).await.map(drop)
}

pub async fn notes(tx: &DatabaseTransaction) -> Vec<String> {
    let sql = "SELECT text FROM note ORDER BY text";
    let rows = tx.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "text").unwrap()).collect()
}

#[tokio::test]
#[should_panic(expected = "a statement of a business does not name it: SELECT text FROM note")]
async fn a_statement_of_a_business_that_does_not_name_it_fails_its_test() {
    let (_, _guard, database) = prepared(1).await;
    let tx = database.tx::<DbErr>(&worker(ONE));
    drop(tx.values::<String>("SELECT text FROM note", []).await);
}

#[tokio::test]
async fn what_is_taken_over_is_planned_for_the_tables_as_they_are() {
    let (host, _) = testkit::host("scheduling");
    let guard = testkit::database::<Notes>("scheduling").await;
    let database = guard.connect_with(&host, 1, Planning::Once).await;
    let tx = database.tx::<DbErr>(&worker(ONE));
    let mode = async || {
        let sql = "SELECT current_setting('plan_cache_mode') WHERE :business_id::uuid IS NOT NULL";
        tx.value::<String>(sql, named! { business_id: ONE.0 }).await.unwrap().unwrap()
    };
    assert_eq!(mode().await, "force_generic_plan");
    tx.take_over().await.unwrap();
    assert_eq!(mode().await, "force_custom_plan");
}

#[tokio::test]
async fn two_businesses_that_share_one_connection_see_only_their_own() {
    let (_, _guard, database) = prepared(1).await;
    for round in 0..3 {
        for business in [ONE, TWO] {
            let tx = database.begin(&worker(business)).await.unwrap();
            write(&tx, business, &format!("{business} {round}")).await.unwrap();
            tx.commit().await.unwrap();
        }
    }
    for business in [TWO, ONE] {
        let tx = database.begin(&worker(business)).await.unwrap();
        let expected: Vec<_> = (0..3).map(|round| format!("{business} {round}")).collect();
        assert_eq!(notes(&tx).await, expected);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn without_a_business_a_tenant_table_is_empty_and_takes_nothing() {
    let (_, _guard, database) = prepared(1).await;
    let tx = database.begin(&worker(ONE)).await.unwrap();
    write(&tx, ONE, "mine").await.unwrap();
    tx.commit().await.unwrap();

    // After a first transaction the setting is '' instead of unset.
    let tx = database.begin_untenanted().await.unwrap();
    assert!(notes(&tx).await.is_empty());
    let refused = write(&tx, ONE, "any tenant's").await.unwrap_err();
    assert_eq!(database::sqlstate(&refused).as_deref(), Some("42501"));
}

#[tokio::test]
async fn a_row_of_another_business_is_refused() {
    let (_, _guard, database) = prepared(1).await;
    let tx = database.begin(&worker(ONE)).await.unwrap();
    let refused = write(&tx, TWO, "not mine").await.unwrap_err();
    assert_eq!(database::sqlstate(&refused).as_deref(), Some("42501"));
}

#[tokio::test]
async fn a_cancelled_transaction_is_rolled_back_and_its_connection_forgets_the_business() {
    let (_, _guard, database) = prepared(1).await;
    let cancelled = async {
        let tx = database.begin(&worker(ONE)).await.unwrap();
        write(&tx, ONE, "never").await.unwrap();
        let sleep = Statement::from_string(DbBackend::Postgres, "SELECT pg_sleep(0.2)");
        tx.query_one_raw(sleep).await.unwrap();
        tx.commit().await.unwrap();
    };
    tokio::time::timeout(Duration::from_millis(100), cancelled).await.expect_err("cancelled while it sleeps");

    let tx = database.begin_untenanted().await.unwrap();
    assert!(notes(&tx).await.is_empty());
    tx.commit().await.unwrap();
    let tx = database.begin(&worker(ONE)).await.unwrap();
    assert!(notes(&tx).await.is_empty());
}

#[tokio::test]
async fn the_installation_sees_every_business_and_its_role_ends_with_the_transaction() {
    let (_, _guard, database) = prepared(1).await;
    for business in [ONE, TWO] {
        let tx = database.begin(&worker(business)).await.unwrap();
        write(&tx, business, &business.to_string()).await.unwrap();
        tx.commit().await.unwrap();
    }
    let tx = database.begin_installation(&InstallationScope::worker("sweeper")).await.unwrap();
    assert_eq!(notes(&tx).await.len(), 2);
    assert!(audit(&tx).await.is_empty(), "a worker leaves no row");
    tx.commit().await.unwrap();

    let tx = database.begin(&worker(ONE)).await.unwrap();
    assert_eq!(notes(&tx).await, [ONE.to_string()]);
}

async fn audit(tx: &DatabaseTransaction) -> Vec<(String, String)> {
    let sql = "SELECT actor, purpose FROM installation_audit";
    let rows = tx.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
    rows.iter().map(|row| (row.try_get("", "actor").unwrap(), row.try_get("", "purpose").unwrap())).collect()
}

#[tokio::test]
async fn an_administrator_who_crosses_businesses_is_on_record_with_the_method() {
    let (host, _guard, database) = prepared(2).await;
    let (gate, db) = (host.gate.clone(), database.clone());
    let routes = testkit::echo::Echo::routes(move |request| {
        let scope = gate.installation(request.metadata(), &ADMINISTER).unwrap();
        let db = db.clone();
        async move {
            let tx = db.begin_installation(&scope).await.unwrap();
            tx.commit().await.unwrap();
            Ok(String::new())
        }
    });
    let address = testkit::serve(routes, &host).await;
    let peer = testkit::peer("scheduling", address, &host);
    let admin = Some(Role::Admin);
    let request = testkit::as_person(&host, testkit::USER, testkit::SESSION, None, admin, String::new());
    testkit::echo::send(&peer, testkit::echo::SAY, request).await.unwrap();

    let tx = database.begin_installation(&InstallationScope::worker("reader")).await.unwrap();
    let expected = (format!("user:{}", testkit::USER), testkit::echo::SAY.to_owned());
    assert_eq!(audit(&tx).await, [expected]);
    let erased = tx.execute_unprepared("DELETE FROM installation_audit").await.unwrap_err();
    assert_eq!(database::sqlstate(&erased).as_deref(), Some("42501"), "the record can't be erased");
}

#[tokio::test]
async fn the_app_role_owns_nothing_and_can_not_lift_the_policies() {
    let (_, _guard, database) = prepared(1).await;
    let tx = database.begin(&worker(ONE)).await.unwrap();
    write(&tx, ONE, "mine").await.unwrap();
    tx.commit().await.unwrap();
    for forbidden in [
        "SET LOCAL row_security = off; SELECT * FROM note",
        "ALTER TABLE note DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE note NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY tenant ON note",
        "CREATE TABLE mine ()",
        "TRUNCATE note",
        "SET LOCAL ROLE scheduling_owner",
        "SELECT * FROM installation_audit",
    ] {
        let tx = database.begin(&worker(TWO)).await.unwrap();
        let refused = tx.execute_unprepared(forbidden).await.unwrap_err();
        assert_eq!(database::sqlstate(&refused).as_deref(), Some("42501"), "{forbidden}");
    }
}

#[tokio::test]
async fn a_violated_constraint_is_named() {
    let (_, _guard, database) = prepared(1).await;
    let tx = database.begin(&worker(ONE)).await.unwrap();
    write(&tx, ONE, "once").await.unwrap();
    let refused = write(&tx, ONE, "once").await.unwrap_err();
    assert_eq!(database::constraint(&refused).as_deref(), Some("note_text_once"));
    assert!(!database::busy(&refused));
}

#[tokio::test]
async fn what_postgres_ends_for_anothers_sake_may_succeed_in_a_moment() {
    let (_, _guard, database) = prepared(1).await;
    for (code, transient, busy) in [
        ("40P01", true, false),
        ("40001", true, false),
        ("57014", true, true),
        ("23505", false, false),
        ("XX000", false, false),
    ] {
        let tx = database.begin(&worker(ONE)).await.unwrap();
        let raise = format!("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$");
        let error = tx.execute_unprepared(&raise).await.unwrap_err();
        assert_eq!((database::transient(&error), database::busy(&error)), (transient, busy), "{error}");
    }
}

#[tokio::test]
async fn a_pool_with_nothing_to_spare_says_so_within_seconds() {
    let (_, _guard, database) = prepared(1).await;
    let held = database.begin(&worker(ONE)).await.unwrap();
    let started = std::time::Instant::now();
    let refused = database.begin(&worker(TWO)).await.unwrap_err();
    assert!(database::busy(&refused), "{refused}");
    assert!(started.elapsed() < Duration::from_secs(10));
    held.commit().await.unwrap();
    database.begin(&worker(TWO)).await.unwrap();
}

#[tokio::test]
async fn neither_a_statement_nor_a_forgotten_transaction_lasts_for_ever() {
    let (_, _guard, database) = prepared(1).await;
    let tx = database.begin_untenanted().await.unwrap();
    for setting in ["statement_timeout", "idle_in_transaction_session_timeout"] {
        let show = Statement::from_string(DbBackend::Postgres, format!("SHOW {setting}"));
        let row = tx.query_one_raw(show).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<String>(0).unwrap(), "1min", "{setting}");
    }
}

/// When the transaction of `tx` began, or the time it is when `moment` says so, by Postgres.
async fn at(tx: &DatabaseTransaction, moment: &str) -> i64 {
    let sql = format!("SELECT (extract(epoch FROM {moment}()) * 1000000)::bigint AS at");
    let row = tx.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
    row.unwrap().try_get("", "at").unwrap()
}

#[tokio::test]
async fn a_transaction_cut_off_as_it_begins_is_not_what_the_next_one_begins_in() {
    let (host, guard, database) = prepared(1).await;
    let watch = guard.connect_with(&host, 1, Planning::AsPostgresChooses).await;
    for polls in 0..40 {
        let cut_off = async {
            for _ in 0..polls {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            begun = database.begin_untenanted() => drop(begun.unwrap()),
            () = cut_off => {}
        }
        let clock = watch.begin_untenanted().await.unwrap();
        let before = at(&clock, "clock_timestamp").await;
        let next = database.begin_untenanted().await.unwrap();
        assert!(at(&next, "transaction_timestamp").await >= before, "cut off after {polls} polls");
        next.rollback().await.unwrap();
    }
}
