//! What is measured about the cache.

use opentelemetry::{
    KeyValue,
    metrics::{Counter, Histogram, Meter},
};

use crate::operation::Operation;

const BUCKETS: [f64; 9] = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05];

/// The cache's instruments.
#[derive(Debug, Clone)]
pub(crate) struct Measure {
    operations: Counter<u64>,
    duration: Histogram<f64>,
    dropped: Counter<u64>,
}

impl Measure {
    pub(crate) fn on(meter: &Meter) -> Self {
        let measure = Self {
            operations: meter
                .u64_counter("frontdesk.cache.operations")
                .with_description("Operations on the shared cache, by kind and result.")
                .with_unit("{operation}")
                .build(),
            duration: meter
                .f64_histogram("frontdesk.cache.duration")
                .with_description("Duration of operations on the shared cache.")
                .with_unit("s")
                .with_boundaries(BUCKETS.to_vec())
                .build(),
            dropped: meter
                .u64_counter("frontdesk.cache.dropped")
                .with_description("Operations left out of the cache panel's figures, so as to delay no call.")
                .with_unit("{operation}")
                .build(),
        };
        measure.dropped.add(0, &[]);
        measure
    }

    pub(crate) fn operation(&self, operation: &Operation) {
        let attributes = [
            KeyValue::new("frontdesk.cache.kind", operation.kind.name()),
            KeyValue::new("frontdesk.cache.operation", operation.verb.name()),
            KeyValue::new("frontdesk.cache.result", operation.outcome.name()),
        ];
        self.operations.add(1, &attributes);
        self.duration.record(operation.took.as_secs_f64(), &attributes);
    }

    pub(crate) fn dropped(&self) {
        self.dropped.add(1, &[]);
    }
}
