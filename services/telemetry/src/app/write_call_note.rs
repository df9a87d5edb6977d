//! Notes something about a call, takes that away, or puts it back.

use crate::{
    domain::{
        CallId,
        call_note::{CallNote, MOST},
    },
    error::Error,
    store::{NoteKey, Tx},
};

/// A note about a call.
#[derive(Debug)]
pub struct CreateCallNote {
    /// The call.
    pub call: CallId,
    /// The words.
    pub text: String,
}

impl CreateCallNote {
    /// Adds it, and says in the log that the call changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such call; [`Error::TooMany`] when it has as many notes as one may have.
    pub async fn run(self, tx: &Tx) -> Result<CallNote, Error> {
        let call = tx.call_by_id(self.call).await?;
        require_room(tx, self.call).await?;
        let note = CallNote {
            id: tx.new_id(),
            text: self.text,
            created_by: tx.actor().to_owned(),
            created_at: tx.now(),
        };
        tx.add_call_note(self.call, &note).await?;
        tx.save_call(&call, &call).await?;
        Ok(note)
    }
}

/// A note to delete.
#[derive(Debug)]
pub struct DeleteCallNote {
    /// The note.
    pub key: NoteKey,
    /// Whether it may be another's.
    pub of_others: bool,
}

impl DeleteCallNote {
    /// Deletes it, if it is there, and says in the log that the call changed.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such call; [`Error::OfAnother`] when it is another's.
    pub async fn run(self, tx: &Tx) -> Result<(), Error> {
        let call = tx.call_by_id(self.key.call).await?;
        let notes = tx.call_notes(self.key.call).await?;
        let Some(note) = notes.iter().find(|note| note.id == self.key.note) else { return Ok(()) };
        if !note.yields_to(tx.actor(), self.of_others) {
            return Err(Error::OfAnother);
        }
        tx.delete_call_note(self.key).await?;
        tx.save_call(&call, &call).await
    }
}

/// Puts back a note that the actor deleted a moment ago, as it was, and says in the log that the call changed.
///
/// # Errors
/// [`Error::NotFound`] when there is no such call, or no such note that the actor can put back; [`Error::TooMany`] when
/// the call has as many notes as one may have.
pub async fn restore_call_note(tx: &Tx, key: NoteKey) -> Result<CallNote, Error> {
    let call = tx.call_by_id(key.call).await?;
    require_room(tx, key.call).await?;
    let note = tx.restore_call_note(key).await?.ok_or(Error::NotFound("note that you can put back"))?;
    tx.save_call(&call, &call).await?;
    Ok(note)
}

async fn require_room(tx: &Tx, call: CallId) -> Result<(), Error> {
    if tx.call_notes(call).await?.len() >= MOST {
        return Err(Error::TooMany("notes about this call"));
    }
    Ok(())
}
