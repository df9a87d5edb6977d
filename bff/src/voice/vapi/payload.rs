//! Vapi's bodies: `{"message": {"type", …, "call"}}`.

use proto::{
    error::invalid,
    frontdesk::telemetry::{
        internal::v1::CallFacts,
        v1::{CallState, Speaker},
    },
};
use serde::Deserialize;
use serde_json::Value;
use tonic::Status;

use crate::{
    body::malformed,
    voice::{
        delivery::{CallEvent, Delivery, Notice, ToolCall},
        field::{
            call_id, e164, hash, head, head_without, name, number, offset_ms, rfc3339, written_arguments,
        },
        said::{Said, turns},
    },
};

const TOOLS: &str = "tool-calls";
/// The messages that are read; all others are kept as they come.
const READ: [&str; 4] = [TOOLS, "status-update", "conversation-update", "end-of-call-report"];

/// More tools than a model calls in one turn.
const MOST_TOOLS: usize = 10;

#[derive(Deserialize)]
struct Body {
    message: Option<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    r#type: Option<String>,
    call: Option<Call>,
    customer: Option<Party>,
    phone_number: Option<Party>,
    status: Option<String>,
    ended_reason: Option<String>,
    started_at: Option<String>,
    ended_at: Option<String>,
    artifact: Option<Artifact>,
    analysis: Option<Analysis>,
    /// The conversation so far, of `conversation-update`.
    messages: Option<Vec<Utterance>>,
    /// What the documentation shows; the SDK's type has each call's function in an object of its own.
    tool_call_list: Option<Vec<Tool>>,
    tool_calls: Option<Vec<Tool>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Call {
    id: Option<String>,
    r#type: Option<String>,
    customer: Option<Party>,
    phone_number: Option<Party>,
    created_at: Option<String>,
    started_at: Option<String>,
    ended_at: Option<String>,
    /// Where the call ended up, if it was put through.
    destination: Option<Party>,
}

#[derive(Deserialize)]
struct Party {
    number: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    messages: Option<Vec<Utterance>>,
    recording_url: Option<String>,
}

#[derive(Deserialize)]
struct Analysis {
    summary: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Utterance {
    role: Option<String>,
    message: Option<String>,
    seconds_from_start: Option<f64>,
    /// Milliseconds since 1970.
    time: Option<f64>,
    end_time: Option<f64>,
}

#[derive(Deserialize)]
struct Tool {
    id: Option<String>,
    name: Option<String>,
    parameters: Option<Value>,
    arguments: Option<Value>,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
    arguments: Option<Value>,
    parameters: Option<Value>,
}

/// Reads a call as Vapi's API shows it: what a report has beside the call stands in it.
///
/// # Errors
/// INVALID_ARGUMENT, naming the field.
pub fn listed(document: &[u8]) -> Result<CallEvent, Status> {
    let unread = |error: serde_json::Error| malformed(document, &error.to_string());
    let call: Call = serde_json::from_slice(document).map_err(unread)?;
    let message: Message = serde_json::from_slice(document).map_err(unread)?;
    let id = call_id("id", call.id.as_deref())?;
    let message = Message { call: Some(call), ..message };
    Ok(CallEvent::listed(message.facts(&id, CallState::Ended)?))
}

/// Reads a body whose signature was believed.
///
/// # Errors
/// INVALID_ARGUMENT, naming the field.
pub fn parse(body: &[u8]) -> Result<Delivery, Status> {
    read(body).or_else(|refused| notice(body).map(Delivery::Notice).ok_or(refused))
}

fn read(body: &[u8]) -> Result<Delivery, Status> {
    let parsed: Body = match serde_json::from_slice(body) {
        Ok(parsed) => parsed,
        Err(error) => return unread(body).ok_or_else(|| malformed(body, &error.to_string())),
    };
    let message = parsed.message.ok_or_else(|| invalid("message", "is required"))?;
    let kind = message.r#type.clone().ok_or_else(|| invalid("message.type", "is required"))?;
    let kind = name("message.type", kind)?;
    let id = call_id("message.call.id", message.call.as_ref().and_then(|call| call.id.as_deref()))?;
    if kind == TOOLS {
        return tools_of(message, &id).map(Delivery::Tools);
    }
    event_of(&kind, &message, &id, body).map(Delivery::Event)
}

/// An event that names no call, such as one of a chat. Tools that name none are refused: the agent waits for an answer.
fn notice(body: &[u8]) -> Option<Notice> {
    let kind = head_without(body, "/message/type", &["/message/call/id"])?;
    Notice::new(kind, body).filter(|notice| notice.kind != TOOLS)
}

/// An event of another kind, in which a field has another form than in those that are read.
fn unread(body: &[u8]) -> Option<Delivery> {
    let (kind, id) = head(body, "/message/type", "/message/call/id")?;
    if READ.contains(&kind.as_str()) {
        return None;
    }
    let (kind, id) = (name("message.type", kind).ok()?, call_id("message.call.id", Some(&id)).ok()?);
    let key = format!("{id}:{kind}:{}", hash(body));
    Some(Delivery::Event(CallEvent { key, facts: bare(&id), ended: false }))
}

fn event_of(kind: &str, message: &Message, id: &str, body: &[u8]) -> Result<CallEvent, Status> {
    let status = message.status.as_deref();
    // A call has one report, and each status once; the rest may come any number of times.
    let key = match (kind, status) {
        ("end-of-call-report", _) => format!("{id}:{kind}"),
        ("status-update", Some(status)) => {
            format!("{id}:{kind}:{}", name("message.status", status.to_owned())?)
        }
        _ => format!("{id}:{kind}:{}", hash(body)),
    };
    let state = match kind {
        "end-of-call-report" => CallState::Ended,
        "status-update" if status == Some("ended") => CallState::Ended,
        "status-update" | "conversation-update" => CallState::Live,
        _ => return Ok(CallEvent { key, facts: bare(id), ended: false }),
    };
    Ok(CallEvent { key, facts: message.facts(id, state)?, ended: state == CallState::Ended })
}

fn tools_of(message: Message, id: &str) -> Result<Vec<ToolCall>, Status> {
    let facts = message.facts(id, CallState::Live)?;
    let customer_number = message.customer_number();
    let tools = message.tool_call_list.or(message.tool_calls).unwrap_or_default();
    if tools.is_empty() || tools.len() > MOST_TOOLS {
        return Err(invalid("message.toolCallList", "must have 1 to 10 tool calls"));
    }
    let read = |(at, tool): (usize, Tool)| {
        let field = |name: &str| format!("message.toolCallList[{at}].{name}");
        let tool_id = call_id(&field("id"), tool.id.as_deref())?;
        let function = tool.function.unwrap_or(Function { name: None, arguments: None, parameters: None });
        let called = tool.name.or(function.name).ok_or_else(|| invalid(&field("name"), "is required"))?;
        let given = tool.arguments.or(tool.parameters).or(function.arguments).or(function.parameters);
        Ok(ToolCall {
            key: format!("{id}:tool:{}", hash(tool_id.as_bytes())),
            id: tool_id,
            facts: facts.clone(),
            name: name(&field("name"), called)?,
            arguments: written_arguments(&field("arguments"), given)?,
            customer_number: customer_number.clone(),
        })
    };
    tools.into_iter().enumerate().map(read).collect()
}

impl Message {
    fn facts(&self, id: &str, state: CallState) -> Result<CallFacts, Status> {
        let call = self.call.as_ref();
        let started = self.started_at.as_deref().or(call.and_then(|call| call.started_at.as_deref()));
        let ended = self.ended_at.as_deref().or(call.and_then(|call| call.ended_at.as_deref()));
        let (customer, salon) = (self.customer(), self.salon());
        let (from, to) = if self.is_outbound() { (salon, customer) } else { (customer, salon) };
        let said = self.artifact.as_ref().and_then(|artifact| artifact.messages.as_ref());
        let said = said.or(self.messages.as_ref());
        let said: Vec<_> = said.into_iter().flatten().filter_map(Utterance::said).collect();
        let summary = self.analysis.as_ref().and_then(|analysis| analysis.summary.clone());
        let recording = self.artifact.as_ref().and_then(|artifact| artifact.recording_url.clone());
        let created = call.and_then(|call| call.created_at.as_deref());
        Ok(CallFacts {
            state: state.into(),
            from_number: number(from),
            to_number: number(to),
            started_at: rfc3339("message.startedAt", started.or(created))?,
            // The time of an end that has not come is not told.
            ended_at: if state == CallState::Ended { rfc3339("message.endedAt", ended)? } else { None },
            summary: summary.unwrap_or_default(),
            turns: turns(&said),
            disconnection_reason: self.ended_reason.clone().unwrap_or_default(),
            recording_url: recording.unwrap_or_default(),
            transferred_to: number(self.transferred_to()),
            ..bare(id)
        })
    }

    fn transferred_to(&self) -> Option<&str> {
        let went_on = self.ended_reason.as_deref() == Some("assistant-forwarded-call");
        let destination = self.call.as_ref().and_then(|call| call.destination.as_ref());
        destination.filter(|_| went_on)?.number.as_deref()
    }

    fn customer(&self) -> Option<&str> {
        let call = self.call.as_ref().and_then(|call| call.customer.as_ref());
        self.customer.as_ref().or(call)?.number.as_deref()
    }

    fn salon(&self) -> Option<&str> {
        let call = self.call.as_ref().and_then(|call| call.phone_number.as_ref());
        self.phone_number.as_ref().or(call)?.number.as_deref()
    }

    fn is_outbound(&self) -> bool {
        self.call.as_ref().and_then(|call| call.r#type.as_deref()) == Some("outboundPhoneCall")
    }

    fn customer_number(&self) -> Option<String> {
        e164(self.customer()?)
    }
}

impl Utterance {
    fn said(&self) -> Option<Said> {
        let speaker = match self.role.as_deref()? {
            "bot" | "assistant" => Speaker::Agent,
            "user" => Speaker::Caller,
            // Instructions, tools and their results were not said.
            _ => return None,
        };
        let text = self.message.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
        let seconds = |millis: Option<f64>| millis.map(|millis| millis / 1000.0);
        let (from, to) = (seconds(self.time), seconds(self.end_time));
        let offset_ms = offset_ms(self.seconds_from_start);
        Some(Said { speaker, text: text.to_owned(), offset_ms, from, to })
    }
}

fn bare(id: &str) -> CallFacts {
    CallFacts { platform_call_id: id.to_owned(), platform: super::NAME.to_owned(), ..CallFacts::default() }
}

#[cfg(test)]
mod tests;
