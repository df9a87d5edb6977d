//! Business metrics.

use opentelemetry::{
    KeyValue,
    metrics::{Counter, Gauge, Meter},
};

use crate::domain::{PublicationFault, VoicePlatform};

/// How publishing to voice platforms goes.
#[derive(Debug, Clone)]
pub struct Publications {
    published: Counter<u64>,
    compared: Counter<u64>,
}

/// Platforms to which the agent is brought.
const PLATFORMS: [VoicePlatform; 3] = [VoicePlatform::Retell, VoicePlatform::Vapi, VoicePlatform::ElevenLabs];
/// Outcomes of an attempt, so that each is known before it happens.
const OUTCOMES: [&str; 7] = ["OK", "API_KEY", "AGENT", "KIND", "REFUSED", "BUSY", "UNREACHABLE"];

impl Publications {
    /// Instruments on `meter`.
    #[must_use]
    pub fn new(meter: &Meter) -> Self {
        let published = meter
            .u64_counter("frontdesk.agent.publications")
            .with_description("Attempts to bring the published agent to a voice platform")
            .build();
        let compared = meter
            .u64_counter("frontdesk.agent.comparisons")
            .with_description("Comparisons of what a voice platform has with what was brought there")
            .build();
        for platform in PLATFORMS {
            for outcome in OUTCOMES {
                published.add(0, &[platform_of(platform), KeyValue::new("outcome", outcome)]);
            }
            for drifted in [false, true] {
                compared.add(0, &[platform_of(platform), KeyValue::new("drifted", drifted)]);
            }
        }
        Self { published, compared }
    }

    /// An attempt ended, with a fault if it failed.
    pub fn published(&self, platform: VoicePlatform, fault: Option<&PublicationFault>) {
        let outcome = fault.map_or("OK", PublicationFault::name);
        self.published.add(1, &[platform_of(platform), KeyValue::new("outcome", outcome)]);
    }

    /// A comparison ended.
    pub fn compared(&self, platform: VoicePlatform, drifted: bool) {
        self.compared.add(1, &[platform_of(platform), KeyValue::new("drifted", drifted)]);
    }
}

fn platform_of(platform: VoicePlatform) -> KeyValue {
    KeyValue::new("frontdesk.voice.platform", platform.as_str().to_lowercase())
}

/// How erasures of customers go.
#[derive(Debug, Clone)]
pub struct Erasures {
    overdue: Gauge<i64>,
}

impl Erasures {
    /// Instruments on `meter`.
    #[must_use]
    pub fn new(meter: &Meter) -> Self {
        let overdue = meter
            .i64_gauge("frontdesk.erasures.overdue")
            .with_description("Erasures of customers that began more than a day ago and have not ended")
            .build();
        Self { overdue }
    }

    /// So many began more than a day ago and have not ended.
    pub fn overdue(&self, count: i64) {
        self.overdue.record(count, &[]);
    }
}
