//! What the voice door measures.

use core::time::Duration;

use opentelemetry::{
    KeyValue,
    metrics::{Counter, Histogram, Meter},
};

use super::{adapter::Fault, platform::Platform, tools::Tool};

/// A person waits: the interesting part lies below a second.
const BUCKETS: [f64; 12] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// What came of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A call event was kept.
    Recorded,
    /// A tool was run, or had been, and its answer given.
    Answered,
    /// Its signature was not believed.
    Rejected,
    /// It says what no delivery of its platform says.
    Malformed,
    /// It was not kept, and the platform is to deliver it again.
    Failed,
}

impl Outcome {
    const ALL: [Self; 5] = [Self::Recorded, Self::Answered, Self::Rejected, Self::Malformed, Self::Failed];

    fn name(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Answered => "answered",
            Self::Rejected => "rejected",
            Self::Malformed => "malformed",
            Self::Failed => "failed",
        }
    }
}

/// The door's instruments.
#[derive(Debug, Clone)]
pub struct Metrics {
    rejected: Counter<u64>,
    deliveries: Counter<u64>,
    duration: Histogram<f64>,
}

impl Metrics {
    /// Instruments of `meter`.
    pub fn new(meter: &Meter) -> Self {
        let metrics = Self {
            rejected: meter
                .u64_counter("frontdesk.voice.signature.rejected")
                .with_description("Deliveries whose signature was not believed.")
                .with_unit("{delivery}")
                .build(),
            deliveries: meter
                .u64_counter("frontdesk.voice.deliveries")
                .with_description("Deliveries of voice platforms, by what came of them.")
                .with_unit("{delivery}")
                .build(),
            duration: meter
                .f64_histogram("frontdesk.voice.tool.duration")
                .with_description("Duration of the agent's tool calls, from receiving to answering.")
                .with_unit("s")
                .with_boundaries(BUCKETS.to_vec())
                .build(),
        };
        for platform in Platform::ALL {
            for fault in Fault::ALL {
                metrics.rejected.add(0, &refusal(platform, fault));
            }
            for outcome in Outcome::ALL {
                metrics.deliveries.add(0, &delivery(platform, outcome));
            }
        }
        metrics
    }

    /// Counts a delivery that was not believed.
    pub fn rejected(&self, platform: Platform, fault: Fault) {
        self.rejected.add(1, &refusal(platform, fault));
    }

    /// Counts a delivery that was dealt with.
    pub fn delivered(&self, platform: Platform, outcome: Outcome) {
        self.deliveries.add(1, &delivery(platform, outcome));
    }

    /// Records a tool call.
    pub fn answered(&self, tool: Option<Tool>, outcome: &'static str, duration: Duration) {
        let attributes =
            [KeyValue::new("gen_ai.tool.name", Tool::label(tool)), KeyValue::new("outcome", outcome)];
        self.duration.record(duration.as_secs_f64(), &attributes);
    }
}

fn delivery(platform: Platform, outcome: Outcome) -> [KeyValue; 2] {
    [KeyValue::new("outcome", outcome.name()), KeyValue::new("frontdesk.voice.platform", platform.name())]
}

fn refusal(platform: Platform, fault: Fault) -> [KeyValue; 2] {
    [KeyValue::new("reason", fault.name()), KeyValue::new("frontdesk.voice.platform", platform.name())]
}
