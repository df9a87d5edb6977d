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

/// What is due about a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// It is copied from its platform.
    Copy,
    /// It was kept long enough, or its person was erased.
    Delete,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Done,
    /// It is tried again.
    Failed,
    /// It is not tried again.
    GivenUp,
}

/// Counts what was done about recordings.
#[derive(Debug, Clone)]
pub struct RecordingTasks(Counter<u64>);

impl RecordingTasks {
    /// A counter on `meter`.
    #[must_use]
    pub fn new(meter: &Meter) -> Self {
        let counter = meter.u64_counter("frontdesk.recordings.tasks").with_unit("{task}");
        let tasks = Self(
            counter.with_description("Copies and deletions of recordings, by what came of them").build(),
        );
        for (work, ending) in [
            (Work::Copy, Ending::Done),
            (Work::Copy, Ending::Failed),
            (Work::Copy, Ending::GivenUp),
            (Work::Delete, Ending::Done),
            (Work::Delete, Ending::Failed),
        ] {
            tasks.add(0, work, ending);
        }
        tasks
    }

    /// Counts one.
    pub fn count(&self, work: Work, ending: Ending) {
        self.add(1, work, ending);
    }

    fn add(&self, times: u64, work: Work, ending: Ending) {
        let task = match work {
            Work::Copy => "copy",
            Work::Delete => "delete",
        };
        let outcome = match ending {
            Ending::Done => "done",
            Ending::Failed => "failed",
            Ending::GivenUp => "given_up",
        };
        self.0.add(times, &[KeyValue::new("task", task), KeyValue::new("outcome", outcome)]);
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

    /// Points of a counter by the values of their attributes.
    fn counted(exporter: &InMemoryMetricExporter, name: &str) -> Vec<(String, u64)> {
        let finished = exporter.get_finished_metrics().unwrap();
        let latest = finished.last().unwrap();
        let metrics = latest.scope_metrics().flat_map(|scope| scope.metrics());
        let metric = metrics.into_iter().find(|metric| metric.name() == name).unwrap();
        let AggregatedMetrics::U64(MetricData::Sum(sum)) = metric.data() else { panic!("not a counter") };
        let values = |attributes: Vec<&KeyValue>| {
            let mut values: Vec<_> = attributes.iter().map(|pair| pair.value.to_string()).collect();
            values.sort();
            values.join(" ")
        };
        let points = sum.data_points().map(|point| (values(point.attributes().collect()), point.value()));
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
        assert_eq!(counted(&exporter, "frontdesk.calls.ended"), expected);
    }

    #[test]
    fn what_is_done_about_recordings_counts_from_zero_by_what_came_of_it() {
        let exporter = InMemoryMetricExporter::default();
        let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
        let tasks = RecordingTasks::new(&provider.meter("test"));
        tasks.count(Work::Copy, Ending::GivenUp);
        tasks.count(Work::Delete, Ending::Failed);
        tasks.count(Work::Delete, Ending::Failed);
        provider.force_flush().unwrap();
        let expected = [
            ("copy done", 0),
            ("copy failed", 0),
            ("copy given_up", 1),
            ("delete done", 0),
            ("delete failed", 2),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(named, times)| (named.to_owned(), times)).collect();
        assert_eq!(counted(&exporter, "frontdesk.recordings.tasks"), expected);
    }
}
