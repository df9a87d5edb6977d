use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use boot::telemetry::{ExportConfig, Telemetry, current_traceparent, set_parent};
use caller::{BusinessId, Worker};
use fake_opentelemetry_collector::{ExportedLog, ExportedMetric, ExportedSpan, FakeCollectorServer};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::echo::{Echo, SAY, call};
use tracing::Instrument;
use uuid::Uuid;

use crate::migrate::Notes;

/// What reached the collector.
#[derive(Default)]
struct Collected {
    spans: Vec<ExportedSpan>,
    logs: Vec<ExportedLog>,
    metrics: Vec<ExportedMetric>,
}

impl Collected {
    /// Spans of one trace by a name.
    fn spans(&self, trace: &str, name: &str) -> Vec<&ExportedSpan> {
        self.spans.iter().filter(|span| span.trace_id == trace && span.name == name).collect()
    }
}

/// Receives in the background for as long as the test runs: the collector blocks exporters while its
/// channel is full.
fn collect(mut collector: FakeCollectorServer) -> Arc<Mutex<Collected>> {
    let collected = Arc::new(Mutex::new(Collected::default()));
    let into = collected.clone();
    tokio::spawn(async move {
        loop {
            let spans = collector.exported_spans(1, Duration::from_millis(10)).await;
            let logs = collector.exported_logs(0, Duration::ZERO).await;
            let metrics = collector.exported_metrics(0, Duration::ZERO).await;
            let mut into = into.lock().unwrap();
            into.spans.extend(spans);
            into.logs.extend(logs);
            into.metrics.extend(metrics);
        }
    });
    collected
}

/// Calls a service that reads its database and logs; the trace begins at `parent`.
async fn traced_call(parent: &str) {
    let (host, _) = testkit::host("scheduling");
    let database = testkit::database::<Notes>("scheduling").await;
    let connected = database.connect(&host).await;
    let routes = Echo::routes(move |_| {
        let database = connected.clone();
        async move {
            let tx = database.begin(&Worker::new("test", BusinessId(Uuid::nil()))).await.unwrap();
            let sql = "SELECT text FROM note WHERE text = 'a secret'";
            tx.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
            tx.commit().await.unwrap();
            let tx = database.begin(&Worker::new("test", BusinessId(Uuid::nil()))).await.unwrap();
            let sql = "INSERT INTO note (text) VALUES ('a secret'::uuid::text)";
            tx.execute_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap_err();
            tracing::info!(found = 0, "looked");
            Ok(current_traceparent().expect("a handler runs inside a span"))
        }
    });
    let address = testkit::serve(routes, &host).await;
    let peer = testkit::peer("scheduling", address, &host);
    let span = tracing::info_span!("beginning");
    set_parent(&span, parent);
    let inside = call(&peer, SAY).instrument(span).await.unwrap();
    assert_eq!(inside[3..35], parent[3..35], "the handler is in the caller's trace");
    call(&peer, "/test.v1.Echo/Other").await.unwrap_err();
}

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[tokio::test(flavor = "multi_thread")]
async fn one_trace_runs_from_the_caller_to_the_statement_and_is_exported_with_its_logs_and_metrics() {
    let collector = FakeCollectorServer::start().await.unwrap();
    let telemetry = Telemetry::start("scheduling", &ExportConfig::grpc(collector.endpoint())).unwrap();
    let collected = collect(collector);
    traced_call(&format!("00-{TRACE}-00f067aa0ba902b7-01")).await;
    telemetry.stop().await;
    let complete = || {
        let collected = collected.lock().unwrap();
        collected.spans(TRACE, "beginning").len() == 1
            && !collected.metrics.is_empty()
            && collected.logs.iter().any(|log| log.trace_id == TRACE)
    };
    tokio::time::timeout(Duration::from_secs(10), async {
        while !complete() {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("stopping has flushed all three signals");
    let collected = collected.lock().unwrap();
    spans_are_linked(&collected);
    no_statement_leaks(&collected);
    measurements_follow_the_conventions(&collected);
}

fn spans_are_linked(collected: &Collected) {
    let [beginning] = collected.spans(TRACE, "beginning")[..] else { panic!("one beginning") };
    assert_eq!(beginning.parent_span_id, "00f067aa0ba902b7");
    let calls = collected.spans(TRACE, SAY.trim_start_matches('/'));
    let of_kind = |kind: &str| *calls.iter().find(|span| span.kind == kind).expect(kind);
    let (client, server) = (of_kind("SPAN_KIND_CLIENT"), of_kind("SPAN_KIND_SERVER"));
    assert_eq!(client.parent_span_id, beginning.span_id);
    assert_eq!(server.parent_span_id, client.span_id);
    for span in [client, server] {
        assert!(span.attributes["rpc.system.name"].contains("grpc"));
        assert!(span.attributes["rpc.response.status_code"].contains("OK"));
    }
    assert!(server.attributes["frontdesk.service"].contains("scheduling"));
    let statements = collected.spans.iter().filter(|span| span.parent_span_id == server.span_id);
    let statements: Vec<_> = statements.filter(|span| span.kind == "SPAN_KIND_CLIENT").collect();
    let named = |name: &str| {
        *statements.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{statements:?}"))
    };
    let (read, refused) = (named("SELECT scheduling"), named("INSERT scheduling"));
    for (attribute, value) in
        [("db.system.name", "postgresql"), ("db.namespace", "scheduling"), ("db.operation.name", "SELECT")]
    {
        assert!(read.attributes[attribute].contains(value), "{read:?}");
    }
    assert!(read.end_time_unix_nano > read.start_time_unix_nano, "{read:?}");
    assert!(!read.attributes.contains_key("error.type"), "{read:?}");
    assert!(refused.attributes.contains_key("error.type"), "{refused:?}");
    assert!(refused.status.as_ref().is_some_and(|status| status.code.contains("ERROR")), "{refused:?}");
    let logged = collected.logs.iter().find(|log| log.trace_id == TRACE).unwrap();
    assert_eq!(logged.span_id, server.span_id);
}

fn no_statement_leaks(collected: &Collected) {
    for span in &collected.spans {
        assert!(!format!("{span:?}").contains("a secret"), "{span:?}");
        assert!(!span.attributes.keys().any(|key| key.contains("query")), "{span:?}");
    }
}

fn measurements_follow_the_conventions(collected: &Collected) {
    let metrics: Vec<_> = collected.metrics.iter().flat_map(|scope| &scope.metrics).collect();
    let named = |name: &str| {
        let found: Vec<_> = metrics.iter().filter(|metric| metric.name == name).collect();
        assert!(!found.is_empty(), "{name} is exported");
        assert!(found.iter().all(|metric| metric.unit == "s"), "{name} is in seconds");
        format!("{found:?}")
    };
    for name in ["rpc.server.call.duration", "rpc.client.call.duration"] {
        let measured = named(name);
        assert!(measured.contains("test.v1.Echo/Say"), "{measured}");
        // A client may invent method names, and the label of each would be kept forever.
        assert!(measured.contains("_OTHER") && !measured.contains("test.v1.Echo/Other"), "{measured}");
    }
    assert!(named("db.client.operation.duration").contains("SELECT"));
}
