//! Calls, as people read them.

use caller::{BusinessScope, InstallationScope, Role};
use contacts::Contacts;
use jiff::{SignedDuration, Timestamp};
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::telemetry::v1::{
        Call as WireCall, CallFilter, CallHealth as WireHealth, CallOutcome, CallServiceHandler,
        CallState as WireState, CreateCallNoteRequest, CreateCallNoteResponse, DeleteCallNoteRequest,
        DeleteCallNoteResponse, ExportCallsRequest, ExportCallsResponse, GetCallRequest, GetCallResponse,
        GetNoticesRequest, GetNoticesResponse, GetTakeOverRequest, GetTakeOverResponse,
        ListCallHealthRequest, ListCallHealthResponse, ListCallsRequest, ListCallsResponse,
        RestoreCallNoteRequest, RestoreCallNoteResponse, Speaker as WireSpeaker, TakeOverCallRequest,
        TakeOverCallResponse, ToolCall as WireToolCall, Turn as WireTurn,
        call_service_methods::{CREATE_CALL_NOTE, DELETE_CALL_NOTE, RESTORE_CALL_NOTE},
    },
    page::{page, page_of, page_token},
    parse,
    time::{self, to_proto},
};
use tonic::{Status, async_trait};

use super::{call_export, call_filter, call_note, notice, take_over};
use crate::{
    app::{
        CreateCallNote, DeleteCallNote, export_calls, find_calls, find_take_over, is_contact_shown,
        restore_call_note, take_over_call,
    },
    domain::{
        CallId,
        call::{CallState, Listed},
        excerpt::excerpt,
        outcome::Outcome,
        phone::Phone,
        spoken_contact::without_contacts,
        tool_call::{Progress, ToolCall},
        transcript::{Speaker, Turn},
    },
    neighbours::Neighbours,
    store::{After, CallHealth, Store, Wanted},
};

/// Bytes of arguments and results in the answer about one call.
const SHOWN_OF_RUNS: usize = 1 << 20;
const LONGEST_NOTE: usize = 2_000;
/// Calls on a page of an export.
const EXPORTED: u32 = 1_000;
/// Businesses that an administrator reads about at once.
const MOST_BUSINESSES: usize = 50;
/// How far back that goes; an hour more for the way.
const LONGEST_HEALTH: SignedDuration = SignedDuration::from_hours(31 * 24 + 1);

/// Serves `CallService`.
#[derive(Debug)]
pub struct Calls {
    store: Store,
    contacts: Contacts,
    neighbours: Neighbours,
}

impl Calls {
    /// The calls in `store`, to people as far as `contacts` says; `neighbours` know the business's zone.
    #[must_use]
    pub fn new(store: Store, contacts: Contacts, neighbours: Neighbours) -> Self {
        Self { store, contacts, neighbours }
    }

    /// Which calls are wanted, with the zone where that says it.
    async fn wanted(
        &self,
        scope: &BusinessScope,
        customer_id: &str,
        filter: Option<CallFilter>,
    ) -> Result<Wanted, Status> {
        let customer = parse::optional_id("customer_id", customer_id)?;
        let filter = call_filter::filter(filter)?;
        let zone = if filter.needs_zone() { Some(self.neighbours.zone(scope).await?) } else { None };
        Ok(Wanted { customer, filter, zone })
    }
}

#[async_trait]
impl CallServiceHandler for Calls {
    async fn contact_reach(&self, scope: &BusinessScope) -> Result<ContactReach, Status> {
        self.contacts.reach(scope).await
    }

    async fn list_calls(
        &self,
        scope: BusinessScope,
        request: ListCallsRequest,
    ) -> Result<ListCallsResponse, Status> {
        let page = page(request.page_size, &request.page_token)?;
        let after = page.after.map(|(started_at, id)| After { started_at, id: CallId(id) });
        let wanted = self.wanted(&scope, &request.customer_id, request.filter).await?;
        let reach = self.contacts.reach(&scope).await?;
        let tx = self.store.begin(&scope);
        let rows = find_calls(&tx, &wanted, after, page.limit(), &reach).await?;
        tx.release();
        let now = self.store.now();
        let shown = |listed| limited(listed, &reach, now);
        let (calls, next_page_token) = page.answer(rows, |call| (call.started_at, call.id.0), shown);
        Ok(ListCallsResponse { calls, next_page_token })
    }

    async fn export_calls(
        &self,
        scope: BusinessScope,
        request: ExportCallsRequest,
    ) -> Result<ExportCallsResponse, Status> {
        let page = page_of(0, &request.page_token, EXPORTED, EXPORTED)?;
        let after = page.after.map(|(started_at, id)| After { started_at, id: CallId(id) });
        let wanted = self.wanted(&scope, &request.customer_id, request.filter).await?;
        let zone = match &wanted.zone {
            Some(zone) => zone.clone(),
            None => self.neighbours.zone(&scope).await?,
        };
        let mut rows = export_calls(self.store.begin(&scope), &wanted, after, page.limit()).await?;
        let size = usize::try_from(page.size()).unwrap_or(usize::MAX);
        let is_last = rows.len() <= size;
        rows.truncate(size);
        let last = rows.last().filter(|_| !is_last);
        let now = self.store.now();
        let next_page_token = last.map(|call| page_token(&(call.started_at, call.id.0))).unwrap_or_default();
        let heads = if page.after.is_none() { call_export::heads() } else { String::new() };
        Ok(ExportCallsResponse {
            csv: rows.iter().fold(heads, |csv, call| csv + &call_export::of(call, &zone, now)),
            calls: i32::try_from(rows.len()).unwrap_or(i32::MAX),
            next_page_token,
        })
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
        let notes = tx.call_notes(id).await?;
        tx.release();
        let started = listed.started_at;
        let most = shown(tool_calls.len());
        let mut tool_calls: Vec<_> =
            tool_calls.into_iter().map(|run| tool_call(run, started, most)).collect();
        let mut turns: Vec<_> = transcript.turns().iter().map(turn).collect();
        let reach = self.contacts.reach(&scope).await?;
        // What was said, and what tools were asked and answered, names the number as well.
        if !is_contact_shown(&listed, &reach) {
            for turn in &mut turns {
                turn.text = without_contacts(&turn.text);
            }
            for run in &mut tool_calls {
                run.data_hidden = run.ok || !run.result.is_empty();
                run.arguments.clear();
                run.result.clear();
            }
        }
        Ok(GetCallResponse {
            turns,
            tool_calls,
            call: Some(limited(listed, &reach, self.store.now())),
            notes: notes.iter().map(call_note::wire).collect(),
        })
    }

    async fn create_call_note(
        &self,
        scope: BusinessScope,
        request: CreateCallNoteRequest,
    ) -> Result<CreateCallNoteResponse, Status> {
        let call = parse::id("call_id", &request.call_id)?;
        let text = parse::text("text", &request.text, LONGEST_NOTE)?;
        self.store
            .idempotent(&scope, &CREATE_CALL_NOTE, &request, async |tx| {
                let note = CreateCallNote { call, text }.run(tx).await?;
                Ok(CreateCallNoteResponse { note: Some(call_note::wire(&note)) })
            })
            .await
    }

    async fn delete_call_note(
        &self,
        scope: BusinessScope,
        request: DeleteCallNoteRequest,
    ) -> Result<DeleteCallNoteResponse, Status> {
        let key = call_note::key(&request.call_id, &request.note_id)?;
        let of_others = scope.role() >= Role::Manager;
        self.store
            .idempotent(&scope, &DELETE_CALL_NOTE, &request, async |tx| {
                DeleteCallNote { key, of_others }.run(tx).await?;
                Ok(DeleteCallNoteResponse {})
            })
            .await
    }

    async fn restore_call_note(
        &self,
        scope: BusinessScope,
        request: RestoreCallNoteRequest,
    ) -> Result<RestoreCallNoteResponse, Status> {
        let key = call_note::key(&request.call_id, &request.note_id)?;
        self.store
            .idempotent(&scope, &RESTORE_CALL_NOTE, &request, async |tx| {
                let note = restore_call_note(tx, key).await?;
                Ok(RestoreCallNoteResponse { note: Some(call_note::wire(&note)) })
            })
            .await
    }

    async fn get_take_over(
        &self,
        scope: BusinessScope,
        request: GetTakeOverRequest,
    ) -> Result<GetTakeOverResponse, Status> {
        let call = parse::id("call_id", &request.call_id)?;
        let found = find_take_over(&self.store, &self.neighbours, &scope, call).await?;
        Ok(take_over::answer(found))
    }

    async fn take_over_call(
        &self,
        scope: BusinessScope,
        request: TakeOverCallRequest,
    ) -> Result<TakeOverCallResponse, Status> {
        let id = parse::id("call_id", &request.call_id)?;
        let reach = self.contacts.reach(&scope).await?;
        let taken = take_over_call(&self.store, &self.neighbours, &scope, id).await?;
        let (listed, phone) = taken.map_err(take_over::refused)?;
        Ok(TakeOverCallResponse { call: Some(limited(listed, &reach, self.store.now())), phone })
    }

    async fn get_notices(
        &self,
        scope: BusinessScope,
        request: GetNoticesRequest,
    ) -> Result<GetNoticesResponse, Status> {
        let connection = parse::id("voice_connection_id", &request.voice_connection_id)?;
        let tx = self.store.begin(&scope);
        let notices = tx.notices(connection).await?;
        tx.release();
        Ok(notice::answer(notices))
    }

    async fn list_call_health(
        &self,
        scope: InstallationScope,
        request: ListCallHealthRequest,
    ) -> Result<ListCallHealthResponse, Status> {
        let ids = parse::some_ids("business_ids", &request.business_ids, MOST_BUSINESSES)?;
        let since = time::required("since", request.since.as_ref())?;
        if self.store.now().duration_since(since) > LONGEST_HEALTH {
            return Err(invalid("since", "must be at most 31 days ago"));
        }
        let tx = self.store.begin_installation(&scope);
        let calls = tx.call_health(&ids, since).await?;
        tx.commit().await?;
        Ok(ListCallHealthResponse { calls: calls.iter().map(health).collect() })
    }
}

fn health(health: &CallHealth) -> WireHealth {
    let count = |calls: i64| i32::try_from(calls).unwrap_or(i32::MAX);
    WireHealth {
        business_id: health.business.to_string(),
        call_count: count(health.calls),
        booked_count: count(health.booked),
        abandoned_count: count(health.abandoned),
        failed_tool_call_count: count(health.failed_tool_calls),
        last_call_at: health.last_call_at.map(to_proto),
    }
}

fn call(call: Listed, now: Timestamp) -> WireCall {
    let (state, outcome, ended_at) = match call.state {
        CallState::Live if call.is_unheard(now) => (WireState::Unheard, CallOutcome::Unspecified, None),
        CallState::Live => (WireState::Live, CallOutcome::Unspecified, None),
        CallState::Ended { at, outcome } => (WireState::Ended, of(outcome), Some(to_proto(at))),
    };
    let number = |phone: Option<Phone>| phone.map(|phone| phone.as_str().to_owned()).unwrap_or_default();
    let (taken_over_by, taken_over_at) = call.taken_over.map(|taken| (taken.by, to_proto(taken.at))).unzip();
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

pub(super) fn of(outcome: Outcome) -> CallOutcome {
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

/// A call that names nothing that is beyond `reach`. Of customers, its number is seen to by the contract as well.
fn limited(listed: Listed, reach: &ContactReach, now: Timestamp) -> WireCall {
    let is_shown = is_contact_shown(&listed, reach);
    let call = call(listed, now);
    if is_shown {
        return call;
    }
    WireCall {
        contact_hidden: !call.from_number.is_empty(),
        from_number: String::new(),
        summary: without_contacts(&call.summary),
        ..call
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
        data_hidden: false,
    }
}
