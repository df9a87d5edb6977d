//! Business metrics.

use opentelemetry::{
    KeyValue,
    metrics::{Counter, Meter},
};

use crate::domain::{
    call::{Call, CallState},
    outcome::Outcome,
};

/// Counts calls as they end.
#[derive(Debug)]
pub struct Ended(Counter<u64>);

impl Ended {
    /// A counter on `meter`.
    #[must_use]
    pub fn new(meter: &Meter) -> Self {
        let counter = meter.u64_counter("frontdesk.calls.ended").with_unit("{call}");
        let ended = counter.with_description("Calls that ended, by what had come of them by then").build();
        for outcome in Outcome::ALL {
            ended.add(0, &[KeyValue::new("outcome", outcome.name())]);
        }
        Self(ended)
    }

    /// Counts a change that ended a call. What is learned later does not count again:
    /// a counter only grows.
    pub fn count(&self, before: &Call, after: &Call) {
        if let (CallState::Live, CallState::Ended { outcome, .. }) = (before.state(), after.state()) {
            self.0.add(1, &[KeyValue::new("outcome", outcome.name())]);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use opentelemetry::metrics::MeterProvider;
    use opentelemetry_sdk::metrics::{
        InMemoryMetricExporter, SdkMeterProvider,
        data::{AggregatedMetrics, MetricData},
    };
    use uuid::Uuid;

    use super::*;
    use crate::domain::{
        CallId,
        facts::{End, Facts},
    };

    fn counted(exporter: &InMemoryMetricExporter) -> Vec<(String, u64)> {
        let finished = exporter.get_finished_metrics().unwrap();
        let latest = finished.last().unwrap();
        let metrics = latest.scope_metrics().flat_map(|scope| scope.metrics());
        let metric = metrics.into_iter().find(|metric| metric.name() == "frontdesk.calls.ended").unwrap();
        let AggregatedMetrics::U64(MetricData::Sum(sum)) = metric.data() else { panic!("not a counter") };
        let outcome = |attributes: Vec<&KeyValue>| attributes[0].value.to_string();
        let points = sum.data_points().map(|point| (outcome(point.attributes().collect()), point.value()));
        let mut points: Vec<_> = points.collect();
        points.sort();
        points
    }

    #[test]
    fn a_call_counts_once_when_it_ends_and_not_again_when_more_is_learned() {
        let exporter = InMemoryMetricExporter::default();
        let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
        let ended = Ended::new(&provider.meter("test"));
        let facts = Facts::seen_at(Timestamp::UNIX_EPOCH);
        let over = Facts {
            ended: Some(End { seen: Timestamp::UNIX_EPOCH, reported: None }),
            disconnection: Some("call_transfer".to_owned()),
            ..facts.clone()
        };
        let live = Call { facts, ..Call::seen_at(CallId(Uuid::nil()), Timestamp::UNIX_EPOCH) };
        let transferred = live.clone().learn(over);
        let booked = Call { claim: Some(Outcome::Booked), ..transferred.clone() };
        ended.count(&live, &live);
        ended.count(&live, &transferred);
        ended.count(&transferred, &booked);
        provider.force_flush().unwrap();
        let mut expected = Outcome::ALL.map(|o| (o.name().to_owned(), u64::from(o == Outcome::Transferred)));
        expected.sort();
        assert_eq!(counted(&exporter), expected);
    }
}
