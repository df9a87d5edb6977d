//! Creates a business.

use caller::BusinessId;
use proto::frontdesk::{events::v1::event::Payload, tenancy::v1 as pb};

use crate::{
    Error,
    domain::{Business, Currency, Phone, Zone},
    store::{Added, InstallationTx},
};

/// A business to create.
#[derive(Debug)]
pub struct CreateBusiness {
    /// An id of the caller's choice.
    pub id: Option<BusinessId>,
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub address: Option<String>,
    /// Where to reach it.
    pub phone: Option<Phone>,
    /// Where its clocks are.
    pub zone: Zone,
    /// What prices are in.
    pub currency: Option<Currency>,
}

impl CreateBusiness {
    /// Creates it and publishes it; the business under its id if there is one.
    pub async fn run(self, tx: &InstallationTx) -> Result<Business, Error> {
        let Self { id, name, address, phone, zone, currency } = self;
        let id = id.unwrap_or_else(|| tx.new_id());
        let business = Business {
            id,
            name,
            address,
            phone,
            zone,
            email: None,
            website: None,
            currency,
            brand_color: None,
            logo: None,
            version: 1,
        };
        let added = tx.add_business(business).await?;
        if let Added::New(business) = &added {
            let payload = Payload::Business(pb::Business::from(business));
            tx.publish_business(business.id, business.version, payload).await?;
        }
        Ok(added.record())
    }
}
