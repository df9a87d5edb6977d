//! What a platform delivers, in one form for all of them.

use agent_tools::Tool;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use jiff::Timestamp;
use proto::{
    error::invalid,
    frontdesk::telemetry::{
        internal::v1::CallFacts,
        v1::{Speaker, Turn},
    },
    sample_call, time,
};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tonic::Status;

use super::{proof::digits, readable::readable};

/// Retell's own ids have 37 characters; event keys and idempotency keys hold twice that.
const MAX_CALL_ID: usize = 100;
const MAX_NAME: usize = 64;

/// A delivery whose signature was believed.
#[derive(Debug, Clone, PartialEq)]
pub enum Delivery {
    /// Something happened to a call.
    Event(CallEvent),
    /// The agent wants these done, one after the other, and a person is waiting.
    Tools(Vec<ToolCall>),
    /// The platform asks how to take a call.
    Incoming(CallEvent),
    /// Our own agent's conversation ended, or a person takes the call over, and the platform asks what comes next.
    HandedBack(CallEvent, Conversation),
    /// The caller was to be put through, and the platform tells what came of it and asks what comes next.
    Dialled(CallEvent, Dialled),
    /// A recording is in the body itself.
    Recorded(CallEvent),
    /// Something happened that names no call, such as to a chat.
    Notice(Notice),
}

/// What became of a conversation with our own agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conversation {
    /// It came to its end, or the caller hung up.
    Over,
    /// It goes on with a person at this number, E.164.
    GoesOn(String),
    /// It could not begin, or broke off.
    Broken {
        /// The caller is still there.
        waits: bool,
    },
}

/// What came of putting a caller through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialled {
    /// They spoke with a person, and that is over.
    Answered,
    /// No one answered.
    NotAnswered {
        /// The caller is still there.
        waits: bool,
    },
}

impl Delivery {
    /// The id of its call, if it is a sample by which a connection is tested.
    #[must_use]
    pub fn sample(&self) -> Option<&str> {
        let facts = match self {
            Self::Event(event)
            | Self::Incoming(event)
            | Self::HandedBack(event, _)
            | Self::Dialled(event, _)
            | Self::Recorded(event) => &event.facts,
            Self::Tools(calls) => &calls.first()?.facts,
            Self::Notice(_) => return None,
        };
        Some(facts.platform_call_id.as_str()).filter(|call| sample_call::is_sample(call))
    }
}

/// Where published agents deliver, the address names the version of the settings they were published from.
const VERSION: &str = "agent_version";

impl Delivery {
    /// The same, of a call that runs on the version that its address names, unless the body names one.
    #[must_use]
    pub fn at(mut self, query: Option<&str>) -> Self {
        let version = query.and_then(|query| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            let (_, version) = pairs.find(|(name, _)| name == VERSION)?;
            digits(&version).and_then(|version| i32::try_from(version).ok())
        });
        let Some(version) = version else { return self };
        let facts: Vec<&mut CallFacts> = match &mut self {
            Self::Event(event)
            | Self::Incoming(event)
            | Self::HandedBack(event, _)
            | Self::Dialled(event, _)
            | Self::Recorded(event) => vec![&mut event.facts],
            Self::Tools(calls) => calls.iter_mut().map(|call| &mut call.facts).collect(),
            Self::Notice(_) => vec![],
        };
        for facts in facts.into_iter().filter(|facts| facts.agent_version == 0) {
            facts.agent_version = version;
        }
        self
    }
}

/// Something that happened, and names no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Names it within its connection; a repeated delivery has the same.
    pub key: String,
    /// What happened, as the platform names it.
    pub kind: String,
}

impl Notice {
    /// A notice of this kind, if that is a name.
    #[must_use]
    pub fn new(kind: String, body: &[u8]) -> Option<Self> {
        let kind = name("kind", kind).ok()?;
        Some(Self { key: format!("notice:{kind}:{}", hash(body)), kind })
    }
}

/// Something that happened to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallEvent {
    /// Names the event within its connection; a repeated delivery has the same.
    pub key: String,
    /// What it says of the call.
    pub facts: CallFacts,
    /// The call is over.
    pub ended: bool,
}

impl CallEvent {
    /// What a platform's own API tells of a call that has ended.
    #[must_use]
    pub fn listed(facts: CallFacts) -> Self {
        Self { key: listed_key(&facts.platform_call_id), facts, ended: true }
    }
}

/// Names what a platform's own API told of a call.
#[must_use]
pub fn listed_key(call: &str) -> String {
    format!("{call}:listed")
}

/// Something said, by the platform's clock.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// Who said it.
    pub speaker: Speaker,
    /// The words.
    pub text: String,
    /// Milliseconds after the start of the call; -1 where the platform says nothing of it.
    pub offset_ms: i32,
    /// When it began, in seconds of any clock.
    pub from: Option<f64>,
    /// When it ended, in seconds of the same clock.
    pub to: Option<f64>,
}

/// Turns, with how long the caller waited for the agent's, and which of them the caller spoke into.
#[must_use]
pub fn turns(said: &[Said]) -> Vec<Turn> {
    let neighbour = |at: Option<usize>| at.and_then(|at| said.get(at));
    let turn = |(at, words): (usize, &Said)| {
        let is_agent = words.speaker == Speaker::Agent;
        let of_caller = |other: Option<&'_ Said>| {
            other.filter(|other| is_agent && other.speaker != words.speaker).cloned()
        };
        let before = of_caller(neighbour(at.checked_sub(1)));
        let after = of_caller(neighbour(Some(at + 1)));
        Turn {
            speaker: words.speaker.into(),
            text: words.text.clone(),
            offset_ms: words.offset_ms,
            latency_ms: before.and_then(|before| waited(before.to, words.from)),
            interrupted: after.is_some_and(|after| overlaps(words.to, after.from)),
        }
    };
    said.iter().enumerate().map(turn).collect()
}

/// Milliseconds from one moment to a later one.
fn waited(from: Option<f64>, to: Option<f64>) -> Option<i32> {
    let seconds = to? - from?;
    (seconds >= 0.0).then(|| offset_ms(Some(seconds)))
}

fn overlaps(end: Option<f64>, next: Option<f64>) -> bool {
    end.zip(next).is_some_and(|(end, next)| next < end)
}

/// A tool the agent calls.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// Names the call of the tool within its connection; a repeated delivery has the same.
    pub key: String,
    /// The platform's id of it, to answer under; empty where a delivery holds one alone.
    pub id: String,
    /// What the delivery says of the telephone call.
    pub facts: CallFacts,
    /// The tool, as the agent names it.
    pub name: String,
    /// What the agent gave it.
    pub arguments: Map<String, Value>,
    /// The customer's number, E.164; `None` when withheld.
    pub customer_number: Option<String>,
}

impl ToolCall {
    /// The tool that leaves the team a message about a caller, where the salon takes any.
    #[must_use]
    pub fn message(key: String, facts: CallFacts, text: &str) -> Self {
        let customer_number = e164(&facts.from_number);
        Self {
            key,
            id: String::new(),
            facts,
            name: Tool::TakeMessage.name().to_owned(),
            arguments: Map::from_iter([("message".to_owned(), text.into())]),
            customer_number,
        }
    }
}

/// `text`, if it is a telephone number in E.164.
#[must_use]
pub fn e164(text: &str) -> Option<String> {
    let digits = text.strip_prefix('+')?;
    let fits = (7..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    (fits && !digits.starts_with('0')).then(|| text.to_owned())
}

/// The same, empty when it is none.
#[must_use]
pub fn number(text: Option<&str>) -> String {
    text.and_then(e164).unwrap_or_default()
}

/// The texts at two places of a body in JSON: what names an event, and its call, where the rest can't be read.
#[must_use]
pub fn head(body: &[u8], name: &str, call: &str) -> Option<(String, String)> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let text = |place: &str| body.pointer(place).and_then(Value::as_str).map(str::to_owned);
    Some((text(name)?, text(call)?))
}

/// The text at a place of a body in JSON that has nothing at others: what names an event, where no call is named.
#[must_use]
pub fn head_without(body: &[u8], name: &str, others: &[&str]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let has = |place: &&str| body.pointer(place).is_some_and(|there| !there.is_null());
    body.pointer(name).and_then(Value::as_str).filter(|_| !others.iter().any(has)).map(str::to_owned)
}

/// A platform's id of a call, of the field that holds it.
///
/// # Errors
/// INVALID_FIELD without one, or when it could be no key.
pub fn call_id(field: &str, id: Option<&str>) -> Result<String, Status> {
    let id = id.ok_or_else(|| invalid(field, "is required"))?;
    if !(1..=MAX_CALL_ID).contains(&id.len()) || !id.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(invalid(field, "must be 1 to 100 visible ASCII characters"));
    }
    Ok(id.to_owned())
}

/// The name of an event or a tool.
///
/// # Errors
/// INVALID_FIELD.
pub fn name(field: &str, name: String) -> Result<String, Status> {
    let fits = (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_graphic());
    if fits { Ok(name) } else { Err(invalid(field, "must be 1 to 64 visible ASCII characters")) }
}

/// The arguments of a tool; none is an empty object.
///
/// # Errors
/// INVALID_FIELD when they are no object.
pub fn arguments(field: &str, value: Option<Value>) -> Result<Map<String, Value>, Status> {
    match value {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(arguments)) => Ok(arguments),
        Some(_) => Err(invalid(field, "must be an object")),
    }
}

/// The same where a platform hands over the text that its model wrote.
///
/// # Errors
/// INVALID_FIELD when they are no object.
pub fn written_arguments(field: &str, value: Option<Value>) -> Result<Map<String, Value>, Status> {
    match value {
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Map::new()),
        Some(Value::String(text)) => {
            let text = readable(text.as_bytes());
            serde_json::from_slice(&text).map_err(|_| invalid(field, "must be an object"))
        }
        other => arguments(field, other),
    }
}

/// An instant in milliseconds since 1970.
///
/// # Errors
/// INVALID_FIELD beyond the years 1 to 9999.
pub fn millis(field: &str, millis: Option<i64>) -> Result<Option<pbjson_types::Timestamp>, Status> {
    millis
        .map(|millis| {
            let at = Timestamp::from_millisecond(millis)
                .map_err(|_| invalid(field, "is not a time between years 1 and 9999"))?;
            Ok(time::to_proto(at))
        })
        .transpose()
}

/// An instant in RFC 3339.
///
/// # Errors
/// INVALID_FIELD when it is none.
pub fn rfc3339(field: &str, text: Option<&str>) -> Result<Option<pbjson_types::Timestamp>, Status> {
    text.filter(|text| !text.is_empty())
        .map(|text| {
            let at: Timestamp = text.parse().map_err(|_| invalid(field, "is not a time in RFC 3339"))?;
            Ok(time::to_proto(at))
        })
        .transpose()
}

/// Seconds as milliseconds; saturates, so that nonsense stays a number.
#[must_use]
pub fn offset_ms(seconds: Option<f64>) -> i32 {
    seconds.map_or(-1, |seconds| (seconds * 1000.0).round().max(0.0) as i32)
}

/// A key of what has no id of its own.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    B64.encode(Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_withheld_number_is_none() {
        assert_eq!(e164("+447700900123").as_deref(), Some("+447700900123"));
        for text in ["", "anonymous", "+0447700900", "447700900123", "+44 7700 900123", "+1234567890123456"] {
            assert_eq!(e164(text), None, "{text}");
        }
    }

    #[test]
    fn a_call_runs_on_the_version_that_its_address_names() {
        let event = |agent_version| {
            let facts = CallFacts { agent_version, ..CallFacts::default() };
            Delivery::Event(CallEvent { key: "k".to_owned(), facts, ended: false })
        };
        assert_eq!(event(0).at(Some("x=1&agent_version=7")), event(7));
        assert_eq!(event(3).at(Some("agent_version=7")), event(3), "what the body says counts");
        for query in [None, Some(""), Some("agent_version="), Some("agent_version=-1"), Some("version=7")] {
            assert_eq!(event(0).at(query), event(0), "{query:?}");
        }
    }

    #[test]
    fn the_caller_waits_for_the_agent_and_speaks_into_its_turn() {
        let said = |speaker, text: &str, from, to| Said {
            speaker,
            text: text.to_owned(),
            offset_ms: -1,
            from: Some(from),
            to: Some(to),
        };
        let turns = turns(&[
            said(Speaker::Agent, "Hello", 0.5, 1.0),
            said(Speaker::Caller, "A cut", 1.5, 2.0),
            said(Speaker::Agent, "I have ten, noon", 2.75, 5.0),
            said(Speaker::Caller, "Ten", 4.5, 5.2),
            said(Speaker::Agent, "Ten it is", 5.1, 6.0),
        ]);
        let measured: Vec<_> = turns.iter().map(|turn| (turn.latency_ms, turn.interrupted)).collect();
        let expected = [(None, false), (None, false), (Some(750), true), (None, false), (None, false)];
        assert_eq!(measured, expected, "an answer before the end of the question was not waited for");
    }

    #[test]
    fn arguments_are_an_object_or_the_text_of_one() {
        assert_eq!(arguments("args", None).unwrap(), Map::new());
        assert!(arguments("args", Some("{}".into())).is_err());
        assert_eq!(written_arguments("args", Some("".into())).unwrap(), Map::new());
        let read = written_arguments("args", Some(r#"{"phone":"1"}"#.into())).unwrap();
        assert_eq!(read["phone"], "1");
        let cut = written_arguments("args", Some(r#"{"message":"Thanks \ud83d"}"#.into())).unwrap();
        assert_eq!(cut["message"], "Thanks \u{fffd}");
        for value in [Value::from("["), Value::from("[]"), Value::from(7), Value::Array(vec![])] {
            assert!(written_arguments("args", Some(value.clone())).is_err(), "{value}");
        }
    }

    #[test]
    fn an_offset_that_is_nonsense_stays_a_number() {
        assert_eq!(offset_ms(None), -1);
        assert_eq!(offset_ms(Some(0.6)), 600);
        assert_eq!(offset_ms(Some(-3.0)), 0);
        assert_eq!(offset_ms(Some(f64::NAN)), 0);
        assert_eq!(offset_ms(Some(1e300)), i32::MAX);
    }
}
