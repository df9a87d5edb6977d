//! A business that tenancy's log has not told of here: as tenancy says.

use core::time::Duration;

use boot::peer::Peer;
use caller::BusinessId;
use proto::{
    error::{Reason, reason_of},
    frontdesk::tenancy::v1::{Business, GetBusinessRequest, business_service_client::BusinessServiceClient},
};

use crate::Error;

/// The door waits three seconds for the whole answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks tenancy about businesses whose event has not arrived here yet.
#[derive(Debug, Clone)]
pub struct Businesses {
    tenancy: Peer,
}

impl Businesses {
    /// Asks this tenancy.
    #[must_use]
    pub fn new(tenancy: Peer) -> Self {
        Self { tenancy }
    }

    /// Whether tenancy has the business now.
    ///
    /// # Errors
    /// [`Error::Tenancy`] when it does not answer in time.
    pub async fn exists(&self, business: BusinessId) -> Result<bool, Error> {
        Ok(self.find(business).await?.is_some())
    }

    /// The business as tenancy has it now.
    ///
    /// # Errors
    /// [`Error::Tenancy`] when it does not answer in time.
    pub async fn find(&self, business: BusinessId) -> Result<Option<Business>, Error> {
        let message = GetBusinessRequest { business_id: business.to_string() };
        let request = self.tenancy.as_service(Some(business), message, PATIENCE);
        let mut client = BusinessServiceClient::new(self.tenancy.channel());
        match client.get_business(request).await {
            Ok(found) => Ok(found.into_inner().business),
            Err(status) if reason_of(&status) == Some(Reason::NotFound) => Ok(None),
            Err(status) => Err(Error::Tenancy(status)),
        }
    }
}
