//! Creates a customer.

use crate::{
    Error,
    domain::{Customer, CustomerId, Dialled, Email, Tags},
    store::{Added, Tx},
};

/// A customer to create.
#[derive(Debug)]
pub struct CreateCustomer {
    /// An id of the caller's choice.
    pub id: Option<CustomerId>,
    /// What the person is called.
    pub name: String,
    /// Where to reach the person.
    pub dialled: Option<Dialled>,
    /// Where to write to.
    pub email: Option<Email>,
}

impl CreateCustomer {
    /// Creates it and publishes it; the customer under its id if the business has one.
    ///
    /// # Errors
    /// [`Error::Phone`].
    pub async fn run(self, tx: &Tx) -> Result<Customer, Error> {
        let Self { id, name, dialled, email } = self;
        let phone = tx.complete_phone(dialled).await?;
        let id = id.unwrap_or_else(|| tx.new_id());
        let added = tx
            .add_customer(Customer {
                id,
                name,
                phone,
                email,
                tags: Tags::default(),
                marketing_consent: None,
                merged_into: None,
                erased_at: None,
                version: 1,
            })
            .await?;
        if let Added::New(customer) = &added {
            tx.publish_customer(customer).await?;
        }
        Ok(added.record())
    }
}
