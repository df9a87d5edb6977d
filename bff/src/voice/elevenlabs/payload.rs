//! ElevenLabs' bodies: `{type, data}` for what happened after a call, `{tool, conversation_id, …}` for server tools.
//!
//! The body of a server tool is ours to define. The definitions put the tool's name in `tool`, ElevenLabs' own
//! variables in `conversation_id`, `caller_id` and `called_number`, and the agent's arguments in `parameters`.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::invalid,
    frontdesk::telemetry::{
        internal::v1::CallFacts,
        v1::{CallState, Speaker, Turn},
    },
    time,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use tonic::Status;

use super::NAME;
use crate::{
    body::malformed,
    voice::{
        delivery::{CallEvent, Delivery, Notice, ToolCall},
        field::{arguments, call_id, e164, hash, head, head_without, name, number, offset_ms},
        proof::digits,
    },
};

#[derive(Deserialize)]
struct Body {
    r#type: Option<String>,
    data: Option<Data>,
    tool: Option<String>,
    conversation_id: Option<String>,
    caller_id: Option<String>,
    called_number: Option<String>,
    parameters: Option<Value>,
}

#[derive(Deserialize)]
struct Data {
    conversation_id: Option<String>,
    transcript: Option<Vec<Utterance>>,
    metadata: Option<Metadata>,
    analysis: Option<Analysis>,
    failure_reason: Option<String>,
    conversation_initiation_client_data: Option<ClientData>,
}

#[derive(Deserialize)]
struct ClientData {
    dynamic_variables: Option<Map<String, Value>>,
}

/// The published agent's variable that has the version of the settings it was published from.
const VERSION: &str = "frontdesk_agent_version";
/// What ElevenLabs measures of a turn: from the end of the question to the first sentence, or to the first words.
const WAITS: [&str; 2] = ["convai_llm_service_ttf_sentence", "convai_llm_service_ttfb"];

#[derive(Deserialize, Default)]
struct Metadata {
    start_time_unix_secs: Option<i64>,
    call_duration_secs: Option<i64>,
    termination_reason: Option<String>,
    phone_call: Option<PhoneCall>,
}

#[derive(Deserialize)]
struct PhoneCall {
    direction: Option<String>,
    agent_number: Option<String>,
    external_number: Option<String>,
}

#[derive(Deserialize)]
struct Analysis {
    transcript_summary: Option<String>,
}

#[derive(Deserialize)]
struct Utterance {
    role: Option<String>,
    message: Option<String>,
    time_in_call_secs: Option<f64>,
    /// The caller spoke into it.
    interrupted: Option<bool>,
    conversation_turn_metrics: Option<Value>,
    tool_results: Option<Vec<ToolResult>>,
}

#[derive(Deserialize)]
struct ToolResult {
    tool_name: Option<String>,
    result: Option<Value>,
}

/// The event that has a recording.
pub const RECORDED: &str = "post_call_audio";
/// The events that are read; all others are kept as they come.
const READ: [&str; 3] = [RECORDED, "post_call_transcription", "call_initiation_failure"];
/// ElevenLabs' own tool that puts callers through.
const TRANSFER: &str = "transfer_to_number";

/// Reads a conversation as ElevenLabs' API shows it: as in its events.
///
/// # Errors
/// INVALID_ARGUMENT, naming the field.
pub fn listed(document: &[u8]) -> Result<CallEvent, Status> {
    let data: Data =
        serde_json::from_slice(document).map_err(|error| malformed(document, &error.to_string()))?;
    let id = call_id("conversation_id", data.conversation_id.as_deref())?;
    Ok(CallEvent::listed(data.facts(&id)?))
}

/// That a call has a recording. A repeated delivery has the same key.
pub fn recorded(conversation: &str) -> CallEvent {
    let facts = CallFacts {
        platform_call_id: conversation.to_owned(),
        platform: NAME.to_owned(),
        ..CallFacts::default()
    };
    CallEvent { key: format!("{conversation}:{RECORDED}"), facts, ended: false }
}

/// Reads a body that was believed.
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
    match (parsed.r#type.clone(), parsed.tool.clone()) {
        (Some(kind), None) if kind == RECORDED => {
            let data = parsed.data.ok_or_else(|| invalid("data", "is required"))?;
            let id = call_id("data.conversation_id", data.conversation_id.as_deref())?;
            Ok(Delivery::Recorded(recorded(&id)))
        }
        (Some(kind), None) => event_of(&name("type", kind)?, parsed.data, body).map(Delivery::Event),
        (None, Some(tool)) => tool_of(tool, parsed, body).map(|tool| Delivery::Tools(vec![tool])),
        (Some(_), Some(_)) => Err(invalid("type", "may not stand beside tool")),
        (None, None) => Err(invalid("type", "is required, or tool for a server tool")),
    }
}

/// An event that names no conversation. A tool that names none is refused: the agent waits for its answer.
fn notice(body: &[u8]) -> Option<Notice> {
    Notice::new(head_without(body, "/type", &["/data/conversation_id", "/tool"])?, body)
}

/// An event of another kind, in which a field has another form than in those that are read.
fn unread(body: &[u8]) -> Option<Delivery> {
    let (kind, id) = head(body, "/type", "/data/conversation_id")?;
    if READ.contains(&kind.as_str()) {
        return None;
    }
    let (kind, id) = (name("type", kind).ok()?, call_id("data.conversation_id", Some(&id)).ok()?);
    let key = format!("{id}:{kind}:{}", hash(body));
    Some(Delivery::Event(CallEvent { key, facts: bare(&id), ended: false }))
}

fn event_of(kind: &str, data: Option<Data>, body: &[u8]) -> Result<CallEvent, Status> {
    let data = data.ok_or_else(|| invalid("data", "is required"))?;
    let id = call_id("data.conversation_id", data.conversation_id.as_deref())?;
    match kind {
        "post_call_transcription" | "call_initiation_failure" => {
            Ok(CallEvent { key: format!("{id}:{kind}"), facts: data.facts(&id)?, ended: true })
        }
        _ => Ok(CallEvent { key: format!("{id}:{kind}:{}", hash(body)), facts: bare(&id), ended: false }),
    }
}

fn tool_of(tool: String, parsed: Body, body: &[u8]) -> Result<ToolCall, Status> {
    let id = call_id("conversation_id", parsed.conversation_id.as_deref())?;
    let facts = CallFacts {
        state: CallState::Live.into(),
        from_number: number(parsed.caller_id.as_deref()),
        to_number: number(parsed.called_number.as_deref()),
        ..bare(&id)
    };
    Ok(ToolCall {
        key: format!("{id}:tool:{}", hash(body)),
        id: String::new(),
        facts,
        name: name("tool", tool)?,
        arguments: arguments("parameters", parsed.parameters)?,
        customer_number: parsed.caller_id.as_deref().and_then(e164),
    })
}

impl Data {
    fn facts(&self, id: &str) -> Result<CallFacts, Status> {
        let none = Metadata::default();
        let metadata = self.metadata.as_ref().unwrap_or(&none);
        let started = metadata.started()?;
        let length = metadata.call_duration_secs.unwrap_or_default().max(0);
        let ended = started.and_then(|at| at.checked_add(SignedDuration::from_secs(length)).ok());
        let (from, to) = metadata.phone_call.as_ref().map_or((None, None), PhoneCall::parties);
        let summary = self.analysis.as_ref().and_then(|analysis| analysis.transcript_summary.clone());
        let reason = self.failure_reason.as_ref().or(metadata.termination_reason.as_ref());
        Ok(CallFacts {
            state: CallState::Ended.into(),
            from_number: number(from),
            to_number: number(to),
            started_at: started.map(time::to_proto),
            ended_at: ended.map(time::to_proto),
            summary: summary.unwrap_or_default(),
            turns: self.transcript.iter().flatten().filter_map(Utterance::turn).collect(),
            disconnection_reason: reason.cloned().unwrap_or_default(),
            agent_version: self.agent_version(),
            transferred_to: number(self.transferred_to()),
            ..bare(id)
        })
    }
}

impl Data {
    /// What its own tool answered, if it put the caller through.
    fn transferred_to(&self) -> Option<&str> {
        let results = self.transcript.iter().flatten().filter_map(|turn| turn.tool_results.as_deref());
        let own = results.flatten().filter(|result| result.tool_name.as_deref() == Some(TRANSFER));
        let answers = own.filter_map(|result| result.result.as_ref());
        let done = answers.filter(|answer| answer["status"] == "success");
        done.filter_map(|answer| answer["transfer_number"].as_str()).next_back()
    }

    /// What the published agent's own variable says.
    fn agent_version(&self) -> i32 {
        let variables = self.conversation_initiation_client_data.as_ref();
        let version = variables.and_then(|data| data.dynamic_variables.as_ref()?.get(VERSION));
        let number = version.and_then(|version| version.as_i64().or_else(|| digits(version.as_str()?)));
        number.and_then(|number| i32::try_from(number).ok()).unwrap_or_default().max(0)
    }
}

impl Metadata {
    fn started(&self) -> Result<Option<Timestamp>, Status> {
        let read = |seconds| {
            let field = "data.metadata.start_time_unix_secs";
            Timestamp::from_second(seconds)
                .map_err(|_| invalid(field, "is not a time between years 1 and 9999"))
        };
        self.start_time_unix_secs.map(read).transpose()
    }
}

impl PhoneCall {
    /// Who called, and who was called.
    fn parties(&self) -> (Option<&str>, Option<&str>) {
        let (agent, other) = (self.agent_number.as_deref(), self.external_number.as_deref());
        if self.direction.as_deref() == Some("outbound") { (agent, other) } else { (other, agent) }
    }
}

impl Utterance {
    fn turn(&self) -> Option<Turn> {
        let speaker = match self.role.as_deref()? {
            "agent" => Speaker::Agent,
            "user" => Speaker::Caller,
            _ => return None,
        };
        let text = self.message.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
        let is_agent = speaker == Speaker::Agent;
        Some(Turn {
            speaker: speaker.into(),
            text: text.to_owned(),
            offset_ms: offset_ms(self.time_in_call_secs),
            latency_ms: self.waited().filter(|_| is_agent),
            // The message is what was said of it then.
            interrupted: is_agent && self.interrupted.unwrap_or_default(),
        })
    }

    fn waited(&self) -> Option<i32> {
        let metrics = self.conversation_turn_metrics.as_ref()?;
        let metrics = metrics.get("metrics").unwrap_or(metrics);
        let seconds = WAITS.iter().find_map(|name| metrics.get(name)?.get("elapsed_time")?.as_f64())?;
        Some(offset_ms(Some(seconds)))
    }
}

fn bare(id: &str) -> CallFacts {
    CallFacts { platform_call_id: id.to_owned(), platform: super::NAME.to_owned(), ..CallFacts::default() }
}

#[cfg(test)]
mod tests;
