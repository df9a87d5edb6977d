//! Attempts at a write, so that a repeated one has one effect and one answer.

use boot::postgres::to_db;
use caller::{BusinessScope, Method, Tenant};
use jiff::SignedDuration;
use prost::Message;
use sea_orm::{ConnectionTrait, FromQueryResult, Value};
use sha2::{Digest, Sha256};

use super::{Tx, no_business, refused, statement};
use crate::Error;

/// How long an answer is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// Expired keys stay this much longer: an attempt that found one alive may be about to read it.
const LINGER: SignedDuration = SignedDuration::from_mins(5);

/// Takes over an expired key as if it were new. A concurrent attempt waits here for
/// the other's end.
const CLAIM: &str = "INSERT INTO idempotency AS kept
        (business_id, actor, method, key, request_hash, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (business_id, actor, method, key) DO UPDATE
    SET request_hash = excluded.request_hash, response = NULL, expires_at = excluded.expires_at
    WHERE kept.expires_at <= $7";
const KEPT_ANSWER: &str = "SELECT request_hash, response FROM idempotency
    WHERE business_id = $1 AND actor = $2 AND method = $3 AND key = $4";
const KEEP: &str = "UPDATE idempotency SET response = $5
    WHERE business_id = $1 AND actor = $2 AND method = $3 AND key = $4";
/// A few at a time, passing by rows that others are at, so that nobody waits.
const SWEEP: &str = "DELETE FROM idempotency WHERE (business_id, actor, method, key) IN (
    SELECT business_id, actor, method, key FROM idempotency
    WHERE business_id = $1 AND expires_at <= $2 LIMIT 20 FOR UPDATE SKIP LOCKED)";

/// One client's attempt at a write: its key, if it gave one, and what it asked for.
#[derive(Debug, Clone)]
pub struct Attempt {
    actor: String,
    key: Option<String>,
    method: &'static str,
    hash: Vec<u8>,
}

impl Attempt {
    /// The attempt at `method` with `request`.
    #[must_use]
    pub fn new(scope: &BusinessScope, method: &'static Method, request: &impl Message) -> Self {
        Self {
            actor: scope.actor().to_string(),
            key: scope.idempotency_key().map(|key| key.as_str().to_owned()),
            method: method.path,
            hash: Sha256::digest(request.encode_to_vec()).to_vec(),
        }
    }
}

/// Whether there is work to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The first attempt, or one without a key.
    Fresh,
    /// The work was done before; this was the answer.
    Answered(Vec<u8>),
}

#[derive(FromQueryResult)]
struct Kept {
    request_hash: Vec<u8>,
    response: Option<Vec<u8>>,
}

impl Tx {
    /// Claims the attempt's key before any other change of the transaction.
    ///
    /// # Errors
    /// [`Error::KeyReused`] for another request under the same key, [`Error::NotFound`]
    /// when there is no such business.
    pub async fn claim(&self, attempt: &Attempt) -> Result<Claim, Error> {
        let Some(key) = &attempt.key else { return Ok(Claim::Fresh) };
        let now = self.clock.now();
        let claim = [attempt.hash.clone().into(), to_db(now + KEPT).into(), to_db(now).into()];
        let values = self.key(attempt, key).into_iter().chain(claim);
        let claimed = self
            .sql
            .execute_raw(statement(CLAIM, values))
            .await
            .map_err(|error| refused(error, &[("idempotency_business", no_business)]))?;
        if claimed.rows_affected() == 0 {
            return self.answered(attempt, key).await;
        }
        let gone = to_db(now - LINGER);
        self.sql.execute_raw(statement(SWEEP, [self.business.0.into(), gone.into()])).await?;
        Ok(Claim::Fresh)
    }

    /// Keeps the answer of a claimed attempt.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep(&self, attempt: &Attempt, response: &impl Message) -> Result<(), Error> {
        let Some(key) = &attempt.key else { return Ok(()) };
        let values = self.key(attempt, key).into_iter().chain([response.encode_to_vec().into()]);
        self.sql.execute_raw(statement(KEEP, values)).await?;
        Ok(())
    }

    async fn answered(&self, attempt: &Attempt, key: &str) -> Result<Claim, Error> {
        let kept =
            Kept::find_by_statement(statement(KEPT_ANSWER, self.key(attempt, key))).one(&self.sql).await?;
        match kept {
            Some(kept) if kept.request_hash != attempt.hash => Err(Error::KeyReused),
            Some(Kept { response: Some(response), .. }) => Ok(Claim::Answered(response)),
            // Claim and answer commit together.
            Some(Kept { response: None, .. }) | None => {
                Err(Error::Stored("answer", "an attempt without an answer".into()))
            }
        }
    }

    /// What an attempt is known by: a key means nothing under another actor.
    fn key(&self, attempt: &Attempt, key: &str) -> [Value; 4] {
        [self.business.0.into(), attempt.actor.as_str().into(), attempt.method.into(), key.into()]
    }
}
