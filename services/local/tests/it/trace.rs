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
    let stack = Stack::start(&["--processes", "--otel-exporter-otlp-endpoint", &endpoint]).await;
    let played = Command::new(env!("CARGO_BIN_EXE_local"))
        .args(["demo-call", "--fast", "--url", &stack.url(), "--data"])
        .arg(stack.data())
        .output()
        .unwrap();
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));

    expect_a_booking_trace(spans).await;
}

async fn drain(mut collector: FakeCollectorServer, spans: mpsc::UnboundedSender<ExportedSpan>) {
    loop {
        for span in collector.exported_spans(1, DRAIN).await {
            // The receiver is gone once the trace is found; the processes still send.
            spans.send(span).ok();
        }
        collector.exported_logs(0, Duration::ZERO).await;
        collector.exported_metrics(0, Duration::ZERO).await;
    }
}

/// Waits until one trace has everything a booking by telephone leaves. The processes export in their own time, a parent
/// often before its children, so the trace is judged anew with each span.
async fn expect_a_booking_trace(mut spans: mpsc::UnboundedReceiver<ExportedSpan>) {
    let mut traces = BTreeMap::<String, Vec<ExportedSpan>>::new();
    let complete = async {
        while let Some(span) = spans.recv().await {
            let trace = traces.entry(span.trace_id.clone()).or_default();
            trace.push(span);
            if missing(trace).is_empty() {
                return true;
            }
        }
        false
    };
    if tokio::time::timeout(ARRIVE_WITHIN, complete).await == Ok(true) {
        return;
    }
    let closest = traces.values().min_by_key(|trace| missing(trace).len());
    let seen: Vec<&str> = closest.into_iter().flatten().map(|span| span.name.as_str()).collect();
    panic!("the closest trace misses {:?}; its spans: {seen:#?}", closest.map(|trace| missing(trace)));
}

/// What a trace lacks of a booking by telephone: one root at the webhook, spans of each service on the way, and SQL
/// below the booking and below the calendar write, which itself hangs below the booking.
fn missing(trace: &[ExportedSpan]) -> Vec<String> {
    let mut missing = Vec::new();
    let mut expect = |there: bool, what: &str| {
        if !there {
            missing.push(what.to_owned());
        }
    };
    let roots = roots(trace);
    let at_the_webhook = |span: &&ExportedSpan| span.name.starts_with("POST /api/webhooks/voice/");
    expect(roots.len() == 1 && roots.iter().all(at_the_webhook), "a single root at the webhook");
    for service in ["telemetry", "scheduling", "calendar-sync"] {
        expect(trace.iter().any(|span| served_by(span, service)), &format!("a span of {service}"));
    }
    let booked = server_span(trace, "frontdesk.scheduling.v1.AppointmentService/BookAppointment");
    let write = trace.iter().find(|span| span.name == "calendar write");
    expect(booked.is_some_and(|booked| has_sql_below(trace, booked)), "SQL below the booking");
    expect(write.is_some_and(|write| has_sql_below(trace, write)), "SQL below the calendar write");
    let below = booked.zip(write).is_some_and(|(booked, write)| is_below(trace, write, booked));
    expect(below, "the calendar write below the booking");
    missing
}

fn roots(trace: &[ExportedSpan]) -> Vec<&ExportedSpan> {
    let ids: BTreeSet<&str> = trace.iter().map(|span| span.span_id.as_str()).collect();
    trace.iter().filter(|span| !ids.contains(span.parent_span_id.as_str())).collect()
}

fn served_by(span: &ExportedSpan, service: &str) -> bool {
    span.attributes.get("frontdesk.service").is_some_and(|value| value.contains(service))
}

fn server_span<'a>(trace: &'a [ExportedSpan], name: &str) -> Option<&'a ExportedSpan> {
    trace.iter().find(|span| span.name == name && span.kind.contains("SERVER"))
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
