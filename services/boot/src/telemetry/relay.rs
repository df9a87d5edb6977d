//! Spans that another program measured, exported in its name.

use core::time::Duration;
use std::{borrow::Cow, sync::Arc, time::SystemTime};

use opentelemetry::{
    InstrumentationScope, KeyValue, global,
    trace::{SpanContext, SpanId, SpanKind, Status},
};
use opentelemetry_sdk::trace::{BatchSpanProcessor, SpanData, SpanProcessor};

use super::{counted::Counted, export::EXPORT_TIMEOUT, export::ExportConfig, resource};

/// A span that is over, of a program that has no exporter of its own.
#[derive(Debug, Clone)]
pub struct MeasuredSpan {
    /// Its trace and its own id. It is exported whatever its flags say.
    pub context: SpanContext,
    /// Its name.
    pub name: Cow<'static, str>,
    /// When it began.
    pub started: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// What is said of it.
    pub attributes: Vec<KeyValue>,
    /// Whether it failed.
    pub failed: bool,
}

/// Exports a client's spans beside the process's own.
#[derive(Debug, Clone)]
pub struct Relay {
    processor: Arc<BatchSpanProcessor>,
    scope: InstrumentationScope,
}

impl Relay {
    /// A relay for spans of `service`; `None` where traces have no address. Needs a runtime.
    ///
    /// # Errors
    /// A malformed address.
    pub fn start(service: &'static str, export: &ExportConfig) -> anyhow::Result<Option<Self>> {
        let Some(exporter) = export.spans()? else { return Ok(None) };
        let exporter = Counted::spans(exporter, &global::meter("frontdesk"));
        let mut processor = BatchSpanProcessor::builder(exporter).build();
        processor.set_resource(&resource(service));
        let scope = InstrumentationScope::builder("frontdesk").build();
        Ok(Some(Self { processor: Arc::new(processor), scope }))
    }

    /// Exports `span` with the next batch; it is dropped when too many wait.
    pub fn export(&self, span: MeasuredSpan) {
        let MeasuredSpan { context, name, started, took, attributes, failed } = span;
        let sampled = SpanContext::new(
            context.trace_id(),
            context.span_id(),
            opentelemetry::TraceFlags::SAMPLED,
            false,
            context.trace_state().clone(),
        );
        self.processor.on_end(SpanData {
            span_context: sampled,
            parent_span_id: SpanId::INVALID,
            parent_span_is_remote: false,
            span_kind: SpanKind::Client,
            name,
            start_time: started,
            end_time: started + took,
            attributes,
            dropped_attributes_count: 0,
            events: Default::default(),
            links: Default::default(),
            status: if failed { Status::error("") } else { Status::Unset },
            instrumentation_scope: self.scope.clone(),
        });
    }

    /// Exports what is left and stops.
    pub async fn close(&self) {
        // The exporter needs the runtime that this would block.
        let processor = self.processor.clone();
        let closed =
            tokio::task::spawn_blocking(move || processor.shutdown_with_timeout(EXPORT_TIMEOUT)).await;
        if let Ok(Err(error)) = closed {
            tracing::warn!(%error, "spans of pages were lost at the end");
        }
    }
}
