//! Takes a change of what is on record of a customer, or of a follow-up, back.

use proto::frontdesk::events::v1::{FollowUpChanged, event::Payload};

use crate::{
    Error,
    domain::{
        ChangeId, CustomerId, CustomerNote, CustomerNoteId, FollowUp, FollowUpId, Formula, FormulaId,
        MarketingConsent, PatchTest, PatchTestId, Undoable,
    },
    store::Tx,
};

/// Takes a change back and publishes what it was about.
///
/// # Errors
/// [`Error::NotFound`] if the actor can't take it back, [`Error::ChangedSince`].
pub async fn undo_record_change(tx: &Tx, id: ChangeId) -> Result<(), Error> {
    let made = tx.take_undoable(id).await?;
    let left = made.left;
    let now = match made.change.clone() {
        Undoable::NoteWritten(customer, id) => tx.remove_note(customer, id, left).await?,
        Undoable::NoteRewritten(before) => tx.rewrite_note(before, left).await?,
        Undoable::NoteDeleted(note) => tx.put_note_back(note, left + 1).await?,
        Undoable::PatchTestRecorded(customer, id) => tx.remove_patch_test(customer, id, left).await?,
        Undoable::PatchTestDeleted(test) => tx.put_patch_test_back(test, left + 1).await?,
        Undoable::FormulaRecorded(customer, id) => tx.remove_formula(customer, id, left).await?,
        Undoable::FormulaDeleted(formula) => tx.put_formula_back(formula, left + 1).await?,
        Undoable::Answered { customer, before, after } => {
            return tx.take_answer_back(customer, before, &after).await;
        }
        Undoable::FollowUpCreated(id) => tx.remove_follow_up(id, left).await?,
        Undoable::FollowUpChanged(id, before) => {
            let follow_up = tx.follow_up_at(id, left).await?.standing_again(before);
            tx.save_follow_up(&follow_up).await?;
            tx.publish_follow_up(&follow_up).await?;
            follow_up.version
        }
    };
    tx.follow_returned(&made, now).await
}

/// Each takes one kind of change back, if its record still is at the version that the change left, and answers the
/// version that the record has since.
impl Tx {
    async fn note_at(
        &self,
        customer: CustomerId,
        id: CustomerNoteId,
        left: i64,
    ) -> Result<CustomerNote, Error> {
        let note = self.take_customer_note((customer, id)).await.map_err(gone("note"))?;
        unchanged("note", note.version, left)?;
        Ok(note)
    }

    async fn remove_note(&self, customer: CustomerId, id: CustomerNoteId, left: i64) -> Result<i64, Error> {
        let note = self.note_at(customer, id, left).await?;
        let deleted = CustomerNote { version: left + 1, ..note };
        self.delete_customer_note((customer, id)).await?;
        self.publish_note(&deleted).await?;
        Ok(deleted.version)
    }

    async fn rewrite_note(&self, before: CustomerNote, left: i64) -> Result<i64, Error> {
        let note = self.note_at(before.customer, before.id, left).await?;
        let note = note.restored(before);
        self.save_customer_note(&note).await?;
        self.publish_note(&note).await?;
        Ok(note.version)
    }

    async fn put_note_back(&self, deleted: CustomerNote, version: i64) -> Result<i64, Error> {
        let note = CustomerNote { version, ..deleted };
        self.add_customer_note(&note).await?;
        self.publish_note(&note).await?;
        Ok(version)
    }

    async fn remove_patch_test(
        &self,
        customer: CustomerId,
        id: PatchTestId,
        left: i64,
    ) -> Result<i64, Error> {
        let test = self.delete_patch_test(customer, id).await?.ok_or(Error::ChangedSince("patch test"))?;
        unchanged("patch test", test.version, left)?;
        self.publish_record(id, test.customer, left + 1).await?;
        Ok(left + 1)
    }

    async fn put_patch_test_back(&self, deleted: PatchTest, version: i64) -> Result<i64, Error> {
        let test = PatchTest { version, ..deleted };
        self.add_patch_test(&test).await?;
        self.publish_record(test.id, test.customer, version).await?;
        Ok(version)
    }

    async fn remove_formula(&self, customer: CustomerId, id: FormulaId, left: i64) -> Result<i64, Error> {
        let formula = self.delete_formula(customer, id).await?.ok_or(Error::ChangedSince("formula"))?;
        unchanged("formula", formula.version, left)?;
        self.publish_record(id, formula.customer, left + 1).await?;
        Ok(left + 1)
    }

    async fn put_formula_back(&self, deleted: Formula, version: i64) -> Result<i64, Error> {
        let formula = Formula { version, ..deleted };
        self.add_formula(&formula).await?;
        self.publish_record(formula.id, formula.customer, version).await?;
        Ok(version)
    }

    /// The answer before counts again; the one that was recorded by mistake is no answer of the customer's. No two answers
    /// are of one instant, so that it needs no version.
    async fn take_answer_back(
        &self,
        id: CustomerId,
        before: Option<MarketingConsent>,
        after: &MarketingConsent,
    ) -> Result<(), Error> {
        let customer = self.take_customer(id).await?.whole()?;
        if customer.marketing_consent.as_ref() != Some(after) {
            return Err(Error::ChangedSince("answer"));
        }
        let restored = customer.clone().answering(before);
        self.replace_customer(&customer, &restored).await?;
        self.delete_consent_change(id, after).await
    }

    async fn follow_up_at(&self, id: FollowUpId, left: i64) -> Result<FollowUp, Error> {
        let follow_up = self.take_follow_up(id).await.map_err(gone("follow-up"))?.follow_up;
        unchanged("follow-up", follow_up.version, left)?;
        Ok(follow_up)
    }

    async fn remove_follow_up(&self, id: FollowUpId, left: i64) -> Result<i64, Error> {
        self.follow_up_at(id, left).await?;
        self.delete_follow_up(id).await?;
        let payload = Payload::FollowUp(FollowUpChanged { follow_up_id: id.to_string() });
        self.publish_change(id, left + 1, payload).await?;
        Ok(left + 1)
    }
}

fn unchanged(record: &'static str, version: i64, left: i64) -> Result<(), Error> {
    if version == left { Ok(()) } else { Err(Error::ChangedSince(record)) }
}

/// What a change left is not there any more.
fn gone(record: &'static str) -> impl Fn(Error) -> Error {
    move |error| match error {
        Error::NotFound(_) => Error::ChangedSince(record),
        other => other,
    }
}
