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
    /// [`Error::NotFound`].
    pub async fn run(self, tx: &Tx) -> Result<Customer, Error> {
        let before = tx.take_customer(self.id).await?;
        let after = before.clone().consenting(self.given, tx.actor(), tx.now());
        tx.replace_customer(&before, &after).await?;
        Ok(after)
    }
}
