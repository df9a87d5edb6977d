use std::sync::{Arc, Mutex};

use clap::Parser;
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use opentelemetry::metrics::MeterProvider;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use tokio::net::TcpListener;

use super::*;

#[derive(Debug, Parser)]
struct Cli {
    #[command(flatten)]
    export: ExportConfig,
}

fn parsed(flags: &[&str]) -> ExportConfig {
    Cli::parse_from([&["service"], flags].concat()).export
}

fn urls(config: &ExportConfig) -> [Option<String>; 3] {
    [Signal::Traces, Signal::Metrics, Signal::Logs].map(|signal| config.url(signal))
}

fn some(url: &str) -> Option<String> {
    Some(url.to_owned())
}

#[test]
fn nothing_is_exported_without_an_address() {
    assert_eq!(urls(&parsed(&[])), [None, None, None]);
    assert!(!parsed(&["--otel-exporter-otlp-endpoint="]).exports());
}

#[test]
fn grpc_takes_the_address_as_it_is() {
    let config = parsed(&["--otel-exporter-otlp-endpoint=http://collector:4317"]);
    let collector = some("http://collector:4317");
    assert_eq!(urls(&config), [collector.clone(), collector.clone(), collector]);
}

#[test]
fn http_adds_a_path_for_each_signal() {
    let config = parsed(&[
        "--otel-exporter-otlp-endpoint=http://prometheus/api/v1/otlp/",
        "--otel-exporter-otlp-protocol=http/protobuf",
    ]);
    let of = |path: &str| some(&format!("http://prometheus/api/v1/otlp/v1/{path}"));
    assert_eq!(urls(&config), [of("traces"), of("metrics"), of("logs")]);
}

#[test]
fn a_signal_may_have_an_address_of_its_own_which_is_taken_as_it_is() {
    let config = parsed(&[
        "--otel-exporter-otlp-metrics-endpoint=http://prometheus/metrics",
        "--otel-exporter-otlp-protocol=http/protobuf",
    ]);
    assert_eq!(urls(&config), [None, some("http://prometheus/metrics"), None]);
    assert!(config.exports());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_malformed_address_is_named() {
    for protocol in ["grpc", "http/protobuf"] {
        let config = parsed(&[
            "--otel-exporter-otlp-metrics-endpoint=not an address",
            &format!("--otel-exporter-otlp-protocol={protocol}"),
        ]);
        let error = format!("{:#}", config.metrics().unwrap_err());
        assert!(error.contains("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"), "{error}");
    }
}

type Seen = (String, String, usize);

/// Answers one request and returns its path, its content type and its length.
async fn receive(listener: TcpListener) -> Seen {
    let seen = Arc::new(Mutex::new(None));
    let (stream, _) = listener.accept().await.unwrap();
    let note = service_fn(|request: http::Request<Incoming>| {
        let seen = seen.clone();
        async move {
            let (parts, body) = request.into_parts();
            let length = body.collect().await?.to_bytes().len();
            let kind = parts.headers["content-type"].to_str().unwrap().to_owned();
            *seen.lock().unwrap() = Some((parts.uri.path().to_owned(), kind, length));
            Ok::<_, hyper::Error>(http::Response::new(Full::new(Bytes::new())))
        }
    });
    http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), note).await.unwrap();
    let seen = seen.lock().unwrap().take();
    seen.expect("a request")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn metrics_arrive_over_http() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/api/v1/otlp", listener.local_addr().unwrap());
    let arrived = tokio::spawn(receive(listener));
    let config =
        parsed(&["--otel-exporter-otlp-endpoint", &url, "--otel-exporter-otlp-protocol=http/protobuf"]);
    let exporter = config.metrics().unwrap().expect("an exporter");
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter).build();
    provider.meter("test").u64_counter("visits").build().add(1, &[]);
    tokio::task::spawn_blocking(move || provider.force_flush()).await.unwrap().unwrap();
    let (path, kind, length) = arrived.await.unwrap();
    assert_eq!((path.as_str(), kind.as_str()), ("/api/v1/otlp/v1/metrics", "application/x-protobuf"));
    assert!(length > 0);
}
