//! What becomes of a delivery: kept before it is acknowledged, its effect once.

mod behind;

use core::time::Duration;
use std::{sync::Arc, time::Instant};

use bytes::Bytes;
use caller::{Bearer, IdempotencyKey, Method};
use jiff::{Timestamp, Zoned};
use proto::{
    error::{Reason, reason_of, refuse},
    frontdesk::{
        scheduling::v1::{
            ReleaseCallHoldsRequest, ReleaseCallHoldsResponse,
            availability_service_methods::RELEASE_CALL_HOLDS,
        },
        telemetry::internal::v1::{
            self as telemetry, BeginToolCallRequest, BeginToolCallResponse, FinishToolCallRequest,
            FinishToolCallResponse, RecordCallEventRequest, RecordCallEventResponse, RecordNoticeRequest,
            RecordNoticeResponse,
            intake_service_methods::{BEGIN_TOOL_CALL, FINISH_TOOL_CALL, RECORD_CALL_EVENT, RECORD_NOTICE},
        },
    },
    time,
};
use serde_json::Value;
use tonic::Status;
use tracing::{Instrument, Span};

use super::{
    VoiceDoor,
    agent::Agent,
    background::{About, Background},
    connection::Connection,
    delivery::{CallEvent, Notice, ToolCall},
    metrics::Metrics,
    platform::Platform,
    playbook::{Language, Playbook, Playbooks},
    tools::{self, Agreement, Answer, CONFIRMED, Desk, Tool, Writing, is_question},
};

/// A tool that took all the time there was is on record before its answer is heard: the end of the call asks for it.
const TO_RECORD: Duration = Duration::from_secs(1);

/// Ends the key of a delivery that agrees to what the first one with its body was asked.
const AGREED: &str = ":agreed";

/// Waits before what could not be recorded is tried again.
const AGAIN_AFTER: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(5), Duration::from_secs(25)];

/// One believed delivery.
#[derive(Debug, Clone)]
pub struct Intake {
    agent: Agent,
    connection: Arc<Connection>,
    playbooks: Playbooks,
    metrics: Metrics,
    background: Background,
    /// Waits before a message to the team that a fault kept from it is tried again.
    message_retries: &'static [Duration],
    body: Bytes,
    now: Timestamp,
    received: Instant,
}

impl Intake {
    pub fn new(door: &VoiceDoor, connection: Arc<Connection>, body: Bytes, now: Timestamp) -> Self {
        let bearer = Bearer::Agent { connection: connection.id };
        let agent = Agent::new(door.gateway.clone(), bearer, connection.business, door.tool_time);
        let (playbooks, metrics) = (door.playbooks.clone(), door.metrics.clone());
        let background = door.line.conversations.background().clone();
        let message_retries = door.message_retries;
        let received = Instant::now();
        Self { agent, connection, playbooks, metrics, background, message_retries, body, now, received }
    }

    /// The same for what arrives next in a conversation of our own.
    pub fn renewed(&self, body: Bytes) -> Self {
        let (agent, now) = (self.agent.rested(), self.agent.now());
        Self { agent, body, now, received: Instant::now(), ..self.clone() }
    }

    /// The time at the business.
    pub fn local_now(&self) -> Zoned {
        self.now.to_zoned(self.connection.zone.clone())
    }

    /// What a call of the connection runs on.
    ///
    /// # Errors
    /// As [`Playbooks::of_call`].
    pub async fn playbook(&self, platform_call_id: &str) -> Result<Arc<Playbook>, Status> {
        self.playbooks.of_call(&self.agent, self.connection.id, platform_call_id).await
    }

    /// Calls a method of a service with time of its own, as one of many calls for one delivery.
    pub async fn call<Request, Response>(
        &self,
        method: &'static Method,
        message: Request,
    ) -> Result<Response, Status>
    where
        Request: prost::Message + Send + Sync + 'static,
        Response: prost::Message + Default + Send + Sync + 'static,
    {
        self.agent.rested().call(method, None, message).await
    }

    /// The body, byte by byte.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Whose it is.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Keeps what happened and names no call.
    pub async fn record_notice(&self, Notice { key, kind }: Notice) -> Result<(), Status> {
        let message = RecordNoticeRequest {
            business_id: self.agent.business_id(),
            delivery: Some(self.delivery(key)),
            kind,
        };
        let RecordNoticeResponse {} = self.agent.call(&RECORD_NOTICE, None, message).await?;
        Ok(())
    }

    /// Keeps a call event, and says whether it is news. When the call has ended, gives back the times it held; when it
    /// ended on a fault of ours, leaves the team a message.
    pub async fn record(&self, event: CallEvent) -> Result<bool, Status> {
        let message = RecordCallEventRequest {
            business_id: self.agent.business_id(),
            delivery: Some(self.delivery(event.key)),
            facts: Some(event.facts.clone()),
        };
        // What went before it may have taken all the time of the delivery.
        let recorded: RecordCallEventResponse = self.call(&RECORD_CALL_EVENT, message).await?;
        if recorded.left_unanswered {
            self.ask_to_call_back(event.facts).await;
        }
        if event.ended {
            self.release_holds(recorded.call_id).await;
        }
        Ok(!recorded.duplicate)
    }

    /// Holds end by themselves in minutes, so the event is acknowledged either way.
    async fn release_holds(&self, call_id: String) {
        let message = ReleaseCallHoldsRequest { business_id: self.agent.business_id(), call_id };
        let released: Result<ReleaseCallHoldsResponse, Status> =
            self.agent.call(&RELEASE_CALL_HOLDS, None, message).await;
        if let Err(status) = released {
            tracing::warn!(%status, "the holds of a call that ended were not released");
        }
    }

    /// Runs a tool once and answers in JSON; a repeated delivery has the first answer. A message that can't be taken in
    /// is refused, and left for some time still: it is the same as that of a repeated delivery.
    pub async fn answer(&self, call: ToolCall) -> Result<String, Status> {
        let tool = Tool::label(Tool::named(&call.name));
        let span = tracing::info_span!(
            "tool",
            otel.name = format!("execute_tool {tool}"),
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = tool,
            frontdesk.tool.outcome = tracing::field::Empty,
        );
        let message = (Tool::named(&call.name) == Some(Tool::TakeMessage)).then(|| call.clone());
        // A platform that hangs up leaves no tool half done.
        let intake = self.clone();
        let answering = async move { intake.answer_once(call, Faults::Answered).await }.instrument(span);
        let answering = self.background.spawn(answering);
        // The error of a task that panicked quotes the panic's message.
        let answer = answering.await.unwrap_or_else(|_| Err(Status::internal("a tool failed")));
        if let (Err(status), Some(message)) = (&answer, message)
            && is_fault(status)
        {
            tracing::warn!(%status, "a message to the team could not be taken in, trying again");
            self.leave_behind(message);
        }
        answer
    }

    /// Runs the tool unless its first delivery was answered, and records the answer.
    async fn answer_once(self, mut call: ToolCall, faults: Faults) -> Result<String, Status> {
        let mut begun = self.begun(&call, faults).await?;
        if self.is_agreed_to(&call, &begun.result) {
            call.key.push_str(AGREED);
            begun = self.begun(&call, faults).await?;
        }
        if !begun.result.is_empty() {
            Span::current().record("frontdesk.tool.outcome", "REPEATED");
            return Ok(begun.result);
        }
        let tool = Tool::named(&call.name);
        let mut answer = self.rested(faults).run(tool, &call, &begun).await?;
        if let Faults::LeftOpen { retries } = faults {
            let mut waits = retries.iter();
            while answer.is_fault() && self.background.try_again(&mut waits).await {
                answer = self.renewed(self.body.clone()).run(tool, &call, &begun).await?;
            }
        }
        let elapsed = self.received.elapsed();
        Span::current().record("frontdesk.tool.outcome", answer.outcome());
        self.metrics.answered(tool, answer.outcome(), elapsed);
        if answer.is_fault() && matches!(faults, Faults::LeftOpen { .. }) {
            return Err(refuse(Reason::Unavailable, "the tool failed as often as it was tried"));
        }
        let result = answer.to_json();
        let about = self.about("the end of a tool call", &call.facts.platform_call_id);
        self.finish(about, finished(begun.tool_call_id, result.clone(), answer, elapsed)).await;
        Ok(result)
    }

    /// Whether the first answer of a repeated delivery was a question, to which this one says that the caller agrees:
    /// ElevenLabs' tools have no ids, so that what is said before the question and after it may be the same body.
    fn is_agreed_to(&self, call: &ToolCall, first_answer: &str) -> bool {
        self.connection.platform == Platform::ElevenLabs && confirms(call) && is_question(first_answer)
    }

    /// What was done is done and the caller hears it, even while its record has to wait.
    async fn finish(self, about: About, message: FinishToolCallRequest) {
        let agent = self.agent;
        let in_time = agent.with_at_least(TO_RECORD);
        let Err(status) = record_finished(&in_time, message.clone()).await else { return };
        tracing::warn!(%status, "a tool call's end was not recorded, trying again");
        let background = self.background.clone();
        let again = async move {
            let mut waits = AGAIN_AFTER.iter();
            while background.try_again(&mut waits).await {
                let may = agent.may_retry(&FINISH_TOOL_CALL);
                if may && record_finished(&agent.rested(), message.clone()).await.is_ok() {
                    return;
                }
            }
            tracing::error!(tool_call.id = message.tool_call_id, "a tool call's end was never recorded");
        };
        self.background.spawn_about(about, again);
    }

    /// The record of a run that begins; where faults leave it open, it is asked for again as well.
    async fn begun(&self, call: &ToolCall, faults: Faults) -> Result<BeginToolCallResponse, Status> {
        let mut begun = self.begin(call).await;
        let Faults::LeftOpen { retries } = faults else { return begun };
        let mut waits = retries.iter();
        while begun.as_ref().is_err_and(is_fault) && self.background.try_again(&mut waits).await {
            begun = self.renewed(self.body.clone()).begin(call).await;
        }
        begun
    }

    /// With time for what follows, where no platform waits for it.
    fn rested(&self, faults: Faults) -> Self {
        match faults {
            Faults::Answered => self.clone(),
            Faults::LeftOpen { .. } => self.renewed(self.body.clone()),
        }
    }

    async fn run(
        &self,
        tool: Option<Tool>,
        call: &ToolCall,
        begun: &BeginToolCallResponse,
    ) -> Result<Answer, Status> {
        Ok(match (tool, self.playbook(&call.facts.platform_call_id).await) {
            (None, Ok(playbook)) => Answer::no_such_tool(playbook.language),
            (None, Err(_)) => Answer::no_such_tool(Language::English),
            (Some(_), Err(status)) => Answer::refused(status.into(), Language::English),
            (Some(tool), Ok(playbook)) => {
                tools::run(tool, &self.desk(call, begun, &playbook)?, call.arguments.clone()).await
            }
        })
    }

    /// What the door measures with.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    fn desk(
        &self,
        call: &ToolCall,
        begun: &BeginToolCallResponse,
        playbook: &Playbook,
    ) -> Result<Desk, Status> {
        Ok(Desk {
            agent: self.agent.clone(),
            call_id: begun.call_id.clone(),
            agreement: Agreement::on_record(&begun.questions),
            customer_number: call.customer_number.clone(),
            writing: Writing::Kept(idempotency_key(&self.connection, &call.key)?),
            may: playbook.may,
            // On the others, the platform's own tool does it.
            hands_over_to: playbook.transfer.clone().filter(|_| self.connection.platform == Platform::Twilio),
            language: playbook.language,
            now: self.local_now(),
            as_of: None,
        })
    }

    async fn begin(&self, call: &ToolCall) -> Result<BeginToolCallResponse, Status> {
        let message = BeginToolCallRequest {
            business_id: self.agent.business_id(),
            delivery: Some(self.delivery(call.key.clone())),
            facts: Some(call.facts.clone()),
            name: call.name.clone(),
            arguments: Value::Object(call.arguments.clone()).to_string(),
            confirms: confirms(call),
        };
        self.agent.call(&BEGIN_TOOL_CALL, None, message).await
    }

    fn delivery(&self, event_key: String) -> telemetry::Delivery {
        telemetry::Delivery {
            connection_id: self.connection.id.to_string(),
            event_key,
            body: self.body.to_vec(),
            received_at: Some(time::to_proto(self.now)),
        }
    }
}

/// What happens when a tool fails by a fault of ours.
#[derive(Debug, Clone, Copy)]
enum Faults {
    /// The fault is the answer, of a repeated delivery as well.
    Answered,
    /// The tool is tried again after each of these waits. If it fails still, its run stays open, and a later delivery
    /// takes it over once its lease has passed.
    LeftOpen { retries: &'static [Duration] },
}

/// Whether a call failed by a fault of ours, and may succeed when it is made again.
pub fn is_fault(status: &Status) -> bool {
    reason_of(status).is_none_or(Reason::is_fault)
}

/// Whether an answer of a tool says that it was done.
pub fn is_done(answer: &str) -> bool {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    answer["ok"] == Value::Bool(true)
}

async fn record_finished(agent: &Agent, message: FinishToolCallRequest) -> Result<(), Status> {
    let message = FinishToolCallRequest { business_id: agent.business_id(), ..message };
    let FinishToolCallResponse {} = agent.call(&FINISH_TOOL_CALL, None, message).await?;
    Ok(())
}

fn finished(
    tool_call_id: String,
    result: String,
    answer: Answer,
    elapsed: Duration,
) -> FinishToolCallRequest {
    let ok = answer.is_ok();
    let touched = answer.into_touched();
    FinishToolCallRequest {
        tool_call_id,
        result,
        ok,
        latency_ms: i32::try_from(elapsed.as_millis()).unwrap_or(i32::MAX),
        customer_id: touched.customer_id,
        customer_name: touched.customer_name,
        appointment_id: touched.appointment_id,
        outcome: touched.outcome.into(),
        ..FinishToolCallRequest::default()
    }
}

/// Whether a tool that changes a visit says that its caller has agreed.
fn confirms(call: &ToolCall) -> bool {
    Tool::named(&call.name).is_some_and(Tool::needs_agreement)
        && call.arguments.get(CONFIRMED) == Some(&Value::Bool(true))
}

/// Names the attempt at every service the tool writes to: running it again has the same effect.
fn idempotency_key(connection: &Connection, key: &str) -> Result<IdempotencyKey, Status> {
    IdempotencyKey::parse(&format!("{}:{key}", connection.id))
        .ok_or_else(|| Status::internal("an event key is no idempotency key"))
}
