//! A write that is attempted several times.

use core::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

use boot::Host;
use caller::{
    Audience, BusinessId, BusinessScope, IDEMPOTENCY_HEADER, Method, Role, Rule, ScopeKind, Tenant,
};
use database::{Attempt, Database, IdempotencyError, Planning, Tx, idempotency_sql, named, step};
use futures::future::join_all;
use sea_orm::DbErr;
use sea_orm_migration::{MigrationTrait, MigratorTrait};
use testkit::TestDatabase;
use tonic::{Code, Status};
use uuid::Uuid;

use crate::migrate::Notes;

const BUSINESS: BusinessId = BusinessId(Uuid::from_u128(1));

static NOTE: Method = Method {
    service: "scheduling",
    path: "/test.v1.Notes/Note",
    rest: "",
    rule: Rule {
        audiences: &[Audience::User],
        least_role: Role::Employee,
        scope: ScopeKind::Business,
        services: &[],
        served_by: &[],
        sensitive: false,
        development_only: false,
        long_running: false,
        idempotency_key: true,
        immutable: false,
    },
};

/// Notes, and the keys of those who write them.
struct KeyedNotes;

impl MigratorTrait for KeyedNotes {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let mut steps = Notes::migrations();
        steps.push(step("m0002_idempotency_key", idempotency_sql("scheduling")));
        steps
    }
}

/// A service's own errors.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Database(#[from] DbErr),
    #[error(transparent)]
    Idempotency(#[from] IdempotencyError),
    #[error("the commit failed")]
    Commit,
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::Idempotency(IdempotencyError::KeyReused) => Self::already_exists(error.to_string()),
            _ => Self::internal(error.to_string()),
        }
    }
}

/// A service's transaction around the one of this crate.
struct Own {
    inner: Tx<Error>,
    business: BusinessId,
}

impl Deref for Own {
    type Target = Tx<Error>;

    fn deref(&self) -> &Self::Target {
        &self.inner
    }
}

impl Own {
    async fn write(&self, text: &str) -> Result<(), Error> {
        let sql = "INSERT INTO note (business_id, text) VALUES (:business_id, :text)";
        self.execute(sql, named! { business_id: self.business.0, text }).await.map(drop)
    }

    async fn commit(self) -> Result<(), Error> {
        self.inner.commit().await
    }
}

struct Stage {
    host: Host,
    _guard: TestDatabase,
    database: Database,
    /// How often the work of a write began.
    worked: AtomicUsize,
}

impl Stage {
    async fn open() -> Self {
        let (host, _) = testkit::host("scheduling");
        let guard = testkit::database::<KeyedNotes>("scheduling").await;
        let database = guard.connect_with(&host, 4, Planning::AsPostgresChooses).await;
        Self { host, _guard: guard, database, worked: AtomicUsize::new(0) }
    }

    fn scope(&self, key: &str) -> BusinessScope {
        let mut request = testkit::as_user(&self.host, Role::Employee, BUSINESS, ());
        request.metadata_mut().insert(IDEMPOTENCY_HEADER, key.parse().unwrap());
        self.host.gate.business(request.metadata(), &NOTE, &BUSINESS.to_string()).unwrap()
    }

    /// Writes a note, and commits it with `commit`.
    async fn attempt(
        &self,
        key: &str,
        text: &str,
        commit: impl AsyncFnOnce(Own) -> Result<(), Error>,
    ) -> Result<String, Status> {
        let scope = self.scope(key);
        let tx = Own { inner: self.database.tx(&scope), business: scope.business() };
        let work = async |tx: &Own| {
            let turn = self.worked.fetch_add(1, Ordering::SeqCst) + 1;
            tx.write(text).await?;
            if text == "refused" {
                return Err(Status::failed_precondition("refused"));
            }
            Ok(format!("{text} by turn {turn}"))
        };
        Attempt::new(&scope, &NOTE, &text.to_owned()).once(tx, work, commit).await
    }

    async fn write(&self, key: &str, text: &str) -> Result<String, Status> {
        self.attempt(key, text, Own::commit).await
    }

    async fn notes(&self) -> Vec<String> {
        let tx = self.database.begin(&self.scope("reading")).await.unwrap();
        crate::transaction::notes(&tx).await
    }
}

#[tokio::test]
async fn a_repeated_attempt_gets_the_answer_of_the_first_and_does_nothing() {
    let stage = Stage::open().await;
    for _ in 0..3 {
        assert_eq!(stage.write("k1", "tea").await.unwrap(), "tea by turn 1");
    }
    assert_eq!(stage.worked.load(Ordering::SeqCst), 1);
    assert_eq!(stage.notes().await, ["tea"]);
}

#[tokio::test]
async fn attempts_at_once_have_one_effect_and_one_answer() {
    let stage = Stage::open().await;
    let answers = join_all((0..8).map(|_| stage.write("k1", "tea"))).await;
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap() == "tea by turn 1"), "{answers:?}");
    assert_eq!(stage.notes().await, ["tea"]);
}

#[tokio::test]
async fn another_request_under_the_same_key_is_refused() {
    let stage = Stage::open().await;
    stage.write("k1", "tea").await.unwrap();
    assert_eq!(stage.write("k1", "cake").await.unwrap_err().code(), Code::AlreadyExists);
    assert_eq!(stage.notes().await, ["tea"]);
}

#[tokio::test]
async fn an_attempt_that_fails_leaves_its_key_free() {
    let stage = Stage::open().await;
    assert_eq!(stage.write("k1", "refused").await.unwrap_err().code(), Code::FailedPrecondition);
    let uncommitted = stage.attempt("k1", "tea", async |_| Err(Error::Commit)).await.unwrap_err();
    assert_eq!(uncommitted.code(), Code::Internal);
    assert_eq!(stage.notes().await, Vec::<String>::new());
    assert_eq!(stage.write("k1", "tea").await.unwrap(), "tea by turn 3");
    assert_eq!(stage.notes().await, ["tea"]);
}
