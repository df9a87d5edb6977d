//! Phrases that meant no single service.

use chrono::{DateTime, Utc};
use database::{from_db, named};
use engine::id::CallId;
use proto::frontdesk::events::v1::{PhraseChanged, event::Payload};
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        id::PhraseId,
        phrase::{MOST_KEPT, UnmatchedPhrase},
    },
};

/// An agent may ask twice in a call: that counts once.
const HEAR: &str = "INSERT INTO unmatched_phrase AS known
        (business_id, id, phrase, count, first_at, last_at, last_call_id)
    VALUES (:business_id, :id, :phrase, 1, :now, :now, :call_id)
    ON CONFLICT (business_id, phrase) DO UPDATE
    SET count = known.count + CASE WHEN known.last_call_id = excluded.last_call_id THEN 0 ELSE 1 END,
        last_at = greatest(known.last_at, excluded.last_at), last_call_id = excluded.last_call_id
    RETURNING id, phrase, count, first_at, last_at, last_call_id, is_dismissed";
/// Skips rows that another transaction has locked, so that no request waits; the next phrase deletes
/// them.
const FORGET: &str = "DELETE FROM unmatched_phrase WHERE business_id = :business_id AND id IN (
    SELECT id FROM unmatched_phrase WHERE business_id = :business_id AND id IN (
        SELECT id FROM unmatched_phrase WHERE business_id = :business_id
            ORDER BY last_at DESC, id DESC OFFSET :most)
    FOR UPDATE SKIP LOCKED)";
/// A page of phrases, the most frequent first.
pub const PHRASES_BY_COUNT: &str =
    "SELECT id, phrase, count, first_at, last_at, last_call_id, is_dismissed FROM unmatched_phrase
    WHERE business_id = :business_id AND is_dismissed = :is_dismissed
        AND (count, id) < (:after_count, :after_id)
    ORDER BY count DESC, id DESC LIMIT :rows";
const TAKE: &str = "SELECT id, phrase, count, first_at, last_at, last_call_id, is_dismissed
    FROM unmatched_phrase WHERE business_id = :business_id AND id = :id FOR UPDATE";
const DISMISS: &str =
    "UPDATE unmatched_phrase SET is_dismissed = true WHERE business_id = :business_id AND id = :id";
const DROP: &str = "DELETE FROM unmatched_phrase WHERE business_id = :business_id AND id = :id";

#[derive(FromQueryResult)]
struct Row {
    id: Uuid,
    phrase: String,
    count: i64,
    first_at: DateTime<Utc>,
    last_at: DateTime<Utc>,
    last_call_id: Option<Uuid>,
    is_dismissed: bool,
}

impl From<Row> for UnmatchedPhrase {
    fn from(row: Row) -> Self {
        Self {
            id: PhraseId(row.id),
            phrase: row.phrase,
            count: row.count,
            first_at: from_db(row.first_at),
            last_at: from_db(row.last_at),
            last_call: row.last_call_id.map(CallId),
            is_dismissed: row.is_dismissed,
        }
    }
}

impl Tx {
    /// Counts a phrase that was heard now, in this call, and drops what was heard too long ago.
    pub async fn hear(&self, phrase: &str, call: Option<CallId>) -> Result<PhraseId, Error> {
        let values = named! {
            business_id: self.business.0,
            id: self.new_id::<Uuid>(),
            phrase,
            now: self.at(),
            call_id: call.map(|call| call.0),
        };
        let heard: Option<UnmatchedPhrase> = self.one::<Row, _>(HEAR, values).await?;
        let heard = heard.ok_or(Error::Stored("phrase"))?;
        if heard.count == 1 {
            self.execute(FORGET, named! { business_id: self.business.0, most: i64::from(MOST_KEPT) }).await?;
        }
        Ok(heard.id)
    }

    /// Phrases after the one that was said so often and is called `after`, the most frequent first.
    pub async fn unmatched_phrases(
        &self,
        is_dismissed: bool,
        after: (i64, PhraseId),
        rows: u32,
    ) -> Result<Vec<UnmatchedPhrase>, Error> {
        let values = named! {
            business_id: self.business.0,
            is_dismissed,
            after_count: after.0,
            after_id: after.1.0,
            rows: i64::from(rows),
        };
        self.all::<Row, _>(PHRASES_BY_COUNT, values).await
    }

    /// Locks a phrase until this transaction ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_phrase(&self, id: PhraseId) -> Result<UnmatchedPhrase, Error> {
        let found = self.one::<Row, _>(TAKE, named! { business_id: self.business.0, id: id.0 }).await?;
        found.ok_or(Error::NotFound("phrase"))
    }

    /// Puts a phrase aside; it is counted on.
    pub async fn dismiss_phrase(&self, id: PhraseId) -> Result<(), Error> {
        self.execute(DISMISS, named! { business_id: self.business.0, id: id.0 }).await.map(drop)
    }

    /// Forgets a phrase that means a service now.
    pub async fn drop_phrase(&self, id: PhraseId) -> Result<(), Error> {
        self.execute(DROP, named! { business_id: self.business.0, id: id.0 }).await.map(drop)
    }

    /// Tells others that a phrase changed. It has no version: all that is told is to read again.
    pub async fn publish_phrase(&self, id: PhraseId) -> Result<(), Error> {
        let payload = Payload::Phrase(PhraseChanged { phrase_id: id.to_string() });
        self.publish_change(id, self.now().as_microsecond(), payload).await
    }
}
