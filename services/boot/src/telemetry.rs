//! Traces, metrics and logs, from start to flush.

mod counted;
mod export;
mod json;
mod process;
mod relay;
mod runtime;
mod settings;

use std::any::Any;

use anyhow::Context as _;
use http::HeaderMap;
use opentelemetry::{
    Context, KeyValue, global,
    propagation::{Extractor, TextMapPropagator},
    trace::{SpanContext, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider},
};
use opentelemetry_appender_tracing::layer::OpenTelemetryTracingBridge;
use opentelemetry_sdk::{
    Resource, logs::SdkLoggerProvider, metrics::SdkMeterProvider, propagation::TraceContextPropagator,
    trace::SdkTracerProvider,
};
use tracing::{Span, level_filters::LevelFilter};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{
    Layer, Registry, filter::Targets, layer::SubscriberExt, registry::LookupSpan, util::SubscriberInitExt,
};

use crate::random;
use counted::Counted;
use export::EXPORT_TIMEOUT;
use json::Json;
use settings::{directives, is_json};

pub use export::{ExportConfig, Protocol};
pub use relay::{MeasuredSpan, Relay};
pub use settings::{check, kept_share};

/// Transports under the exporters: telemetry about them would make more of itself.
const TRANSPORTS: [&str; 6] = ["h2", "hyper", "hyper_util", "opentelemetry", "tonic", "tower"];

/// The process's telemetry, until it is stopped.
#[derive(Debug)]
pub struct Telemetry {
    tracer: SdkTracerProvider,
    meter: SdkMeterProvider,
    logger: Option<SdkLoggerProvider>,
}

impl Telemetry {
    /// Starts telemetry for the process; once, inside its runtime.
    ///
    /// Signals with an address are exported over OTLP. Without one, traces still carry ids
    /// from call to call and into the logs on standard error. `RUST_LOG` filters logs, never
    /// traces.
    ///
    /// # Errors
    /// A malformed endpoint, or telemetry that runs already.
    pub fn start(service: &'static str, export: &ExportConfig) -> anyhow::Result<Self> {
        let telemetry = Self::providers(service, export)?;
        global::set_text_map_propagator(TraceContextPropagator::new());
        global::set_tracer_provider(telemetry.tracer.clone());
        let traces = tracing_opentelemetry::layer()
            .with_tracer(telemetry.tracer.tracer("frontdesk"))
            .with_location(false)
            .with_threads(false)
            .with_filter(without_transports(LevelFilter::INFO));
        let logs = telemetry.logger.as_ref().map(|logger| {
            OpenTelemetryTracingBridge::new(logger).with_filter(without_transports(LevelFilter::INFO))
        });
        Registry::default()
            .with(traces)
            .with(logs)
            .with(stderr(export.exports())?)
            .try_init()
            .context("starting telemetry")?;
        log_panics();
        Ok(telemetry)
    }

    fn providers(service: &'static str, export: &ExportConfig) -> anyhow::Result<Self> {
        let resource = resource(service);
        let mut meter = SdkMeterProvider::builder().with_resource(resource.clone());
        if let Some(metrics) = export.metrics()? {
            meter = meter.with_periodic_exporter(metrics);
        }
        let meter = meter.build();
        // Before the other signals, whose processors and exporters count themselves.
        global::set_meter_provider(meter.clone());
        let own = global::meter("frontdesk");
        process::observe(&own);
        runtime::observe(&own);
        let mut tracer = SdkTracerProvider::builder().with_resource(resource.clone());
        if let Some(spans) = export.spans()? {
            tracer = tracer.with_batch_exporter(Counted::spans(spans, &own));
        }
        let logger = export.logs()?.map(|logs| {
            let logger = SdkLoggerProvider::builder().with_resource(resource);
            logger.with_batch_exporter(Counted::logs(logs, &own)).build()
        });
        Ok(Self { tracer: tracer.build(), meter, logger })
    }

    /// Exports what is left and stops.
    pub async fn stop(self) {
        // The exporters need the runtime that this would block.
        let flushed = tokio::task::spawn_blocking(move || {
            [
                self.tracer.shutdown_with_timeout(EXPORT_TIMEOUT).err(),
                self.meter.shutdown_with_timeout(EXPORT_TIMEOUT).err(),
                self.logger.and_then(|logger| logger.shutdown_with_timeout(EXPORT_TIMEOUT).err()),
            ]
        });
        for error in flushed.await.into_iter().flatten().flatten() {
            tracing::warn!(%error, "telemetry was lost at the end");
        }
    }
}

/// What telemetry says of the program it comes from.
fn resource(service: &'static str) -> Resource {
    let instance = uuid::Builder::from_random_bytes(random::bytes()).into_uuid();
    Resource::builder()
        .with_service_name(service)
        .with_attribute(KeyValue::new("service.namespace", "frontdesk"))
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_attribute(KeyValue::new("service.instance.id", instance.to_string()))
        .build()
}

/// The running span as a W3C `traceparent`, to be kept with what outlives it.
#[must_use]
pub fn current_traceparent() -> Option<String> {
    let mut carrier = std::collections::HashMap::new();
    TraceContextPropagator::new().inject_context(&Span::current().context(), &mut carrier);
    carrier.remove("traceparent")
}

/// Makes `span`, not entered yet, a child of the `traceparent`; a malformed one is ignored.
pub fn set_parent(span: &Span, traceparent: &str) {
    let carrier = std::collections::HashMap::from([("traceparent".to_owned(), traceparent.to_owned())]);
    set_remote_parent(span, &carrier);
}

/// Makes `span`, not entered yet, a child of an outside caller's: its trace is sampled if `keeps` says so,
/// whatever the caller says. A malformed `traceparent` is ignored.
pub fn set_outside_parent(span: &Span, traceparent: &str, keeps: impl FnOnce(TraceId) -> bool) {
    let Some(outside) = context_of(traceparent) else { return };
    let flags = if keeps(outside.trace_id()) { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let parent = SpanContext::new(outside.trace_id(), outside.span_id(), flags, true, TraceState::default());
    // Fails only where no telemetry runs, and nothing is lost by it there.
    let _ = span.set_parent(Context::new().with_remote_span_context(parent));
}

/// The ids of a W3C `traceparent`, if it is well formed.
#[must_use]
pub fn context_of(traceparent: &str) -> Option<SpanContext> {
    let carrier = std::collections::HashMap::from([("traceparent".to_owned(), traceparent.to_owned())]);
    let remote = TraceContextPropagator::new().extract_with_context(&Context::new(), &carrier);
    let context = remote.span().span_context().clone();
    context.is_valid().then_some(context)
}

/// Makes `span` a child of the caller's.
pub(crate) fn adopt(span: &Span, headers: &HeaderMap) {
    set_remote_parent(span, &Headers(headers));
}

fn set_remote_parent(span: &Span, carrier: &dyn Extractor) {
    let remote = TraceContextPropagator::new().extract_with_context(&Context::new(), carrier);
    if remote.span().span_context().is_valid() {
        // Fails only where no telemetry runs, and nothing is lost by it there.
        let _ = span.set_parent(remote);
    }
}

/// Writes `span`'s context into the headers of a call.
pub(crate) fn propagate(span: &Span, headers: &mut HeaderMap) {
    let mut carrier = std::collections::HashMap::new();
    TraceContextPropagator::new().inject_context(&span.context(), &mut carrier);
    for (name, value) in carrier {
        if let (Ok(name), Ok(value)) = (http::HeaderName::try_from(name), value.try_into()) {
            headers.insert(name, value);
        }
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(|value| value.to_str().ok())
    }
    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(http::HeaderName::as_str).collect()
    }
}

fn without_transports(level: LevelFilter) -> Targets {
    Targets::new().with_default(level).with_targets(TRANSPORTS.map(|target| (target, LevelFilter::OFF)))
}

/// Logs for people on a terminal, JSON elsewhere; `LOG_FORMAT` says otherwise by `text` or `json`.
///
/// The SDK warns about every gauge without a reader, so its own log is shown only while exporting.
fn stderr<S>(exporting: bool) -> anyhow::Result<Box<dyn Layer<S> + Send + Sync>>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    let filter = directives().context("RUST_LOG")?;
    let filter = if exporting { filter } else { filter.add_directive("opentelemetry_sdk=off".parse()?) };
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    Ok(if is_json().context("LOG_FORMAT")? {
        layer.event_format(Json).with_filter(filter).boxed()
    } else {
        layer.compact().with_target(false).with_filter(filter).boxed()
    })
}

/// Panics are logged as events, inside the span they happened in.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(message = panic_message(panic.payload()), place, "panic");
    }));
}

/// A message as it stands in the source. One that was put together may quote what people entered, such
/// as the text that a slice would have cut; its place has to do.
fn panic_message(payload: &(dyn Any + Send)) -> &'static str {
    payload.downcast_ref::<&'static str>().copied().unwrap_or("a message with values, which are not logged")
}

#[cfg(test)]
mod tests;
