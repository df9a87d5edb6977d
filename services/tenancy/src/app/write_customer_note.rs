//! Writes, changes and deletes notes about a customer.

use proto::frontdesk::events::v1::{CustomerNoteChanged, event::Payload};

use crate::{
    Error,
    domain::{ChangeId, CustomerId, CustomerNote, Undoable},
    store::{NoteKey, SignedNote, Tx},
};

/// A note to write.
#[derive(Debug)]
pub struct CreateCustomerNote {
    /// Whom it is about.
    pub customer: CustomerId,
    /// What it says.
    pub text: String,
    /// Whether it is shown first.
    pub pinned: bool,
}

impl CreateCustomerNote {
    /// Writes and publishes it; the note, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn run(self, tx: &Tx) -> Result<(SignedNote, ChangeId), Error> {
        let note = CustomerNote {
            id: tx.new_id(),
            customer: self.customer,
            text: self.text,
            pinned: self.pinned,
            created_by: tx.actor().to_owned(),
            created_at: tx.now(),
            edited_by: None,
            version: 1,
        };
        tx.hold_customer(note.customer).await?;
        tx.add_customer_note(&note).await?;
        tx.publish_note(&note).await?;
        let signed = tx.customer_note((note.customer, note.id)).await?;
        let writing = Undoable::NoteWritten(note.customer, note.id).leaving(note.version);
        Ok((signed, tx.add_undoable(&writing).await?))
    }
}

/// What a note says from now on.
#[derive(Debug)]
pub struct UpdateCustomerNote {
    /// The note.
    pub key: NoteKey,
    /// What it says.
    pub text: String,
    /// Whether it is shown first.
    pub pinned: bool,
    /// The version that was seen.
    pub version: Option<i64>,
}

impl UpdateCustomerNote {
    /// Changes and publishes it, if anything is different; the note, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`].
    pub async fn run(self, tx: &Tx) -> Result<(SignedNote, Option<ChangeId>), Error> {
        let before = tx.take_customer_note(self.key).await?.seen_at(self.version)?;
        let after = before.clone().rewritten(self.text, self.pinned, tx.actor());
        if after == before {
            return Ok((tx.customer_note(self.key).await?, None));
        }
        tx.save_customer_note(&after).await?;
        tx.publish_note(&after).await?;
        let change = tx.add_undoable(&Undoable::NoteRewritten(before).leaving(after.version)).await?;
        Ok((tx.customer_note(self.key).await?, Some(change)))
    }
}

/// Deletes and publishes a note, if it is there; the change.
///
/// # Errors
/// When the database fails.
pub async fn delete_customer_note(tx: &Tx, key: NoteKey) -> Result<Option<ChangeId>, Error> {
    let note = match tx.take_customer_note(key).await {
        Err(Error::NotFound(_)) => return Ok(None),
        taken => taken?,
    };
    tx.delete_customer_note(key).await?;
    let deleted = CustomerNote { version: note.version + 1, ..note.clone() };
    tx.publish_note(&deleted).await?;
    let change = tx.add_undoable(&Undoable::NoteDeleted(note).leaving(deleted.version)).await?;
    Ok(Some(change))
}

impl Tx {
    pub(super) async fn publish_note(&self, note: &CustomerNote) -> Result<(), Error> {
        let (note_id, customer_id) = (note.id.to_string(), note.customer.to_string());
        let payload = Payload::CustomerNote(CustomerNoteChanged { note_id, customer_id });
        self.publish_change(note.id, note.version, payload).await
    }
}
