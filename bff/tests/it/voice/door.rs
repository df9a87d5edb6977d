//! The voice door in front of a salon, and a platform that delivers to it.

use core::time::Duration;
use std::sync::Arc;

use axum::{body::Body, routing::get};
use bff::{
    Gateway,
    config::PublicUrl,
    edge::{Edge, Limits, Sampling, TrustedProxies},
    gateway::ServiceUrls,
    voice::{self, Conversations, Line, LostCalls, model::Model, retell::signature},
};
use boot::{clock::TestClock, config::Secret};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use jiff::SignedDuration;
use opentelemetry::metrics::MeterProvider;
use opentelemetry_sdk::metrics::{
    InMemoryMetricExporter, SdkMeterProvider,
    data::{AggregatedMetrics, MetricData},
};
use proto::frontdesk::{
    scheduling::v1::{
        AppointmentServiceAdapter, AvailabilityServiceAdapter, CatalogueServiceAdapter,
        MatchingServiceAdapter, OpeningExceptionServiceAdapter, ScheduleServiceAdapter,
        WaitlistServiceAdapter,
    },
    telemetry::{
        internal::v1::{FinishToolCallRequest, IntakeServiceAdapter},
        v1::CallOutcome,
    },
    tenancy::{
        internal::v1::{PlatformCallServiceAdapter, PublishedAgentServiceAdapter, VoiceSecretServiceAdapter},
        v1::{CustomerServiceAdapter, EmployeeServiceAdapter, FollowUpServiceAdapter},
    },
};
use serde_json::{Value, json};
use tonic::service::Routes;

use super::{
    salon::{Book, CONNECTION, PHONE, SECRET, Salon},
    services::Serving,
};

/// What a browser asks for and waits for without end: both doors may be one process.
pub const STUCK: &str = "/api/stuck";

/// As often as a message is tried while a test brings back what was away.
pub const OFTEN: &[Duration] = &[Duration::from_millis(20); 500];

/// A door that soon gives up a service that never answers; what answers at all takes far less.
pub fn impatient() -> Limits {
    Limits { tool_time: Duration::from_secs(1), ..Limits::default() }
}

/// Everything a test of the voice door needs.
pub struct Door {
    pub salon: Arc<Salon>,
    pub time: TestClock,
    pub edge: Arc<Edge>,
    pub host: boot::Host,
    pub conversations: Conversations,
    /// What looks for calls of which no webhook told.
    pub lost: LostCalls,
    meters: SdkMeterProvider,
    metrics: InMemoryMetricExporter,
    hosts: Vec<boot::Host>,
}

/// An answer of the door.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub status: StatusCode,
    pub body: Value,
}

/// An answer of the door as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Raw {
    pub status: StatusCode,
    pub body: String,
}

impl Raw {
    /// The body as JSON; null when it is empty.
    pub fn json(&self) -> Value {
        if self.body.is_empty() { Value::Null } else { serde_json::from_str(&self.body).unwrap() }
    }
}

impl Answer {
    /// The machine-readable reason of a refusal.
    pub fn reason(&self) -> &str {
        self.body["details"][0]["reason"].as_str().unwrap_or_default()
    }

    /// The field a refusal names.
    pub fn field(&self) -> &str {
        self.body["details"][1]["fieldViolations"][0]["field"].as_str().unwrap_or_default()
    }

    /// What the agent says.
    pub fn say(&self) -> &str {
        self.body["say"].as_str().unwrap_or_default()
    }
}

impl Door {
    pub async fn open() -> Self {
        Self::limited(Limits::default()).await
    }

    pub async fn limited(limits: Limits) -> Self {
        Self::talking(limits, None).await
    }

    /// A door whose own agent speaks with a model.
    pub async fn talking(limits: Limits, model: Option<Model>) -> Self {
        let (host, time) = testkit::host("bff");
        let salon = Arc::new(Salon::new());
        let serving = Arc::new(Serving(salon.clone()));
        let mut hosts = vec![];
        let mut serve = async |service: &'static str, routes: fn(Arc<Serving>, caller::Gate) -> Routes| {
            let host = testkit::host_on(service, time.clock());
            let address = testkit::serve(routes(serving.clone(), host.gate.clone()), &host).await;
            hosts.push(host);
            format!("http://{address}")
        };
        let nowhere = || "http://127.0.0.1:1".to_owned();
        let urls = ServiceUrls {
            auth_url: nowhere(),
            tenancy_url: serve("tenancy", tenancy).await,
            scheduling_url: serve("scheduling", scheduling).await,
            calendar_sync_url: nowhere(),
            telemetry_url: serve("telemetry", telemetry).await,
        };
        let metrics = InMemoryMetricExporter::default();
        let meters = SdkMeterProvider::builder().with_periodic_exporter(metrics.clone()).build();
        let model = model.map(|model| model.measured(&meters.meter("test")));
        let conversations = Conversations::new(model, limits.calls, host.leaving.clone());
        let line = Line { public_url: public_url(), conversations };
        let gateway = Gateway::new(&urls, &[bff::Door::Voice], &host).unwrap();
        let meter = meters.meter("test");
        let lost = LostCalls::new(gateway.clone(), line.clone(), &limits, &meter);
        let router = voice::routes_measured(gateway, line.clone(), &limits, &meters.meter("test"))
            .route(STUCK, get(core::future::pending::<()>));
        let sampling = Sampling::new(&Secret::new("a key"), 1.0);
        let edge = Arc::new(Edge::new(router, limits, TrustedProxies::default(), false, sampling));
        let conversations = line.conversations;
        Self { salon, time, edge, host, conversations, lost, meters, metrics, hosts }
    }

    pub fn book(&self) -> std::sync::MutexGuard<'_, Book> {
        self.salon.book()
    }

    /// Posts a signed body to the demo connection.
    pub async fn deliver(&self, body: &Value) -> Answer {
        let body = body.to_string();
        let signature = signature::sign(SECRET, body.as_bytes(), self.time.now());
        self.post(&path("retell", &CONNECTION.to_string()), Some(&signature), body.into_bytes()).await
    }

    /// Posts a signed call event.
    pub async fn event(&self, name: &str) -> Answer {
        self.deliver(&json!({"event": name, "call": call()})).await
    }

    /// Posts a signed tool call.
    pub async fn tool(&self, name: &str, args: Value) -> Answer {
        self.deliver(&tool(name, args)).await
    }

    pub async fn post(&self, path: &str, signature: Option<&str>, body: Vec<u8>) -> Answer {
        let headers = signature.map(|signature| (signature::HEADER.to_owned(), signature.to_owned()));
        let answer = self.send(path, "application/json", headers.into_iter().collect(), body).await;
        Answer { status: answer.status, body: answer.json() }
    }

    /// Posts a body of some kind with headers of one's own.
    pub async fn send(&self, path: &str, kind: &str, headers: Vec<(String, String)>, body: Vec<u8>) -> Raw {
        let mut request = Request::post(path).header("content-type", kind);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let response = self.edge.answer([127, 0, 0, 1].into(), request.body(Body::from(body)).unwrap()).await;
        let status = response.status();
        assert!(is_private(response.headers()));
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Raw { status, body: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    /// Waits until the team has a message, and its record is closed.
    pub async fn message(&self) {
        let is_message = |finished: &FinishToolCallRequest| finished.outcome() == CallOutcome::Message;
        let is_taken = || self.book().finished.values().any(is_message);
        let waiting = async {
            while !is_taken() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("the team has a message");
    }

    /// How often the metric was recorded under these attributes.
    pub fn recorded(&self, metric: &str, wanted: &[(&str, &str)]) -> u64 {
        self.meters.force_flush().unwrap();
        let exported = self.metrics.get_finished_metrics().unwrap();
        let Some(last) = exported.last() else { return 0 };
        let fits = |attributes: Vec<(String, String)>| {
            wanted.iter().all(|(key, value)| attributes.contains(&((*key).to_owned(), (*value).to_owned())))
        };
        let mut count = 0;
        for found in
            last.scope_metrics().flat_map(|scope| scope.metrics()).filter(|found| found.name() == metric)
        {
            match found.data() {
                AggregatedMetrics::U64(MetricData::Sum(sum)) => {
                    for point in sum.data_points().filter(|point| fits(read(point.attributes()))) {
                        count += point.value();
                    }
                }
                AggregatedMetrics::F64(MetricData::Histogram(histogram)) => {
                    for point in histogram.data_points().filter(|point| fits(read(point.attributes()))) {
                        count += point.count();
                    }
                }
                other => panic!("{metric} is {other:?}"),
            }
        }
        count
    }

    /// Sets the clock of the door and of every service.
    pub fn advance(&self, by: SignedDuration) {
        self.time.advance(by);
    }
}

/// Where platforms were told to deliver.
pub fn public_url() -> PublicUrl {
    PublicUrl::parse("https://desk.test").unwrap()
}

impl Drop for Door {
    fn drop(&mut self) {
        self.hosts.iter().for_each(|host| host.shutdown.cancel());
    }
}

fn read<'a>(attributes: impl Iterator<Item = &'a opentelemetry::KeyValue>) -> Vec<(String, String)> {
    attributes.map(|pair| (pair.key.to_string(), pair.value.to_string())).collect()
}

fn is_private(headers: &HeaderMap) -> bool {
    headers.get("cache-control").is_some_and(|value| value == "no-store")
}

fn tenancy(serving: Arc<Serving>, gate: caller::Gate) -> Routes {
    Routes::new(VoiceSecretServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(CustomerServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(EmployeeServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(PublishedAgentServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(PlatformCallServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(FollowUpServiceAdapter::new(serving, gate).into_server())
}

fn scheduling(serving: Arc<Serving>, gate: caller::Gate) -> Routes {
    Routes::new(CatalogueServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(MatchingServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(AvailabilityServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(AppointmentServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(ScheduleServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(OpeningExceptionServiceAdapter::new(serving.clone(), gate.clone()).into_server())
        .add_service(WaitlistServiceAdapter::new(serving, gate).into_server())
}

fn telemetry(serving: Arc<Serving>, gate: caller::Gate) -> Routes {
    Routes::new(IntakeServiceAdapter::new(serving, gate).into_server())
}

pub fn path(platform: &str, connection: &str) -> String {
    format!("/api/webhooks/voice/{platform}/{connection}")
}

/// A call as the platform shows it.
pub fn call() -> Value {
    json!({
        "call_id": "call_1", "call_type": "phone_call", "agent_id": "agent_1", "agent_version": 4,
        "call_status": "ongoing", "direction": "inbound", "from_number": PHONE, "to_number": "+442079460014",
        "start_timestamp": 1_780_300_800_000_i64,
        "transcript_object": [{"role": "agent", "content": "Hello", "words": [{"word": "Hello", "start": 0.5, "end": 1.0}]}],
    })
}

pub fn tool(name: &str, args: Value) -> Value {
    json!({"name": name, "call": call(), "args": args})
}
