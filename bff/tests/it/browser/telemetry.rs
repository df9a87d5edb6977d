//! What a visit leaves in traces and metrics.

use std::{collections::BTreeMap, sync::LazyLock};

use bff::edge::Limits;
use caller::Role;
use http::{Method, StatusCode};
use opentelemetry::{KeyValue, global, trace::TracerProvider};
use opentelemetry_sdk::{
    metrics::{
        InMemoryMetricExporter, SdkMeterProvider,
        data::{AggregatedMetrics, MetricData},
    },
    propagation::TraceContextPropagator,
    trace::{InMemorySpanExporter, SdkTracerProvider, SpanData},
};
use proto::frontdesk::{
    auth::v1::account_service_methods::{GET_ME, LIST_MY_MEMBERSHIPS},
    scheduling::v1::catalogue_service_methods::LIST_SERVICES,
};
use tokio::time::timeout;
use tonic::Status;
use tracing::Level;
use tracing_subscriber::{Layer, filter::Targets, layer::SubscriberExt};

use super::{
    live::socket::{PATIENCE, Socket},
    oauth::BEGIN,
    stage::{ISSUER, Setting, Stage, Standing, WILLOW, place},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// What every test of this binary traces. Not one test's own: `tracing` takes a thread without
/// a subscriber for all of them while there is only one.
pub static SPANS: LazyLock<InMemorySpanExporter> = LazyLock::new(|| {
    global::set_text_map_propagator(TraceContextPropagator::new());
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    // As in production: transports are not traced.
    let ours = Targets::new().with_targets([("bff", Level::INFO), ("boot", Level::INFO)]);
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test")).with_filter(ours);
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(layer)).unwrap();
    exporter
});

/// What every test of this binary measures once one has asked: the meter provider is the process's.
pub static METRICS: LazyLock<(InMemoryMetricExporter, SdkMeterProvider)> = LazyLock::new(|| {
    let exporter = InMemoryMetricExporter::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
    global::set_meter_provider(provider.clone());
    (exporter, provider)
});

fn attributes(span: &SpanData) -> BTreeMap<String, String> {
    span.attributes.iter().map(|pair| (pair.key.to_string(), pair.value.to_string())).collect()
}

/// The spans of the trace that the test began.
fn traced() -> Vec<SpanData> {
    let of_test = |span: &SpanData| span.span_context.trace_id().to_string() == TRACE;
    SPANS.get_finished_spans().unwrap().into_iter().filter(of_test).collect()
}

#[tokio::test]
async fn a_visit_is_one_span_in_the_browsers_trace_and_says_nothing_it_should_not() {
    let stage = Stage::open().await;
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let ana = stage.ana().await.with("traceparent", &parent).with("x-session-id", "tab-1");
    stage.services.refuse(&LIST_MY_MEMBERSHIPS, Status::internal("a fault"));
    let answer = ana.clone().get("/api/v1/me/memberships?pageToken=ana@demo.test.hunter2").await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(answer.detail("google.rpc.ErrorInfo")["metadata"]["traceId"], TRACE);
    assert!(stage.services.last().metadata["traceparent"].to_str().unwrap().contains(TRACE));
    ana.with("x-session-id", "<script>").send(Method::PUT, "/login?token=hunter2", None).await;

    let spans = traced();
    let named = |name: &str| {
        attributes(spans.iter().find(|span| span.name == name).unwrap_or_else(|| {
            panic!(
                "{name} is not in {:?}",
                spans.iter().map(|span| (&span.name, span.parent_span_id)).collect::<Vec<_>>()
            )
        }))
    };
    let visit = named("GET /api/v1/me/memberships");
    for (key, value) in [
        ("http.request.method", "GET"),
        ("http.route", "/api/v1/me/memberships"),
        ("http.response.status_code", "500"),
        ("url.path", "/api/v1/me/memberships"),
        ("url.scheme", "http"),
        ("network.protocol.version", "1.1"),
        ("error.type", "500"),
        ("session.id", "tab-1"),
    ] {
        assert_eq!(visit[key], value, "{key}");
    }
    assert!(!named("PUT").contains_key("session.id"), "what looks like no id is none");
    let everything = format!("{spans:?}");
    for secret in ["hunter2", "ana@demo.test", &stage.token(), "url.query"] {
        assert!(!everything.contains(secret), "{secret} left the process");
    }
}

#[tokio::test]
async fn visits_are_measured_by_route_and_status_and_faults_by_method() {
    LazyLock::force(&METRICS);
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    ana.get("/api/v1/me/memberships?pageSize=3").await;
    ana.get("/healthz").await;
    stage.services.refuse(&LIST_SERVICES, Status::out_of_range("decoded message length too large"));
    ana.call(&LIST_SERVICES, &WILLOW.to_string()).await;
    let visits = points("http.server.request.duration");
    for route in ["/api/v1/me/memberships", "/healthz"] {
        let expected = [
            ("http.request.method", "GET"),
            ("http.response.status_code", "200"),
            ("http.route", route),
            ("network.protocol.version", "1.1"),
            ("url.scheme", "http"),
        ];
        assert!(visits.contains_key(&told(&expected)), "{visits:?}");
    }
    let faults = points("frontdesk.peer.faults");
    let out_of_range = [("rpc.method", LIST_SERVICES.path), ("rpc.response.status_code", "11")];
    assert!(faults.contains_key(&told(&out_of_range)), "{faults:?}");
}

/// How often the door refused, by limit.
fn limited() -> BTreeMap<String, i64> {
    points("frontdesk.door.limited").into_iter().map(|(of, count)| (of["limit"].clone(), count)).collect()
}

#[tokio::test]
async fn what_limits_refuse_is_counted_by_limit() {
    LazyLock::force(&METRICS);
    let none = Stage::limited(Limits { in_flight: 0, sockets: 0, flows: 0, ..Limits::default() }).await;
    let before = limited();
    assert_eq!(before.len(), 10, "every limit has its series from the start: {before:?}");
    assert_eq!(none.stranger().get("/api/openapi.json").await.status, StatusCode::SERVICE_UNAVAILABLE);
    let one = Stage::limited(Limits { sockets: 1, parts: 1, flows: 0, ..Limits::default() }).await;
    let held = Socket::open(&one).await;
    assert!(Socket::from_origin(&one, Some(ISSUER)).await.is_err());
    one.stranger().get(BEGIN).await;
    let person = Setting { requests_per_second: Some(1), ..Setting::default() };
    let person = Stage::set(person).await;
    let mut ana = person.ana().await;
    while ana.get("/api/v1/me/memberships").await.status != StatusCode::TOO_MANY_REQUESTS {}
    drop(held);
    let after = limited();
    for limit in ["requests", "sockets", "provider_sign_ins", "person_requests"] {
        assert!(after[limit] > before[limit], "{limit}: {before:?} {after:?}");
    }
}

#[tokio::test]
async fn refused_tokens_are_counted_by_what_is_wrong_with_them() {
    LazyLock::force(&METRICS);
    let stage = Stage::open().await;
    let refused = || -> BTreeMap<String, i64> {
        let counted = points("frontdesk.door.tokens.refused").into_iter();
        counted.map(|(of, count)| (of["reason"].clone(), count)).collect()
    };
    let before = refused();
    let mut ana = stage.ana().await;
    stage.stranger().get("/api/v1/me/memberships").await;
    stage.stranger().with("authorization", "Bearer a.b.c").get("/api/v1/me/memberships").await;
    stage.time.advance(jiff::SignedDuration::from_hours(24));
    assert_eq!(ana.get("/api/v1/me/memberships").await.status, StatusCode::UNAUTHORIZED);
    let after = refused();
    for reason in ["missing", "invalid", "expired"] {
        assert!(after[reason] > before[reason], "{reason}: {before:?} {after:?}");
    }
}

#[tokio::test]
async fn open_sockets_and_requests_are_counted_while_they_last() {
    LazyLock::force(&METRICS);
    let stage = Stage::open().await;
    let sockets = || points("frontdesk.live.sockets").values().sum::<i64>();
    let requests = || points("http.server.active_requests").values().sum::<i64>();
    let held = [Socket::open(&stage).await, Socket::open(&stage).await];
    stage.services.stuck.lock().unwrap().push(GET_ME.path);
    let mut waiting = stage.ana().await;
    let call = tokio::spawn(async move { waiting.get("/api/auth/me").await });
    timeout(PATIENCE, stage.services.reached.notified()).await.unwrap();
    // Other tests have theirs.
    assert!(sockets() >= 2 && requests() >= 1, "{} {}", sockets(), requests());
    drop(held);
    call.abort();
}

pub type Attributes = BTreeMap<String, String>;

pub fn told(attributes: &[(&str, &str)]) -> Attributes {
    attributes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// Points of a metric as of now: how often each was counted, by its attributes.
pub fn points(name: &str) -> BTreeMap<Attributes, i64> {
    let (exporter, provider) = &*METRICS;
    provider.force_flush().unwrap();
    let pairs = |pairs: &mut dyn Iterator<Item = &KeyValue>| -> Attributes {
        pairs.map(|pair| (pair.key.to_string(), pair.value.to_string())).collect()
    };
    let count = |count: u64| i64::try_from(count).unwrap();
    // The last has everything that was counted before.
    let exported = exporter.get_finished_metrics().unwrap().pop().unwrap();
    let metrics = exported.scope_metrics().flat_map(|scope| scope.metrics());
    metrics
        .filter(|metric| metric.name() == name)
        .flat_map(|metric| -> Vec<(Attributes, i64)> {
            match metric.data() {
                AggregatedMetrics::F64(MetricData::Histogram(histogram)) => histogram
                    .data_points()
                    .map(|point| (pairs(&mut point.attributes()), count(point.count())))
                    .collect(),
                AggregatedMetrics::U64(MetricData::Sum(sum)) => sum
                    .data_points()
                    .map(|point| (pairs(&mut point.attributes()), count(point.value())))
                    .collect(),
                AggregatedMetrics::I64(MetricData::Sum(sum)) => {
                    sum.data_points().map(|point| (pairs(&mut point.attributes()), point.value())).collect()
                }
                _ => vec![],
            }
        })
        .collect()
}
