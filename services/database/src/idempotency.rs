//! Attempts at a write, so that a repeated one has one effect and one answer.
//!
//! A key counts for 24 hours, for one actor and one method of one business, or of the installation: a key means nothing
//! under another.

use core::ops::Deref;

use boot::retention;
use caller::{BusinessScope, IdempotencyKey, InstallationScope, Method};
use prost::Message;
use sea_orm::{DbErr, FromQueryResult};
use sha2::{Digest, Sha256};
use tonic::Status;

use crate::{
    Named, Tx, named,
    table::{INSTALLATION, tenant_table},
    time::to_db,
};

/// Takes over an expired key as if it were new. A concurrent attempt waits here for the other's end.
const CLAIM: &str = "INSERT INTO idempotency_key AS kept
        (business_id, actor, method, key, request_hash, expires_at)
    VALUES (:business_id, :actor, :method, :key, :request_hash, :expires_at)
    ON CONFLICT (business_id, actor, method, key) DO UPDATE
    SET request_hash = excluded.request_hash, response = NULL, expires_at = excluded.expires_at
    WHERE kept.expires_at <= :now";
const ANSWER: &str = "SELECT request_hash, response FROM idempotency_key
    WHERE business_id = :business_id AND actor = :actor AND method = :method AND key = :key";
const KEEP: &str = "UPDATE idempotency_key SET response = :response
    WHERE business_id = :business_id AND actor = :actor AND method = :method AND key = :key";

/// Whatever is asked under such a key later is another request: its first effect stays the only one.
const FORGET: &str = "UPDATE idempotency_key SET request_hash = '', response = NULL
    WHERE business_id = :business_id AND EXISTS (
        SELECT FROM unnest(:texts::text[]) AS t (text) WHERE position(convert_to(t.text, 'UTF8') IN response) > 0)";

const FORGET_OF: &str = "UPDATE idempotency_key SET request_hash = '', response = NULL
    WHERE business_id = :business_id AND method = ANY(:methods::text[])";

/// Creates the table `idempotency_key` of a service.
#[must_use]
pub fn idempotency_sql(service: &str) -> String {
    format!(
        "CREATE TABLE idempotency_key (
            business_id uuid NOT NULL,
            actor text NOT NULL,
            method text NOT NULL,
            key text NOT NULL,
            request_hash bytea NOT NULL,
            response bytea,
            expires_at timestamptz NOT NULL,
            PRIMARY KEY (business_id, actor, method, key)
        );
        CREATE INDEX idempotency_key_expiry ON idempotency_key (expires_at);
        {}",
        tenant_table(service, "idempotency_key")
    )
}

/// Why a repeated write has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdempotencyError {
    /// The key came with another request before.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The answer of the first attempt is no message of this method.
    #[error("a stored answer can't be read")]
    Unreadable,
}

/// One client's attempt at a write: its key, if it gave one, and what it asked for.
#[derive(Debug, Clone)]
pub struct Attempt {
    key: Option<String>,
    method: &'static str,
    hash: Vec<u8>,
}

impl Attempt {
    /// The attempt at `method` with `request`.
    #[must_use]
    pub fn new(scope: &BusinessScope, method: &'static Method, request: &impl Message) -> Self {
        Self::under(scope.idempotency_key(), method, request)
    }

    /// The attempt at a `method` across businesses.
    #[must_use]
    pub fn across(scope: &InstallationScope, method: &'static Method, request: &impl Message) -> Self {
        Self::under(scope.idempotency_key(), method, request)
    }

    fn under(key: Option<&IdempotencyKey>, method: &'static Method, request: &impl Message) -> Self {
        Self {
            key: key.map(|key| key.as_str().to_owned()),
            method: method.path,
            hash: Sha256::digest(request.encode_to_vec()).to_vec(),
        }
    }

    /// Does the write once per idempotency key: `work` and its answer commit together in `tx`, and a repeated
    /// request gets the answer of the first. `commit` is the one of the service's transaction around [`Tx`].
    ///
    /// # Errors
    /// Those of `work`, and [`IdempotencyError::KeyReused`] for another request under the same key.
    pub async fn once<T, E, R>(
        self,
        tx: T,
        work: impl AsyncFnOnce(&T) -> Result<R, Status>,
        commit: impl AsyncFnOnce(T) -> Result<(), E>,
    ) -> Result<R, Status>
    where
        T: Deref<Target = Tx<E>>,
        E: From<DbErr> + From<IdempotencyError>,
        R: Message + Default,
        Status: From<E>,
    {
        if let Some(answer) = tx.claim(&self).await? {
            return Ok(answer);
        }
        let response = work(&tx).await?;
        tx.keep(&self, &response).await?;
        commit(tx).await?;
        Ok(response)
    }
}

#[derive(FromQueryResult)]
struct Kept {
    request_hash: Vec<u8>,
    response: Option<Vec<u8>>,
}

impl<E: From<DbErr> + From<IdempotencyError>> Tx<E> {
    /// Claims the attempt's key before any other change of the transaction. What is returned is the answer of
    /// an earlier attempt: there is nothing left to do then.
    async fn claim<R: Message + Default>(&self, attempt: &Attempt) -> Result<Option<R>, E> {
        let Some(key) = &attempt.key else { return Ok(None) };
        let expires_at = to_db(self.now() + retention::ANSWERS);
        let claim = named! { request_hash: attempt.hash.clone(), expires_at, now: self.at() };
        if self.execute(CLAIM, self.key(attempt, key).and(claim)).await? == 1 {
            return Ok(None);
        }
        match self.row::<Kept>(ANSWER, self.key(attempt, key)).await? {
            Some(kept) if kept.request_hash != attempt.hash => Err(IdempotencyError::KeyReused.into()),
            Some(Kept { response: Some(answer), .. }) => {
                R::decode(answer.as_slice()).map(Some).map_err(|_| IdempotencyError::Unreadable.into())
            }
            // Claim and answer commit together.
            Some(Kept { response: None, .. }) | None => Err(IdempotencyError::Unreadable.into()),
        }
    }

    /// Keeps the answer of a claimed attempt.
    async fn keep(&self, attempt: &Attempt, response: &impl Message) -> Result<(), E> {
        let Some(key) = &attempt.key else { return Ok(()) };
        let answer = named! { response: response.encode_to_vec() };
        self.execute(KEEP, self.key(attempt, key).and(answer)).await.map(drop)
    }

    /// Drops kept answers that contain any of these texts, such as the id of a person who is erased.
    pub async fn forget_answers(&self, texts: Vec<String>) -> Result<u64, E> {
        let business = self.business_id().map(|business| business.0);
        self.execute(FORGET, named! { business_id: business, texts }).await
    }

    /// Drops all kept answers of some methods, whose words may outlive their records.
    pub async fn forget_answers_of(&self, methods: &[&'static Method]) -> Result<u64, E> {
        let business = self.business_id().map(|business| business.0);
        let methods: Vec<String> = methods.iter().map(|method| method.path.to_owned()).collect();
        self.execute(FORGET_OF, named! { business_id: business, methods }).await
    }

    fn key(&self, attempt: &Attempt, key: &str) -> Named {
        let business = self.business_id().map_or(INSTALLATION, |business| business.0);
        named! { business_id: business, actor: self.actor(), method: attempt.method, key }
    }
}
