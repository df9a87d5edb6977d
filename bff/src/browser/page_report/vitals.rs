//! Web vitals as histograms.
//!
//! The conventions have an event for them and no metric: its attributes are used, and its name.

use opentelemetry::{KeyValue, global, metrics::Histogram};

use super::report::{CheckedVital, Navigation, VitalName};

/// Among them the limits between good, fair and poor: 0.2 and 0.5 (INP), 0.8 and 1.8 (TTFB), 1.8 and 3 (FCP), 2.5 and 4 (LCP).
const SECONDS: [f64; 14] = [0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 3.0, 4.0, 10.0];
/// Good up to 0.1, poor above 0.25.
const SHIFTS: [f64; 8] = [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0];

/// Counts what pages measured.
#[derive(Debug, Clone)]
pub(super) struct Vitals {
    durations: Histogram<f64>,
    shifts: Histogram<f64>,
}

impl Vitals {
    pub(super) fn new() -> Self {
        let meter = global::meter("frontdesk");
        let durations = meter
            .f64_histogram("browser.web_vital.duration")
            .with_description("LCP, FCP, TTFB and INP, as people's browsers measured them.")
            .with_unit("s")
            .with_boundaries(SECONDS.to_vec())
            .build();
        let shifts = meter
            .f64_histogram("browser.web_vital.layout_shift")
            .with_description("CLS, as people's browsers measured it.")
            .with_unit("1")
            .with_boundaries(SHIFTS.to_vec())
            .build();
        Self { durations, shifts }
    }

    pub(super) fn record(&self, vital: &CheckedVital) {
        let navigation = match vital.navigation {
            Navigation::Document => "document",
            Navigation::Soft => "soft",
        };
        let name = match vital.name {
            VitalName::Cls => "cls",
            VitalName::Fcp => "fcp",
            VitalName::Inp => "inp",
            VitalName::Lcp => "lcp",
            VitalName::Ttfb => "ttfb",
        };
        let attributes = [
            KeyValue::new("browser.web_vital.name", name),
            KeyValue::new("frontdesk.browser.navigation", navigation),
            KeyValue::new("url.template", vital.page),
        ];
        match vital.name {
            VitalName::Cls => self.shifts.record(vital.value, &attributes),
            _ => self.durations.record(vital.value / 1000.0, &attributes),
        }
    }
}
