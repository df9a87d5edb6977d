//! Business metrics.

use boot::clock::Clock;
use jiff::Timestamp;
use opentelemetry::{
    KeyValue,
    metrics::{Counter, Histogram, Meter},
};

use crate::domain::shortfall::Reason;

/// Which way something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From a calendar to scheduling.
    Read,
    /// From scheduling to a calendar.
    Write,
}

impl Way {
    fn attribute(self) -> KeyValue {
        KeyValue::new(
            "direction",
            match self {
                Self::Read => "read",
                Self::Write => "write",
            },
        )
    }
}

/// How far calendars are behind.
#[derive(Debug, Clone)]
pub struct Sync {
    clock: Clock,
    lag: Histogram<f64>,
    failures: Counter<u64>,
    shortfalls: Counter<u64>,
    parked: Counter<u64>,
}

impl Sync {
    /// Instruments on `meter`.
    #[must_use]
    pub fn new(meter: &Meter, clock: Clock) -> Self {
        let lag = meter
            .f64_histogram("frontdesk.calendar.lag")
            .with_unit("s")
            .with_description("From a change to its arrival on the other side")
            .with_boundaries(vec![0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0])
            .build();
        let failures = meter
            .u64_counter("frontdesk.calendar.failures")
            .with_description("Reads and writes of calendars that failed and will be tried again")
            .build();
        let shortfalls = meter
            .u64_counter("frontdesk.calendar.shortfalls")
            .with_description("Events read whose time scheduling does not hold as a whole")
            .build();
        let parked = meter
            .u64_counter("frontdesk.calendar.parked")
            .with_description("Events that a calendar refused and that wait for a person")
            .build();
        parked.add(0, &[]);
        for way in [Way::Read, Way::Write] {
            failures.add(0, &[way.attribute()]);
        }
        for reason in Reason::NAMES {
            shortfalls.add(0, &[KeyValue::new("reason", reason)]);
        }
        Self { clock, lag, failures, shortfalls, parked }
    }

    /// A change made at `since` has arrived.
    pub fn arrived(&self, way: Way, since: Timestamp) {
        let lag = self.clock.now().duration_since(since).as_secs_f64();
        self.lag.record(lag.max(0.0), &[way.attribute()]);
    }

    /// An attempt failed.
    pub fn failed(&self, way: Way) {
        self.failures.add(1, &[way.attribute()]);
    }

    /// A calendar refused an event.
    pub fn parked(&self) {
        self.parked.add(1, &[]);
    }

    /// An event's time is not held as a whole, for this reason.
    pub fn fell_short(&self, reason: &Reason) {
        self.shortfalls.add(1, &[KeyValue::new("reason", reason.name())]);
    }
}
