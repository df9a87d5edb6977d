//! Business metrics.

use boot::clock::Clock;
use jiff::Timestamp;
use opentelemetry::{
    KeyValue,
    metrics::{Counter, Gauge, Histogram, Meter},
};

use crate::{domain::shortfall::Reason, store::Due};

/// Which way something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From a calendar to scheduling.
    Read,
    /// From scheduling to a calendar.
    Write,
}

/// What came of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// It is tried again.
    Failed,
    /// A calendar refused an event, which waits for a person.
    Refused,
}

impl Outcome {
    fn attribute(self) -> KeyValue {
        KeyValue::new(
            "outcome",
            match self {
                Self::Done => "done",
                Self::Failed => "failed",
                Self::Refused => "refused",
            },
        )
    }
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
    operations: Counter<u64>,
    shortfalls: Counter<u64>,
    waiting: Gauge<i64>,
    oldest: Gauge<f64>,
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
        let operations = meter
            .u64_counter("frontdesk.calendar.operations")
            .with_description("Reads and writes of calendars, by what came of them")
            .build();
        let shortfalls = meter
            .u64_counter("frontdesk.calendar.shortfalls")
            .with_description("Events read whose time scheduling does not hold as a whole")
            .build();
        let waiting = meter
            .i64_gauge("frontdesk.calendar.waiting")
            .with_description("Reads of calendars, and calendars with writes, that are due and not begun")
            .build();
        let oldest = meter
            .f64_gauge("frontdesk.calendar.oldest")
            .with_unit("s")
            .with_description("For how long the oldest of them has been due; 0 without one")
            .build();
        for way in [Way::Read, Way::Write] {
            for outcome in [Outcome::Done, Outcome::Failed] {
                operations.add(0, &[way.attribute(), outcome.attribute()]);
            }
        }
        operations.add(0, &[Way::Write.attribute(), Outcome::Refused.attribute()]);
        for reason in Reason::NAMES {
            shortfalls.add(0, &[KeyValue::new("reason", reason)]);
        }
        Self { clock, lag, operations, shortfalls, waiting, oldest }
    }

    /// A change made at `since` has arrived.
    pub fn arrived(&self, way: Way, since: Timestamp) {
        let lag = self.clock.now().duration_since(since).as_secs_f64();
        self.lag.record(lag.max(0.0), &[way.attribute()]);
    }

    /// A read or a write ended as it should.
    pub fn done(&self, way: Way) {
        self.operations.add(1, &[way.attribute(), Outcome::Done.attribute()]);
    }

    /// An attempt failed.
    pub fn failed(&self, way: Way) {
        self.operations.add(1, &[way.attribute(), Outcome::Failed.attribute()]);
    }

    /// A calendar refused an event.
    pub fn refused(&self) {
        self.operations.add(1, &[Way::Write.attribute(), Outcome::Refused.attribute()]);
    }

    /// So much is due.
    pub fn waits(&self, way: Way, due: Due) {
        let waited = due.since.map_or(0.0, |since| self.clock.now().duration_since(since).as_secs_f64());
        self.waiting.record(due.count, &[way.attribute()]);
        self.oldest.record(waited.max(0.0), &[way.attribute()]);
    }

    /// An event's time is not held as a whole, for this reason.
    pub fn fell_short(&self, reason: &Reason) {
        self.shortfalls.add(1, &[KeyValue::new("reason", reason.name())]);
    }
}
