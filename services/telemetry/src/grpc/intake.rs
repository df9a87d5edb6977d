//! `IntakeService`: what voice doors deliver.

use core::time::Duration;

use caller::BusinessScope;
use proto::{
    error::{Reason, invalid, refuse, retry_later},
    frontdesk::telemetry::internal::v1::{
        AddRecordingPieceRequest, AddRecordingPieceResponse, BeginToolCallRequest, BeginToolCallResponse,
        EndedCall as WireEndedCall, FinishToolCallRequest, FinishToolCallResponse, IntakeServiceHandler,
        ListUntoldCallsRequest, ListUntoldCallsResponse, RecordCallEventRequest, RecordCallEventResponse,
        RecordNoticeRequest, RecordNoticeResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::{delivery, tool_call};
use crate::{
    SERVICE,
    app::{BeginToolCall, EndedCall, FinishToolCall, ListUntoldCalls, RecordCallEvent},
    measure::Ended,
    store::Store,
};

/// Calls that are asked about at once.
const MOST_CALLS: usize = 100;
const MOST_KEYS: usize = 10;
/// Of a recording: 48 MiB are 64 as base64, which is as much as a delivery holds.
const MOST_PIECES: i32 = 64;
/// Bytes of one.
const MOST_PIECE: usize = 1 << 20;
/// Bytes of a business's recordings that wait for the object store: a day of calls, and little of a disk.
const MOST_WAITING: i64 = 1 << 30;
/// As long as many recordings take to be copied.
const WAIT: Duration = Duration::from_secs(60);

/// Serves `IntakeService`.
#[derive(Debug)]
pub struct Intake {
    store: Store,
    ended: Ended,
    keeps_recordings: bool,
}

impl Intake {
    /// An intake into `store`, of an installation that keeps recordings or not.
    #[must_use]
    pub fn new(store: Store, keeps_recordings: bool) -> Self {
        Self { store, ended: Ended::new(&opentelemetry::global::meter(SERVICE)), keeps_recordings }
    }
}

#[async_trait]
impl IntakeServiceHandler for Intake {
    async fn record_call_event(
        &self,
        scope: BusinessScope,
        request: RecordCallEventRequest,
    ) -> Result<RecordCallEventResponse, Status> {
        let delivery = delivery::delivery(&scope, request.delivery)?;
        let recording = delivery::recording(request.facts.as_ref())?.filter(|_| self.keeps_recordings);
        let (identity, told) = delivery::facts(&delivery, request.facts)?;
        let command = RecordCallEvent { delivery, identity, told, recording };
        let recorded = command.run(self.store.begin(&scope), &self.ended).await?;
        Ok(RecordCallEventResponse {
            call_id: recorded.call.to_string(),
            duplicate: recorded.duplicate,
            left_unanswered: recorded.left_unanswered,
        })
    }

    async fn record_notice(
        &self,
        scope: BusinessScope,
        request: RecordNoticeRequest,
    ) -> Result<RecordNoticeResponse, Status> {
        let delivery = delivery::delivery(&scope, request.delivery)?;
        let kind = parse::raw_text("kind", &request.kind, delivery::MAX_NAME)?;
        let tx = self.store.begin(&scope);
        tx.add_notice(delivery, &kind).await?;
        tx.commit().await?;
        Ok(RecordNoticeResponse {})
    }

    async fn begin_tool_call(
        &self,
        scope: BusinessScope,
        request: BeginToolCallRequest,
    ) -> Result<BeginToolCallResponse, Status> {
        let delivery = delivery::delivery(&scope, request.delivery)?;
        let (identity, told) = delivery::facts(&delivery, request.facts)?;
        let name = parse::raw_text("name", &request.name, delivery::MAX_NAME)?;
        let arguments = tool_call::json("arguments", request.arguments)?;
        let confirms = request.confirms;
        let command = BeginToolCall { delivery, identity, told, name, arguments, confirms };
        let begun = command.run(self.store.begin(&scope), &self.ended).await?;
        Ok(BeginToolCallResponse {
            call_id: begun.call.to_string(),
            tool_call_id: begun.id.to_string(),
            result: begun.result.unwrap_or_default(),
            questions: begun.questions,
        })
    }

    async fn add_recording_piece(
        &self,
        scope: BusinessScope,
        request: AddRecordingPieceRequest,
    ) -> Result<AddRecordingPieceResponse, Status> {
        delivery::own_connection(&scope, "connection_id", &request.connection_id)?;
        let upload = parse::id("upload_id", &request.upload_id)?;
        if !(0..MOST_PIECES).contains(&request.number) {
            return Err(invalid("number", "must be 0 to 63"));
        }
        if request.content.is_empty() {
            return Err(invalid("content", "is required"));
        }
        if request.content.len() > MOST_PIECE {
            return Err(refuse(Reason::TooLarge, "content is larger than 1 MiB"));
        }
        if self.keeps_recordings {
            let tx = self.store.begin(&scope);
            if tx.waiting_piece_bytes().await? >= MOST_WAITING {
                tx.release();
                return Err(retry_later(Reason::RateLimited, "too many recordings wait to be copied", WAIT));
            }
            tx.add_recording_piece(upload, request.number, request.content).await?;
            tx.commit().await?;
        }
        Ok(AddRecordingPieceResponse { unwanted: !self.keeps_recordings })
    }

    async fn list_untold_calls(
        &self,
        scope: BusinessScope,
        request: ListUntoldCallsRequest,
    ) -> Result<ListUntoldCallsResponse, Status> {
        let connection = delivery::own_connection(&scope, "connection_id", &request.connection_id)?;
        if request.calls.len() > MOST_CALLS {
            return Err(invalid("calls", "are more than 100"));
        }
        let calls = request.calls.into_iter().map(ended_call).collect::<Result<_, _>>()?;
        let untold = ListUntoldCalls { connection, calls }.run(self.store.begin(&scope)).await?;
        Ok(ListUntoldCallsResponse { platform_call_ids: untold })
    }

    async fn finish_tool_call(
        &self,
        scope: BusinessScope,
        request: FinishToolCallRequest,
    ) -> Result<FinishToolCallResponse, Status> {
        let id = parse::id("tool_call_id", &request.tool_call_id)?;
        let connection = delivery::connection(&scope)?;
        let (answer, effect) = tool_call::answer(request)?;
        FinishToolCall { id, connection, answer, effect }.run(self.store.begin(&scope)).await?;
        Ok(FinishToolCallResponse {})
    }
}

fn ended_call(wire: WireEndedCall) -> Result<EndedCall, Status> {
    if wire.event_keys.len() > MOST_KEYS {
        return Err(invalid("calls.event_keys", "are more than 10"));
    }
    let key = |key: &String| parse::raw_text("calls.event_keys", key, delivery::MAX_NAME);
    Ok(EndedCall {
        platform_call_id: parse::raw_text(
            "calls.platform_call_id",
            &wire.platform_call_id,
            delivery::MAX_NAME,
        )?,
        event_keys: wire.event_keys.iter().map(key).collect::<Result<_, _>>()?,
        end_suffices: wire.end_suffices,
    })
}
