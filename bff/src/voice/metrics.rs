//! What the voice door measures.

use core::time::Duration;

use opentelemetry::{
    KeyValue,
    metrics::{Counter, Histogram, Meter},
};

use super::{platform::Platform, proof::Fault, tools::Tool};

/// A person waits: the interesting part lies below a second.
const BUCKETS: [f64; 12] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// What came of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A call event was kept.
    Recorded,
    /// A tool was run, or had been, and its answer given.
    Answered,
    /// It was a sample, by which a connection is tested.
    Tested,
    /// Its signature was not believed.
    Rejected,
    /// It says what no delivery of its platform says.
    Malformed,
    /// It was not kept, and the platform is to deliver it again.
    Failed,
}

impl Outcome {
    const ALL: [Self; 6] =
        [Self::Recorded, Self::Answered, Self::Tested, Self::Rejected, Self::Malformed, Self::Failed];

    fn name(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Answered => "answered",
            Self::Tested => "tested",
            Self::Rejected => "rejected",
            Self::Malformed => "malformed",
            Self::Failed => "failed",
        }
    }
}

/// What came of a check for lost calls at a platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    /// All that was found is kept.
    Complete,
    /// The platform did not tell.
    Platform,
    /// Not all could be kept: it is checked again.
    Broken,
}

/// What came of a call of which webhooks told too little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// It was taken in.
    Taken,
    /// What the platform says of it can't be read.
    Unreadable,
}

/// The door's instruments.
#[derive(Debug, Clone)]
pub struct Metrics {
    rejected: Counter<u64>,
    deliveries: Counter<u64>,
    duration: Histogram<f64>,
    turns: Counter<u64>,
    interruptions: Counter<u64>,
    checks: Counter<u64>,
    lost: Counter<u64>,
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
            turns: meter
                .u64_counter("frontdesk.voice.turns")
                .with_description("Turns of our own agent on the telephone, by what came of them.")
                .with_unit("{turn}")
                .build(),
            interruptions: meter
                .u64_counter("frontdesk.voice.interruptions")
                .with_description("Turns that a caller spoke into.")
                .with_unit("{turn}")
                .build(),
            checks: meter
                .u64_counter("frontdesk.voice.call_checks")
                .with_description("Checks of the platforms for calls of which no webhook told.")
                .with_unit("{check}")
                .build(),
            lost: meter
                .u64_counter("frontdesk.voice.lost_calls")
                .with_description("Calls that were found so, by what came of them.")
                .with_unit("{call}")
                .build(),
        };
        for answered in [true, false] {
            metrics.turns.add(0, &[turn(answered)]);
        }
        metrics.interruptions.add(0, &[]);
        for platform in Platform::ALL {
            for check in [Checked::Complete, Checked::Platform, Checked::Broken] {
                metrics.checks.add(0, &checked(platform, check));
            }
            for lost in [Lost::Taken, Lost::Unreadable] {
                metrics.lost.add(0, &lost_call(platform, lost));
            }
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

    /// Counts a turn of our own agent: answered, or without a reply of the model.
    pub fn turned(&self, answered: bool) {
        self.turns.add(1, &[turn(answered)]);
    }

    /// Counts a turn that the caller spoke into.
    pub fn interrupted(&self) {
        self.interruptions.add(1, &[]);
    }

    /// Counts a check for lost calls.
    pub fn checked(&self, platform: Platform, check: Checked) {
        self.checks.add(1, &checked(platform, check));
    }

    /// Counts a call of which webhooks told too little.
    pub fn lost(&self, platform: Platform, lost: Lost) {
        self.lost.add(1, &lost_call(platform, lost));
    }

    /// Records a tool call.
    pub fn answered(&self, tool: Option<Tool>, outcome: &'static str, duration: Duration) {
        let attributes =
            [KeyValue::new("gen_ai.tool.name", Tool::label(tool)), KeyValue::new("outcome", outcome)];
        self.duration.record(duration.as_secs_f64(), &attributes);
    }
}

/// How the model behind our own agent does, on the telephone and in chats.
#[derive(Debug, Clone)]
pub struct ModelMetrics {
    first_token: Histogram<f64>,
    failures: Counter<u64>,
}

impl ModelMetrics {
    /// Instruments of `meter`.
    pub fn new(meter: &Meter) -> Self {
        let first_token = meter
            .f64_histogram("frontdesk.voice.model.first_token")
            .with_description("From asking the model to the first part of its reply.")
            .with_unit("s")
            .with_boundaries(BUCKETS.to_vec())
            .build();
        let failures = meter
            .u64_counter("frontdesk.voice.model.failures")
            .with_description("Replies that the model did not give, or broke off.")
            .with_unit("{reply}")
            .build();
        for fault in ["silent", "too_many_tools", "failed"] {
            failures.add(0, &[KeyValue::new("reason", fault)]);
        }
        Self { first_token, failures }
    }

    /// The first part of a reply came.
    pub fn began(&self, after: Duration) {
        self.first_token.record(after.as_secs_f64(), &[]);
    }

    /// A reply did not come, or broke off, for the reason of this name.
    pub fn failed(&self, reason: &'static str) {
        self.failures.add(1, &[KeyValue::new("reason", reason)]);
    }
}

fn checked(platform: Platform, check: Checked) -> [KeyValue; 2] {
    let outcome = match check {
        Checked::Complete => "complete",
        Checked::Platform => "platform",
        Checked::Broken => "broken",
    };
    [KeyValue::new("outcome", outcome), KeyValue::new("frontdesk.voice.platform", platform.name())]
}

fn lost_call(platform: Platform, lost: Lost) -> [KeyValue; 2] {
    let outcome = match lost {
        Lost::Taken => "taken",
        Lost::Unreadable => "unreadable",
    };
    [KeyValue::new("outcome", outcome), KeyValue::new("frontdesk.voice.platform", platform.name())]
}

fn turn(answered: bool) -> KeyValue {
    KeyValue::new("outcome", if answered { "answered" } else { "failed" })
}

fn delivery(platform: Platform, outcome: Outcome) -> [KeyValue; 2] {
    [KeyValue::new("outcome", outcome.name()), KeyValue::new("frontdesk.voice.platform", platform.name())]
}

fn refusal(platform: Platform, fault: Fault) -> [KeyValue; 2] {
    [KeyValue::new("reason", fault.name()), KeyValue::new("frontdesk.voice.platform", platform.name())]
}
