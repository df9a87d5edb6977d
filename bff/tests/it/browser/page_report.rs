//! What pages report of themselves.

use core::time::Duration;
use std::{
    sync::LazyLock,
    time::{SystemTime, UNIX_EPOCH},
};

use boot::telemetry::ExportConfig;
use fake_opentelemetry_collector::{ExportedSpan, FakeCollectorServer};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{
    stage::{Setting, Stage},
    telemetry::{METRICS, points, told},
};

const PATH: &str = "/api/v1/page-reports";
const TRACE: &str = "5cf92f3577b34da6a3ce929d0e0e4736";
const SPAN: &str = "10f067aa0ba902b7";
const PATIENCE: Duration = Duration::from_secs(10);

fn vital() -> Value {
    json!({"name": "LCP", "page": "/:businessId/schedule", "navigation": "document", "value": 1234.5})
}

fn request() -> Value {
    json!({
        "traceparent": format!("00-{TRACE}-{SPAN}-01"), "method": "GET", "route": "/api/v1/me/memberships",
        "status": 200, "ageMs": 2000, "durationMs": 150,
    })
}

/// The entry with another value of a field.
fn with(mut entry: Value, field: &str, value: impl Into<Value>) -> Value {
    entry[field] = value.into();
    entry
}

async fn exporting() -> (Stage, FakeCollectorServer) {
    let collector = FakeCollectorServer::start().await.unwrap();
    let export = ExportConfig::grpc(collector.endpoint());
    (Stage::set(Setting { export, ..Setting::default() }).await, collector)
}

fn nanos(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap().as_nanos().try_into().unwrap()
}

#[tokio::test]
async fn web_vitals_become_histograms_by_page_and_navigation() {
    LazyLock::force(&METRICS);
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    let shift = json!({"name": "CLS", "page": "/login", "navigation": "soft", "value": 0.02});
    let answer = ana.post(PATH, &json!({"vitals": [vital(), shift]})).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::NO_CONTENT, ""));
    let durations = points("browser.web_vital.duration");
    let paint = [
        ("browser.web_vital.name", "lcp"),
        ("frontdesk.browser.navigation", "document"),
        ("url.template", "/:businessId/schedule"),
    ];
    assert_eq!(durations.get(&told(&paint)), Some(&1), "{durations:?}");
    let shifts = points("browser.web_vital.layout_shift");
    let shift = [
        ("browser.web_vital.name", "cls"),
        ("frontdesk.browser.navigation", "soft"),
        ("url.template", "/login"),
    ];
    assert_eq!(shifts.get(&told(&shift)), Some(&1), "{shifts:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_becomes_a_span_under_the_pages_ids_at_the_time_it_took() {
    let (mut stage, mut collector) = exporting().await;
    let mut ana = stage.ana().await.with("x-session-id", "tab-1");
    let failed = with(with(request(), "status", 0), "traceparent", format!("00-{TRACE}-{SPAN}-00"));
    // Longer than it can have been.
    let failed = with(with(failed, "ageMs", 10), "durationMs", 60_000);
    let before = nanos(opentelemetry::time::now());
    let answer = ana.post(PATH, &json!({"requests": [request(), failed]})).await;
    let after = nanos(opentelemetry::time::now());
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text);
    stage.stop().await;
    let spans: [ExportedSpan; 2] = collector.exported_spans(2, PATIENCE).await.try_into().unwrap();
    for span in &spans {
        let ids = [&span.trace_id, &span.span_id, &span.parent_span_id].map(String::as_str);
        assert_eq!(ids, [TRACE, SPAN, ""]);
        assert_eq!(span.name, "GET /api/v1/me/memberships");
        assert!(span.kind.contains("CLIENT"), "{}", span.kind);
        assert!(span.attributes["session.id"].contains("tab-1"), "{:?}", span.attributes);
    }
    let [answered, failed] = &spans;
    let times = (before - 2_000_000_000)..=(after - 2_000_000_000);
    assert!(times.contains(&answered.start_time_unix_nano), "{answered:?} {times:?}");
    assert_eq!(answered.end_time_unix_nano - answered.start_time_unix_nano, 150_000_000);
    assert!(answered.attributes["http.response.status_code"].contains("200"), "{answered:?}");
    assert!(!answered.attributes.contains_key("error.type"), "{answered:?}");
    assert_eq!(failed.end_time_unix_nano - failed.start_time_unix_nano, 10_000_000);
    assert!(failed.attributes["error.type"].contains("unanswered"), "{failed:?}");
    assert!(!failed.attributes.contains_key("http.response.status_code"), "{failed:?}");
}

/// Expects each body to be refused for its field.
async fn expect_refusals<const N: usize>(refused: [(Value, &str); N]) {
    let stage = Stage::open().await;
    let mut ana = stage.ana().await;
    for (body, field) in refused {
        let answer = ana.post(PATH, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{field}: {}", answer.text);
        assert_eq!(answer.fields(), [field], "{}", answer.text);
    }
}

#[tokio::test]
async fn a_vital_that_is_malformed_or_unknown_is_refused_naming_its_field() {
    let second = |field: &str, value: Value| json!({"vitals": [vital(), with(vital(), field, value)]});
    expect_refusals([
        (second("name", "FID".into()), "vitals[1].name"),
        (second("page", "/01900000-0000-7000-8000-000000000001".into()), "vitals[1].page"),
        (second("page", "/ana@demo.test".into()), "vitals[1].page"),
        (second("page", "".into()), "vitals[1].page"),
        (second("navigation", "reload".into()), "vitals[1].navigation"),
        (second("value", json!(-1)), "vitals[1].value"),
        (second("value", json!(1e9)), "vitals[1].value"),
        (second("value", "1".into()), "vitals[1].value"),
        (second("id", "v6-1".into()), "vitals[1].id"),
        (json!({"vitals": [with(with(vital(), "name", "CLS"), "value", 101)]}), "vitals[0].value"),
        (json!({"vitals": vec![vital(); 41]}), "vitals"),
        (json!({"user": "ana"}), "user"),
    ])
    .await;
}

#[tokio::test]
async fn a_request_that_is_malformed_or_unknown_is_refused_naming_its_field() {
    let only = |field: &str, value: Value| json!({"requests": [with(request(), field, value)]});
    expect_refusals([
        (only("traceparent", TRACE.into()), "requests[0].traceparent"),
        (only("traceparent", format!("00-{:032}-{SPAN}-01", 0).into()), "requests[0].traceparent"),
        (only("method", "POST".into()), "requests[0].method"),
        (only("method", "get".into()), "requests[0].method"),
        (only("route", "/api/v1/me/memberships?pageToken=x".into()), "requests[0].route"),
        (only("route", "/api/v1/businesses/1/services".into()), "requests[0].route"),
        (only("status", json!(99)), "requests[0].status"),
        (only("status", json!(600)), "requests[0].status"),
        (only("ageMs", json!(-1)), "requests[0].ageMs"),
        (only("ageMs", json!(900_001)), "requests[0].ageMs"),
        (only("durationMs", json!(0.5)), "requests[0].durationMs"),
        (json!({"requests": vec![request(); 101]}), "requests"),
    ])
    .await;
}

#[tokio::test]
async fn a_page_without_a_session_or_with_too_much_to_say_is_refused() {
    let stage = Stage::open().await;
    let report = json!({"vitals": [vital()]});
    let mut stranger = stage.stranger();
    stranger.get("/").await;
    assert_eq!(stranger.post(PATH, &report).await.status, StatusCode::UNAUTHORIZED);
    let mut ana = stage.ana().await;
    assert_eq!(ana.without_xsrf().post(PATH, &report).await.status, StatusCode::FORBIDDEN);
    let large = format!(r#"{{"vitals": []{}}}"#, " ".repeat(32 << 10));
    let answer = ana.send(Method::POST, PATH, Some(large)).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text);
    let mut answer = ana.post(PATH, &report).await;
    for _ in 0..100 {
        if answer.status != StatusCode::NO_CONTENT {
            break;
        }
        answer = ana.post(PATH, &report).await;
    }
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!answer.header("retry-after").is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_are_told_what_the_installation_exports() {
    let collector = FakeCollectorServer::start().await.unwrap();
    let all = ExportConfig::grpc(collector.endpoint());
    let metrics = ExportConfig { otlp_metrics_endpoint: Some(collector.endpoint()), ..Default::default() };
    for (export, vitals, traces) in
        [(ExportConfig::default(), false, false), (metrics, true, false), (all, true, true)]
    {
        let stage = Stage::set(Setting { export, ..Setting::default() }).await;
        let document = stage.stranger().get("/").await.text;
        let runtime = document.split("runtime-config\">").nth(1).unwrap().split("</script>").next().unwrap();
        let runtime: Value = serde_json::from_str(runtime).unwrap();
        assert_eq!(runtime["reports"], json!({"vitals": vitals, "traces": traces}));
    }
}
