//! Writes, changes and deletes notes about a customer.

use proto::frontdesk::events::v1::{CustomerNoteChanged, event::Payload};

use crate::{
    Error,
    domain::{CustomerId, CustomerNote},
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
    /// Writes and publishes it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the business has no such customer.
    pub async fn run(self, tx: &Tx) -> Result<SignedNote, Error> {
        let note = CustomerNote {
            id: tx.new_id(),
            customer: self.customer,
            text: self.text,
            pinned: self.pinned,
            created_by: tx.actor().to_owned(),
            created_at: tx.now(),
            version: 1,
        };
        tx.hold_customer(note.customer).await?;
        tx.add_customer_note(&note).await?;
        tx.publish_note(&note).await?;
        tx.customer_note((note.customer, note.id)).await
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
    /// Changes and publishes it, if anything is different.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`].
    pub async fn run(self, tx: &Tx) -> Result<SignedNote, Error> {
        let before = tx.take_customer_note(self.key).await?.seen_at(self.version)?;
        let after = before.clone().rewritten(self.text, self.pinned);
        if after != before {
            tx.save_customer_note(&after).await?;
            tx.publish_note(&after).await?;
        }
        tx.customer_note(self.key).await
    }
}

/// Deletes and publishes a note, if it is there.
///
/// # Errors
/// When the database fails.
pub async fn delete_customer_note(tx: Tx, key: NoteKey) -> Result<(), Error> {
    let note = match tx.take_customer_note(key).await {
        Err(Error::NotFound(_)) => return Ok(()),
        taken => taken?,
    };
    tx.delete_customer_note(key).await?;
    tx.publish_note(&CustomerNote { version: note.version + 1, ..note }).await?;
    tx.commit().await
}

impl Tx {
    async fn publish_note(&self, note: &CustomerNote) -> Result<(), Error> {
        let (note_id, customer_id) = (note.id.to_string(), note.customer.to_string());
        let payload = Payload::CustomerNote(CustomerNoteChanged { note_id, customer_id });
        self.publish_change(note.id, note.version, payload).await
    }
}
