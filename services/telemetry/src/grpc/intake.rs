//! Taking in what voice doors deliver.

use boot::clock::Clock;
use caller::BusinessScope;
use proto::{
    frontdesk::telemetry::internal::v1::{
        BeginToolCallRequest, BeginToolCallResponse, FinishToolCallRequest, FinishToolCallResponse,
        IntakeServiceHandler, RecordCallEventRequest, RecordCallEventResponse,
    },
    parse,
};
use tonic::{Status, async_trait};

use super::received;
use crate::{
    SERVICE,
    domain::{
        CallId, ToolCallId,
        tool_call::{Progress, Repeat, ToolCall},
    },
    error::Error,
    measure::Ended,
    store::{Arrival, DeliveryId, Store, Tx},
};

/// Serves `IntakeService`.
#[derive(Debug)]
pub struct Intake {
    store: Store,
    clock: Clock,
    ended: Ended,
}

impl Intake {
    /// An intake into `store`.
    #[must_use]
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock, ended: Ended::new(&opentelemetry::global::meter(SERVICE)) }
    }

    /// Opens the record of a run under its first delivery.
    async fn open(
        &self,
        tx: Tx,
        tool_call: ToolCall,
        delivery: DeliveryId,
    ) -> Result<BeginToolCallResponse, Error> {
        tx.open_tool_call(&tool_call, delivery).await?;
        tx.commit().await?;
        Ok(begun(&tool_call, String::new()))
    }

    /// Answers a repeated delivery: the tool runs once.
    async fn repeat(&self, tx: Tx, first: DeliveryId) -> Result<BeginToolCallResponse, Error> {
        let tool_call = tx.tool_call_of(first).await?;
        let now = self.clock.now();
        match tool_call.progress.on_repeat(now) {
            Repeat::Answer(result) => Ok(begun(&tool_call, result.to_owned())),
            Repeat::Wait(left) => Err(Error::StillRunning(left)),
            Repeat::TakeOver => {
                tx.take_over(tool_call.id, now).await?;
                tx.commit().await?;
                Ok(begun(&tool_call, String::new()))
            }
        }
    }
}

#[async_trait]
impl IntakeServiceHandler for Intake {
    async fn record_call_event(
        &self,
        scope: BusinessScope,
        request: RecordCallEventRequest,
    ) -> Result<RecordCallEventResponse, Status> {
        let delivery = received::delivery(&scope, request.delivery)?;
        let (identity, told) = received::facts(&delivery, request.facts)?;
        let tx = self.store.begin(&scope);
        let before = tx.call(&identity, delivery.received_at).await?;
        if let Arrival::Again { call, .. } = tx.store(delivery, before.id).await? {
            return Ok(recorded(call, true));
        }
        let after = before.clone().learn(told);
        if after != before || before.version == 0 {
            tx.save(&before, &after).await?;
        }
        tx.commit().await?;
        self.ended.count(&before, &after);
        Ok(recorded(after.id, false))
    }

    async fn begin_tool_call(
        &self,
        scope: BusinessScope,
        request: BeginToolCallRequest,
    ) -> Result<BeginToolCallResponse, Status> {
        let delivery = received::delivery(&scope, request.delivery)?;
        let (identity, told) = received::facts(&delivery, request.facts)?;
        let name = parse::text("name", &request.name, 255)?;
        let arguments = received::json("arguments", request.arguments)?;
        let started = delivery.received_at;
        let tx = self.store.begin(&scope);
        let before = tx.call(&identity, started).await?;
        let delivery = match tx.store(delivery, before.id).await? {
            Arrival::First(delivery) => delivery,
            Arrival::Again { first, call } if call == before.id => return Ok(self.repeat(tx, first).await?),
            Arrival::Again { .. } => return Err(Error::EventKeyTaken.into()),
        };
        let after = before.clone().learn(told);
        tx.save(&before, &after).await?;
        let progress = Progress::Running { since: self.clock.now() };
        let id = ToolCallId(self.clock.new_id());
        let tool_call = ToolCall { id, call: after.id, name, arguments, started, progress };
        let begun = self.open(tx, tool_call, delivery).await?;
        self.ended.count(&before, &after);
        Ok(begun)
    }

    async fn finish_tool_call(
        &self,
        scope: BusinessScope,
        request: FinishToolCallRequest,
    ) -> Result<FinishToolCallResponse, Status> {
        let id = parse::id("tool_call_id", &request.tool_call_id)?;
        let connection = received::connection(&scope)?;
        let (answer, effect) = received::answer(request)?;
        let tx = self.store.begin(&scope);
        let tool_call = tx.tool_call(id, connection).await?;
        // The call first, as everywhere: two runs that finish at once must not wait for each other.
        let before = tx.call_by_id(tool_call.call).await?;
        // The first answer is the one that was given; a later one changes nothing.
        if tx.answer(id, answer, effect.appointment).await? {
            let after = before.clone().credit(&effect, tool_call.started);
            tx.save(&before, &after).await?;
            tx.commit().await?;
        }
        Ok(FinishToolCallResponse {})
    }
}

fn recorded(call: CallId, duplicate: bool) -> RecordCallEventResponse {
    RecordCallEventResponse { call_id: call.to_string(), duplicate }
}

fn begun(tool_call: &ToolCall, result: String) -> BeginToolCallResponse {
    BeginToolCallResponse {
        call_id: tool_call.call.to_string(),
        tool_call_id: tool_call.id.to_string(),
        result,
    }
}
