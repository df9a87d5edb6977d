//! Finds customers by a number, or by what an employee types.

use crate::{
    Error,
    domain::{Customer, CustomerId, Dialled, Listing, WantedCustomers},
    store::Tx,
};

/// What customers are found by.
#[derive(Debug)]
pub enum CustomerSearch {
    /// Their number.
    Phone(Dialled),
    /// A part of their number, or words of their name; empty for all.
    Typed(String),
}

/// A page of customers.
#[derive(Debug)]
pub struct FindCustomers {
    /// What they are found by.
    pub search: CustomerSearch,
    /// Which page.
    pub listing: Listing,
    /// Whose numbers and addresses the caller may see, and find customers by; `None` for all.
    pub reach: Option<Vec<CustomerId>>,
}

impl FindCustomers {
    /// The customers by name, and one more if there are more.
    ///
    /// # Errors
    /// [`Error::Phone`] when the number is none in the country of the business.
    pub async fn run(self, tx: Tx) -> Result<Vec<Customer>, Error> {
        let wanted = match self.search {
            CustomerSearch::Phone(dialled) => {
                let phone = tx.complete_phone(Some(dialled)).await?;
                phone.map_or(WantedCustomers::All, WantedCustomers::WithPhone)
            }
            CustomerSearch::Typed(text) => WantedCustomers::typed(&text),
        };
        let customers = tx.customers(&wanted, self.reach.as_deref(), &self.listing).await?;
        tx.commit().await?;
        Ok(customers)
    }
}
