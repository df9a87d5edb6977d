use boot::clock::{Clock, TestClock};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::TestDatabase;

use super::*;
use sealing::SealingKey;

use crate::migration::Migrator;

struct House {
    time: TestClock,
    database: TestDatabase,
    sweeper: Sweeper,
}

impl House {
    /// Under the time of the machine, which the database's is.
    async fn open() -> Self {
        let (host, time) = testkit::host("auth");
        time.set(Clock::system().now());
        let database = testkit::database::<Migrator>("auth").await;
        let pool = database.connect(&host).await;
        let store = Store::new(pool, &host, SealingKey::new([2; 32]));
        Self { time, database, sweeper: Sweeper::new(store, &host) }
    }

    /// Runs SQL as superuser; the first column of its first row.
    async fn sql(&self, sql: &str) -> String {
        let database = sea_orm::Database::connect(&self.database.superuser_url).await.unwrap();
        let row = database.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
        row.unwrap().try_get_by_index::<Option<String>>(0).unwrap().unwrap_or_default()
    }

    /// An account, made so many days ago.
    async fn account(&self, name: &str, days: u32, proved: bool) {
        let proved = if proved { "now()" } else { "NULL" };
        self.sql(&format!(
            "INSERT INTO account (id, email, name, admin, created_at, email_verified_at)
             SELECT gen_random_uuid(), '{name}@demo.test', '{name}', false,
                 now() - interval '{days} days', {proved} RETURNING name"
        ))
        .await;
    }

    async fn names(&self) -> String {
        self.sql("SELECT string_agg(name, ' ' ORDER BY name) FROM account").await
    }
}

#[tokio::test]
async fn an_account_that_belongs_nowhere_waits_thirty_days_for_its_proof() {
    let house = House::open().await;
    for (name, days, proved) in
        [("old", 31, false), ("young", 29, false), ("proved", 31, true), ("member", 31, false)]
    {
        house.account(name, days, proved).await;
    }
    let member = "INSERT INTO membership (business_id, account_id, role, version)
        SELECT gen_random_uuid(), id, 'GUEST', 1 FROM account WHERE name = 'member'
        RETURNING role";
    house.sql(member).await;
    let hangs = "WITH device AS (INSERT INTO trusted_device
            SELECT gen_random_uuid(), id, sha256('x'), '', now(), now() FROM account WHERE name = 'old'
            RETURNING account_id, id),
        session AS (INSERT INTO session (id, account_id, generation, rotated_at, created_at, expires_at, device_id)
            SELECT gen_random_uuid(), account_id, 1, now(), now(), now(), id FROM device RETURNING account_id),
        proof AS (INSERT INTO email_proof (hash, account_id, email, created_at, expires_at)
            SELECT sha256('x'), account_id, 'x', now(), 'infinity' FROM session RETURNING account_id),
        identity AS (INSERT INTO identity
            SELECT gen_random_uuid(), account_id, 'i', 's', 'x', now() FROM proof RETURNING account_id)
        INSERT INTO security_event (account_id, kind, at, browser, detail)
            SELECT account_id, 'REGISTERED', now(), '', '' FROM identity RETURNING kind";
    house.sql(hangs).await;
    house.sweeper.sweep().await.unwrap();
    assert_eq!(house.names().await, "member proved young");
    assert_eq!(house.sql("SELECT count(*)::text FROM session").await, "0");
    house.time.advance(SignedDuration::from_hours(48));
    house.sweeper.sweep().await.unwrap();
    assert_eq!(house.names().await, "member proved young", "thirty days are the database's to count");
}

#[tokio::test]
async fn what_has_expired_is_forgotten_however_much_it_is_and_what_has_not_stays() {
    let house = House::open().await;
    house.account("owner", 1, true).await;
    let fill = "WITH made AS (SELECT id, n, now() + (1 - n) * interval '1 minute' AS ends, sha256(n::text::bytea) AS h
            FROM account, generate_series(0, 450) AS n),
        token AS (INSERT INTO one_time_token (hash, account_id, created_at, expires_at)
            SELECT h, id, now(), ends FROM made),
        invitation AS (INSERT INTO invitation
            SELECT gen_random_uuid(), gen_random_uuid(), 'x@demo.test', 'GUEST', h, id, now(), ends FROM made)
        INSERT INTO email_proof (hash, account_id, email, created_at, expires_at)
            SELECT h, id, 'x@demo.test', now(), ends FROM made RETURNING email";
    house.sql(fill).await;
    house.time.set(Clock::system().now());
    assert_eq!(house.sweeper.sweep().await.unwrap(), 3 * 450);
    for table in ["one_time_token", "invitation", "email_proof"] {
        assert_eq!(house.sql(&format!("SELECT count(*)::text FROM {table}")).await, "1", "{table}");
    }
    assert_eq!(house.sweeper.sweep().await.unwrap(), 0);
}

#[tokio::test]
async fn what_is_swept_is_found_by_an_index() {
    let house = House::open().await;
    for table in ["email_proof", "one_time_token", "invitation"] {
        let indexed = format!(
            "SELECT count(*)::text FROM pg_indexes
            WHERE tablename = '{table}' AND indexdef LIKE '%(expires_at)'"
        );
        assert_eq!(house.sql(&indexed).await, "1", "{table}");
    }
}
