//! Records whether a customer agrees to advertising.

use crate::{
    Error,
    domain::{Customer, CustomerId},
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
    /// Records it with the time and who recorded it, and publishes the customer, unless it is recorded already.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Merged`].
    pub async fn run(self, tx: &Tx) -> Result<Customer, Error> {
        let before = tx.take_customer(self.id).await?.whole()?;
        let after = before.clone().consenting(self.given, tx.actor(), tx.now());
        tx.replace_customer(&before, &after).await?;
        if let Some(consent) = after.marketing_consent.as_ref().filter(|_| after != before) {
            tx.add_consent_change(after.id, consent).await?;
        }
        Ok(after)
    }
}
