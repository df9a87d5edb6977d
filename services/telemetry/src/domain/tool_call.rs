//! One run of a tool: opened by its first delivery, answered once.

use core::time::Duration;

use jiff::{SignedDuration, Timestamp};
use proto::error::Reason;
use serde_json::Value;

use super::{AppointmentId, CallId, CustomerId, ToolCallId, outcome::Outcome};

/// A run that gave no answer for this long is taken for dead: the platform gave up on
/// it, and every step it may have made is idempotent.
pub const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// The tool that leaves the salon a message.
const TAKE_MESSAGE: &str = "take_message";

/// One run of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Its id.
    pub id: ToolCallId,
    /// The call it belongs to.
    pub call: CallId,
    /// The tool's name.
    pub name: String,
    /// JSON, as the platform sent it.
    pub arguments: String,
    /// When its first delivery came in.
    pub started: Timestamp,
    /// How far it is.
    pub progress: Progress,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// An attempt is running.
    Running {
        /// When the latest attempt began.
        since: Timestamp,
    },
    /// It was answered.
    Answered(Answer),
}

/// How a run was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// JSON, as it was sent.
    pub result: String,
    /// Whether the tool did what it was asked.
    pub ok: bool,
    /// From receiving the request to answering it.
    pub latency_ms: i32,
}

/// Whether a fault of ours was the last that a caller heard of a tool, and no message was left; `runs` are all of a
/// call, in any order.
#[must_use]
pub fn end_on_fault(runs: &[ToolCall]) -> bool {
    let answered = runs.iter().filter_map(|run| match &run.progress {
        Progress::Answered(answer) => Some((run, answer)),
        Progress::Running { .. } => None,
    });
    let took_message = |(run, answer): (&ToolCall, &Answer)| run.name == TAKE_MESSAGE && answer.ok;
    let last = answered.clone().max_by_key(|(run, _)| (run.started, run.id));
    last.is_some_and(|(_, answer)| answer.is_fault()) && !answered.clone().any(took_message)
}

/// What some runs asked the caller to confirm instead of doing it, as they were answered.
#[must_use]
pub fn questions(runs: Vec<ToolCall>) -> Vec<String> {
    let answers = runs.into_iter().filter_map(|run| match run.progress {
        Progress::Answered(answer) => Some(answer),
        Progress::Running { .. } => None,
    });
    answers.filter(Answer::asks_to_confirm).map(|answer| answer.result).collect()
}

/// What an answered run found or did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect {
    /// The customer it recognised.
    pub customer: Option<(CustomerId, String)>,
    /// The appointment it booked, moved or cancelled.
    pub appointment: Option<AppointmentId>,
    /// What that makes of the call.
    pub outcome: Option<Outcome>,
}

impl Answer {
    /// Whether our own system failed. To ask the caller again, or to find a time taken, is no fault.
    #[must_use]
    pub fn is_fault(&self) -> bool {
        let told: Value = serde_json::from_str(&self.result).unwrap_or_default();
        !self.ok && told["reason"].as_str().is_some_and(is_fault)
    }

    /// Whether nothing was done yet, and the caller is to confirm it first.
    fn asks_to_confirm(&self) -> bool {
        let told: Value = serde_json::from_str(&self.result).unwrap_or_default();
        self.ok && told["needs_confirmation"] == Value::Bool(true)
    }
}

/// Whether a refusal for `reason`, as the contract names it, is a fault of ours.
#[must_use]
pub fn is_fault(reason: &str) -> bool {
    Reason::named(reason).is_some_and(Reason::is_fault)
}

/// What to do about a repeated delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repeat<'a> {
    /// Give the first answer again.
    Answer(&'a str),
    /// The first attempt is still at it.
    Wait(Duration),
    /// The first attempt is dead: run it now.
    TakeOver,
}

impl Progress {
    /// What to do about another delivery of the same tool call.
    #[must_use]
    pub fn on_repeat(&self, now: Timestamp) -> Repeat<'_> {
        match self {
            Self::Answered(answer) => Repeat::Answer(&answer.result),
            Self::Running { since } => {
                let left = LEASE - now.duration_since(*since);
                Duration::try_from(left)
                    .ok()
                    .filter(|left| !left.is_zero())
                    .map_or(Repeat::TakeOver, Repeat::Wait)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn run(second: i64, name: &str, reason: &str) -> ToolCall {
        let ok = reason.is_empty();
        let result =
            if ok { r#"{"ok":true}"#.to_owned() } else { format!(r#"{{"ok":false,"reason":"{reason}"}}"#) };
        ToolCall {
            id: ToolCallId(Uuid::from_u128(second.unsigned_abs().into())),
            call: CallId(Uuid::nil()),
            name: name.to_owned(),
            arguments: "{}".to_owned(),
            started: at(second),
            progress: Progress::Answered(Answer { result, ok, latency_ms: 5 }),
        }
    }

    #[test]
    fn a_call_ends_on_a_fault_unless_a_later_tool_answered_or_a_message_was_left() {
        let (fault, asked) =
            (run(2, "search_availability", "UNAVAILABLE"), run(1, "find_customer", "INVALID_FIELD"));
        assert!(end_on_fault(&[fault.clone(), asked.clone()]));
        assert!(!end_on_fault(&[]));
        assert!(!end_on_fault(std::slice::from_ref(&asked)), "a question is no fault");
        assert!(!end_on_fault(&[fault.clone(), run(3, "search_availability", "")]), "it worked in the end");
        assert!(!end_on_fault(&[run(1, "take_message", ""), fault.clone()]), "the team knows of the caller");
        let running = ToolCall { progress: Progress::Running { since: at(3) }, ..run(3, "hold_slot", "") };
        assert!(end_on_fault(&[fault, running, run(4, "take_message", "BUSY")]));
    }

    #[test]
    fn a_question_is_an_answer_that_has_the_caller_confirm_first() {
        let asking = |second: i64, ok: bool, result: &str| ToolCall {
            progress: Progress::Answered(Answer { result: result.to_owned(), ok, latency_ms: 5 }),
            ..run(second, "cancel_appointment", "")
        };
        let question = r#"{"ok":true,"needs_confirmation":true,"appointment_id":"a1"}"#;
        let running =
            ToolCall { progress: Progress::Running { since: at(4) }, ..run(4, "cancel_appointment", "") };
        let runs = vec![
            running,
            asking(3, true, r#"{"ok":true,"say":"I've cancelled it."}"#),
            asking(2, true, question),
            asking(1, false, question),
            asking(0, true, r#"{"needs_confirmation":"true"}"#),
            asking(0, true, "{}"),
        ];
        assert_eq!(questions(runs), [question]);
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_780_000_000 + second).unwrap()
    }

    #[test]
    fn a_running_tool_call_is_left_alone_for_thirty_seconds_and_then_taken_over() {
        let running = Progress::Running { since: at(0) };
        assert_eq!(running.on_repeat(at(0)), Repeat::Wait(Duration::from_secs(30)));
        assert_eq!(running.on_repeat(at(29)), Repeat::Wait(Duration::from_secs(1)));
        assert_eq!(running.on_repeat(at(30)), Repeat::TakeOver);
        assert_eq!(running.on_repeat(at(3000)), Repeat::TakeOver);
    }

    #[test]
    fn an_answered_tool_call_gives_its_answer_again_however_late() {
        let answer = Answer { result: "{}".to_owned(), ok: true, latency_ms: 5 };
        assert_eq!(Progress::Answered(answer).on_repeat(at(3000)), Repeat::Answer("{}"));
    }
}
