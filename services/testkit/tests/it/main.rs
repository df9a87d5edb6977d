//! The kit itself.

mod keys;
mod smtp;

use caller::{BusinessId, Gate, Method, Role, Rule, ScopeKind, Tenant};
use futures::StreamExt;
use sea_orm::{ConnectionTrait, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, MigratorTrait, SchemaManager};
use sqlx::{Connection, PgConnection};
use uuid::Uuid;

struct Counters;

impl MigratorTrait for Counters {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(CreateCounter)]
    }
}

struct CreateCounter;

impl MigrationName for CreateCounter {
    fn name(&self) -> &str {
        "m0001_counter"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait needs the same")]
#[async_trait::async_trait]
impl MigrationTrait for CreateCounter {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = "CREATE TABLE counter (count integer NOT NULL)";
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }
}

#[tokio::test]
async fn every_test_has_a_migrated_database_of_its_own_that_goes_with_it() {
    let [first, second] = [
        testkit::database::<Counters>("calendar-sync").await,
        testkit::database::<Counters>("calendar-sync").await,
    ];
    let mut connection = PgConnection::connect(&first.migration_url).await.unwrap();
    sqlx::query("INSERT INTO counter VALUES (1)").execute(&mut connection).await.unwrap();
    let mut other = PgConnection::connect(&second.migration_url).await.unwrap();
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM counter").fetch_one(&mut other).await.unwrap();
    assert_eq!(count, 0);

    // With a connection still open.
    let url = first.superuser_url.clone();
    drop(first);
    let gone = PgConnection::connect(&url).await.unwrap_err();
    assert_eq!(gone.as_database_error().unwrap().code().as_deref(), Some("3D000"));
}

#[tokio::test]
async fn published_messages_stay_within_one_redis_and_the_server_goes_with_its_handle() {
    let [first, second] = [testkit::redis().await, testkit::redis().await];
    let mut hearing = first.client().get_async_pubsub().await.unwrap();
    hearing.subscribe("wake").await.unwrap();
    for (redis, receivers) in [(&second, 0), (&first, 1)] {
        let mut connection = redis.client().get_multiplexed_async_connection().await.unwrap();
        let reached: i64 =
            redis::cmd("PUBLISH").arg("wake").arg("up").query_async(&mut connection).await.unwrap();
        assert_eq!(reached, receivers);
    }
    let heard: String = hearing.on_message().next().await.unwrap().get_payload().unwrap();
    assert_eq!(heard, "up");
    let client = second.client();
    drop(second);
    client.get_multiplexed_async_connection().await.unwrap_err();
}

static READ: Method = Method {
    service: "scheduling",
    path: "/test.v1.Test/Read",
    rest: "",
    rule: Rule {
        audiences: &[caller::Audience::User, caller::Audience::Agent, caller::Audience::Service],
        least_role: Role::Manager,
        scope: ScopeKind::Business,
        services: &["telemetry"],
        served_by: &[],
        sensitive: false,
        development_only: false,
        long_running: false,
        idempotency_key: false,
        immutable: false,
    },
};

fn let_in<T>(gate: &Gate, business: BusinessId, request: &tonic::Request<T>) -> bool {
    let scope = gate.business(request.metadata(), &READ, &business.to_string());
    scope.is_ok_and(|scope| scope.business() == business)
}

#[test]
fn requests_are_let_in_as_whom_they_name_and_expire_by_the_tests_clock() {
    let (host, time) = testkit::host("scheduling");
    let business = BusinessId(Uuid::from_u128(7));
    let manager = testkit::as_user(&host, Role::Manager, business, ());
    assert!(let_in(&host.gate, business, &manager));
    assert!(!let_in(&host.gate, business, &testkit::as_user(&host, Role::Employee, business, ())));
    assert!(let_in(&host.gate, business, &testkit::as_agent(&host, Uuid::nil(), business, ())));
    assert!(let_in(&host.gate, business, &testkit::as_service("telemetry", &host, Some(business), ())));
    assert!(!let_in(&host.gate, business, &testkit::as_service("auth", &host, Some(business), ())));
    time.advance(jiff::SignedDuration::from_secs(61));
    assert!(!let_in(&host.gate, business, &manager));
}

#[test]
fn the_configuration_of_a_service_names_a_keyring_that_its_host_accepts() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let config = runtime.block_on(async { testkit::database::<Counters>("calendar-sync").await.config() });
    let host = boot::Host::new("calendar-sync", &config, Default::default()).unwrap();
    assert_eq!(host.signer.issuer(), "calendar-sync");
    boot::Host::new("auth", &config, Default::default()).expect_err("the keyring of another service");
}
