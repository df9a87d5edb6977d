use boot::retention::CHANGES;
use jiff::SignedDuration;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::{Ageless, Exception, Plan, Unnoted, check_keys, check_lives, check_noted};

use crate::fixture::{Auth, EMAIL, business, connect};

/// Accounts belong to the installation. What refers to one, or is kept for one, can't begin with a business.
const KEYS_OF_ACCOUNTS: [Exception; 5] = [
    ("invitation_invited_by_fkey", "refers to an account"),
    ("membership_account", "refers to an account"),
    ("security_event", "an account's record: some of its events name a business"),
    ("security_event_actor_id_fkey", "refers to an account"),
    ("security_event_pkey", "an account's record"),
];

#[tokio::test]
async fn every_key_of_a_table_with_a_business_begins_with_it() {
    let auth = Auth::start().await;
    check_keys(&auth.database, &KEYS_OF_ACCOUNTS).await;
}

#[tokio::test]
async fn changes_of_members_and_invitations_are_noted() {
    let auth = Auth::start().await;
    let unnoted: [Unnoted; 2] =
        [("another service's record", &["business_name"]), ("an account's own record", &["security_event"])];
    check_noted(&auth.database, &unnoted).await;
}

#[tokio::test]
async fn how_long_rows_are_kept_is_decided_of_every_table_with_a_business() {
    let auth = Auth::start().await;
    let ageless: [Ageless; 2] = [
        ("records of the business, and another service's", &["business_name", "membership"]),
        ("end by jobs of their own", &["invitation", "security_event"]),
    ];
    check_lives(&auth.database, auth::retention::KEPT, &ageless).await;
}

#[tokio::test]
async fn entries_of_changes_are_deleted_after_two_years() {
    let auth = Auth::start().await;
    let person = auth.add(1, EMAIL).await;
    auth.set_role(person, business(1), "OWNER").await.unwrap();
    let app = auth.database.connect(&auth.host).await;
    let left = async || {
        for kept in auth::retention::KEPT {
            app.delete_old(kept).await.unwrap();
        }
        auth.peek("SELECT count(*)::text FROM change_entry", []).await.unwrap()
    };
    auth.time.advance(CHANGES);
    assert_eq!(left().await, "1");
    auth.time.advance(SignedDuration::from_secs(1));
    assert_eq!(left().await, "0");
}

#[tokio::test]
async fn without_a_business_the_app_role_sees_no_businesss_events_and_changes() {
    let auth = Auth::start().await;
    let person = auth.add(1, EMAIL).await;
    auth.set_role(person, business(1), "OWNER").await.unwrap();
    assert_eq!(auth.peek("SELECT count(*)::text FROM outbox", []).await.unwrap(), "1");
    let app = connect(&auth.database.app_url).await;
    let count = async |sql: &str| {
        let row = app.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
        row.unwrap().try_get_by_index::<i64>(0).unwrap()
    };
    let seen = async || {
        [count("SELECT count(*) FROM outbox").await, count("SELECT count(*) FROM change_entry").await]
    };
    assert_eq!(seen().await, [0, 0]);
    let other = format!("SELECT set_config('app.business_id', '{}', false)", business(2));
    app.execute_unprepared(&other).await.unwrap();
    assert_eq!(seen().await, [0, 0]);
    let own = format!("SELECT set_config('app.business_id', '{}', false)", business(1));
    app.execute_unprepared(&own).await.unwrap();
    assert_eq!(seen().await, [1, 1]);
}

#[tokio::test]
async fn the_app_role_owns_nothing_and_deletes_neither_accounts_nor_memberships() {
    let auth = Auth::start().await;
    let owned = "SELECT count(*)::text FROM pg_class JOIN pg_roles ON relowner = pg_roles.oid
        WHERE rolname = 'auth_app'";
    assert_eq!(auth.peek(owned, []).await.unwrap(), "0");
    let app = connect(&auth.database.app_url).await;
    for sql in [
        "DELETE FROM account",
        "DELETE FROM membership",
        "UPDATE signing_key SET kid = ''",
        "UPDATE outbox SET version = 2",
        "CREATE TABLE intruder ()",
    ] {
        let refused = app.execute_unprepared(sql).await.unwrap_err();
        assert_eq!(database::sqlstate(&refused).as_deref(), Some("42501"), "{sql}: {refused}");
    }
}

#[tokio::test]
async fn hot_statements_use_an_index_however_few_rows_there_are() {
    let auth = Auth::start().await;
    let app = connect(&auth.database.app_url).await;
    app.execute_unprepared("SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan")
        .await
        .unwrap();
    for sql in auth::HOT_STATEMENTS {
        let plan = Plan::generic_inferred(&app, sql).await;
        plan.assert_no_table_scan();
        assert!(!plan.indexes().is_empty(), "{sql} uses no index");
    }
}
