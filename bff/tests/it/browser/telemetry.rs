//! What a visit leaves in traces and metrics.

use std::{collections::BTreeMap, sync::LazyLock};

use http::{Method, StatusCode};
use opentelemetry::{global, trace::TracerProvider};
use opentelemetry_sdk::{
    metrics::{
        InMemoryMetricExporter, SdkMeterProvider,
        data::{AggregatedMetrics, MetricData},
    },
    propagation::TraceContextPropagator,
    trace::{InMemorySpanExporter, SdkTracerProvider, SpanData},
};
use proto::frontdesk::auth::v1::account_service_methods::LIST_MY_MEMBERSHIPS;
use tonic::Status;
use tracing::Level;
use tracing_subscriber::{Layer, filter::Targets, layer::SubscriberExt};

use super::stage::Stage;

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
async fn visits_are_measured_by_route_and_status() {
    let exporter = InMemoryMetricExporter::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
    global::set_meter_provider(provider.clone());
    let stage = Stage::open().await;
    stage.ana().await.get("/api/v1/me/memberships?pageSize=3").await;
    provider.force_flush().unwrap();
    let mut points: Vec<BTreeMap<String, String>> = Vec::new();
    for metrics in exporter.get_finished_metrics().unwrap() {
        for metric in metrics.scope_metrics().flat_map(|scope| scope.metrics()) {
            if let (
                "http.server.request.duration",
                AggregatedMetrics::F64(MetricData::Histogram(histogram)),
            ) = (metric.name(), metric.data())
            {
                points.extend(histogram.data_points().map(|point| {
                    point.attributes().map(|pair| (pair.key.to_string(), pair.value.to_string())).collect()
                }));
            }
        }
    }
    let expected = BTreeMap::from([
        ("http.request.method".to_owned(), "GET".to_owned()),
        ("http.response.status_code".to_owned(), "200".to_owned()),
        ("http.route".to_owned(), "/api/v1/me/memberships".to_owned()),
        ("network.protocol.version".to_owned(), "1.1".to_owned()),
        ("url.scheme".to_owned(), "http".to_owned()),
    ]);
    assert!(points.contains(&expected), "{points:?}");
}
