//! What a visit leaves in traces and metrics.

use std::{collections::BTreeMap, sync::LazyLock};

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
    auth::v1::account_service_methods::LIST_MY_MEMBERSHIPS,
    scheduling::v1::catalogue_service_methods::LIST_SERVICES,
};
use tonic::Status;
use tracing::Level;
use tracing_subscriber::{Layer, filter::Targets, layer::SubscriberExt};

use super::stage::{Stage, Standing, WILLOW, place};

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
    let exporter = InMemoryMetricExporter::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
    global::set_meter_provider(provider.clone());
    let stage = Stage::open().await;
    place(&stage, Standing::Member(Role::Employee));
    let mut ana = stage.ana().await;
    ana.get("/api/v1/me/memberships?pageSize=3").await;
    ana.get("/healthz").await;
    stage.services.refuse(&LIST_SERVICES, Status::out_of_range("decoded message length too large"));
    ana.call(&LIST_SERVICES, &WILLOW.to_string()).await;
    provider.force_flush().unwrap();
    let visits = points(&exporter, "http.server.request.duration");
    for route in ["/api/v1/me/memberships", "/healthz"] {
        let expected = [
            ("http.request.method", "GET"),
            ("http.response.status_code", "200"),
            ("http.route", route),
            ("network.protocol.version", "1.1"),
            ("url.scheme", "http"),
        ];
        assert!(visits.contains(&told(&expected)), "{visits:?}");
    }
    let faults = points(&exporter, "frontdesk.peer.faults");
    let out_of_range = [("rpc.method", LIST_SERVICES.path), ("rpc.response.status_code", "11")];
    assert!(faults.contains(&told(&out_of_range)), "{faults:?}");
}

type Attributes = BTreeMap<String, String>;

fn told(attributes: &[(&str, &str)]) -> Attributes {
    attributes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// What the points of a metric are told apart by.
fn points(exporter: &InMemoryMetricExporter, name: &str) -> Vec<Attributes> {
    let pairs = |pairs: &mut dyn Iterator<Item = &KeyValue>| -> Attributes {
        pairs.map(|pair| (pair.key.to_string(), pair.value.to_string())).collect()
    };
    let exported = exporter.get_finished_metrics().unwrap();
    let metrics =
        exported.iter().flat_map(|metrics| metrics.scope_metrics()).flat_map(|scope| scope.metrics());
    metrics
        .filter(|metric| metric.name() == name)
        .flat_map(|metric| match metric.data() {
            AggregatedMetrics::F64(MetricData::Histogram(histogram)) => {
                histogram.data_points().map(|point| pairs(&mut point.attributes())).collect()
            }
            AggregatedMetrics::U64(MetricData::Sum(sum)) => {
                sum.data_points().map(|point| pairs(&mut point.attributes())).collect()
            }
            _ => vec![],
        })
        .collect()
}
