//! The trace of a booking runs on to the calendar.

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use tracing_subscriber::{filter::LevelFilter, layer::SubscriberExt};

use crate::salon::{CALENDAR, MIA, SALON, Salon, visit};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// This test binary's one subscriber: spans are dropped but for those of [`TRACE`].
fn collect() -> InMemorySpanExporter {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let subscriber = tracing_subscriber::registry().with(LevelFilter::INFO).with(layer);
    tracing::subscriber::set_global_default(subscriber).unwrap();
    exporter
}

fn named(spans: &[SpanData], name: &str) -> Option<SpanData> {
    let ours = |span: &&SpanData| span.span_context.trace_id().to_string() == TRACE;
    spans.iter().filter(ours).find(|span| span.name.ends_with(name)).cloned()
}

#[tokio::test]
async fn the_calendar_write_is_in_the_trace_of_the_booking() {
    let exporter = collect();
    let salon = Salon::with_calendar().await;
    let appointment = visit(0xF1, 1, &[(MIA, "Cut", 9, 30)]);
    let traceparent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    salon.scheduling.publish_traced(&salon.host, &SALON.to_string(), appointment, &traceparent);
    salon.until(async || !salon.events(CALENDAR).await.is_empty()).await;
    let spans = || exporter.get_finished_spans().unwrap();
    salon.until(async || named(&spans(), "calendar write").is_some()).await;
    let follow = named(&spans(), "scheduling follow calendar-sync").unwrap();
    let write = named(&spans(), "calendar write").unwrap();
    assert_eq!(follow.parent_span_id.to_string(), "00f067aa0ba902b7");
    assert_eq!(write.parent_span_id, follow.span_context.span_id());
}
