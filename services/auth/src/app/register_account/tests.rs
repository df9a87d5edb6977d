//! The work behind an answer does not depend on whether the address has an account. `it::alike`
//! measures its time.

use core::sync::atomic::Ordering;

use boot::{Host, environment::Environment, security::SecurityProfile};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::TestDatabase;

use super::*;
use sealing::SealingKey;

use crate::{
    app::check_password::PasswordChecks, credentials::limits::Limits, domain::sign_in_limit::LimitKey,
    migration::Migrator,
};

const VERIFIED: &str = "verified@demo.test";
const UNVERIFIED: &str = "unverified@demo.test";
const UNKNOWN: &str = "unknown@demo.test";

struct Desk {
    host: Host,
    database: TestDatabase,
    store: Store,
    hasher: Hasher,
    registrar: Registrar,
}

/// What an address's request cost.
#[derive(Debug, PartialEq, Eq)]
struct Work {
    hashes: usize,
    mails: i64,
    tokens: i64,
    entries: i64,
}

impl Desk {
    /// A desk where one address has a proved account, one an account that is not, and one none.
    async fn open() -> Self {
        let (mut host, _) = testkit::host("auth");
        host.security = SecurityProfile::of(Environment::Production);
        let database = testkit::database::<Migrator>("auth").await;
        let pool = database.connect(&host).await;
        let store = Store::new(pool, &host, SealingKey::new([2; 32]));
        let hasher = Hasher::new(1);
        let links = Links::under("https://desk.test");
        let registrar = Registrar::new(store.clone(), hasher.clone(), links, decoys(), host.clock.clone());
        let desk = Self { host, database, store, hasher, registrar };
        for (email, proved) in [(VERIFIED, true), (UNVERIFIED, false)] {
            let claim = Claim { name: "Stranger".to_owned(), password: password().hash([1; 16]) };
            let tx = desk.store.begin();
            assert!(desk.registrar.add(&tx, &address(email), &claim, proved).await.unwrap());
            tx.commit().await.unwrap();
        }
        desk
    }

    async fn count(&self, table: &str) -> i64 {
        let database = sea_orm::Database::connect(&self.database.superuser_url).await.unwrap();
        let sql = format!("SELECT count(*) FROM {table}");
        let row = database.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
        row.unwrap().try_get_by_index(0).unwrap()
    }

    async fn total(&self) -> Work {
        Work {
            hashes: self.hasher.begun.load(Ordering::Relaxed),
            mails: self.count("outgoing_mail").await,
            tokens: self.count("one_time_token").await + self.count("email_proof").await,
            entries: self.count("security_event").await,
        }
    }

    async fn work(&self, request: impl AsyncFnOnce()) -> Work {
        let before = self.total().await;
        request().await;
        let after = self.total().await;
        Work {
            hashes: after.hashes - before.hashes,
            mails: after.mails - before.mails,
            tokens: after.tokens - before.tokens,
            entries: after.entries - before.entries,
        }
    }
}

fn address(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn decoys() -> DecoyKey {
    DecoyKey::new(&[1; 32])
}

fn password() -> Password {
    Password::presented("correct horse battery".to_owned()).unwrap()
}

#[tokio::test]
async fn registering_costs_one_hash_and_one_mail_whether_there_is_an_account_or_not() {
    let desk = Desk::open().await;
    for email in [VERIFIED, UNVERIFIED, UNKNOWN] {
        let applicant = Applicant {
            name: "Nora New".to_owned(),
            email: address(email),
            password: password(),
            origin: Origin::default(),
        };
        let work = desk.work(async || desk.registrar.register(applicant).await.unwrap()).await;
        assert_eq!(work, Work { hashes: 1, mails: 1, tokens: 1, entries: 1 }, "{email}");
    }
}

#[tokio::test]
async fn a_forgotten_password_costs_one_mail_whether_there_is_an_account_or_not() {
    let desk = Desk::open().await;
    for email in [VERIFIED, UNVERIFIED, UNKNOWN] {
        let asked = async || desk.registrar.forgot(&address(email), &Origin::default()).await.unwrap();
        assert_eq!(desk.work(asked).await, Work { hashes: 0, mails: 1, tokens: 1, entries: 1 }, "{email}");
    }
}

#[tokio::test]
async fn a_failed_sign_in_costs_one_hash_whether_there_is_an_account_or_not() {
    let desk = Desk::open().await;
    let limits = Limits::new(&desk.host, LimitKey::new(&[1; 32])).unwrap();
    let proofs = PasswordChecks::new(
        desk.store.clone(),
        desk.hasher.clone(),
        limits,
        decoys(),
        desk.host.clock.clone(),
    );
    let opener = opener(&desk).await;
    for email in [VERIFIED, UNVERIFIED, UNKNOWN] {
        let wrong = Password::presented("incorrect horse".to_owned());
        let client = crate::domain::client::Client::default();
        let asked = async || {
            let refused = proofs.sign_in(&opener, address(email), wrong, &client).await.unwrap_err();
            assert!(matches!(refused, Error::WrongCredentials));
        };
        assert_eq!(desk.work(asked).await, Work { hashes: 1, mails: 0, tokens: 0, entries: 1 }, "{email}");
    }
}

async fn opener(desk: &Desk) -> crate::app::open_session::SessionOpener {
    let now = desk.host.clock.now();
    let access = desk.host.security.access;
    let keys = crate::credentials::signing_keys::SigningKeys::open(
        desk.store.clone(),
        SealingKey::new([2; 32]),
        access,
        now,
    );
    crate::app::open_session::SessionOpener::new(std::sync::Arc::new(crate::credentials::issue::Issuer {
        name: "https://desk.test".to_owned(),
        security: desk.host.security,
        keys: keys.await.unwrap(),
        session_key: crate::domain::refresh_token::SessionKey::new(&[1; 32]),
        clock: desk.host.clock.clone(),
    }))
}

#[tokio::test]
async fn each_address_without_an_account_has_rows_of_its_own_as_an_account_has() {
    let desk = Desk::open().await;
    for email in [VERIFIED, UNKNOWN, "another@demo.test", UNKNOWN, "another@demo.test", VERIFIED] {
        desk.registrar.forgot(&address(email), &Origin::default()).await.unwrap();
    }
    for table in ["security_event", "one_time_token"] {
        let each = format!("(SELECT account_id FROM {table} GROUP BY account_id HAVING count(*) = 2) AS own");
        assert_eq!(desk.count(&each).await, 3, "{table}");
    }
    let nil = "security_event WHERE account_id = '00000000-0000-0000-0000-000000000000'";
    assert_eq!(desk.count(nil).await, 0);
}
