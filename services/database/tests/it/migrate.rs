use boot::config::{Secret, ServiceConfig};
use database::{self, Passwords};
use sea_orm::{ConnectionTrait, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, MigratorTrait, SchemaManager};
use sqlx::{Connection, PgConnection};

/// One tenant table, the audit, and a function that the owner defines.
pub(crate) struct Notes;

impl MigratorTrait for Notes {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(CreateNote)]
    }
}

struct CreateNote;

impl MigrationName for CreateNote {
    fn name(&self) -> &str {
        "m0001_note"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait needs the same")]
#[async_trait::async_trait]
impl MigrationTrait for CreateNote {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = format!(
            "CREATE TABLE note (business_id uuid NOT NULL, text text NOT NULL,
                 CONSTRAINT note_text_once UNIQUE (business_id, text));
             CREATE FUNCTION all_notes() RETURNS bigint LANGUAGE sql SECURITY DEFINER
                 SET search_path = public AS 'SELECT count(*) FROM note';
             {}{}",
            database::tenant_table("scheduling", "note"),
            database::installation_audit_sql("scheduling"),
        );
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }
}

/// No migrations at all.
struct Nothing;

impl MigratorTrait for Nothing {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![]
    }
}

#[tokio::test]
async fn replicas_that_start_together_migrate_once() {
    let database = testkit::database::<Nothing>("scheduling").await;
    let migrated =
        futures::future::join_all((0..4).map(|_| database::migrate::<Notes>(&database.migration_url)));
    for outcome in migrated.await {
        outcome.unwrap();
    }
    let mut connection = PgConnection::connect(&database.superuser_url).await.unwrap();
    let applied: Vec<String> =
        sqlx::query_scalar("SELECT version FROM seaql_migrations").fetch_all(&mut connection).await.unwrap();
    assert_eq!(applied, ["m0001_note"]);
}

#[tokio::test]
async fn the_owner_is_bound_by_the_policies_as_well() {
    let database = testkit::database::<Notes>("scheduling").await;
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    let insert = "INSERT INTO note VALUES ('00000000-0000-0000-0000-000000000001', 'hers')";
    sqlx::query(insert).execute(&mut superuser).await.unwrap();
    let mut owner = PgConnection::connect(&database.migration_url).await.unwrap();
    let seen: i64 = sqlx::query_scalar("SELECT count(*) FROM note").fetch_one(&mut owner).await.unwrap();
    assert_eq!(seen, 0);
}

#[tokio::test]
async fn a_function_of_the_owner_sees_the_callers_business_alone_and_is_closed_to_strangers() {
    let database = testkit::database::<Notes>("scheduling").await;
    let mut superuser = PgConnection::connect(&database.superuser_url).await.unwrap();
    for business in 1..=2 {
        let insert = "INSERT INTO note VALUES ($1::text::uuid, 'a note')";
        let business = format!("00000000-0000-0000-0000-00000000000{business}");
        sqlx::query(insert).bind(business).execute(&mut superuser).await.unwrap();
    }
    let mut app = PgConnection::connect(&database.app_url).await.unwrap();
    let become_one = "SELECT set_config('app.business_id', '00000000-0000-0000-0000-000000000001', false)";
    sqlx::query(become_one).execute(&mut app).await.unwrap();
    let seen: i64 = sqlx::query_scalar("SELECT all_notes()").fetch_one(&mut app).await.unwrap();
    assert_eq!(seen, 1);
    let public: bool =
        sqlx::query_scalar("SELECT has_function_privilege('public', 'all_notes()', 'EXECUTE')")
            .fetch_one(&mut superuser)
            .await
            .unwrap();
    assert!(!public);
}

#[tokio::test]
async fn bootstrap_may_be_repeated_by_several_at_once() {
    let server = testkit::postgres().await.superuser_url();
    let passwords = Passwords { app: Secret::new("it's"), owner: Secret::new("secret") };
    let service = "boot-test";
    for _ in 0..2 {
        let runs = (0..3).map(|_| database::bootstrap(&server, service, &passwords));
        for outcome in futures::future::join_all(runs).await {
            outcome.unwrap();
        }
    }
    let mut superuser = PgConnection::connect(&server).await.unwrap();
    let mut flags: Vec<(String, bool, bool)> = sqlx::query_as(
        "SELECT rolname, rolcanlogin, rolinherit OR rolbypassrls OR rolsuper OR rolcreaterole
         FROM pg_roles WHERE starts_with(rolname, 'boot_test_')",
    )
    .fetch_all(&mut superuser)
    .await
    .unwrap();
    flags.sort();
    let expected = [("app", true), ("installation", false), ("owner", true)];
    assert_eq!(flags, expected.map(|(part, login)| (format!("boot_test_{part}"), login, false)));
    for clean_up in
        ["DROP DATABASE boot_test", "DROP ROLE boot_test_app, boot_test_installation, boot_test_owner"]
    {
        sqlx::query(clean_up).execute(&mut superuser).await.unwrap();
    }
}

pub fn without_the_owner(database: &testkit::TestDatabase) -> ServiceConfig {
    ServiceConfig { migration_url: None, ..database.config() }
}

#[tokio::test]
async fn without_the_owners_login_a_service_starts_on_a_current_schema_only() {
    let current = testkit::database::<Notes>("scheduling").await;
    database::prepare::<Notes>(&without_the_owner(&current)).await.unwrap();
    // One that a newer release has migrated serves the release before it.
    database::prepare::<Nothing>(&without_the_owner(&current)).await.unwrap();

    let behind = testkit::database::<Nothing>("scheduling").await;
    let refused = database::prepare::<Notes>(&without_the_owner(&behind)).await.unwrap_err().to_string();
    assert!(refused.starts_with("MIGRATION_URL") && refused.contains("m0001_note"), "{refused}");
    database::prepare::<Notes>(&behind.config()).await.unwrap();
    database::prepare::<Notes>(&without_the_owner(&behind)).await.unwrap();
}
