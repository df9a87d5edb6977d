//! Records whether a customer agrees to advertising.

use crate::{
    Error,
    domain::{ChangeId, Customer, CustomerId, Undoable},
    store::Tx,
};

/// A customer's answer.
#[derive(Debug, Clone, Copy)]
pub struct RecordMarketingConsent {
    /// The customer.
    pub id: CustomerId,
    /// Whether they agree.
    pub given: bool,
}

impl RecordMarketingConsent {
    /// Records it with the time and who recorded it, and publishes the customer, unless it is recorded already;
    /// the customer, and the change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Merged`].
    pub async fn run(self, tx: &Tx) -> Result<(Customer, Option<ChangeId>), Error> {
        let before = tx.take_customer(self.id).await?.whole()?;
        let after = before.clone().consenting(self.given, tx.actor(), tx.now());
        if after == before {
            return Ok((after, None));
        }
        tx.replace_customer(&before, &after).await?;
        // As it is kept, to be compared with what is read later.
        let after = tx.customer(self.id).await?;
        let consent = after.marketing_consent.clone().ok_or(Error::NotFound("answer"))?;
        tx.add_consent_change(after.id, &consent).await?;
        let before = before.marketing_consent;
        let change = Undoable::Answered { customer: self.id, before, after: consent };
        let change = tx.add_undoable(&change.leaving(after.version)).await?;
        Ok((after, Some(change)))
    }
}
