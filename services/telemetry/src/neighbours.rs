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
        tenancy::{
            internal::v1::{
                GetCallTransferRequest, TransferCallRequest, TransferHindrance,
                call_transfer_service_client::CallTransferServiceClient,
            },
            v1::{GetBusinessRequest, business_service_client::BusinessServiceClient},
        },
    },
};
use tonic::{Code, Status};
use uuid::Uuid;

use crate::domain::{ConnectionId, ServiceId, call::Identity, insights::ListPrice, take_over::Hindrance};

/// How long another service may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a platform may take, by way of tenancy, to put a caller through.
const TO_TRANSFER: Duration = Duration::from_secs(15);
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

impl Neighbours {
    /// The number that calls over a connection are put through to, or why they can't be.
    ///
    /// # Errors
    /// When tenancy does not answer.
    pub async fn call_transfer(
        &self,
        scope: &BusinessScope,
        connection: ConnectionId,
    ) -> Result<Result<String, Hindrance>, Status> {
        let message = GetCallTransferRequest {
            business_id: scope.business().to_string(),
            voice_connection_id: connection.to_string(),
        };
        let request = self.tenancy.as_service(Some(scope.business()), message, patience(scope));
        let mut client = CallTransferServiceClient::new(self.tenancy.channel());
        let found = match client.get_call_transfer(request).await {
            Ok(found) => found.into_inner(),
            // The connection was removed: no platform takes orders for the call any more.
            Err(status) if status.code() == Code::NotFound => return Ok(Err(Hindrance::NoApiKey)),
            Err(status) => return Err(status),
        };
        Ok(match found.hindrance() {
            TransferHindrance::Unspecified => Ok(found.phone),
            TransferHindrance::NoNumber => Err(Hindrance::NoNumber),
            TransferHindrance::Platform => Err(Hindrance::Platform),
            TransferHindrance::NoApiKey => Err(Hindrance::NoApiKey),
        })
    }

    /// Puts the caller of a call through; the number that rings.
    ///
    /// # Errors
    /// When tenancy does not answer, or the platform does not put the caller through.
    pub async fn transfer_call(&self, scope: &BusinessScope, call: &Identity) -> Result<String, Status> {
        let message = TransferCallRequest {
            business_id: scope.business().to_string(),
            voice_connection_id: call.connection.to_string(),
            platform_call_id: call.platform_call_id.clone(),
        };
        let within = scope.remaining().map_or(TO_TRANSFER, |left| left.min(TO_TRANSFER));
        let request = self.tenancy.as_service(Some(scope.business()), message, within);
        let mut client = CallTransferServiceClient::new(self.tenancy.channel());
        Ok(client.transfer_call(request).await?.into_inner().phone)
    }
}

fn patience(scope: &BusinessScope) -> Duration {
    scope.remaining().map_or(PATIENCE, |left| left.min(PATIENCE))
}
