//! Calls, as people read them.

use caller::{BusinessScope, InstallationScope, Role};
use contacts::Contacts;
use jiff::SignedDuration;
use proto::{
    contact::ContactReach,
    error::invalid,
    frontdesk::telemetry::v1::{
        CallFilter, CallServiceHandler, CreateCallNoteRequest, CreateCallNoteResponse, DeleteCallNoteRequest,
        DeleteCallNoteResponse, ExportCallsRequest, ExportCallsResponse, GetCallRequest, GetCallResponse,
        GetNoticesRequest, GetNoticesResponse, GetTakeOverRequest, GetTakeOverResponse,
        ListCallHealthRequest, ListCallHealthResponse, ListCallsRequest, ListCallsResponse,
        RestoreCallNoteRequest, RestoreCallNoteResponse, TakeOverCallRequest, TakeOverCallResponse,
        call_service_methods::{CREATE_CALL_NOTE, DELETE_CALL_NOTE, RESTORE_CALL_NOTE},
    },
    page::{page, page_of, page_token},
    parse, time,
};
use tonic::{Status, async_trait};

use super::{call_export, call_filter, call_health, call_note, notice, shown_call, take_over};
use crate::{
    app::{
        CreateCallNote, DeleteCallNote, FindCalls, export_calls, find_reach, find_take_over,
        restore_call_note, take_over_call,
    },
    domain::{CallId, call::ShownCall},
    neighbours::Neighbours,
    store::{After, Store, Wanted},
};

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
        let find = FindCalls { store: &self.store, contacts: &self.contacts, scope: &scope };
        let rows = find.run(&wanted, after, page.limit()).await?;
        let now = self.store.now();
        let place = |shown: &ShownCall| (shown.call.started_at, shown.call.id.0);
        let (calls, next_page_token) = page.answer(rows, place, |shown| shown_call::call(shown, now));
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
        let reach = find_reach(&self.contacts, &scope, core::slice::from_ref(&listed)).await?;
        let shown = listed.shown(&reach);
        Ok(GetCallResponse {
            turns: shown_call::turns(transcript.turns(), shown.has_contact),
            tool_calls: shown_call::tool_calls(tool_calls, shown.call.started_at, shown.has_contact),
            call: Some(shown_call::call(shown, self.store.now())),
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
        let tx = self.store.begin(&scope);
        let before = tx.listed(id).await?;
        tx.release();
        // Before the telephone rings, so that an answer can be given afterwards.
        let reach = find_reach(&self.contacts, &scope, core::slice::from_ref(&before)).await?;
        let taken = take_over_call(&self.store, &self.neighbours, &scope, id).await?;
        let (listed, phone) = taken.map_err(take_over::refused)?;
        let call = shown_call::call(listed.shown(&reach), self.store.now());
        Ok(TakeOverCallResponse { call: Some(call), phone })
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
        Ok(ListCallHealthResponse { calls: calls.iter().map(call_health::wire).collect() })
    }
}
