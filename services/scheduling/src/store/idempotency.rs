//! Attempts at a write, so that a repeated one has one effect and one answer.

use boot::postgres::to_db;
use caller::{BusinessScope, Method};
use jiff::SignedDuration;
use prost::Message;
use sea_orm::{FromQueryResult, Value};
use sha2::{Digest, Sha256};

use super::Tx;
use crate::Error;

/// How long an answer is kept.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// Takes over an expired key as if it were new. A concurrent attempt waits here for
/// the other's end.
const CLAIM: &str = "INSERT INTO idempotency_key AS kept
        (business_id, actor, method, key, request_hash, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (business_id, actor, method, key) DO UPDATE
    SET request_hash = excluded.request_hash, response = NULL, expires_at = excluded.expires_at
    WHERE kept.expires_at <= $7";
const ANSWER: &str = "SELECT request_hash, response FROM idempotency_key
    WHERE business_id = $1 AND actor = $2 AND method = $3 AND key = $4";
const KEEP: &str = "UPDATE idempotency_key SET response = $5
    WHERE business_id = $1 AND actor = $2 AND method = $3 AND key = $4";
/// Passes by rows that somebody is at, so that nobody waits. Keys stay five minutes
/// longer than they count: an attempt that found one alive may be about to read it.
pub(super) const SWEEP: &str = "DELETE FROM idempotency_key WHERE ctid IN (
    SELECT ctid FROM idempotency_key WHERE expires_at <= $1::timestamptz - interval '5 minutes'
    LIMIT 10000 FOR UPDATE SKIP LOCKED)";

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
        Self {
            key: scope.idempotency_key().map(|key| key.as_str().to_owned()),
            method: method.path,
            hash: Sha256::digest(request.encode_to_vec()).to_vec(),
        }
    }
}

#[derive(FromQueryResult)]
struct Kept {
    request_hash: Vec<u8>,
    response: Option<Vec<u8>>,
}

impl From<Kept> for (Vec<u8>, Option<Vec<u8>>) {
    fn from(row: Kept) -> Self {
        (row.request_hash, row.response)
    }
}

impl Tx {
    /// Claims the attempt's key before any other change of the transaction. What is
    /// returned is the answer of an earlier attempt: there is nothing left to do then.
    ///
    /// # Errors
    /// [`Error::KeyReused`] for another request under the same key.
    pub async fn claim<R: Message + Default>(&self, attempt: &Attempt) -> Result<Option<R>, Error> {
        let Some(key) = &attempt.key else { return Ok(None) };
        let claim = [attempt.hash.clone().into(), to_db(self.now + KEPT).into(), self.at()];
        if self.execute(CLAIM, self.key(attempt, key).into_iter().chain(claim)).await? == 1 {
            return Ok(None);
        }
        let kept: Option<(Vec<u8>, Option<Vec<u8>>)> =
            self.one::<Kept, _>(ANSWER, self.key(attempt, key)).await?;
        match kept {
            Some((hash, _)) if hash != attempt.hash => Err(Error::KeyReused),
            Some((_, Some(answer))) => {
                R::decode(answer.as_slice()).map(Some).map_err(|_| Error::Stored("answer"))
            }
            // Claim and answer commit together.
            Some((_, None)) | None => Err(Error::Stored("answer")),
        }
    }

    /// Keeps the answer of a claimed attempt.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn keep(&self, attempt: &Attempt, response: &impl Message) -> Result<(), Error> {
        let Some(key) = &attempt.key else { return Ok(()) };
        let answer = [response.encode_to_vec().into()];
        self.execute(KEEP, self.key(attempt, key).into_iter().chain(answer)).await.map(drop)
    }

    fn key(&self, attempt: &Attempt, key: &str) -> [Value; 4] {
        [self.business.0.into(), self.actor.as_str().into(), attempt.method.into(), key.into()]
    }
}
