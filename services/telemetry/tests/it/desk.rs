//! A telemetry service of a test's own, and who calls it.

use std::sync::Arc;

use boot::{Host, clock::TestClock};
use caller::{BusinessId, Role, Worker};
use database::Database;
use jiff::{SignedDuration, Timestamp};
use proto::{
    frontdesk::telemetry::{
        internal::v1::{
            BeginToolCallRequest, BeginToolCallResponse, CallFacts, Delivery, FinishToolCallRequest,
            FinishToolCallResponse, RecordCallEventRequest, RecordCallEventResponse,
            intake_service_client::IntakeServiceClient,
        },
        v1::{
            Call, CallFilter, CallNote, CallOutcome, CallState, CallView, CreateCallNoteRequest,
            GetCallRequest, GetCallResponse, GetInsightsRequest, GetInsightsResponse, ListCallsRequest,
            ListCallsResponse, SaveCallViewRequest, Speaker, Turn, call_service_client::CallServiceClient,
            call_view_service_client::CallViewServiceClient, insight_service_client::InsightServiceClient,
        },
    },
    time::to_proto,
};
use reach::Reach;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use telemetry::{KeepRecordings, Peers, migration::Migrator, recordings::Shelf};
use testkit::{Scheduling, TestDatabase, TestRedis, as_agent, as_user};
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::{shelves::Recordings, tenancy::Tenancy};

pub const SALON: BusinessId = BusinessId(Uuid::from_u128(0xA1));
pub const OTHER: BusinessId = BusinessId(Uuid::from_u128(0xA2));
pub const LINE: Uuid = Uuid::from_u128(0xC1);
pub const SECOND_LINE: Uuid = Uuid::from_u128(0xC2);

/// A service on a database and a clock of its own.
pub struct Desk {
    pub host: Host,
    pub time: TestClock,
    pub app: Database,
    pub channel: Channel,
    pub database: TestDatabase,
    pub scheduling: Arc<Scheduling>,
    pub tenancy: Arc<Tenancy>,
    pub keep_recordings: KeepRecordings,
    pub recordings: Recordings,
}

impl Desk {
    pub async fn open() -> Self {
        Self::open_with(None).await
    }

    /// A service beside a Redis for caches.
    pub async fn open_with(cache: Option<&TestRedis>) -> Self {
        Self::open_on(Recordings::open().await, cache).await
    }

    /// A service that keeps recordings there.
    pub async fn open_on(recordings: Recordings, cache: Option<&TestRedis>) -> Self {
        let (mut host, time) = testkit::host(telemetry::SERVICE);
        host.cache = cache.map(TestRedis::client);
        let database = testkit::database::<Migrator>(telemetry::SERVICE).await;
        let app = database.connect(&host).await;
        let scheduling = Arc::<Scheduling>::default();
        let tenancy = Arc::<Tenancy>::default();
        let peers = (scheduling.serve(&host).await, tenancy.serve(&host).await);
        let shelf = Shelf::open(&recordings.config()).unwrap().unwrap();
        let keep = telemetry::keep_recordings(app.clone(), peers.1.clone(), shelf.clone(), Reach::Anywhere);
        let peers = Peers { scheduling: peers.0, tenancy: peers.1 };
        let routes = telemetry::routes(app.clone(), peers, Some(shelf), &host);
        let address = testkit::serve(routes, &host).await;
        let channel = Channel::from_shared(format!("http://{address}")).unwrap().connect_lazy();
        let keep_recordings = keep.unwrap();
        Self { host, time, app, channel, database, scheduling, tenancy, keep_recordings, recordings }
    }

    /// From now on the service is one whose store of recordings is configured no more.
    pub async fn lose_recordings(&mut self) {
        let peers = (self.scheduling.serve(&self.host).await, self.tenancy.serve(&self.host).await);
        let peers = Peers { scheduling: peers.0, tenancy: peers.1 };
        let routes = telemetry::routes(self.app.clone(), peers, None, &self.host);
        let address = testkit::serve(routes, &self.host).await;
        self.channel = Channel::from_shared(format!("http://{address}")).unwrap().connect_lazy();
    }

    pub fn intake(&self) -> IntakeServiceClient<Channel> {
        IntakeServiceClient::new(self.channel.clone())
    }

    pub fn calls(&self) -> CallServiceClient<Channel> {
        CallServiceClient::new(self.channel.clone())
    }

    /// A delivery on the salon's line.
    pub async fn record(&self, key: &str, facts: CallFacts) -> Result<RecordCallEventResponse, Status> {
        self.record_on(LINE, SALON, self.event(LINE, SALON, key, facts)).await
    }

    pub fn event(
        &self,
        line: Uuid,
        business: BusinessId,
        key: &str,
        facts: CallFacts,
    ) -> RecordCallEventRequest {
        let delivery = Some(self.delivery(line, key));
        RecordCallEventRequest { business_id: business.to_string(), delivery, facts: Some(facts) }
    }

    pub fn delivery(&self, line: Uuid, key: &str) -> Delivery {
        Delivery {
            connection_id: line.to_string(),
            event_key: key.to_owned(),
            body: format!("{{\"key\":\"{key}\"}}").into_bytes(),
            received_at: Some(to_proto(self.time.now())),
        }
    }

    pub async fn record_on(
        &self,
        line: Uuid,
        business: BusinessId,
        request: RecordCallEventRequest,
    ) -> Result<RecordCallEventResponse, Status> {
        let request = as_agent(&self.host, line, business, request);
        Ok(self.intake().record_call_event(request).await?.into_inner())
    }

    /// A tool call in the call `platform-1` on the salon's line.
    pub async fn begin(&self, key: &str) -> Result<BeginToolCallResponse, Status> {
        self.begin_in("platform-1", key).await
    }

    pub async fn begin_in(&self, call: &str, key: &str) -> Result<BeginToolCallResponse, Status> {
        let request = BeginToolCallRequest {
            business_id: SALON.to_string(),
            delivery: Some(self.delivery(LINE, key)),
            facts: Some(facts(call)),
            name: "find_customer".to_owned(),
            arguments: r#"{"phone": "+447700900001"}"#.to_owned(),
            confirms: false,
        };
        let request = as_agent(&self.host, LINE, SALON, request);
        Ok(self.intake().begin_tool_call(request).await?.into_inner())
    }

    pub async fn finish(&self, request: FinishToolCallRequest) -> Result<FinishToolCallResponse, Status> {
        let request = as_agent(&self.host, LINE, SALON, request);
        Ok(self.intake().finish_tool_call(request).await?.into_inner())
    }

    pub async fn get(&self, call: &str) -> Result<GetCallResponse, Status> {
        let message = GetCallRequest { business_id: SALON.to_string(), call_id: call.to_owned() };
        let request = as_user(&self.host, Role::Employee, SALON, message);
        Ok(self.calls().get_call(request).await?.into_inner())
    }

    pub async fn list(&self, page_size: i32, page_token: &str) -> Result<ListCallsResponse, Status> {
        let page_token = page_token.to_owned();
        let message = ListCallsRequest {
            business_id: SALON.to_string(),
            page_size,
            page_token,
            ..ListCallsRequest::default()
        };
        let request = as_user(&self.host, Role::Employee, SALON, message);
        Ok(self.calls().list_calls(request).await?.into_inner())
    }

    pub fn insights(&self) -> InsightServiceClient<Channel> {
        InsightServiceClient::new(self.channel.clone())
    }

    /// The salon's figures of some dates.
    pub async fn figures(&self, first: &str, last: &str) -> Result<GetInsightsResponse, Status> {
        let message = GetInsightsRequest {
            business_id: SALON.to_string(),
            first_date: first.to_owned(),
            last_date: last.to_owned(),
        };
        let request = as_user(&self.host, Role::Manager, SALON, message);
        Ok(self.insights().get_insights(request).await?.into_inner())
    }

    /// The salon's calls that pass a filter.
    pub async fn filtered(&self, filter: CallFilter) -> Result<Vec<Call>, Status> {
        let message = ListCallsRequest {
            business_id: SALON.to_string(),
            filter: Some(filter),
            ..ListCallsRequest::default()
        };
        let request = as_user(&self.host, Role::Employee, SALON, message);
        Ok(self.calls().list_calls(request).await?.into_inner().calls)
    }

    /// A note by the person who calls in tests.
    pub async fn note(&self, call: &str, text: &str) -> Result<CallNote, Status> {
        let message = CreateCallNoteRequest {
            business_id: SALON.to_string(),
            call_id: call.to_owned(),
            text: text.to_owned(),
        };
        let request = as_user(&self.host, Role::Employee, SALON, message);
        Ok(self.calls().create_call_note(request).await?.into_inner().note.unwrap())
    }

    pub fn views(&self) -> CallViewServiceClient<Channel> {
        CallViewServiceClient::new(self.channel.clone())
    }

    /// Saves a view of the person who calls in tests.
    pub async fn save_view(&self, name: &str, query: &str) -> Result<CallView, Status> {
        let message = SaveCallViewRequest {
            business_id: SALON.to_string(),
            name: name.to_owned(),
            query: query.to_owned(),
        };
        let request = as_user(&self.host, Role::Employee, SALON, message);
        Ok(self.views().save_call_view(request).await?.into_inner().call_view.unwrap())
    }

    /// A run of a tool in a call, answered.
    pub async fn tool(&self, call: &str, key: &str, tool: &Tool, latency_ms: i32) {
        // Of two that start at once, neither is the later one.
        self.time.advance(SignedDuration::from_millis(1));
        let begin = BeginToolCallRequest {
            business_id: SALON.to_string(),
            delivery: Some(self.delivery(LINE, key)),
            facts: Some(facts(call)),
            name: tool.name.to_owned(),
            arguments: tool.arguments.clone(),
            confirms: false,
        };
        let begun = self.intake().begin_tool_call(as_agent(&self.host, LINE, SALON, begin)).await.unwrap();
        let finish = FinishToolCallRequest {
            result: tool.result.clone(),
            ok: tool.ok,
            latency_ms,
            outcome: tool.outcome.into(),
            appointment_id: tool.appointment.map(|id| id.to_string()).unwrap_or_default(),
            ..answered(&begun.into_inner().tool_call_id)
        };
        self.finish(finish).await.unwrap();
    }

    /// A number the salon's own transaction sees.
    pub async fn count(&self, sql: &str) -> i64 {
        let tx = self.app.begin(&Worker::new("test", SALON)).await.unwrap();
        let row = tx.query_one_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }
}

/// A run of a tool, as it is asked for and answered.
#[derive(Debug, Clone, Default)]
pub struct Tool {
    pub name: &'static str,
    pub arguments: String,
    pub result: String,
    pub ok: bool,
    pub outcome: CallOutcome,
    pub appointment: Option<Uuid>,
}

/// A search for a service that finds so many times.
pub fn search(service: Uuid, offers: usize) -> Tool {
    let offer = format!(r#"{{"services":[{{"service_id":"{service}"}}]}}"#);
    Tool {
        name: "search_availability",
        arguments: format!(r#"{{"services":[{{"service_id":"{service}"}}]}}"#),
        result: format!(r#"{{"ok":true,"offers":[{}]}}"#, vec![offer; offers].join(",")),
        ok: true,
        ..Tool::default()
    }
}

/// A tool that is refused for a reason.
pub fn refused(name: &'static str, reason: &str) -> Tool {
    Tool {
        name,
        arguments: "{}".to_owned(),
        result: format!(r#"{{"ok":false,"reason":"{reason}"}}"#),
        ..Tool::default()
    }
}

/// A booking.
pub fn book(appointment: Uuid) -> Tool {
    Tool {
        name: "book_appointment",
        arguments: "{}".to_owned(),
        result: r#"{"ok":true}"#.to_owned(),
        ok: true,
        outcome: CallOutcome::Booked,
        appointment: Some(appointment),
    }
}

/// That there is a call.
pub fn facts(platform_call_id: &str) -> CallFacts {
    CallFacts { platform_call_id: platform_call_id.to_owned(), ..CallFacts::default() }
}

pub fn started(platform_call_id: &str) -> CallFacts {
    CallFacts {
        platform: "retell".to_owned(),
        state: CallState::Live.into(),
        from_number: "+447700900001".to_owned(),
        to_number: "+442079460000".to_owned(),
        started_at: Some(to_proto(at("2026-06-01T07:59:58Z"))),
        ..facts(platform_call_id)
    }
}

pub fn ended(platform_call_id: &str) -> CallFacts {
    CallFacts {
        state: CallState::Ended.into(),
        ended_at: Some(to_proto(at("2026-06-01T08:02:00Z"))),
        disconnection_reason: "user_hangup".to_owned(),
        ..started(platform_call_id)
    }
}

pub fn said(speaker: Speaker, text: &str) -> Turn {
    Turn { speaker: speaker.into(), text: text.to_owned(), offset_ms: 1200, ..Turn::default() }
}

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// The answer of a run that found nothing and did nothing.
pub fn answered(tool_call_id: &str) -> FinishToolCallRequest {
    FinishToolCallRequest {
        business_id: SALON.to_string(),
        tool_call_id: tool_call_id.to_owned(),
        result: r#"{"say":"One moment."}"#.to_owned(),
        ok: true,
        latency_ms: 42,
        ..FinishToolCallRequest::default()
    }
}

/// The field a refusal names.
pub fn field(status: &Status) -> String {
    use tonic_types::StatusExt;
    status.get_details_bad_request().expect("a refused field").field_violations[0].field.clone()
}
