//! Recordings: what there is of each, and what is due.

use caller::{BusinessId, InstallationScope};
use database::{from_db, named, to_db};
use jiff::{SignedDuration, Timestamp};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::{Store, Tx};
use crate::{
    SERVICE,
    domain::{
        CallId,
        recording::{Audio, Kept, Next, Place, Recording, Source, Task},
    },
    error::Error,
};

/// How long one replica has for a task before another may take it.
const LEASE: SignedDuration = SignedDuration::from_mins(10);

/// The first word of a recording counts: platforms send the same one with several events.
const AWAIT: &str = "INSERT INTO recording (business_id, call_id, state, source, due_at)
    VALUES (:business_id, :call_id, 'AWAITED', :source, :now) ON CONFLICT (business_id, call_id) DO NOTHING";
pub(super) const OF_CALL: &str = "SELECT state, content_type, size_bytes, delete_at, failure FROM recording
    WHERE business_id = :business_id AND call_id = :call_id";
pub(super) const CLAIM: &str = "
    WITH due AS MATERIALIZED (
        SELECT business_id, call_id FROM recording WHERE due_at <= :now
        ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE recording r SET due_at = :leased_until,
        attempts = r.attempts + CASE r.state WHEN 'AWAITED' THEN 1 ELSE 0 END
    FROM due WHERE r.business_id = due.business_id AND r.call_id = due.call_id
    RETURNING r.business_id, r.call_id, r.state, r.source, r.attempts";
const KEEP: &str = "UPDATE recording SET state = 'KEPT', source = NULL, failure = NULL,
        content_type = :content_type, size_bytes = :size_bytes, delete_at = :delete_at, due_at = :delete_at
    WHERE business_id = :business_id AND call_id = :call_id AND state = 'AWAITED'";
const RETRY: &str = "UPDATE recording SET failure = :failure, due_at = :due_at
    WHERE business_id = :business_id AND call_id = :call_id AND state = 'AWAITED'";
const LOSE: &str = "UPDATE recording SET state = 'LOST', source = NULL, failure = :failure, due_at = NULL
    WHERE business_id = :business_id AND call_id = :call_id AND state = 'AWAITED'";
const EXPIRE: &str = "UPDATE recording SET state = 'EXPIRED', content_type = NULL, size_bytes = NULL,
        delete_at = NULL, due_at = NULL
    WHERE business_id = :business_id AND call_id = :call_id AND state = 'KEPT'";
/// Until a copy that was under way has found it gone.
const ERASE: &str = "UPDATE recording SET state = 'ERASED', source = NULL, content_type = NULL,
        size_bytes = NULL, delete_at = NULL, failure = NULL, due_at = :due_at
    WHERE business_id = :business_id AND call_id = :call_id";
const FORGET: &str = "DELETE FROM recording WHERE business_id = :business_id AND call_id = :call_id
    AND state = :state";

#[derive(Debug, FromQueryResult)]
struct Row {
    state: String,
    content_type: Option<String>,
    size_bytes: Option<i64>,
    delete_at: Option<DateTimeUtc>,
    failure: Option<String>,
}

impl Row {
    /// What a person is told; nothing of one that was erased.
    fn read(self) -> Option<Recording> {
        match self.state.as_str() {
            "AWAITED" => Some(Recording::Awaited { failure: self.failure }),
            "KEPT" => Some(Recording::Kept(Kept {
                audio: Audio::parse(&self.content_type?)?,
                size_bytes: self.size_bytes?.try_into().ok()?,
                delete_at: from_db(self.delete_at?),
            })),
            "LOST" => Some(Recording::Lost { failure: self.failure.unwrap_or_default() }),
            "EXPIRED" => Some(Recording::Expired),
            _ => None,
        }
    }
}

#[derive(Debug, FromQueryResult)]
struct Claimed {
    business_id: Uuid,
    call_id: Uuid,
    state: String,
    source: Option<String>,
    attempts: i32,
}

impl Claimed {
    fn task(self) -> Option<(Place, Task)> {
        let place = Place { business: BusinessId(self.business_id), call: CallId(self.call_id) };
        let task = match self.state.as_str() {
            "AWAITED" => Task::Copy { source: Source::read(&self.source?), attempts: self.attempts },
            "KEPT" => Task::Expire,
            "ERASED" => Task::Erase,
            _ => return None,
        };
        Some((place, task))
    }
}

impl Store {
    /// Takes at most `limit` tasks that are due; another replica takes them when this one does not end them.
    pub async fn claim_recordings(&self, limit: usize) -> Result<Vec<(Place, Task)>, Error> {
        let tx = self.database.installation_tx::<Error>(&InstallationScope::worker(SERVICE));
        let now = tx.now();
        let values = named! {
            now: to_db(now),
            leased_until: to_db(now + LEASE),
            limit: i64::try_from(limit).unwrap_or(i64::MAX),
        };
        let claimed: Vec<Claimed> = tx.rows(CLAIM, values).await?;
        tx.commit().await?;
        Ok(claimed.into_iter().filter_map(Claimed::task).collect())
    }
}

impl Tx {
    /// Has a call's recording copied, unless it is known.
    pub async fn await_recording(&self, call: CallId, source: &Source) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0, call_id: call.0, source: source.write(), now: to_db(self.now()),
        };
        self.execute(AWAIT, values).await.map(drop)
    }

    /// What there is of a call's recording.
    pub async fn recording(&self, call: CallId) -> Result<Option<Recording>, Error> {
        let values = named! { business_id: self.business.0, call_id: call.0 };
        let row: Option<Row> = self.rows(OF_CALL, values).await?.into_iter().next();
        Ok(row.and_then(Row::read))
    }

    /// It is copied; false when it is no longer awaited.
    pub async fn keep_recording(&self, call: CallId, kept: &Kept) -> Result<bool, Error> {
        let values = named! {
            business_id: self.business.0,
            call_id: call.0,
            content_type: kept.audio.content_type(),
            size_bytes: i64::try_from(kept.size_bytes).unwrap_or(i64::MAX),
            delete_at: to_db(kept.delete_at),
        };
        Ok(self.execute(KEEP, values).await? == 1)
    }

    /// A copy failed; false when it is no longer awaited.
    pub async fn recording_failed(&self, call: CallId, failure: &str, next: Next) -> Result<bool, Error> {
        let key = named! { business_id: self.business.0, call_id: call.0, failure: failure.to_owned() };
        let failed = match next {
            Next::Again(at) => self.execute(RETRY, key.and(named! { due_at: to_db(at) })).await?,
            Next::GiveUp => {
                self.drop_pieces_of(call).await?;
                self.execute(LOSE, key).await?
            }
        };
        Ok(failed == 1)
    }

    /// It was deleted as it was kept long enough; false when it is no longer kept.
    pub async fn expire_recording(&self, call: CallId) -> Result<bool, Error> {
        let values = named! { business_id: self.business.0, call_id: call.0 };
        Ok(self.execute(EXPIRE, values).await? == 1)
    }

    /// Its person is erased: what a copy that is under way still writes is deleted at `due_at`.
    pub async fn erase_recording(&self, call: CallId, due_at: Timestamp) -> Result<(), Error> {
        self.drop_pieces_of(call).await?;
        let values = named! { business_id: self.business.0, call_id: call.0, due_at: to_db(due_at) };
        self.execute(ERASE, values).await.map(drop)
    }

    /// The business records no calls; false when it is no longer awaited.
    pub async fn forget_awaited_recording(&self, call: CallId) -> Result<bool, Error> {
        self.drop_pieces_of(call).await?;
        self.forget(call, "AWAITED").await
    }

    /// What was left of an erased one is gone.
    pub async fn forget_erased_recording(&self, call: CallId) -> Result<(), Error> {
        self.forget(call, "ERASED").await.map(drop)
    }

    async fn forget(&self, call: CallId, state: &str) -> Result<bool, Error> {
        let values = named! { business_id: self.business.0, call_id: call.0, state: state.to_owned() };
        Ok(self.execute(FORGET, values).await? == 1)
    }
}
