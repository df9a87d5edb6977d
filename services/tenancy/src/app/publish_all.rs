//! Publishes everything that other services keep a projection of.

use caller::{BusinessId, InstallationScope, Worker};
use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};

use crate::{
    Error,
    domain::{Listing, Place, WantedCustomers},
    store::{Store, Tx},
};

const PAGE: u32 = 500;
const WORKER: &str = "publish-all";

/// Publishes each business, employee and customer as it is now; says how many there are.
///
/// # Errors
/// When one can't be read; what was published before stays published, and does no harm twice.
pub async fn publish_all(store: &Store) -> Result<u64, Error> {
    let mut published = 0;
    let mut after = Place::start();
    loop {
        let tx = store.begin_installation(&InstallationScope::worker(WORKER));
        let businesses = tx.businesses(&Listing { limit: PAGE, after }).await?;
        tx.commit().await?;
        let Some(last) = businesses.last() else { return Ok(published) };
        after = Place { name: last.name.clone(), id: last.id.0 };
        for business in &businesses {
            published += publish_business(store, business.id).await?;
        }
    }
}

async fn publish_business(store: &Store, id: BusinessId) -> Result<u64, Error> {
    let begin = || store.begin(&Worker::new(WORKER, id));
    let tx = begin();
    let business = tx.business().await?;
    tx.publish_change(id.0, business.version, Payload::Business(pb::Business::from(&business))).await?;
    tx.commit().await?;
    let mut published = 1;
    let mut after = Place::start();
    loop {
        let tx = begin();
        let employees = tx.employees(&Listing { limit: PAGE, after }, None).await?;
        for employee in &employees {
            tx.publish_employee(employee).await?;
        }
        published += page_of(tx, employees.len()).await?;
        let Some(last) = employees.last() else { break };
        after = Place { name: last.name.clone(), id: last.id.0 };
    }
    let mut after = Place::start();
    loop {
        let tx = begin();
        let customers =
            tx.customers(&WantedCustomers::Recorded, None, &Listing { limit: PAGE, after }).await?;
        for customer in &customers {
            tx.publish_customer(customer).await?;
        }
        published += page_of(tx, customers.len()).await?;
        let Some(last) = customers.last() else { break };
        after = Place { name: last.name.clone(), id: last.id.0 };
    }
    Ok(published)
}

async fn page_of(tx: Tx, records: usize) -> Result<u64, Error> {
    tx.commit().await?;
    Ok(records as u64)
}
