//! Copies customers' data for a person to take away.

use caller::UserId;
use proto::frontdesk::events::v1::{CustomersExported, event::Payload};

use crate::{
    Error,
    domain::{Customer, CustomerExport, CustomerExportId, CustomerId, Listing, WantedCustomers},
    store::Tx,
};

/// Begins an export, and has the owners told of it.
///
/// # Errors
/// [`Error::NotFound`] when the business has no such customer.
pub async fn begin_customer_export(
    tx: &Tx,
    customer: Option<CustomerId>,
    by: Option<UserId>,
) -> Result<CustomerExport, Error> {
    let customer = match customer {
        Some(id) => Some(tx.customer(id).await?),
        None => None,
    };
    let id = customer.as_ref().map(|customer| customer.id);
    let export = CustomerExport::begin(tx.new_id(), id, tx.actor(), tx.now());
    tx.add_customer_export(&export).await?;
    let payload = Payload::CustomersExported(CustomersExported {
        user_id: by.map(|user| user.to_string()).unwrap_or_default(),
        customer_id: id.map(|id| id.to_string()).unwrap_or_default(),
        customer_name: customer.map(|customer| customer.name).unwrap_or_default(),
    });
    tx.publish_change(export.id, 1, payload).await?;
    Ok(export)
}

/// A page of the customers of an export, by name, and one more if there are more.
///
/// # Errors
/// [`Error::NotFound`] for an export of another person, or one that expired.
pub async fn read_customer_export(
    tx: Tx,
    id: CustomerExportId,
    listing: &Listing,
) -> Result<Vec<Customer>, Error> {
    let export = tx.customer_export(id).await?;
    let customers = match export.customer {
        Some(id) => vec![tx.customer(id).await?],
        None => tx.customers(&WantedCustomers::All, None, listing).await?,
    };
    tx.commit().await?;
    Ok(customers)
}
