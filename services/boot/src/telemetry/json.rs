//! Log lines as JSON objects that carry their trace.

use core::fmt;

use opentelemetry::{Context, trace::TraceContextExt};
use serde_json::{Map, Value};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};

use crate::clock::Clock;

/// One object a line: time, level, target, message, the event's fields, and the trace.
pub(super) struct Json;

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        _: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = Fields(Map::new());
        event.record(&mut fields);
        let mut line = fields.0;
        line.insert("timestamp".to_owned(), Clock::system().now().to_string().into());
        line.insert("level".to_owned(), event.metadata().level().as_str().into());
        line.insert("target".to_owned(), event.metadata().target().into());
        let context = Context::current();
        let span = context.span().span_context().clone();
        if span.is_valid() {
            line.insert("trace_id".to_owned(), span.trace_id().to_string().into());
            line.insert("span_id".to_owned(), span.span_id().to_string().into());
        }
        writeln!(writer, "{}", Value::Object(line))
    }
}

struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }
    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }
    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing_subscriber::{Registry, layer::SubscriberExt};

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_is_one_object_with_its_fields_and_its_trace() {
        let written = Written::default();
        let writer = written.clone();
        let provider = SdkTracerProvider::builder().build();
        let subscriber = Registry::default()
            .with(tracing_opentelemetry::layer().with_tracer(provider.tracer("test")))
            .with(tracing_subscriber::fmt::layer().with_writer(move || writer.clone()).event_format(Json));
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!("outer");
            crate::telemetry::set_parent(&span, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
            span.in_scope(|| {
                tracing::warn!(attempts = 3, gone = true, reason = "a \"quoted\"\nline", "lost")
            });
            tracing::info!("outside");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["level"], "WARN");
        assert_eq!(lines[0]["message"], "lost");
        assert_eq!(lines[0]["attempts"], 3);
        assert_eq!(lines[0]["gone"], true);
        assert_eq!(lines[0]["reason"], "a \"quoted\"\nline");
        assert_eq!(lines[0]["trace_id"], "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(lines[0]["span_id"].as_str().unwrap().len(), 16);
        assert!(lines[1].get("trace_id").is_none());
    }
}
