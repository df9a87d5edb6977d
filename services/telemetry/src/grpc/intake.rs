//! `IntakeService`: what voice doors deliver.

use caller::BusinessScope;
use proto::{
    frontdesk::telemetry::internal::v1::{
        BeginToolCallRequest, BeginToolCallResponse, FinishToolCallRequest, FinishToolCallResponse,
        IntakeServiceHandler, RecordCallEventRequest, RecordCallEventResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::{delivery, tool_call};
use crate::{
    SERVICE,
    app::{BeginToolCall, FinishToolCall, RecordCallEvent},
    measure::Ended,
    store::Store,
};

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
        Ok(RecordCallEventResponse { call_id: recorded.call.to_string(), duplicate: recorded.duplicate })
    }

    async fn begin_tool_call(
        &self,
        scope: BusinessScope,
        request: BeginToolCallRequest,
    ) -> Result<BeginToolCallResponse, Status> {
        let delivery = delivery::delivery(&scope, request.delivery)?;
        let (identity, told) = delivery::facts(&delivery, request.facts)?;
        let name = parse::text("name", &request.name, delivery::MAX_NAME)?;
        let arguments = tool_call::json("arguments", request.arguments)?;
        let command = BeginToolCall { delivery, identity, told, name, arguments };
        let begun = command.run(self.store.begin(&scope), &self.ended).await?;
        Ok(BeginToolCallResponse {
            call_id: begun.call.to_string(),
            tool_call_id: begun.id.to_string(),
            result: begun.result.unwrap_or_default(),
        })
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
