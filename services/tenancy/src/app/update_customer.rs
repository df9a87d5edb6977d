//! Changes what is known of a customer.

use crate::{
    Error,
    domain::{Customer, CustomerId, Dialled, Email, Tags},
    store::Tx,
};

/// What is known of a customer from now on.
#[derive(Debug)]
pub struct UpdateCustomer {
    /// The customer.
    pub id: CustomerId,
    /// What the person is called.
    pub name: String,
    /// Where to reach the person.
    pub dialled: Option<Dialled>,
    /// Where to write to.
    pub email: Option<Email>,
    /// What the salon files the person under.
    pub tags: Tags,
    /// The version that was seen.
    pub version: Option<i64>,
    /// Whether the number and the address were hidden from the caller: then those left out stay.
    pub contact_hidden: bool,
}

impl UpdateCustomer {
    /// Replaces it and publishes the customer, if anything is different.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Stale`], [`Error::Phone`], [`Error::Merged`].
    pub async fn run(self, tx: &Tx) -> Result<Customer, Error> {
        let Self { id, name, dialled, email, tags, version, contact_hidden } = self;
        let before = tx.take_customer(id).await?.whole()?.seen_at(version)?;
        let phone = tx.complete_phone(dialled).await?;
        let kept =
            if contact_hidden { (before.phone.clone(), before.email.clone()) } else { Default::default() };
        let (phone, email) = (phone.or(kept.0), email.or(kept.1));
        let after = before.clone().described(name, phone, email, tags);
        tx.replace_customer(&before, &after).await?;
        Ok(after)
    }
}

impl Tx {
    /// Saves and publishes a customer that differs from before.
    pub(super) async fn replace_customer(&self, before: &Customer, after: &Customer) -> Result<(), Error> {
        if before == after {
            return Ok(());
        }
        self.save_customer(after).await?;
        self.publish_customer(after).await
    }
}
