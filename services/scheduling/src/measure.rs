//! What is measured about searching and booking.

mod figures;

use core::time::Duration;

use opentelemetry::{
    KeyValue, global,
    metrics::{Counter, Histogram},
};

use figures::Figures;
pub use figures::{Channel, Figure};

const BUCKETS: [f64; 11] = [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.5, 1.0];

/// The service's own instruments.
#[derive(Debug, Clone)]
pub struct Measure {
    conflicts: Counter<u64>,
    days: Counter<u64>,
    search: Histogram<f64>,
    figures: Figures,
}

impl Default for Measure {
    fn default() -> Self {
        Self::new()
    }
}

impl Measure {
    /// The process's instruments. Must be made after telemetry has started.
    #[must_use]
    pub fn new() -> Self {
        let meter = global::meter("frontdesk");
        let measure = Self {
            conflicts: meter
                .u64_counter("frontdesk.ledger.conflicts")
                .with_description("Busy facts from outside that met a booking.")
                .with_unit("{conflict}")
                .build(),
            days: meter
                .u64_counter("frontdesk.availability.days")
                .with_description("Days that searches looked at, by whether they were known.")
                .with_unit("{day}")
                .build(),
            search: meter
                .f64_histogram("frontdesk.availability.duration")
                .with_description("Duration of searches for free time.")
                .with_unit("s")
                .with_boundaries(BUCKETS.to_vec())
                .build(),
            figures: Figures::of(&meter),
        };
        measure.conflicts.add(0, &[]);
        measure.days(0, 0);
        measure
    }

    /// Counts what a committed transaction of `channel` did.
    pub(crate) fn figure(&self, figure: Figure, channel: Channel, count: u64) {
        self.figures.count(figure, channel, count);
    }

    /// Counts a search that found nothing.
    pub(crate) fn unmet_demand(&self) {
        self.figures.unmet_demand();
    }

    pub(crate) fn conflict(&self) {
        self.conflicts.add(1, &[]);
    }

    pub(crate) fn days(&self, cached: usize, read: usize) {
        self.days.add(cached as u64, &[KeyValue::new("frontdesk.cache", "hit")]);
        self.days.add(read as u64, &[KeyValue::new("frontdesk.cache", "miss")]);
    }

    pub(crate) fn search(&self, took: Duration) {
        self.search.record(took.as_secs_f64(), &[]);
    }
}
