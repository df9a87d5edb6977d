//! Where telemetry is sent, by the settings that the OpenTelemetry specification names.

use core::time::Duration;

use anyhow::Context as _;
use async_trait::async_trait;
use clap::ValueEnum;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response, hyper::HyperClient};
use opentelemetry_otlp::{
    LogExporter, MetricExporter, SpanExporter, WithExportConfig, WithHttpConfig, WithTonicConfig,
};
use tokio::runtime::Handle;

pub(super) const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Where telemetry goes. A signal without an address stays in the process.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ExportConfig {
    /// OTLP goes here: traces, metrics and logs.
    #[arg(long = "otel-exporter-otlp-endpoint", env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<String>,
    /// Traces go here instead.
    #[arg(long = "otel-exporter-otlp-traces-endpoint", env = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")]
    pub otlp_traces_endpoint: Option<String>,
    /// Metrics go here instead.
    #[arg(long = "otel-exporter-otlp-metrics-endpoint", env = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT")]
    pub otlp_metrics_endpoint: Option<String>,
    /// Logs go here instead.
    #[arg(long = "otel-exporter-otlp-logs-endpoint", env = "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT")]
    pub otlp_logs_endpoint: Option<String>,
    /// How it is sent.
    #[arg(
        long = "otel-exporter-otlp-protocol",
        env = "OTEL_EXPORTER_OTLP_PROTOCOL",
        value_enum,
        default_value_t
    )]
    pub otlp_protocol: Protocol,
}

/// How OTLP is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// Over gRPC.
    #[default]
    #[value(name = "grpc")]
    Grpc,
    /// Over HTTP: Prometheus and Loki take nothing else.
    #[value(name = "http/protobuf")]
    Http,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Traces,
    Metrics,
    Logs,
}

impl Signal {
    /// Its setting, and its path below an address for all signals.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Traces => ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/v1/traces"),
            Self::Metrics => ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "/v1/metrics"),
            Self::Logs => ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "/v1/logs"),
        }
    }
}

impl ExportConfig {
    /// Everything to `endpoint`, over gRPC.
    #[must_use]
    pub fn grpc(endpoint: impl Into<String>) -> Self {
        Self { otlp_endpoint: Some(endpoint.into()), ..Self::default() }
    }

    /// The settings as environment variables.
    pub fn environment(&self) -> impl Iterator<Item = (&'static str, String)> {
        let protocol = self.otlp_protocol.to_possible_value().map(|value| value.get_name().to_owned());
        let given = self.addresses().map(|(name, url)| (name, url.to_owned()));
        given.chain(protocol.map(|protocol| ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)))
    }

    /// The addresses that are given, by their settings.
    pub(super) fn addresses(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let settings = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", &self.otlp_endpoint),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &self.otlp_traces_endpoint),
            ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", &self.otlp_metrics_endpoint),
            ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", &self.otlp_logs_endpoint),
        ];
        let given = settings.into_iter().filter_map(|(name, url)| Some((name, url.as_deref()?)));
        given.filter(|(_, url)| !url.is_empty())
    }

    /// Whether any signal leaves the process.
    #[must_use]
    pub fn exports(&self) -> bool {
        [Signal::Traces, Signal::Metrics, Signal::Logs].into_iter().any(|signal| self.url(signal).is_some())
    }

    /// Whether traces leave the process.
    #[must_use]
    pub fn exports_traces(&self) -> bool {
        self.url(Signal::Traces).is_some()
    }

    /// Whether metrics leave the process.
    #[must_use]
    pub fn exports_metrics(&self) -> bool {
        self.url(Signal::Metrics).is_some()
    }

    /// The address of a signal. Over HTTP the specification adds a path to the address for all
    /// signals, and none to a signal's own.
    fn url(&self, signal: Signal) -> Option<String> {
        let own = match signal {
            Signal::Traces => &self.otlp_traces_endpoint,
            Signal::Metrics => &self.otlp_metrics_endpoint,
            Signal::Logs => &self.otlp_logs_endpoint,
        };
        let given = |url: &Option<String>| url.clone().filter(|url| !url.is_empty());
        let shared = || {
            given(&self.otlp_endpoint).map(|url| match self.otlp_protocol {
                Protocol::Grpc => url,
                Protocol::Http => format!("{}{}", url.trim_end_matches('/'), signal.names().1),
            })
        };
        given(own).or_else(shared)
    }

    pub(super) fn spans(&self) -> anyhow::Result<Option<SpanExporter>> {
        self.build(
            Signal::Traces,
            |url| over_grpc(SpanExporter::builder().with_tonic(), url).build(),
            |url| over_http(SpanExporter::builder().with_http(), url).build(),
        )
    }

    pub(super) fn metrics(&self) -> anyhow::Result<Option<MetricExporter>> {
        self.build(
            Signal::Metrics,
            |url| over_grpc(MetricExporter::builder().with_tonic(), url).build(),
            |url| over_http(MetricExporter::builder().with_http(), url).build(),
        )
    }

    pub(super) fn logs(&self) -> anyhow::Result<Option<LogExporter>> {
        self.build(
            Signal::Logs,
            |url| over_grpc(LogExporter::builder().with_tonic(), url).build(),
            |url| over_http(LogExporter::builder().with_http(), url).build(),
        )
    }

    fn build<Exporter, E: std::error::Error + Send + Sync + 'static>(
        &self,
        signal: Signal,
        grpc: impl FnOnce(String) -> Result<Exporter, E>,
        http: impl FnOnce(String) -> Result<Exporter, E>,
    ) -> anyhow::Result<Option<Exporter>> {
        let Some(url) = self.url(signal) else { return Ok(None) };
        let built = match self.otlp_protocol {
            Protocol::Grpc => grpc(url),
            Protocol::Http => http(url),
        };
        built.map(Some).with_context(|| format!("OTEL_EXPORTER_OTLP_ENDPOINT or {}", signal.names().0))
    }
}

fn over_grpc<Builder: WithExportConfig + WithTonicConfig>(builder: Builder, url: String) -> Builder {
    builder.with_endpoint(url).with_timeout(EXPORT_TIMEOUT)
}

fn over_http<Builder: WithExportConfig + WithHttpConfig>(builder: Builder, url: String) -> Builder {
    builder.with_endpoint(url).with_timeout(EXPORT_TIMEOUT).with_http_client(OnRuntime::here())
}

/// An HTTP client for exporters, which run on threads without a runtime.
#[derive(Debug)]
struct OnRuntime {
    client: HyperClient,
    runtime: Handle,
}

impl OnRuntime {
    fn here() -> Self {
        Self { client: HyperClient::with_default_connector(EXPORT_TIMEOUT, None), runtime: Handle::current() }
    }
}

#[async_trait]
impl HttpClient for OnRuntime {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let client = self.client.clone();
        self.runtime.spawn(async move { client.send_bytes(request).await }).await?
    }
}

#[cfg(test)]
mod tests;
