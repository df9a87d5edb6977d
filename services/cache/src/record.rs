//! Records cache operations in the background, so that no call waits for a figure.

use core::time::Duration;

use tokio::sync::mpsc;

use crate::{connection::Connection, figures::Batch, measure::Measure, operation::Operation};

/// Operations that may wait to be written; more are dropped, and counted.
const QUEUE: usize = 4096;
/// Figures are written at most this often.
const PAUSE: Duration = Duration::from_millis(100);

/// Takes operations down.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    queue: mpsc::Sender<Operation>,
    measure: Measure,
}

impl Recorder {
    /// Starts writing; ends with the last recorder.
    pub(crate) fn start(redis: Connection, measure: Measure) -> Self {
        let (queue, operations) = mpsc::channel(QUEUE);
        tokio::spawn(write(redis, operations));
        Self { queue, measure }
    }

    /// Counts at once, and has the rest written.
    pub(crate) fn record(&self, operation: Operation) {
        self.measure.operation(&operation);
        if self.queue.try_send(operation).is_err() {
            self.measure.dropped();
        }
    }
}

async fn write(redis: Connection, mut operations: mpsc::Receiver<Operation>) {
    let (mut batch, mut taken) = (Batch::default(), Vec::new());
    loop {
        let waiting = operations.recv_many(&mut taken, QUEUE);
        // What could not be written is tried again, whether or not more comes.
        if batch.is_empty() {
            if waiting.await == 0 {
                return;
            }
        } else if let Ok(0) = tokio::time::timeout(PAUSE, waiting).await {
            return;
        }
        taken.drain(..).for_each(|operation| batch.add(operation));
        match redis.ask_patiently::<()>(&batch.pipeline()).await {
            Ok(()) => batch = Batch::default(),
            Err(error) => tracing::debug!(%error, "cache figures wait to be written"),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use opentelemetry::metrics::MeterProvider;
    use opentelemetry_sdk::metrics::{
        InMemoryMetricExporter, SdkMeterProvider,
        data::{AggregatedMetrics, MetricData},
    };

    use super::*;
    use crate::{
        Kind,
        operation::{Outcome, Verb},
    };
    use jiff::Timestamp;

    fn sum(exporter: &InMemoryMetricExporter, name: &str) -> u64 {
        let finished = exporter.get_finished_metrics().unwrap();
        let metrics = finished.last().unwrap().scope_metrics().flat_map(|scope| scope.metrics());
        let metric = metrics.into_iter().find(|metric| metric.name() == name).unwrap();
        let AggregatedMetrics::U64(MetricData::Sum(sum)) = metric.data() else { panic!("not a counter") };
        sum.data_points().map(|point| point.value()).sum()
    }

    #[tokio::test]
    async fn what_finds_the_queue_full_is_dropped_and_counted() {
        let exporter = InMemoryMetricExporter::default();
        let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
        let (queue, _unread) = mpsc::channel(2);
        let recorder = Recorder { queue, measure: Measure::on(&provider.meter("test")) };
        for _ in 0..5 {
            recorder.record(Operation {
                kind: Kind::new("catalogue"),
                verb: Verb::Get,
                outcome: Outcome::Hit,
                key: String::new(),
                took: Duration::from_millis(1),
                at: Timestamp::UNIX_EPOCH,
            });
        }
        provider.force_flush().unwrap();
        assert_eq!(sum(&exporter, "frontdesk.cache.operations"), 5);
        assert_eq!(sum(&exporter, "frontdesk.cache.dropped"), 3);
    }
}
