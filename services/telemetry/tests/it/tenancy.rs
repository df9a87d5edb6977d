//! Tenancy as its contract promises it: which zone a business has.

use std::sync::{Arc, Mutex};

use boot::{Host, peer::Peer};
use caller::{BusinessScope, InstallationScope};
use proto::{
    error::{Reason, refuse},
    frontdesk::tenancy::v1::{
        Business, BusinessServiceAdapter, BusinessServiceHandler, CreateBusinessRequest,
        CreateBusinessResponse, GetBusinessRequest, GetBusinessResponse, ListBusinessSetupsRequest,
        ListBusinessSetupsResponse, ListBusinessesRequest, ListBusinessesResponse, UpdateBusinessRequest,
        UpdateBusinessResponse,
    },
};
use testkit::{host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};

/// Every business is in London, until a test says otherwise.
#[derive(Debug)]
pub struct Tenancy(Mutex<Option<String>>);

impl Default for Tenancy {
    fn default() -> Self {
        Self(Mutex::new(Some("Europe/London".to_owned())))
    }
}

impl Tenancy {
    /// From now on businesses are in this zone.
    pub fn move_to(&self, zone: &str) {
        *self.0.lock().unwrap() = Some(zone.to_owned());
    }

    /// From now on it does not answer.
    pub fn leave(&self) {
        *self.0.lock().unwrap() = None;
    }

    /// Serves it, for a service on `host`, until that shuts down, by the same clock.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> Peer {
        let own = Host { shutdown: host.shutdown.clone(), ..host_on("tenancy", host.clock.clone()) };
        let adapter = BusinessServiceAdapter::new(self.clone(), own.gate.clone());
        peer("tenancy", serve(Routes::new(adapter.into_server()), &own).await, host)
    }
}

#[async_trait]
impl BusinessServiceHandler for Tenancy {
    async fn get_business(
        &self,
        _: BusinessScope,
        _: GetBusinessRequest,
    ) -> Result<GetBusinessResponse, Status> {
        let zone = self.0.lock().unwrap().clone().ok_or_else(|| refuse(Reason::Unavailable, "away"))?;
        Ok(GetBusinessResponse { business: Some(Business { time_zone: zone, ..Business::default() }) })
    }

    async fn list_businesses(
        &self,
        _: InstallationScope,
        _: ListBusinessesRequest,
    ) -> Result<ListBusinessesResponse, Status> {
        Err(Status::unimplemented("telemetry lists no businesses"))
    }

    async fn create_business(
        &self,
        _: InstallationScope,
        _: CreateBusinessRequest,
    ) -> Result<CreateBusinessResponse, Status> {
        Err(Status::unimplemented("telemetry creates no business"))
    }

    async fn update_business(
        &self,
        _: BusinessScope,
        _: UpdateBusinessRequest,
    ) -> Result<UpdateBusinessResponse, Status> {
        Err(Status::unimplemented("telemetry changes no business"))
    }

    async fn list_business_setups(
        &self,
        _: InstallationScope,
        _: ListBusinessSetupsRequest,
    ) -> Result<ListBusinessSetupsResponse, Status> {
        Err(Status::unimplemented("telemetry asks for no setup"))
    }
}
