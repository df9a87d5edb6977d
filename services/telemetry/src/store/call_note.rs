//! What people note about calls.

use database::{from_db, named, to_db};
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
const DELETE: &str =
    "DELETE FROM call_note WHERE business_id = :business_id AND call_id = :call_id AND id = :id";

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

    /// Deletes a note.
    pub async fn delete_call_note(&self, NoteKey { call, note }: NoteKey) -> Result<(), Error> {
        let values = named! { business_id: self.business.0, call_id: call.0, id: note.0 };
        self.execute(DELETE, values).await.map(drop)
    }
}
