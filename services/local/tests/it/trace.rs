//! One trace from the webhook to the calendar write, across processes.

use core::time::Duration;
use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
    time::Instant,
};

use fake_opentelemetry_collector::{ExportedSpan, FakeCollectorServer};

use crate::stack::Stack;

const ARRIVE_WITHIN: Duration = Duration::from_secs(60);
const DRAIN: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_booking_by_telephone_is_one_trace_from_the_webhook_to_the_calendar_write() {
    let mut collector = FakeCollectorServer::start().await.unwrap();
    let stack = Stack::start(&["--processes", "--otlp-endpoint", &collector.endpoint()]);
    let played = Command::new(env!("CARGO_BIN_EXE_local"))
        .args(["demo-call", "--fast", "--url", &stack.url(), "--data"])
        .arg(stack.data())
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));

    let trace = booking_trace(&mut collector).await;

    let ids: BTreeSet<&str> = trace.iter().map(|span| span.span_id.as_str()).collect();
    let roots: Vec<&ExportedSpan> =
        trace.iter().filter(|span| !ids.contains(span.parent_span_id.as_str())).collect();
    assert_eq!(roots.len(), 1, "roots: {:?}", names(&roots));
    assert!(roots[0].name.starts_with("POST /api/webhooks/voice/"), "{}", roots[0].name);
    for service in ["bff", "telemetry", "tenancy", "scheduling", "calendar-sync"] {
        let of_service = trace.iter().filter(|span| served_by(span, service)).count();
        assert!(of_service > 0, "no span of {service}");
    }
    let booked = server_span(&trace, "frontdesk.scheduling.v1.AppointmentService/BookAppointment");
    assert!(has_sql_below(&trace, booked), "no SQL below the booking");
    let write = trace.iter().find(|span| span.name == "calendar write").unwrap();
    assert!(has_sql_below(&trace, write), "no SQL below the calendar write");
    assert!(is_below(&trace, write, booked), "the calendar write hangs below the booking");
}

/// Drains the collector until the trace with the calendar write is complete.
async fn booking_trace(collector: &mut FakeCollectorServer) -> Vec<ExportedSpan> {
    let mut traces = BTreeMap::<String, Vec<ExportedSpan>>::new();
    let started = Instant::now();
    while started.elapsed() < ARRIVE_WITHIN {
        for span in collector.exported_spans(1, DRAIN).await {
            traces.entry(span.trace_id.clone()).or_default().push(span);
        }
        // Keeps the other two signals flowing.
        collector.exported_logs(0, Duration::ZERO).await;
        collector.exported_metrics(0, Duration::ZERO).await;
        let complete = traces.values().find(|trace| {
            let has = |name: &str| trace.iter().any(|span| span.name.starts_with(name));
            has("calendar write") && has("POST /api/webhooks/voice/") && has("scheduling follow")
        });
        if let Some(trace) = complete {
            return trace.clone();
        }
    }
    let seen: BTreeSet<&str> = traces.values().flatten().map(|span| span.name.as_str()).collect();
    panic!("no trace with a calendar write; spans seen: {seen:#?}");
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
