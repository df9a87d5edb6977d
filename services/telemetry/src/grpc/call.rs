//! Calls, as people read them.

use caller::BusinessScope;
use jiff::Timestamp;
use proto::{
    frontdesk::telemetry::v1::{
        Call as WireCall, CallOutcome, CallServiceHandler, CallState as WireState, GetCallRequest,
        GetCallResponse, ListCallsRequest, ListCallsResponse, Speaker as WireSpeaker,
        ToolCall as WireToolCall, Turn as WireTurn,
    },
    page::page,
    parse,
    time::to_proto,
};
use tonic::{Status, async_trait};

use crate::{
    domain::{
        CallId,
        call::{CallState, Listed},
        excerpt::excerpt,
        outcome::Outcome,
        phone::Phone,
        tool_call::{Progress, ToolCall},
        transcript::{Speaker, Turn},
    },
    store::{After, Store},
};

/// Bytes of arguments and results in the answer about one call.
const SHOWN_OF_RUNS: usize = 1 << 20;

/// Serves `CallService`.
#[derive(Debug)]
pub struct Calls {
    store: Store,
}

impl Calls {
    /// The calls in `store`.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl CallServiceHandler for Calls {
    async fn list_calls(
        &self,
        scope: BusinessScope,
        request: ListCallsRequest,
    ) -> Result<ListCallsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.map(|(started_at, id)| After { started_at, id: CallId(id) });
        let tx = self.store.begin(&scope);
        let rows = tx.calls(after, page.limit()).await?;
        tx.release();
        let (calls, next_page_token) = page.answer(rows, |call| (call.started_at, call.id.0), call);
        Ok(ListCallsResponse { calls, next_page_token })
    }

    async fn get_call(
        &self,
        scope: BusinessScope,
        request: GetCallRequest,
    ) -> Result<GetCallResponse, Status> {
        let id: CallId = parse::id("call_id", &request.call_id)?;
        let tx = self.store.begin(&scope);
        let listed = tx.listed(id).await?;
        let transcript = tx.transcript(id).await?;
        let tool_calls = tx.tool_calls(id).await?;
        tx.release();
        let started = listed.started_at;
        let most = shown(tool_calls.len());
        Ok(GetCallResponse {
            turns: transcript.turns().iter().map(turn).collect(),
            tool_calls: tool_calls.into_iter().map(|run| tool_call(run, started, most)).collect(),
            call: Some(call(listed)),
        })
    }
}

fn call(call: Listed) -> WireCall {
    let (state, outcome, ended_at) = match call.state {
        CallState::Live => (WireState::Live, CallOutcome::Unspecified, None),
        CallState::Ended { at, outcome } => (WireState::Ended, of(outcome), Some(to_proto(at))),
    };
    let number = |phone: Option<Phone>| phone.map(|phone| phone.as_str().to_owned()).unwrap_or_default();
    let (customer_id, customer_name) =
        call.customer.map(|(id, name)| (id.to_string(), name)).unwrap_or_default();
    WireCall {
        id: call.id.to_string(),
        state: state.into(),
        outcome: outcome.into(),
        from_number: number(call.from),
        to_number: number(call.to),
        started_at: Some(to_proto(call.started_at)),
        ended_at,
        customer_id,
        customer_name,
        appointment_ids: call.appointments.iter().map(ToString::to_string).collect(),
        summary: call.summary.unwrap_or_default(),
        agent_version: call.agent_version,
        platform: call.platform.unwrap_or_default(),
    }
}

fn of(outcome: Outcome) -> CallOutcome {
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
    WireTurn { speaker: speaker.into(), text: turn.text.clone(), offset_ms: turn.offset_ms.unwrap_or(-1) }
}

/// Bytes shown of each of so many runs' arguments and of its result: all of them together stay far
/// below the largest message between services.
fn shown(runs: usize) -> usize {
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
    }
}
