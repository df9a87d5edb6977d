//! Calls, what was said in them and what their tools did, as a person is shown them.

use jiff::Timestamp;
use proto::{
    frontdesk::telemetry::v1::{
        Call as WireCall, CallOutcome, CallState as WireState, Speaker as WireSpeaker,
        ToolCall as WireToolCall, Turn as WireTurn,
    },
    time::to_proto,
};

use super::call_filter;
use crate::domain::{
    call::{CallState, Listed, ShownCall},
    excerpt::excerpt,
    outcome::Outcome,
    phone::Phone,
    spoken_contact::without_contacts,
    tool_call::{Progress, ToolCall},
    transcript::{Speaker, Turn},
};

/// Bytes of arguments and results in the answer about one call.
const SHOWN_OF_RUNS: usize = 1 << 20;

/// A call, without the caller's number where that is hidden.
pub(super) fn call(shown: ShownCall, now: Timestamp) -> WireCall {
    let call = wire(shown.call, now);
    if shown.has_contact {
        return call;
    }
    WireCall {
        contact_hidden: !call.from_number.is_empty(),
        from_number: String::new(),
        summary: without_contacts(&call.summary),
        ..call
    }
}

/// What was said; without telephone numbers and addresses where the caller's is hidden.
pub(super) fn turns(turns: &[Turn], has_contact: bool) -> Vec<WireTurn> {
    let said = turns.iter().map(turn);
    if has_contact {
        return said.collect();
    }
    said.map(|turn| WireTurn { text: without_contacts(&turn.text), ..turn }).collect()
}

/// What the tools did; without what they were asked and answered where the caller's number is hidden: both name it.
pub(super) fn tool_calls(
    runs: Vec<ToolCall>,
    call_started: Timestamp,
    has_contact: bool,
) -> Vec<WireToolCall> {
    let most = longest(runs.len());
    let runs = runs.into_iter().map(|run| tool_call(run, call_started, most));
    if has_contact {
        return runs.collect();
    }
    let hide = |run: WireToolCall| WireToolCall {
        data_hidden: run.ok || !run.result.is_empty(),
        arguments: String::new(),
        result: String::new(),
        ..run
    };
    runs.map(hide).collect()
}

fn wire(call: Listed, now: Timestamp) -> WireCall {
    let (state, came_to, ended_at) = match call.state {
        CallState::Live if call.is_unheard(now) => (WireState::Unheard, CallOutcome::Unspecified, None),
        CallState::Live => (WireState::Live, CallOutcome::Unspecified, None),
        CallState::Ended { at, outcome } => (WireState::Ended, self::outcome(outcome), Some(to_proto(at))),
    };
    let number = |phone: Option<Phone>| phone.map(|phone| phone.as_str().to_owned()).unwrap_or_default();
    let (taken_over_by, taken_over_at) = call.taken_over.map(|taken| (taken.by, to_proto(taken.at))).unzip();
    let (customer_id, customer_name) =
        call.customer.map(|(id, name)| (id.to_string(), name)).unwrap_or_default();
    WireCall {
        id: call.id.to_string(),
        state: state.into(),
        outcome: came_to.into(),
        from_number: number(call.from),
        to_number: number(call.to),
        started_at: Some(to_proto(call.started_at)),
        ended_at,
        customer_id,
        customer_name,
        appointment_ids: call.appointments.iter().map(ToString::to_string).collect(),
        team_appointment_ids: call.team_appointments.iter().map(ToString::to_string).collect(),
        booked_by_team: call.booked_by_team,
        summary: call.summary.unwrap_or_default(),
        agent_version: call.agent_version,
        platform: call.platform.unwrap_or_default(),
        contact_hidden: false,
        missed_reason: call.missed.map(call_filter::wire).unwrap_or_default().into(),
        failed_tool_count: call.failed_runs,
        transferred_to: number(call.transferred),
        taken_over_by: taken_over_by.unwrap_or_default(),
        taken_over_at,
        last_heard_at: call.last_heard.map(to_proto),
    }
}

/// An outcome.
pub(super) fn outcome(outcome: Outcome) -> CallOutcome {
    match outcome {
        Outcome::Abandoned => CallOutcome::Abandoned,
        Outcome::Answered => CallOutcome::Answered,
        Outcome::Message => CallOutcome::Message,
        Outcome::Transferred => CallOutcome::Transferred,
        Outcome::Cancelled => CallOutcome::Cancelled,
        Outcome::Moved => CallOutcome::Moved,
        Outcome::Booked => CallOutcome::Booked,
    }
}

fn turn(turn: &Turn) -> WireTurn {
    let speaker = match turn.speaker {
        Speaker::Agent => WireSpeaker::Agent,
        Speaker::Caller => WireSpeaker::Caller,
    };
    WireTurn {
        speaker: speaker.into(),
        text: turn.text.clone(),
        offset_ms: turn.offset_ms.unwrap_or(-1),
        latency_ms: turn.latency_ms,
        interrupted: turn.interrupted,
    }
}

/// Bytes shown of each of so many runs' arguments and of its result: all of them together stay far
/// below the largest message between services.
fn longest(runs: usize) -> usize {
    (SHOWN_OF_RUNS / 2 / runs.max(1)).clamp(64, 8 << 10)
}

fn tool_call(run: ToolCall, call_started: Timestamp, most: usize) -> WireToolCall {
    let offset = run.started.as_millisecond() - call_started.as_millisecond();
    let (result, ok, latency_ms) = match run.progress {
        Progress::Running { .. } => (String::new(), false, 0),
        Progress::Answered(answer) => (answer.result, answer.ok, answer.latency_ms),
    };
    WireToolCall {
        id: run.id.to_string(),
        name: run.name,
        arguments: excerpt(run.arguments, most),
        result: excerpt(result, most),
        ok,
        latency_ms,
        started_at: Some(to_proto(run.started)),
        offset_ms: i32::try_from(offset.max(0)).unwrap_or(i32::MAX),
        data_hidden: false,
    }
}
