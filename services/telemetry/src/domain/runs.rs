//! What the answered runs of a call add up to. It is the same in whichever order they were answered.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    ServiceId, ToolCallId,
    finding::Finding,
    latency,
    missed::Missed,
    tool_call::{Progress, ToolCall},
};

/// Services kept of a call. Of more, the first by id: which those are depends on no order.
const MOST_SERVICES: usize = 32;

/// What answered runs add up to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// The services that tools were asked about.
    pub services: BTreeSet<ServiceId>,
    /// What the latest tool on the way to a booking came to.
    pub latest: Option<Latest>,
    /// Those that failed by a fault of ours.
    pub failed: i32,
    /// How long they took.
    pub latencies: BTreeMap<u8, i64>,
}

/// What a run on the way to a booking came to. The latest is the one that started last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Latest {
    /// When it started.
    pub at: Timestamp,
    /// Which run.
    pub run: ToolCallId,
    /// What it came to.
    pub came_to: Missed,
}

impl Runs {
    /// What these runs add up to.
    #[must_use]
    pub fn of(runs: &[ToolCall]) -> Self {
        runs.iter().fold(Self::default(), Self::with)
    }

    /// With a run that was answered; one that is not answered changes nothing.
    #[must_use]
    pub fn with(mut self, run: &ToolCall) -> Self {
        let Progress::Answered(answer) = &run.progress else { return self };
        let Finding { services, came_to } = Finding::of(&run.name, &run.arguments, answer);
        self.services.extend(services);
        while self.services.len() > MOST_SERVICES {
            self.services.pop_last();
        }
        let latest = came_to.map(|came_to| Latest { at: run.started, run: run.id, came_to });
        self.latest = self.latest.max(latest);
        self.failed += i32::from(answer.is_fault());
        *self.latencies.entry(latency::step(answer.latency_ms)).or_default() += 1;
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::domain::{CallId, tool_call::Answer};

    fn run() -> impl Strategy<Value = ToolCall> {
        let tool = prop::sample::select(vec!["search_availability", "list_services", "find_customer"]);
        (tool, 0_u128..9, 0_i64..5, any::<bool>(), 0_i32..900, 0_u128..60).prop_map(
            |(tool, id, at, ok, latency_ms, service)| {
                let service = Uuid::from_u128(service);
                let result = format!(r#"{{"offers":[{{"services":[{{"service_id":"{service}"}}]}}]}}"#);
                ToolCall {
                    id: ToolCallId(Uuid::from_u128(id)),
                    call: CallId(Uuid::nil()),
                    name: tool.to_owned(),
                    arguments: r#"{"service":"cut"}"#.to_owned(),
                    started: Timestamp::from_second(1_780_000_000 + at).unwrap(),
                    progress: Progress::Answered(Answer { result, ok, latency_ms }),
                }
            },
        )
    }

    proptest! {
        #[test]
        fn the_order_of_answers_changes_nothing(runs in prop::collection::vec(run(), 0..50).prop_shuffle()) {
            let mut sorted = runs.clone();
            sorted.sort_by_key(|run| (run.started, run.id, run.name.clone()));
            // Runs have ids of their own; what these share, the sample draws.
            sorted.dedup_by_key(|run| (run.started, run.id));
            let mut shuffled = sorted.clone();
            shuffled.reverse();
            prop_assert_eq!(Runs::of(&sorted), Runs::of(&shuffled));
            prop_assert!(Runs::of(&sorted).services.len() <= MOST_SERVICES);
        }
    }

    #[test]
    fn a_question_to_the_caller_is_no_failure() {
        let run = |id: u128, result: &str| ToolCall {
            id: ToolCallId(Uuid::from_u128(id)),
            call: CallId(Uuid::nil()),
            name: "find_customer".to_owned(),
            arguments: "{}".to_owned(),
            started: Timestamp::from_second(1_780_000_000).unwrap(),
            progress: Progress::Answered(Answer { result: result.to_owned(), ok: false, latency_ms: 5 }),
        };
        let asked =
            [run(1, r#"{"reason":"INVALID_FIELD"}"#), run(2, r#"{"reason":"NOT_FOUND"}"#), run(3, "{}")];
        assert_eq!(Runs::of(&asked).failed, 0);
        let failed = [run(4, r#"{"reason":"UNAVAILABLE"}"#), run(5, r#"{"reason":"BUSY"}"#)];
        assert_eq!(Runs::of(&[asked.as_slice(), &failed].concat()).failed, 2);
    }

    #[test]
    fn what_is_kept_reads_back_as_it_was() {
        let answer = Answer { result: r#"{"offers":[]}"#.to_owned(), ok: true, latency_ms: 84 };
        let search = ToolCall {
            id: ToolCallId(Uuid::from_u128(7)),
            call: CallId(Uuid::nil()),
            name: "search_availability".to_owned(),
            arguments: r#"{"service":"01900000-0000-7000-8000-00000000c001"}"#.to_owned(),
            started: Timestamp::from_second(1_780_000_000).unwrap(),
            progress: Progress::Answered(answer),
        };
        let runs = Runs::of(&[search]);
        assert_eq!(runs.latest.unwrap().came_to, Missed::NoFreeTime);
        assert_eq!(serde_json::from_value::<Runs>(serde_json::to_value(&runs).unwrap()).unwrap(), runs);
    }
}
