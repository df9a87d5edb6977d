//! Phrases that meant no single service.

use chrono::{DateTime, Utc};
use database::from_db;
use engine::id::CallId;
use proto::frontdesk::events::v1::{PhraseChanged, event::Payload};
use sea_orm::{FromQueryResult, Value};
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
    VALUES ($1, $2, $3, 1, $4, $4, $5)
    ON CONFLICT (business_id, phrase) DO UPDATE
    SET count = known.count + CASE WHEN known.last_call_id = excluded.last_call_id THEN 0 ELSE 1 END,
        last_at = greatest(known.last_at, excluded.last_at), last_call_id = excluded.last_call_id
    RETURNING id, phrase, count, first_at, last_at, last_call_id, is_dismissed";
/// Skips rows that another transaction has locked, so that no request waits; the next phrase deletes
/// them.
const FORGET: &str = "DELETE FROM unmatched_phrase WHERE business_id = $1 AND id IN (
    SELECT id FROM unmatched_phrase WHERE business_id = $1 AND id IN (
        SELECT id FROM unmatched_phrase WHERE business_id = $1 ORDER BY last_at DESC, id DESC OFFSET $2)
    FOR UPDATE SKIP LOCKED)";
/// Parameters: business, whether dismissed, count and id of the row before, rows wanted.
pub const PHRASES_BY_COUNT: &str =
    "SELECT id, phrase, count, first_at, last_at, last_call_id, is_dismissed FROM unmatched_phrase
    WHERE business_id = $1 AND is_dismissed = $2 AND (count, id) < ($3, $4)
    ORDER BY count DESC, id DESC LIMIT $5";
const TAKE: &str = "SELECT id, phrase, count, first_at, last_at, last_call_id, is_dismissed
    FROM unmatched_phrase WHERE business_id = $1 AND id = $2 FOR UPDATE";
const DISMISS: &str = "UPDATE unmatched_phrase SET is_dismissed = true WHERE business_id = $1 AND id = $2";
const DROP: &str = "DELETE FROM unmatched_phrase WHERE business_id = $1 AND id = $2";

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
        let values: [Value; 5] = [
            self.business.0.into(),
            self.new_id::<Uuid>().into(),
            phrase.into(),
            self.at(),
            call.map(|call| call.0).into(),
        ];
        let heard: Option<UnmatchedPhrase> = self.one::<Row, _>(HEAR, values).await?;
        let heard = heard.ok_or(Error::Stored("phrase"))?;
        if heard.count == 1 {
            self.execute(FORGET, [self.business.0.into(), i64::from(MOST_KEPT).into()]).await?;
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
        let values: [Value; 5] = [
            self.business.0.into(),
            is_dismissed.into(),
            after.0.into(),
            after.1.0.into(),
            i64::from(rows).into(),
        ];
        self.all::<Row, _>(PHRASES_BY_COUNT, values).await
    }

    /// Locks a phrase until this transaction ends.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub async fn take_phrase(&self, id: PhraseId) -> Result<UnmatchedPhrase, Error> {
        let found = self.one::<Row, _>(TAKE, [self.business.0.into(), id.0.into()]).await?;
        found.ok_or(Error::NotFound("phrase"))
    }

    /// Puts a phrase aside; it is counted on.
    pub async fn dismiss_phrase(&self, id: PhraseId) -> Result<(), Error> {
        self.execute(DISMISS, [self.business.0.into(), id.0.into()]).await.map(drop)
    }

    /// Forgets a phrase that means a service now.
    pub async fn drop_phrase(&self, id: PhraseId) -> Result<(), Error> {
        self.execute(DROP, [self.business.0.into(), id.0.into()]).await.map(drop)
    }

    /// Tells others that a phrase changed. It has no version: all that is told is to read again.
    pub async fn publish_phrase(&self, id: PhraseId) -> Result<(), Error> {
        let payload = Payload::Phrase(PhraseChanged { phrase_id: id.to_string() });
        self.publish_change(id, self.now().as_microsecond(), payload).await
    }
}
