//! The voice door: signed deliveries of voice platforms come in, the calls they
//! tell of are kept, and the agent's tools are answered while a person waits.

mod adapter;
mod agent;
mod background;
pub mod chat;
mod connection;
mod conversation;
mod delivery;
pub mod elevenlabs;
mod field;
pub mod hmac_format;
mod intake;
mod lost_calls;
mod metrics;
pub mod model;
#[cfg(test)]
mod payloads;
mod platform;
mod playbook;
mod proof;
mod put_through;
mod readable;
mod recording;
pub mod relay;
pub mod retell;
mod said;
mod tools;
pub mod twilio;
pub mod vapi;

use core::time::Duration;
use std::{collections::BTreeSet, sync::Arc};

use axum::{
    Router,
    extract::{Path, Request, State, rejection::PathRejection},
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use bytes::Bytes;
use http::{header, request::Parts};
use jiff::Timestamp;
use opentelemetry::metrics::Meter;
use proto::{error::Reason, sample_call, webhook};
use serde_json::json;
use tonic::Status;

pub use self::{adapter::Received, lost_calls::LostCalls, proof::Fault, relay::Conversations};
use self::{
    connection::{Connection, Connections},
    delivery::{CallEvent, Conversation, Delivery, Notice, ToolCall},
    intake::Intake,
    metrics::{Metrics, Outcome},
    platform::Platform,
    playbook::Playbooks,
    recording::{Arrived, Room},
    tools::{CONFIRMED, is_question},
    twilio::twiml::Direction,
};
use crate::{
    Gateway, body,
    config::PublicUrl,
    edge::{self, Limits, Probation, Route},
    refusal::Refusal,
};

/// The voice door's routes.
pub fn routes(gateway: Gateway, line: Line, limits: &Limits) -> Router {
    routes_measured(gateway, line, limits, &opentelemetry::global::meter("frontdesk"))
}

/// [`routes`] that measure with a meter of one's own.
pub fn routes_measured(gateway: Gateway, line: Line, limits: &Limits, meter: &Meter) -> Router {
    let door = VoiceDoor::new(gateway.for_voice(), line, limits, meter);
    let relay = get(relay::upgrade).layer(map_response(|response| routed(response, webhook::RELAY)));
    let deliveries = post(receive).layer(map_response(|response| routed(response, webhook::VOICE)));
    Router::new().route(webhook::VOICE, deliveries).route(webhook::RELAY, relay).with_state(door)
}

/// Where platforms reach the door, and our own agent behind it.
#[derive(Debug, Clone)]
pub struct Line {
    /// What platforms were told to call: some sign the address, and a proxy may have changed it.
    pub public_url: PublicUrl,
    /// The agent's own conversations.
    pub conversations: Conversations,
}

/// What every delivery needs.
#[derive(Debug, Clone)]
struct VoiceDoor {
    gateway: Gateway,
    connections: Connections,
    playbooks: Playbooks,
    metrics: Metrics,
    body_time: Duration,
    /// Bytes of a body that is held whole.
    body_bytes: usize,
    /// Time for a body that is mostly audio.
    recording_time: Duration,
    /// Room for such bodies.
    room: Arc<Room>,
    /// Time for all that a delivery needs.
    tool_time: Duration,
    /// How long our own agent's calls last.
    call_time: Duration,
    /// Waits before a message to the team that a fault kept from it is tried again.
    message_retries: &'static [Duration],
    line: Line,
}

/// Names the route in the request's span.
async fn routed(mut response: Response, path: &'static str) -> Response {
    response.extensions_mut().insert(Route(path.to_owned()));
    response
}

async fn receive(
    State(door): State<VoiceDoor>,
    path: Result<Path<(String, String)>, PathRejection>,
    request: Request,
) -> Result<Response, Refusal> {
    let Path((platform, id)) = path.map_err(|_| connection::unknown())?;
    let connection = door.connection(&platform, &id).await?;
    let (parts, body) = request.into_parts();
    body::must_be_plain(&parts.headers)?;
    // Signatures are over the bytes as they arrived.
    let read = tokio::time::timeout(door.body_time, recording::read_some(body, door.body_bytes)).await;
    let arrived = read.unwrap_or_else(|_| Err(body::too_late()))?;
    let now = door.gateway.host().clock.now();
    let (metrics, platform) = (door.metrics.clone(), connection.platform);
    let (outcome, answer) = match arrived {
        Arrived::Whole(body) => door.deal_with(connection, &parts, body, now).await,
        Arrived::Long(read, rest) if platform == Platform::ElevenLabs => {
            recording::receive_long(&door, connection, &parts, (read, rest), now).await
        }
        Arrived::Long(..) => return Err(edge::body_too_large()),
    };
    metrics.delivered(platform, outcome);
    answer
}

impl VoiceDoor {
    fn new(gateway: Gateway, line: Line, limits: &Limits, meter: &Meter) -> Self {
        Self {
            connections: Connections::new(gateway.clone()),
            playbooks: Playbooks::new(),
            gateway,
            metrics: Metrics::new(meter),
            body_time: limits.unsigned_body_time,
            body_bytes: limits.delivery_bytes,
            recording_time: limits.recording_time,
            room: Room::new(),
            tool_time: limits.tool_time,
            call_time: limits.call_time,
            message_retries: limits.message_retries,
            line,
        }
    }

    async fn deal_with(
        self,
        connection: Arc<Connection>,
        parts: &Parts,
        body: Bytes,
        now: Timestamp,
    ) -> (Outcome, Result<Response, Refusal>) {
        let url = self.url(&connection, parts);
        let received = Received { url: &url, headers: &parts.headers, body: &body };
        if let Err(refusal) = self.believe(&connection, received, now) {
            return (Outcome::Rejected, Err(refusal));
        }
        Probation::passed(&parts.extensions);
        let parsed = {
            let readable = readable::readable(received.body);
            connection.platform.adapter().parse(Received { body: &readable, ..received })
        };
        let delivery = match parsed {
            Ok(delivery) => delivery.at(parts.uri.query()),
            Err(status) => return (Outcome::Malformed, Err(status.into())),
        };
        if let Some(call) = delivery.sample() {
            return (Outcome::Tested, Ok(tested(call)));
        }
        let intake = Intake::new(&self, connection.clone(), body, now);
        let (outcome, answer) = match delivery {
            Delivery::Event(event) => (Outcome::Recorded, self.recorded(&intake, event).await),
            Delivery::Tools(calls) => (Outcome::Answered, answered(intake, calls).await),
            Delivery::Incoming(event) => (Outcome::Recorded, Ok(self.taken(&intake, event).await)),
            Delivery::HandedBack(event, conversation) => {
                (Outcome::Recorded, self.handed_on(&intake, event, conversation).await)
            }
            Delivery::Dialled(event, came_to) => {
                (Outcome::Recorded, put_through::dialled(&intake, event, came_to).await.map(xml))
            }
            Delivery::Recorded(event) => (
                Outcome::Recorded,
                recording::keep_whole(&intake, event).await.map(IntoResponse::into_response),
            ),
            Delivery::Notice(notice) => (Outcome::Recorded, self.noticed(&intake, notice).await),
        };
        match answer {
            Ok(answer) => (outcome, Ok(answer)),
            Err(status) => (Outcome::Failed, Err(status.into())),
        }
    }

    async fn recorded(&self, intake: &Intake, event: CallEvent) -> Result<Response, Status> {
        intake.record(event).await?;
        Ok(intake.connection().platform.adapter().acknowledgement().into_response())
    }

    async fn noticed(&self, intake: &Intake, notice: Notice) -> Result<Response, Status> {
        intake.record_notice(notice).await?;
        Ok(intake.connection().platform.adapter().acknowledgement().into_response())
    }

    /// Tells Twilio how to take a call.
    async fn taken(&self, intake: &Intake, event: CallEvent) -> Response {
        let (key, facts) = (event.key.clone(), event.facts.clone());
        let taken = match intake.record(event.clone()).await {
            Ok(_) => relay::take(self, intake, &facts.platform_call_id).await,
            Err(status) => {
                // Twilio takes the answer, and does not tell of it again.
                drop(intake.clone().record_behind(event));
                Err(status)
            }
        };
        if let Err(status) = &taken {
            tracing::warn!(%status, "the agent can't take a call");
        }
        if let Ok(Some(document)) = taken {
            return xml(document);
        }
        let action = self.address(intake.connection());
        xml(put_through::unserved(intake, &key, facts, true, &action).await)
    }

    /// Connects the caller with the number that the agent, or a person, named. A conversation that broke off ends with
    /// an apology, any other with the call.
    async fn handed_on(
        &self,
        intake: &Intake,
        event: CallEvent,
        conversation: Conversation,
    ) -> Result<Response, Status> {
        let action = self.address(intake.connection());
        let document = match conversation {
            Conversation::Over => Direction::HangUp.to_xml(),
            Conversation::GoesOn(number) => put_through::dial(&number, &action),
            Conversation::Broken { waits } => {
                let (key, facts) = (event.key.clone(), event.facts.clone());
                let document = put_through::unserved(intake, &key, facts, waits, &action).await;
                // The caller hears it even while the record is away.
                intake.record_or_later(event).await;
                return Ok(xml(document));
            }
        };
        intake.record(event).await?;
        Ok(xml(document))
    }

    /// The address that the platform was told.
    fn address(&self, connection: &Connection) -> String {
        let path = webhook::voice(connection.platform.name(), connection.id);
        format!("{}{path}", self.line.public_url.origin())
    }

    /// The same with the query that a request came with.
    fn url(&self, connection: &Connection, parts: &Parts) -> String {
        let address = self.address(connection);
        parts.uri.query().map_or_else(|| address.clone(), |query| format!("{address}?{query}"))
    }

    /// Refuses what the connection's platform did not make around `now`.
    fn believe(
        &self,
        connection: &Connection,
        received: Received<'_>,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        connection.verify(received, now).map_err(|fault| self.disbelieved(connection, fault))
    }

    /// Refuses what the connection's platform did not make.
    fn disbelieved(&self, connection: &Connection, fault: Fault) -> Refusal {
        self.metrics.rejected(connection.platform, fault);
        tracing::warn!(voice.connection.id = %connection.id, reason = fault.name(), "a delivery was not believed");
        Refusal::new(Reason::BadSignature, "the signature is missing, wrong or too old")
    }

    async fn connection(&self, platform: &str, id: &str) -> Result<Arc<Connection>, Refusal> {
        let platform = Platform::named(platform).ok_or_else(connection::unknown)?;
        let id = id.parse().map_err(|_| connection::unknown())?;
        let connection = self.connections.open(id).await?;
        if connection.platform == platform { Ok(connection) } else { Err(connection::unknown().into()) }
    }
}

/// Runs tools one after the other, and hands the answers over.
async fn answered(intake: Intake, calls: Vec<ToolCall>) -> Result<Response, Status> {
    let adapter = intake.connection().platform.adapter();
    let mut answers = Vec::with_capacity(calls.len());
    let mut asked = BTreeSet::new();
    for mut call in calls {
        // The caller has not heard yet what another tool of this delivery asks.
        if asked.contains(&call.name) {
            call.arguments.remove(CONFIRMED);
        }
        let answer = intake.answer(call.clone()).await?;
        if is_question(&answer) {
            asked.insert(call.name.clone());
        }
        answers.push((call, answer));
    }
    let kind = [(header::CONTENT_TYPE, "application/json")];
    Ok((kind, adapter.answers(answers)).into_response())
}

/// Says to who tests a connection that its sample was believed; nothing comes of it.
fn tested(call: &str) -> Response {
    axum::Json(json!({ sample_call::ANSWER: call })).into_response()
}

fn xml(document: String) -> Response {
    ([(header::CONTENT_TYPE, "text/xml; charset=utf-8")], document).into_response()
}
