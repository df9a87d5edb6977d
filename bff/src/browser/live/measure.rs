//! What is measured about live sockets.

use opentelemetry::{
    global,
    metrics::{Counter, Meter, UpDownCounter},
};

/// The door's instruments.
#[derive(Debug)]
pub struct Measure {
    sockets: UpDownCounter<i64>,
    lagged: Counter<u64>,
}

/// One open socket, until it is dropped.
#[derive(Debug)]
pub struct Open(UpDownCounter<i64>);

impl Measure {
    /// Must be made after telemetry has started.
    pub fn new() -> Self {
        Self::of(&global::meter("frontdesk"))
    }

    fn of(meter: &Meter) -> Self {
        let measure = Self {
            sockets: meter
                .i64_up_down_counter("frontdesk.live.sockets")
                .with_description("Open live sockets.")
                .with_unit("{socket}")
                .build(),
            lagged: meter
                .u64_counter("frontdesk.live.lagged")
                .with_description(
                    "Times that a socket fell behind and its page had to read everything again.",
                )
                .with_unit("{reset}")
                .build(),
        };
        measure.sockets.add(0, &[]);
        measure.lagged.add(0, &[]);
        measure
    }

    /// Counts a socket as open for as long as the result lives.
    pub fn open(&self) -> Open {
        self.sockets.add(1, &[]);
        Open(self.sockets.clone())
    }

    /// Counts a socket that fell behind.
    pub fn lagged(&self) {
        self.lagged.add(1, &[]);
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.add(-1, &[]);
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

    #[test]
    fn a_socket_is_counted_for_as_long_as_it_is_open() {
        let exporter = InMemoryMetricExporter::default();
        let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
        let open = || -> i64 {
            provider.force_flush().unwrap();
            let exported = exporter.get_finished_metrics().unwrap().pop().unwrap();
            let metrics = exported.scope_metrics().flat_map(|scope| scope.metrics());
            let sockets = metrics.filter(|metric| metric.name() == "frontdesk.live.sockets");
            let counted = sockets.map(|metric| match metric.data() {
                AggregatedMetrics::I64(MetricData::Sum(sum)) => {
                    sum.data_points().map(|point| point.value()).sum::<i64>()
                }
                other => panic!("{other:?}"),
            });
            counted.sum()
        };
        let measure = Measure::of(&provider.meter("test"));
        assert_eq!(open(), 0);
        let (first, second) = (measure.open(), measure.open());
        assert_eq!(open(), 2);
        drop(first);
        assert_eq!(open(), 1);
        drop(second);
        assert_eq!(open(), 0);
    }
}
