//! The salon as telemetry.

use async_trait::async_trait;
use caller::BusinessScope;
use proto::frontdesk::telemetry::{internal::v1::*, v1::CallState};
use tonic::Status;

use super::Serving;
use crate::voice::salon::CONNECTION;

/// Calls are named after the platform's.
fn call_id(facts: &CallFacts) -> String {
    format!("our {}", facts.platform_call_id)
}

fn key(delivery: &Delivery) -> (String, String) {
    assert_eq!(delivery.connection_id, CONNECTION.to_string());
    assert!(!delivery.body.is_empty() && delivery.received_at.is_some());
    (delivery.connection_id.clone(), delivery.event_key.clone())
}

#[async_trait]
impl IntakeServiceHandler for Serving {
    async fn record_call_event(
        &self,
        scope: BusinessScope,
        request: RecordCallEventRequest,
    ) -> Result<RecordCallEventResponse, Status> {
        let mut book = self.0.for_agent("record_call_event", &scope, &request.business_id)?;
        let (delivery, facts) = (request.delivery.unwrap(), request.facts.unwrap());
        let call_id = call_id(&facts);
        let ended = facts.state() == CallState::Ended;
        let duplicate = book.events.insert(key(&delivery), (delivery, facts)).is_some();
        let left_unanswered = ended && book.ends_on_fault();
        Ok(RecordCallEventResponse { call_id, duplicate, left_unanswered })
    }

    async fn record_notice(
        &self,
        scope: BusinessScope,
        request: RecordNoticeRequest,
    ) -> Result<RecordNoticeResponse, Status> {
        let mut book = self.0.for_agent("record_notice", &scope, &request.business_id)?;
        let delivery = request.delivery.unwrap();
        book.notices.insert(key(&delivery), (delivery, request.kind));
        Ok(RecordNoticeResponse {})
    }

    async fn begin_tool_call(
        &self,
        scope: BusinessScope,
        request: BeginToolCallRequest,
    ) -> Result<BeginToolCallResponse, Status> {
        let mut book = self.0.for_agent("begin_tool_call", &scope, &request.business_id)?;
        let (delivery, facts) = (request.delivery.unwrap(), request.facts.unwrap());
        let key = key(&delivery);
        let known = book.tools.get(&key).map(|(.., tool_call_id)| tool_call_id.clone());
        let tool_call_id = known.unwrap_or_else(|| book.new_id());
        let result = book.finished.get(&tool_call_id).map(|finished| finished.result.clone());
        let facts_of = call_id(&facts);
        let questions = if request.confirms { book.questions(&facts_of, &request.name) } else { vec![] };
        book.tools.insert(key, (delivery, request.name, facts_of.clone(), tool_call_id.clone()));
        let result = result.unwrap_or_default();
        Ok(BeginToolCallResponse { call_id: facts_of, tool_call_id, result, questions })
    }

    async fn add_recording_piece(
        &self,
        scope: BusinessScope,
        request: AddRecordingPieceRequest,
    ) -> Result<AddRecordingPieceResponse, Status> {
        let mut book = self.0.for_agent("add_recording_piece", &scope, &request.business_id)?;
        assert_eq!(request.connection_id, CONNECTION.to_string());
        assert!(!request.content.is_empty() && request.content.len() <= 1 << 20);
        let pieces = book.recordings.entry(request.upload_id).or_default();
        assert_eq!(usize::try_from(request.number).unwrap(), pieces.len(), "in order, without a gap");
        pieces.push(request.content);
        Ok(AddRecordingPieceResponse { unwanted: false })
    }

    async fn list_untold_calls(
        &self,
        scope: BusinessScope,
        request: ListUntoldCallsRequest,
    ) -> Result<ListUntoldCallsResponse, Status> {
        let book = self.0.for_agent("list_untold_calls", &scope, &request.business_id)?;
        assert_eq!(request.connection_id, CONNECTION.to_string());
        let has = |key: &String| book.events.contains_key(&(CONNECTION.to_string(), key.clone()));
        let is_told = |call: &EndedCall| {
            let ended = |facts: &CallFacts| {
                facts.platform_call_id == call.platform_call_id && facts.state() == CallState::Ended
            };
            call.event_keys.iter().any(has)
                || (call.end_suffices && book.events.values().any(|(_, facts)| ended(facts)))
        };
        let untold = request.calls.iter().filter(|call| !is_told(call));
        let platform_call_ids = untold.map(|call| call.platform_call_id.clone()).collect();
        Ok(ListUntoldCallsResponse { platform_call_ids })
    }

    async fn finish_tool_call(
        &self,
        scope: BusinessScope,
        request: FinishToolCallRequest,
    ) -> Result<FinishToolCallResponse, Status> {
        let mut book = self.0.for_agent("finish_tool_call", &scope, &request.business_id)?;
        book.finished.insert(request.tool_call_id.clone(), request);
        Ok(FinishToolCallResponse {})
    }
}
