use std::{collections::BTreeMap, fs::File};

use futures::future::pending;
use opentelemetry::metrics::{Meter, MeterProvider};
use opentelemetry_sdk::{
    error::{OTelSdkError, OTelSdkResult},
    metrics::{
        InMemoryMetricExporter, PeriodicReader, SdkMeterProvider,
        data::{AggregatedMetrics, Metric, MetricData},
    },
    trace::{InMemorySpanExporter, SpanData, SpanExporter},
};

use super::{counted::Counted, panic_message, process, runtime};

/// Metrics that stay in the test.
struct Read {
    provider: SdkMeterProvider,
    exporter: InMemoryMetricExporter,
}

impl Read {
    fn new() -> Self {
        let exporter = InMemoryMetricExporter::default();
        let reader = PeriodicReader::builder(exporter.clone()).build();
        Self { provider: SdkMeterProvider::builder().with_reader(reader).build(), exporter }
    }

    fn meter(&self) -> Meter {
        self.provider.meter("frontdesk")
    }

    /// Values by name and attributes, as of now.
    fn values(&self) -> BTreeMap<String, f64> {
        self.exporter.reset();
        self.provider.force_flush().unwrap();
        let exported = self.exporter.get_finished_metrics().unwrap();
        let scopes = exported.iter().flat_map(|resource| resource.scope_metrics());
        scopes.flat_map(|scope| scope.metrics()).flat_map(points).collect()
    }
}

fn points(metric: &Metric) -> Vec<(String, f64)> {
    #[expect(clippy::cast_precision_loss, reason = "the numbers of a test are small")]
    match metric.data() {
        AggregatedMetrics::F64(data) => points_of(metric.name(), data, |value| value),
        AggregatedMetrics::I64(data) => points_of(metric.name(), data, |value| value as f64),
        AggregatedMetrics::U64(data) => points_of(metric.name(), data, |value| value as f64),
    }
}

fn points_of<T: Copy>(name: &str, data: &MetricData<T>, number: impl Fn(T) -> f64) -> Vec<(String, f64)> {
    let named =
        |attributes: Vec<String>, value: T| (format!("{name}{{{}}}", attributes.join(",")), number(value));
    match data {
        MetricData::Sum(sum) => sum
            .data_points()
            .map(|point| {
                named(
                    point.attributes().map(|it| format!("{}={}", it.key, it.value)).collect(),
                    point.value(),
                )
            })
            .collect(),
        MetricData::Gauge(gauge) => gauge
            .data_points()
            .map(|point| {
                named(
                    point.attributes().map(|it| format!("{}={}", it.key, it.value)).collect(),
                    point.value(),
                )
            })
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn memory_processor_time_threads_and_open_files_of_the_process_are_observed() {
    let read = Read::new();
    process::observe(&read.meter());
    let before = read.values();
    let open: Vec<File> = (0..50).map(|_| File::open("/dev/null").unwrap()).collect();
    let after = read.values();
    drop(open);
    assert!(before["process.memory.usage{}"] > 1e6, "{before:?}");
    assert!(before["process.thread.count{}"] >= 2.0, "{before:?}");
    for mode in ["user", "system"] {
        let time = format!("process.cpu.time{{cpu.mode={mode}}}");
        assert!(after[&time] >= before[&time], "{after:?}");
    }
    // Other tests close some of theirs meanwhile.
    let files = |values: &BTreeMap<String, f64>| values["process.unix.file_descriptor.count{}"];
    assert!(files(&after) > files(&before) + 20.0, "{before:?} {after:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn workers_and_tasks_of_the_runtime_are_observed() {
    let read = Read::new();
    runtime::observe(&read.meter());
    let before = read.values();
    let tasks: Vec<_> = (0..7).map(|_| tokio::spawn(pending::<()>())).collect();
    let after = read.values();
    assert_eq!(after["tokio.worker.count{}"], 3.0);
    assert_eq!(after["tokio.task.count{}"], before["tokio.task.count{}"] + 7.0);
    for name in ["tokio.worker.busy_time{}", "tokio.worker.parks{}", "tokio.queue.depth{}"] {
        assert!(after.contains_key(name), "{name} is not among {after:?}");
    }
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
}

/// An exporter whose collector takes too long.
#[derive(Debug)]
struct TooSlow;

impl SpanExporter for TooSlow {
    async fn export(&self, _: Vec<SpanData>) -> OTelSdkResult {
        Err(OTelSdkError::Timeout(core::time::Duration::ZERO))
    }
}

#[tokio::test]
async fn exported_spans_are_counted_apart_from_those_that_did_not_arrive() {
    let read = Read::new();
    let spans = || vec![span(), span()];
    let exporter = Counted::spans(InMemorySpanExporter::default(), &read.meter());
    assert_eq!(read.values()["otel.sdk.exporter.span.exported{}"], 0.0);
    exporter.export(spans()).await.unwrap();
    Counted::spans(TooSlow, &read.meter()).export(spans()).await.unwrap_err();
    let values = read.values();
    assert_eq!(values["otel.sdk.exporter.span.exported{}"], 2.0);
    assert_eq!(values["otel.sdk.exporter.span.exported{error.type=timeout}"], 2.0);
}

fn span() -> SpanData {
    opentelemetry_sdk::testing::trace::new_test_export_span_data()
}

#[test]
fn a_panic_is_logged_without_the_values_in_its_message() {
    let message = |panicking: fn(&str)| {
        let payload = std::panic::catch_unwind(|| panicking("é, of Ana")).unwrap_err();
        panic_message(&*payload)
    };
    assert_eq!(message(|_| panic!("no room")), "no room");
    for leaking in [|name: &str| panic!("{name} has no room"), |name: &str| drop(name[1..].to_owned())] {
        assert_eq!(message(leaking), "a message with values, which are not logged");
    }
}
