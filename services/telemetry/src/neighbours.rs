//! What other services are asked while a person waits.

use core::time::Duration;
use std::collections::BTreeMap;

use boot::peer::Peer;
use caller::{BusinessScope, Tenant};
use jiff::tz::TimeZone;
use proto::{
    error::{Reason, refuse},
    frontdesk::{
        scheduling::v1::{ListServicesRequest, catalogue_service_client::CatalogueServiceClient},
        tenancy::v1::{GetBusinessRequest, business_service_client::BusinessServiceClient},
    },
};
use tonic::Status;
use uuid::Uuid;

use crate::domain::{ServiceId, insights::ListPrice};

/// How long another service may take.
const PATIENCE: Duration = Duration::from_secs(2);
const PAGE: i32 = 200;
/// A salon with more services than this many pages has its first ones named.
const MOST_PAGES: usize = 5;

/// The services that are asked.
#[derive(Debug, Clone)]
pub struct Neighbours {
    /// Knows a business's zone.
    pub tenancy: Peer,
    /// Knows its services.
    pub scheduling: Peer,
}

impl Neighbours {
    /// The business's zone.
    ///
    /// # Errors
    /// When tenancy does not answer, or with a zone that is not known here.
    pub async fn zone(&self, scope: &BusinessScope) -> Result<TimeZone, Status> {
        let message = GetBusinessRequest { business_id: scope.business().to_string() };
        let request = self.tenancy.as_service(Some(scope.business()), message, patience(scope));
        let answer = BusinessServiceClient::new(self.tenancy.channel()).get_business(request).await?;
        let business = answer.into_inner().business.unwrap_or_default();
        TimeZone::get(&business.time_zone).map_err(|error| {
            tracing::error!(%error, "the business's zone is not known");
            refuse(Reason::Internal, "an unexpected fault")
        })
    }

    /// The services of the catalogue.
    ///
    /// # Errors
    /// When scheduling does not answer.
    pub async fn prices(&self, scope: &BusinessScope) -> Result<BTreeMap<ServiceId, ListPrice>, Status> {
        let mut prices = BTreeMap::new();
        let mut page_token = String::new();
        for _ in 0..MOST_PAGES {
            let business_id = scope.business().to_string();
            let message = ListServicesRequest { business_id, page_size: PAGE, page_token };
            let request = self.scheduling.as_service(Some(scope.business()), message, patience(scope));
            let mut client = CatalogueServiceClient::new(self.scheduling.channel());
            let page = client.list_services(request).await?.into_inner();
            prices.extend(page.services.into_iter().filter_map(|service| {
                let id = service.id.parse::<Uuid>().ok()?;
                let minor = i64::from(service.price_minor);
                Some((ServiceId(id), ListPrice { name: service.name, minor, currency: service.currency }))
            }));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        Ok(prices)
    }
}

fn patience(scope: &BusinessScope) -> Duration {
    scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE))
}
