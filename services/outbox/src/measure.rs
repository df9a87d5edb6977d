//! What is measured about following a log.

use opentelemetry::{
    KeyValue, global,
    metrics::{Counter, Gauge, Histogram},
};

/// Most events arrive within the poll of 200 ms; one that waited for an hour is told from one that
/// waited for a minute.
const BUCKETS: [f64; 13] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0];

/// A follower's instruments.
#[derive(Debug)]
pub(crate) struct Measure {
    connected: Gauge<u64>,
    lag: Histogram<f64>,
    parked: Counter<u64>,
    attributes: [KeyValue; 2],
}

impl Measure {
    /// Must be made after telemetry has started.
    pub(crate) fn new(follower: &'static str, source: &'static str) -> Self {
        let meter = global::meter("frontdesk");
        let measure = Self {
            connected: meter
                .u64_gauge("frontdesk.outbox.connected")
                .with_description("Whether the follower reads the log: 1, or 0 until it can again.")
                .build(),
            lag: meter
                .f64_histogram("frontdesk.outbox.lag")
                .with_description("From a change to its effect at the follower.")
                .with_unit("s")
                .with_boundaries(BUCKETS.to_vec())
                .build(),
            parked: meter
                .u64_counter("frontdesk.outbox.parked")
                .with_description("Events that could not be applied and were put aside.")
                .with_unit("{event}")
                .build(),
            attributes: [KeyValue::new("follower", follower), KeyValue::new("source", source)],
        };
        measure.connected(false);
        measure.parked.add(0, &measure.attributes);
        measure
    }

    pub(crate) fn connected(&self, connected: bool) {
        self.connected.record(connected.into(), &self.attributes);
    }

    pub(crate) fn lag(&self, seconds: f64) {
        self.lag.record(seconds.max(0.0), &self.attributes);
    }

    pub(crate) fn parked(&self) {
        self.parked.add(1, &self.attributes);
    }
}
