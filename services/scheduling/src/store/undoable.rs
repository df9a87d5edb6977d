//! Changes that can be taken back.

use database::{named, to_db};
use sea_orm::FromQueryResult;

use super::Tx;
use crate::{
    Error,
    domain::{
        id::ChangeId,
        undoable::{UNDOABLE_FOR, Undoable},
    },
};

const REMOVE_OLD: &str =
    "DELETE FROM undoable_change WHERE business_id = :business_id AND made_at <= :before";
const ADD: &str = "INSERT INTO undoable_change (business_id, id, made_at, made_by, content)
    VALUES (:business_id, :id, :now, :actor, :content)";
const TAKE: &str = "DELETE FROM undoable_change
    WHERE business_id = :business_id AND id = :id AND made_by = :actor AND made_at > :before
    RETURNING content";

#[derive(FromQueryResult)]
struct Row {
    content: serde_json::Value,
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
        let before = to_db(self.now() - UNDOABLE_FOR);
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

    /// Takes a change of the actor to take it back: another transaction waits, and then finds none.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is too long ago, another actor's, or taken back already.
    pub async fn take_undoable(&self, id: ChangeId) -> Result<Undoable, Error> {
        let values = named! {
            business_id: self.business.0,
            id: id.0,
            actor: self.actor(),
            before: to_db(self.now() - UNDOABLE_FOR),
        };
        self.one::<Row, _>(TAKE, values).await?.ok_or(Error::NotFound("change that you can undo"))
    }
}
