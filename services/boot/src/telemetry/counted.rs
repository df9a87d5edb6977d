//! Exporters that count what they export, so that metrics show which spans and logs did not arrive.

use core::time::Duration;

use opentelemetry::{
    KeyValue,
    metrics::{Counter, Meter},
};
use opentelemetry_sdk::{
    Resource,
    error::{OTelSdkError, OTelSdkResult},
    logs::{LogBatch, LogExporter},
    trace::{SpanData, SpanExporter},
};

/// An exporter and the counter of its signal.
#[derive(Debug)]
pub(super) struct Counted<E> {
    exporter: E,
    exported: Counter<u64>,
}

impl<E: SpanExporter> Counted<E> {
    pub(super) fn spans(exporter: E, meter: &Meter) -> Self {
        let exported = meter
            .u64_counter("otel.sdk.exporter.span.exported")
            .with_description("Spans whose export has finished, by error.")
            .with_unit("{span}")
            .build();
        Self::counting(exporter, exported)
    }
}

impl<E: LogExporter> Counted<E> {
    pub(super) fn logs(exporter: E, meter: &Meter) -> Self {
        let exported = meter
            .u64_counter("otel.sdk.exporter.log.exported")
            .with_description("Log records whose export has finished, by error.")
            .with_unit("{log_record}")
            .build();
        Self::counting(exporter, exported)
    }
}

impl<E> Counted<E> {
    fn counting(exporter: E, exported: Counter<u64>) -> Self {
        exported.add(0, &[]);
        Self { exporter, exported }
    }

    fn count(&self, count: usize, result: &OTelSdkResult) {
        let error = result.as_ref().err().map(|error| KeyValue::new("error.type", name(error)));
        self.exported.add(count as u64, error.as_slice());
    }
}

impl<E: SpanExporter> SpanExporter for Counted<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let count = batch.len();
        let result = self.exporter.export(batch).await;
        self.count(count, &result);
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

impl<E: LogExporter> LogExporter for Counted<E> {
    async fn export(&self, batch: LogBatch<'_>) -> OTelSdkResult {
        let count = batch.iter().count();
        let result = self.exporter.export(batch).await;
        self.count(count, &result);
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

fn name(error: &OTelSdkError) -> &'static str {
    match error {
        OTelSdkError::AlreadyShutdown => "already_shutdown",
        OTelSdkError::Timeout(_) => "timeout",
        OTelSdkError::InternalFailure(_) => "rejected",
    }
}
