//! Changes that can be taken back.

use boot::retention::UNDOABLE;
use chrono::{DateTime, Utc};
use database::{from_db, named, to_db};
use engine::id::VisitId;
use jiff::Timestamp;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::Tx;
use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{Returned, Undoable},
    },
};

/// Leaves what another transaction is taking back at this moment: waiting for it could be a deadlock.
const REMOVE_OLD: &str = "DELETE FROM undoable_change WHERE business_id = :business_id AND id IN (
        SELECT id FROM undoable_change WHERE business_id = :business_id AND made_at <= :before
        FOR UPDATE SKIP LOCKED)";
const ADD: &str = "INSERT INTO undoable_change (business_id, id, made_at, made_by, content)
    VALUES (:business_id, :id, :now, :actor, :content)";
const TAKE: &str = "DELETE FROM undoable_change
    WHERE business_id = :business_id AND id = :id AND made_by = :actor AND made_at > :before
    RETURNING content";
/// Changes of some records that may still be taken back, without those that are being taken back.
const OF_RECORDS: &str = "SELECT u.id, u.content FROM undoable_change u
    WHERE u.business_id = :business_id AND u.made_at > :before AND EXISTS (
        SELECT FROM unnest(:records::uuid[]) AS r (id) WHERE position(r.id::text IN u.content::text) > 0)
    FOR UPDATE SKIP LOCKED";
/// The latest change by an account that is about a visit.
const LATEST_OWN_CHANGE: &str = "SELECT id, made_at, content FROM undoable_change
    WHERE business_id = :business_id AND made_by = :actor AND made_at > :before
        AND position(:visit_id::text IN content::text) > 0
    ORDER BY made_at DESC, id DESC LIMIT 1";
const SAVE: &str =
    "UPDATE undoable_change SET content = :content WHERE business_id = :business_id AND id = :id";

#[derive(FromQueryResult)]
struct KeptRow {
    id: Uuid,
    content: serde_json::Value,
}

#[derive(FromQueryResult)]
struct OwnRow {
    id: Uuid,
    made_at: DateTime<Utc>,
    content: serde_json::Value,
}

/// A change that its account may take back for some minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnChange {
    /// Which.
    pub id: ChangeId,
    /// When it was made.
    pub made_at: Timestamp,
    /// From then on it stays.
    pub until: Timestamp,
    /// How many visits it is about.
    pub visits: usize,
}

/// `None` as for [`KeptRow`].
impl From<OwnRow> for Option<(OwnChange, Undoable)> {
    fn from(row: OwnRow) -> Self {
        let change: Undoable = serde_json::from_value(row.content).ok()?;
        let made_at = from_db(row.made_at);
        let visits = change.visits.len() + usize::from(change.step.is_some());
        let own = OwnChange { id: ChangeId(row.id), made_at, until: made_at + UNDOABLE, visits };
        Some((own, change))
    }
}

#[derive(FromQueryResult)]
struct Row {
    content: serde_json::Value,
}

/// `None` for what another version kept and this one can't read: it is not undone.
impl From<KeptRow> for (ChangeId, Option<Undoable>) {
    fn from(row: KeptRow) -> Self {
        (ChangeId(row.id), serde_json::from_value(row.content).ok())
    }
}

impl TryFrom<Row> for Undoable {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        serde_json::from_value(row.content).map_err(|_| Error::Stored("change"))
    }
}

impl Tx {
    /// Keeps a change of this transaction, so that the actor can take it back for some minutes.
    pub async fn add_undoable(&self, change: &Undoable) -> Result<ChangeId, Error> {
        let id: ChangeId = self.new_id();
        let before = to_db(self.now() - UNDOABLE);
        self.execute(REMOVE_OLD, named! { business_id: self.business.0, before }).await?;
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            now: self.at(),
            actor: self.actor(),
            content: serde_json::to_value(change).map_err(|_| Error::Stored("change"))?,
        };
        self.execute(ADD, values).await?;
        Ok(id)
    }

    /// The latest change of a visit by the actor that is kept still, without a lock.
    pub(crate) async fn latest_own_change(
        &self,
        visit: VisitId,
    ) -> Result<Option<(OwnChange, Undoable)>, Error> {
        let values = named! {
            business_id: self.business.0,
            actor: self.actor(),
            visit_id: visit.to_string(),
            before: to_db(self.now() - UNDOABLE),
        };
        Ok(self.one::<OwnRow, Option<(OwnChange, Undoable)>>(LATEST_OWN_CHANGE, values).await?.flatten())
    }

    /// Takes a change of the actor to take it back: another transaction waits, and then finds none.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is too long ago, another actor's, or taken back already.
    pub async fn take_undoable(&self, id: ChangeId) -> Result<Undoable, Error> {
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            actor: self.actor(),
            before: to_db(self.now() - UNDOABLE),
        };
        self.one::<Row, _>(TAKE, values).await?.ok_or(Error::NotFound("change that you can undo"))
    }

    /// Has changes before the one that was taken back follow its records, so that they can be taken back next.
    pub async fn follow_returned(&self, returned: &[Returned]) -> Result<(), Error> {
        if returned.is_empty() {
            return Ok(());
        }
        let values = named! {
            business_id: self.business.0,
            before: to_db(self.now() - UNDOABLE),
            records: returned.iter().map(|back| back.record).collect::<Vec<_>>(),
        };
        let kept: Vec<(ChangeId, Option<Undoable>)> = self.all::<KeptRow, _>(OF_RECORDS, values).await?;
        for (id, change) in kept {
            let followed = change.clone().map(|change| change.following(returned));
            let Some(followed) = followed.filter(|followed| change.as_ref() != Some(followed)) else {
                continue;
            };
            let content = serde_json::to_value(followed).map_err(|_| Error::Stored("change"))?;
            self.execute(SAVE, named! { business_id: self.business.0, id: id.0, content }).await?;
        }
        Ok(())
    }
}
