//! Tenancy as its contract promises it: which zone a business has, and how long it keeps recordings.

use std::sync::{Arc, Mutex};

use boot::{Host, peer::Peer};
use caller::{BusinessScope, InstallationScope};
use proto::{
    error::{Reason, refuse},
    frontdesk::tenancy::{
        internal::v1::{
            GetPublishedAgentRequest, GetPublishedAgentResponse, PublishedAgentServiceAdapter,
            PublishedAgentServiceHandler,
        },
        v1::{
            AgentSettings, Business, BusinessServiceAdapter, BusinessServiceHandler, CreateBusinessRequest,
            CreateBusinessResponse, GetBusinessRequest, GetBusinessResponse, ListBusinessSetupsRequest,
            ListBusinessSetupsResponse, ListBusinessesRequest, ListBusinessesResponse, ReadyAgent,
            UpdateBusinessRequest, UpdateBusinessResponse,
        },
    },
};
use testkit::{host_on, peer, serve};
use tonic::{Status, async_trait, service::Routes};

/// Every business is in London, until a test says otherwise.
#[derive(Debug)]
pub struct Tenancy {
    zone: Mutex<Option<String>>,
    recording_days: Mutex<i32>,
}

impl Default for Tenancy {
    fn default() -> Self {
        Self { zone: Mutex::new(Some("Europe/London".to_owned())), recording_days: Mutex::new(30) }
    }
}

impl Tenancy {
    /// From now on businesses are in this zone.
    pub fn move_to(&self, zone: &str) {
        *self.zone.lock().unwrap() = Some(zone.to_owned());
    }

    /// From now on recordings are kept for so many days; with 0 none are made.
    pub fn keep_recordings(&self, days: i32) {
        *self.recording_days.lock().unwrap() = days;
    }

    /// From now on it does not answer.
    pub fn leave(&self) {
        *self.zone.lock().unwrap() = None;
    }

    /// Serves it, for a service on `host`, until that shuts down, by the same clock.
    pub async fn serve(self: &Arc<Self>, host: &Host) -> Peer {
        let own = Host { shutdown: host.shutdown.clone(), ..host_on("tenancy", host.clock.clone()) };
        let adapter = BusinessServiceAdapter::new(self.clone(), own.gate.clone());
        let agents = PublishedAgentServiceAdapter::new(self.clone(), own.gate.clone());
        let routes = Routes::new(adapter.into_server()).add_service(agents.into_server());
        peer("tenancy", serve(routes, &own).await, host)
    }
}

#[async_trait]
impl PublishedAgentServiceHandler for Tenancy {
    async fn get_published_agent(
        &self,
        _: BusinessScope,
        _: GetPublishedAgentRequest,
    ) -> Result<GetPublishedAgentResponse, Status> {
        self.zone.lock().unwrap().as_ref().ok_or_else(|| refuse(Reason::Unavailable, "away"))?;
        let recording_days = *self.recording_days.lock().unwrap();
        let settings =
            AgentSettings { records_calls: recording_days > 0, recording_days, ..AgentSettings::default() };
        let agent = ReadyAgent { settings: Some(settings), ..ReadyAgent::default() };
        Ok(GetPublishedAgentResponse { agent: Some(agent) })
    }
}

#[async_trait]
impl BusinessServiceHandler for Tenancy {
    async fn get_business(
        &self,
        _: BusinessScope,
        _: GetBusinessRequest,
    ) -> Result<GetBusinessResponse, Status> {
        let zone = self.zone.lock().unwrap().clone().ok_or_else(|| refuse(Reason::Unavailable, "away"))?;
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
