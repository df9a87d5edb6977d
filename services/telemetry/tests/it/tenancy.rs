//! Tenancy as its contract promises it: which zone a business has, and how long it keeps recordings.

use std::sync::{Arc, Mutex};

use boot::{Host, peer::Peer};
use caller::{BusinessScope, InstallationScope};
use proto::{
    error::{Reason, refuse},
    frontdesk::tenancy::{
        internal::v1::{
            CallTransferServiceAdapter, CallTransferServiceHandler, GetCallTransferRequest,
            GetCallTransferResponse, GetPublishedAgentRequest, GetPublishedAgentResponse,
            OpenPlatformRecordingRequest, OpenPlatformRecordingResponse, OpenVoiceConnectionRequest,
            OpenVoiceConnectionResponse, PublishedAgentServiceAdapter, PublishedAgentServiceHandler,
            TransferCallRequest, TransferCallResponse, TransferHindrance, VoiceSecretServiceAdapter,
            VoiceSecretServiceHandler,
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
    /// What calls can be put through to, or why they can't be.
    transfer: Mutex<Result<String, TransferHindrance>>,
    /// Why the platform refuses to put a caller through.
    refuses: Mutex<Option<Reason>>,
    /// Calls that were put through: connection and the platform's id.
    pub transferred: Mutex<Vec<(String, String)>>,
    /// Where the platform's API has recordings, and what opens them; `None` where it has none.
    recordings: Mutex<Option<(String, String)>>,
}

impl Default for Tenancy {
    fn default() -> Self {
        Self {
            zone: Mutex::new(Some("Europe/London".to_owned())),
            recording_days: Mutex::new(30),
            transfer: Mutex::new(Err(TransferHindrance::NoNumber)),
            refuses: Mutex::default(),
            transferred: Mutex::default(),
            recordings: Mutex::default(),
        }
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

    /// From now on calls are put through to this number, or are not.
    pub fn put_through(&self, to: Result<&str, TransferHindrance>) {
        *self.transfer.lock().unwrap() = to.map(str::to_owned);
    }

    /// From now on the platform refuses, or no longer does.
    pub fn refuse_transfers(&self, why: Option<Reason>) {
        *self.refuses.lock().unwrap() = why;
    }

    /// From now on the platform's API has recordings at this address, behind a login.
    pub fn open_recordings(&self, base: &str, authorization: &str) {
        *self.recordings.lock().unwrap() = Some((base.to_owned(), authorization.to_owned()));
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
        let transfers = CallTransferServiceAdapter::new(self.clone(), own.gate.clone());
        let secrets = VoiceSecretServiceAdapter::new(self.clone(), own.gate.clone());
        let routes = Routes::new(adapter.into_server())
            .add_service(agents.into_server())
            .add_service(transfers.into_server())
            .add_service(secrets.into_server());
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
impl CallTransferServiceHandler for Tenancy {
    async fn get_call_transfer(
        &self,
        _: BusinessScope,
        _: GetCallTransferRequest,
    ) -> Result<GetCallTransferResponse, Status> {
        let transfer = self.transfer.lock().unwrap().clone();
        let hindrance = transfer.as_ref().err().copied().unwrap_or_default();
        Ok(GetCallTransferResponse { hindrance: hindrance.into(), phone: transfer.unwrap_or_default() })
    }

    async fn transfer_call(
        &self,
        _: BusinessScope,
        request: TransferCallRequest,
    ) -> Result<TransferCallResponse, Status> {
        if let Some(reason) = *self.refuses.lock().unwrap() {
            return Err(refuse(reason, "the platform did not put the call through"));
        }
        let phone = self.transfer.lock().unwrap().clone();
        let phone = phone.map_err(|_| refuse(Reason::WrongState, "calls can't be put through"))?;
        let call = (request.voice_connection_id, request.platform_call_id);
        self.transferred.lock().unwrap().push(call);
        Ok(TransferCallResponse { phone })
    }
}

#[async_trait]
impl VoiceSecretServiceHandler for Tenancy {
    async fn open_voice_connection(
        &self,
        _: InstallationScope,
        _: OpenVoiceConnectionRequest,
    ) -> Result<OpenVoiceConnectionResponse, Status> {
        Err(Status::unimplemented("telemetry opens no connection"))
    }

    async fn open_platform_recording(
        &self,
        _: BusinessScope,
        request: OpenPlatformRecordingRequest,
    ) -> Result<OpenPlatformRecordingResponse, Status> {
        let opened = self.recordings.lock().unwrap().clone();
        let (base, authorization) =
            opened.ok_or_else(|| refuse(Reason::WrongState, "there are no recordings"))?;
        assert_eq!(request.voice_connection_id, crate::desk::LINE.to_string());
        Ok(OpenPlatformRecordingResponse { url: format!("{base}/{}", request.recording_id), authorization })
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
