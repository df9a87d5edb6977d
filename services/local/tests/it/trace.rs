//! One trace from the webhook to the calendar write, across processes.

use core::time::Duration;
use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use fake_opentelemetry_collector::{ExportedSpan, FakeCollectorServer};
use tokio::sync::mpsc;

use crate::stack::Stack;

const ARRIVE_WITHIN: Duration = Duration::from_secs(60);
const DRAIN: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_booking_by_telephone_is_one_trace_from_the_webhook_to_the_calendar_write() {
    let collector = FakeCollectorServer::start().await.unwrap();
    let endpoint = collector.endpoint();
    // Drained from the beginning: a collector that does not read holds its senders up.
    let (sender, spans) = mpsc::unbounded_channel();
    tokio::spawn(drain(collector, sender));
    let stack = Stack::start(&["--processes", "--otlp-endpoint", &endpoint]).await;
    let played = Command::new(env!("CARGO_BIN_EXE_local"))
        .args(["demo-call", "--fast", "--url", &stack.url(), "--data"])
        .arg(stack.data())
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));

    let trace = booking_trace(spans).await;

    let roots = roots(&trace);
    assert_eq!(roots.len(), 1, "roots: {:?}", names(&roots));
    assert!(roots[0].name.starts_with("POST /api/webhooks/voice/"), "{}", roots[0].name);
    for service in ["telemetry", "scheduling", "calendar-sync"] {
        let of_service = trace.iter().filter(|span| served_by(span, service)).count();
        assert!(of_service > 0, "no span of {service}");
    }
    let booked = server_span(&trace, "frontdesk.scheduling.v1.AppointmentService/BookAppointment");
    assert!(has_sql_below(&trace, booked), "no SQL below the booking");
    let write = trace.iter().find(|span| span.name == "calendar write").unwrap();
    assert!(has_sql_below(&trace, write), "no SQL below the calendar write");
    assert!(is_below(&trace, write, booked), "the calendar write hangs below the booking");
}

async fn drain(mut collector: FakeCollectorServer, spans: mpsc::UnboundedSender<ExportedSpan>) {
    loop {
        for span in collector.exported_spans(1, DRAIN).await {
            // Nobody listens any more once the trace is found; the processes still send.
            spans.send(span).ok();
        }
        collector.exported_logs(0, Duration::ZERO).await;
        collector.exported_metrics(0, Duration::ZERO).await;
    }
}

/// Waits for the trace with the calendar write, and for the rest of it.
async fn booking_trace(mut spans: mpsc::UnboundedReceiver<ExportedSpan>) -> Vec<ExportedSpan> {
    let mut traces = BTreeMap::<String, Vec<ExportedSpan>>::new();
    let complete = async {
        while let Some(span) = spans.recv().await {
            let trace = traces.entry(span.trace_id.clone()).or_default();
            trace.push(span);
            if is_complete(trace) {
                return trace.clone();
            }
        }
        Vec::new()
    };
    if let Ok(trace) = tokio::time::timeout(ARRIVE_WITHIN, complete).await {
        return trace;
    }
    let seen: BTreeSet<&str> = traces.values().flatten().map(|span| span.name.as_str()).collect();
    panic!("no trace with a calendar write; spans seen: {seen:#?}");
}

/// The processes export in their own time: a trace is whole when one span alone has
/// its parent outside, and both ends are there.
fn is_complete(trace: &[ExportedSpan]) -> bool {
    let has = |name: &str| trace.iter().any(|span| span.name.starts_with(name));
    has("calendar write") && has("POST /api/webhooks/voice/") && roots(trace).len() == 1
}

fn roots(trace: &[ExportedSpan]) -> Vec<&ExportedSpan> {
    let ids: BTreeSet<&str> = trace.iter().map(|span| span.span_id.as_str()).collect();
    trace.iter().filter(|span| !ids.contains(span.parent_span_id.as_str())).collect()
}

fn names<'a>(spans: &[&'a ExportedSpan]) -> Vec<&'a str> {
    spans.iter().map(|span| span.name.as_str()).collect()
}

fn served_by(span: &ExportedSpan, service: &str) -> bool {
    span.attributes.get("frontdesk.service").is_some_and(|value| value.contains(service))
}

fn server_span<'a>(trace: &'a [ExportedSpan], name: &str) -> &'a ExportedSpan {
    trace.iter().find(|span| span.name == name && span.kind.contains("SERVER")).unwrap()
}

fn is_below(trace: &[ExportedSpan], span: &ExportedSpan, above: &ExportedSpan) -> bool {
    let mut parent = span.parent_span_id.as_str();
    while let Some(next) = trace.iter().find(|span| span.span_id == parent) {
        if next.span_id == above.span_id {
            return true;
        }
        parent = next.parent_span_id.as_str();
    }
    false
}

fn has_sql_below(trace: &[ExportedSpan], above: &ExportedSpan) -> bool {
    trace
        .iter()
        .filter(|span| span.attributes.keys().any(|key| key.starts_with("db.")))
        .any(|span| is_below(trace, span, above))
}
