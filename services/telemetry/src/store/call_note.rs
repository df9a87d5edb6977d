//! What people note about calls.

use boot::retention::UNDOABLE;
use database::{Named, from_db, named, to_db};
use sea_orm::{FromQueryResult, prelude::DateTimeUtc};
use uuid::Uuid;

use super::Tx;
use crate::{
    domain::{CallId, CallNoteId, call_note::CallNote},
    error::Error,
};

pub(super) const OF_CALL: &str = "SELECT id, text, created_by, created_at FROM call_note
    WHERE business_id = :business_id AND call_id = :call_id ORDER BY created_at, id LIMIT 50";
const ADD: &str = "INSERT INTO call_note (business_id, id, call_id, text, created_by, created_at)
    VALUES (:business_id, :id, :call_id, :text, :created_by, :created_at)";
const DELETE: &str = "WITH gone AS (
        DELETE FROM call_note WHERE business_id = :business_id AND call_id = :call_id AND id = :id
        RETURNING business_id, id, call_id, text, created_by, created_at)
    INSERT INTO deleted_call_note (business_id, id, call_id, text, created_by, created_at, deleted_by, deleted_at)
    SELECT gone.*, :actor, :now FROM gone";
const RESTORE: &str = "WITH back AS (
        DELETE FROM deleted_call_note WHERE business_id = :business_id AND call_id = :call_id AND id = :id
            AND deleted_by = :actor AND deleted_at > :before
        RETURNING business_id, id, call_id, text, created_by, created_at)
    INSERT INTO call_note (business_id, id, call_id, text, created_by, created_at)
    SELECT * FROM back RETURNING id, text, created_by, created_at";

/// A note of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteKey {
    /// The call.
    pub call: CallId,
    /// The note.
    pub note: CallNoteId,
}

#[derive(Debug, FromQueryResult)]
struct Row {
    id: Uuid,
    text: String,
    created_by: String,
    created_at: DateTimeUtc,
}

impl From<Row> for CallNote {
    fn from(Row { id, text, created_by, created_at }: Row) -> Self {
        Self { id: CallNoteId(id), text, created_by, created_at: from_db(created_at) }
    }
}

impl Tx {
    /// The notes about a call, the earliest first.
    pub async fn call_notes(&self, call: CallId) -> Result<Vec<CallNote>, Error> {
        self.all::<Row, _>(OF_CALL, named! { business_id: self.business.0, call_id: call.0 }).await
    }

    /// Adds a note to a call.
    pub async fn add_call_note(&self, call: CallId, note: &CallNote) -> Result<(), Error> {
        let values = named! {
            business_id: self.business.0,
            id: note.id.0,
            call_id: call.0,
            text: note.text.as_str(),
            created_by: note.created_by.as_str(),
            created_at: to_db(note.created_at),
        };
        self.execute(ADD, values).await.map(drop)
    }

    /// Deletes a note, which the actor can put back for some minutes.
    pub async fn delete_call_note(&self, key: NoteKey) -> Result<(), Error> {
        self.execute(DELETE, self.of_actor(key).and(named! { now: self.at() })).await.map(drop)
    }

    /// Puts back a note that the actor deleted; `None` if that is too long ago, or another's deletion.
    pub async fn restore_call_note(&self, key: NoteKey) -> Result<Option<CallNote>, Error> {
        let before = to_db(self.now() - UNDOABLE);
        self.one::<Row, _>(RESTORE, self.of_actor(key).and(named! { before })).await
    }

    fn of_actor(&self, NoteKey { call, note }: NoteKey) -> Named {
        named! { business_id: self.business.0, call_id: call.0, id: note.0, actor: self.actor() }
    }
}
