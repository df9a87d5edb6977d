//! Retell's bodies: `{event, call}` for call events, `{name, call, args}` for custom functions.

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
        field::{arguments, call_id, e164, hash, head, head_without, millis, name, number, offset_ms},
        said::{Said, turns},
    },
};

/// A call has one of each of these.
const ONCE: [&str; 3] = ["call_started", "call_ended", "call_analyzed"];
const TRANSCRIPT: &str = "transcript_updated";

#[derive(Deserialize)]
struct Body {
    event: Option<String>,
    name: Option<String>,
    args: Option<Value>,
    call: Option<Call>,
}

#[derive(Deserialize)]
struct Call {
    call_id: Option<String>,
    call_status: Option<String>,
    direction: Option<String>,
    from_number: Option<String>,
    to_number: Option<String>,
    start_timestamp: Option<i64>,
    end_timestamp: Option<i64>,
    transcript_object: Option<Vec<Utterance>>,
    disconnection_reason: Option<String>,
    call_analysis: Option<Analysis>,
    recording_url: Option<String>,
    /// Where the call went on, if it did.
    transfer_destination: Option<String>,
}

#[derive(Deserialize)]
struct Utterance {
    role: String,
    content: Option<String>,
    words: Option<Vec<Word>>,
}

#[derive(Deserialize)]
struct Word {
    /// Seconds after the start of the call.
    start: Option<f64>,
    end: Option<f64>,
}

#[derive(Deserialize)]
struct Analysis {
    call_summary: Option<String>,
}

/// Reads a call as Retell's API shows it: as in its events.
///
/// # Errors
/// INVALID_ARGUMENT, naming the field.
pub fn listed(document: &[u8]) -> Result<CallEvent, Status> {
    let call: Call =
        serde_json::from_slice(document).map_err(|error| malformed(document, &error.to_string()))?;
    Ok(CallEvent::listed(call.facts(&call.id()?, CallState::Ended)?))
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
    let call = parsed.call.ok_or_else(|| invalid("call", "is required"))?;
    match (parsed.event, parsed.name) {
        (Some(event), None) => event_of(event, &call, body).map(Delivery::Event),
        (None, Some(name)) => tool_of(name, parsed.args, &call, body).map(|tool| Delivery::Tools(vec![tool])),
        (Some(_), Some(_)) => Err(invalid("event", "may not stand beside name")),
        (None, None) => Err(invalid("event", "is required, or name for a custom function")),
    }
}

/// An event that names no call. A function that names none is refused: the agent waits for its answer.
fn notice(body: &[u8]) -> Option<Notice> {
    Notice::new(head_without(body, "/event", &["/call/call_id", "/name"])?, body)
}

/// An event of another kind, in which a field has another form than in those that are read.
fn unread(body: &[u8]) -> Option<Delivery> {
    let (event, id) = head(body, "/event", "/call/call_id")?;
    if ONCE.contains(&event.as_str()) || event == TRANSCRIPT {
        return None;
    }
    let (event, id) = (name("event", event).ok()?, call_id("call.call_id", Some(&id)).ok()?);
    let key = format!("{id}:{event}:{}", hash(body));
    Some(Delivery::Event(CallEvent { key, facts: bare(&id), ended: false }))
}

fn event_of(event: String, call: &Call, body: &[u8]) -> Result<CallEvent, Status> {
    let event = name("event", event)?;
    let id = call.id()?;
    let key = match ONCE.contains(&event.as_str()) {
        true => format!("{id}:{event}"),
        false => format!("{id}:{event}:{}", hash(body)),
    };
    let state = match event.as_str() {
        "call_started" | TRANSCRIPT => call.state().unwrap_or(CallState::Live),
        "call_ended" | "call_analyzed" => CallState::Ended,
        _ => return Ok(CallEvent { key, facts: bare(&id), ended: false }),
    };
    Ok(CallEvent { key, facts: call.facts(&id, state)?, ended: event == "call_ended" })
}

fn tool_of(tool: String, args: Option<Value>, call: &Call, body: &[u8]) -> Result<ToolCall, Status> {
    let name = name("name", tool)?;
    let id = call.id()?;
    Ok(ToolCall {
        key: format!("{id}:tool:{}", hash(body)),
        id: String::new(),
        facts: call.facts(&id, call.state().unwrap_or(CallState::Live))?,
        name,
        arguments: arguments("args", args)?,
        customer_number: call.customer_number(),
    })
}

impl Call {
    fn id(&self) -> Result<String, Status> {
        call_id("call.call_id", self.call_id.as_deref())
    }

    fn state(&self) -> Option<CallState> {
        match self.call_status.as_deref()? {
            "registered" | "ongoing" => Some(CallState::Live),
            "not_connected" | "ended" | "error" => Some(CallState::Ended),
            _ => None,
        }
    }

    fn transferred_to(&self) -> Option<&str> {
        let went_on = self.disconnection_reason.as_deref() == Some("call_transfer");
        self.transfer_destination.as_deref().filter(|_| went_on)
    }

    fn customer_number(&self) -> Option<String> {
        let outbound = self.direction.as_deref() == Some("outbound");
        e164(if outbound { self.to_number.as_deref() } else { self.from_number.as_deref() }?)
    }

    fn facts(&self, id: &str, state: CallState) -> Result<CallFacts, Status> {
        let said: Vec<_> = self.transcript_object.iter().flatten().filter_map(Utterance::said).collect();
        let summary = self.call_analysis.as_ref().and_then(|analysis| analysis.call_summary.clone());
        Ok(CallFacts {
            state: state.into(),
            from_number: number(self.from_number.as_deref()),
            to_number: number(self.to_number.as_deref()),
            started_at: millis("call.start_timestamp", self.start_timestamp)?,
            ended_at: millis("call.end_timestamp", self.end_timestamp)?,
            summary: summary.unwrap_or_default(),
            turns: turns(&said),
            disconnection_reason: self.disconnection_reason.clone().unwrap_or_default(),
            recording_url: self.recording_url.clone().unwrap_or_default(),
            transferred_to: number(self.transferred_to()),
            ..bare(id)
        })
    }
}

impl Utterance {
    fn said(&self) -> Option<Said> {
        let speaker = match self.role.as_str() {
            "agent" => Speaker::Agent,
            "user" => Speaker::Caller,
            // A person the call was transferred to is neither.
            _ => return None,
        };
        let text = self.content.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
        let words = self.words.as_deref().unwrap_or_default();
        let from = words.first().and_then(|word| word.start);
        let to = words.last().and_then(|word| word.end);
        Some(Said { speaker, text: text.to_owned(), offset_ms: offset_ms(from), from, to })
    }
}

fn bare(id: &str) -> CallFacts {
    CallFacts { platform_call_id: id.to_owned(), platform: super::NAME.to_owned(), ..CallFacts::default() }
}

#[cfg(test)]
mod tests {
    use proto::{
        error::{Reason, reason_of},
        frontdesk::telemetry::v1::Turn,
    };
    use serde_json::json;
    use tonic_types::StatusExt;

    use super::*;

    fn event(name: &str, call: Value) -> CallEvent {
        match parse(json!({"event": name, "call": call}).to_string().as_bytes()) {
            Ok(Delivery::Event(event)) => event,
            other => panic!("{other:?}"),
        }
    }

    fn refused_field(body: &str) -> String {
        let status = parse(body.as_bytes()).unwrap_err();
        assert_eq!(reason_of(&status), Some(Reason::InvalidField));
        status.get_details_bad_request().unwrap().field_violations[0].field.clone()
    }

    #[test]
    fn reads_what_the_platform_knows_of_a_call() {
        let read = event(
            "call_analyzed",
            json!({
                "call_id": "call_a1", "agent_version": 3, "call_status": "ended", "direction": "inbound",
                "from_number": "+447700900123", "to_number": "anonymous",
                "start_timestamp": 1_780_300_800_250_i64, "end_timestamp": 1_780_300_860_000_i64,
                "transcript_object": [
                    {"role": "agent", "content": "Hello", "words": [{"word": "Hello", "start": 0.6, "end": 1.0}]},
                    {"role": "user", "content": " Hi there ", "words": []},
                    {"role": "transfer_target", "content": "Mia speaking"},
                    {"role": "user", "content": ""},
                ],
                "disconnection_reason": "user_hangup",
                "recording_url": "https://files.example/call_a1.wav",
                "call_analysis": {"call_summary": "Booked a cut.", "user_sentiment": "Positive"},
                "a_field_of_tomorrow": {},
            }),
        );
        assert_eq!((read.key.as_str(), read.ended), ("call_a1:call_analyzed", false));
        let at = |seconds, nanos| Some(pbjson_types::Timestamp { seconds, nanos });
        let expected = CallFacts {
            platform_call_id: "call_a1".into(),
            platform: "retell".into(),
            state: CallState::Ended.into(),
            from_number: "+447700900123".into(),
            to_number: String::new(),
            started_at: at(1_780_300_800, 250_000_000),
            ended_at: at(1_780_300_860, 0),
            summary: "Booked a cut.".into(),
            turns: vec![
                Turn {
                    speaker: Speaker::Agent.into(),
                    text: "Hello".into(),
                    offset_ms: 600,
                    ..Turn::default()
                },
                Turn {
                    speaker: Speaker::Caller.into(),
                    text: "Hi there".into(),
                    offset_ms: -1,
                    ..Turn::default()
                },
            ],
            disconnection_reason: "user_hangup".into(),
            recording_url: "https://files.example/call_a1.wav".into(),
            // Retell counts versions of its own agents.
            agent_version: 0,
            ..CallFacts::default()
        };
        assert_eq!(read.facts, expected);
    }

    #[test]
    fn a_call_of_its_api_is_the_same_call() {
        let words = |from: f64, to: f64| json!([{"word": "w", "start": from, "end": to}]);
        let call = json!({
            "call_id": "call_a1", "call_status": "ended", "direction": "inbound", "from_number": "+447700900123",
            "start_timestamp": 1_780_300_800_250_i64, "end_timestamp": 1_780_300_860_000_i64,
            "transcript_object": [
                {"role": "user", "content": "A cut", "words": words(1.0, 2.0)},
                {"role": "agent", "content": "I have ten,", "words": words(2.5, 4.0)},
                {"role": "user", "content": "Ten", "words": words(3.8, 4.2)},
            ],
            "call_analysis": {"call_summary": "Booked a cut."},
        });
        let read = listed(call.to_string().as_bytes()).unwrap();
        assert_eq!((read.key.as_str(), read.ended), ("call_a1:listed", true));
        assert_eq!(read.facts, event("call_analyzed", call).facts);
        let agent = &read.facts.turns[1];
        assert_eq!((agent.latency_ms, agent.interrupted), (Some(500), true));
        assert!(listed(b"{}").is_err() && listed(b"[").is_err());
    }

    #[test]
    fn a_call_that_was_put_through_names_to_whom() {
        let ended = |reason: &str, to: Value| {
            let call = json!({"call_id": "c", "disconnection_reason": reason, "transfer_destination": to});
            event("call_ended", call).facts.transferred_to
        };
        assert_eq!(ended("call_transfer", "+442079460018".into()), "+442079460018");
        assert_eq!(ended("call_transfer", "sip:desk@salon.test".into()), "", "no telephone number");
        assert_eq!(ended("call_transfer", Value::Null), "");
        assert_eq!(ended("user_hangup", "+442079460018".into()), "", "it did not come about");
    }

    #[test]
    fn each_transcript_is_an_event_of_its_own_and_a_repeated_one_is_not() {
        let said =
            |text: &str| json!({"call_id": "c", "transcript_object": [{"role": "user", "content": text}]});
        let key = |text: &str| event("transcript_updated", said(text)).key;
        assert_eq!(key("a"), key("a"));
        assert_ne!(key("a"), key("b"));
        assert_eq!(event("call_ended", said("a")).key, event("call_ended", said("b")).key);
    }

    #[test]
    fn an_event_of_tomorrow_changes_no_facts() {
        let read =
            event("transfer_started", json!({"call_id": "c", "call_status": "ended", "agent_version": 2}));
        assert_eq!((read.facts, read.ended), (bare("c"), false));
    }

    #[test]
    fn only_the_end_of_the_call_ends_it() {
        assert!(event("call_ended", json!({"call_id": "c"})).ended);
        for name in ["call_started", "transcript_updated", "call_analyzed"] {
            assert!(!event(name, json!({"call_id": "c"})).ended, "{name}");
        }
    }

    #[test]
    fn reads_a_custom_function_and_whom_the_agent_talks_to() {
        let tool = |direction: &str, args: Value| {
            let call = json!({"call_id": "c", "direction": direction, "from_number": "+441111111",
                "to_number": "+442222222"});
            match parse(json!({"name": "find_customer", "args": args, "call": call}).to_string().as_bytes()) {
                Ok(Delivery::Tools(mut tools)) => tools.remove(0),
                other => panic!("{other:?}"),
            }
        };
        let inbound = tool("inbound", json!({"phone": "07700 900123"}));
        assert_eq!(
            (inbound.name.as_str(), inbound.arguments["phone"].as_str()),
            ("find_customer", Some("07700 900123"))
        );
        assert_eq!(inbound.customer_number.as_deref(), Some("+441111111"));
        let outbound = tool("outbound", Value::Null);
        assert_eq!(outbound.customer_number.as_deref(), Some("+442222222"));
        assert!(outbound.arguments.is_empty());
        assert_ne!(inbound.key, outbound.key);
    }

    #[test]
    fn a_malformed_body_is_refused_by_the_name_of_its_field() {
        assert_eq!(refused_field("{"), "body");
        assert_eq!(refused_field(r#"{"event":7,"call":{}}"#), "event");
        assert_eq!(refused_field(r#"{"call":{"call_id":"c"}}"#), "event");
        assert_eq!(refused_field(r#"{"event":"e","name":"n","call":{"call_id":"c"}}"#), "event");
        assert_eq!(refused_field(r#"{"event":"call_started","call":{"call_id":"a b"}}"#), "call.call_id");
        assert_eq!(refused_field(r#"{"event":"","call":{"call_id":"c"}}"#), "event");
        assert_eq!(refused_field(r#"{"name":"n","args":[],"call":{"call_id":"c"}}"#), "args");
        let far = r#"{"event":"call_started","call":{"call_id":"c","start_timestamp":9223372036854775807}}"#;
        assert_eq!(refused_field(far), "call.start_timestamp");
    }
}
