//! The voice platforms' APIs as their references document them, strictly: an unknown field, another method or a wrong key is
//! refused. Each can be told to fail.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};
use tenancy::{Addresses, PlatformUrls};

mod elevenlabs;
mod retell;
mod vapi;

use elevenlabs::elevenlabs;
use retell::retell;
use vapi::vapi;

use crate::{call_fakes, stage::nowhere};

pub const KEY: &str = "api_key_hunter2";

/// What happens to the next call that changes something.
#[derive(Debug, Clone)]
pub enum Trouble {
    /// It is refused with this status.
    Status(u16),
    /// It is refused with 429 and this wait.
    Busy(u32),
    /// It is done, and its answer is lost.
    LostAnswer,
    /// It is not done, and answered as if it were.
    Ignored,
}

/// Records of all three platforms.
#[derive(Debug, Default)]
pub struct Records {
    /// Retell's versions of agents by id, the oldest first.
    pub retell_agents: BTreeMap<String, Vec<Value>>,
    /// Retell's versions of LLMs by id.
    pub retell_llms: BTreeMap<String, Vec<Value>>,
    pub vapi_assistants: BTreeMap<String, Value>,
    pub elevenlabs_agents: BTreeMap<String, Value>,
    pub elevenlabs_tools: BTreeMap<String, Value>,
    /// Calls as the platforms have them, the oldest first.
    pub calls: call_fakes::Calls,
    /// Calls that changed something, as `PATCH /assistant/a`.
    pub changes: Vec<String>,
    pub troubles: VecDeque<Trouble>,
    /// The same for what is read.
    pub read_troubles: VecDeque<Trouble>,
}

/// The platforms, served on this machine.
#[derive(Debug, Clone)]
pub struct Platforms {
    pub records: Arc<Mutex<Records>>,
    pub addresses: Addresses,
}

pub type Answered = Result<Value, (StatusCode, String)>;

pub fn refuse<T>(status: u16, why: impl Into<String>) -> Result<T, (StatusCode, String)> {
    Err((StatusCode::from_u16(status).unwrap(), why.into()))
}

impl Platforms {
    /// Starts them, each with an agent that an owner has set up.
    pub async fn start() -> Self {
        let records = Arc::new(Mutex::new(set_up()));
        let serve = async |platform: fn(&mut Records, &Call) -> Answered, key: &'static str| {
            let fake = Fake { records: records.clone(), platform, key };
            let router = Router::new().fallback(answer).with_state(fake);
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            tokio::spawn(async move { axum::serve(listener, router).await });
            format!("http://{address}").parse::<url::Url>().unwrap()
        };
        let platforms = PlatformUrls {
            retell: serve(retell, "authorization").await,
            vapi: serve(vapi, "authorization").await,
            elevenlabs: serve(elevenlabs, "xi-api-key").await,
            twilio: serve(call_fakes::twilio, "basic").await,
        };
        Self { records, addresses: Addresses { platforms, ..nowhere() } }
    }

    pub fn look<T>(&self, look: impl FnOnce(&mut Records) -> T) -> T {
        look(&mut self.records.lock().unwrap())
    }

    /// What happens to the next changes.
    pub fn trouble(&self, troubles: impl IntoIterator<Item = Trouble>) {
        self.look(|records| records.troubles.extend(troubles));
    }
}

fn set_up() -> Records {
    let mut records = Records::default();
    let end_call = json!({"type": "end_call", "name": "end_call", "description": "Ends the call"});
    let llm = json!({"llm_id": "llm_1", "version": 0, "is_published": true, "model": "gpt-4.1",
        "start_speaker": "agent", "general_prompt": "Sell.", "begin_message": "Yo", "general_tools": [end_call]});
    let agent = json!({"agent_id": "agent_1", "version": 0, "is_published": true, "voice_id": "11labs-Adrian",
        "language": "en-US", "response_engine": {"type": "retell-llm", "llm_id": "llm_1", "version": 0}});
    records.retell_llms.insert("llm_1".into(), vec![llm]);
    records.retell_agents.insert("agent_1".into(), vec![agent]);
    let flow = json!({"agent_id": "flow_1", "version": 0, "is_published": false, "voice_id": "x", "language": "en-US",
        "response_engine": {"type": "conversation-flow", "conversation_flow_id": "f", "version": 0}});
    records.retell_agents.insert("flow_1".into(), vec![flow]);
    let assistant = json!({"id": "assistant_1", "orgId": "o", "createdAt": "", "updatedAt": "",
        "firstMessage": "Yo", "transcriber": {"provider": "deepgram"}, "voice": {"provider": "11labs", "voiceId": "burt", "speed": 1.1},
        "model": {"provider": "openai", "model": "gpt-4o", "temperature": 0.3, "tools": [{"type": "endCall"}]},
        "server": {"url": "https://elsewhere.example", "credentialId": "c1"}});
    records.vapi_assistants.insert("assistant_1".into(), assistant);
    let tool = |name: &str| {
        json!({"type": "webhook", "name": name, "description": "d",
        "api_schema": {"url": "https://elsewhere.example", "method": "POST"}})
    };
    records.elevenlabs_tools.insert("tool_x".into(), tool("hold_slot"));
    let agent = json!({"agent_id": "eleven_1", "name": "Desk", "metadata": {}, "conversation_config": {
        "agent": {"first_message": "Yo", "language": "en", "prompt": {"prompt": "Sell.", "llm": "gpt-4o", "tool_ids": ["tool_x"]}},
        "tts": {"voice_id": "voice_1", "model_id": "eleven_turbo_v2"}}});
    records.elevenlabs_agents.insert("eleven_1".into(), agent);
    records
}

#[derive(Clone)]
struct Fake {
    records: Arc<Mutex<Records>>,
    platform: fn(&mut Records, &Call) -> Answered,
    key: &'static str,
}

/// A call, taken apart.
pub struct Call {
    pub method: String,
    pub path: Vec<String>,
    pub query: Vec<(String, String)>,
    pub body: Map<String, Value>,
}

impl Call {
    pub fn route(&self) -> (&str, Vec<&str>) {
        (&self.method, self.path.iter().map(String::as_str).collect())
    }

    pub fn query(&self, known: &[&str]) -> Result<BTreeMap<&str, &str>, (StatusCode, String)> {
        match self.query.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => refuse(422, format!("unknown query {name}")),
            None => Ok(self.query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()),
        }
    }

    /// The body, which has no other fields than these.
    pub fn body(&self, known: &[&str]) -> Result<&Map<String, Value>, (StatusCode, String)> {
        only("body", &self.body, known)?;
        Ok(&self.body)
    }
}

pub fn only(place: &str, object: &Map<String, Value>, known: &[&str]) -> Result<(), (StatusCode, String)> {
    match object.keys().find(|field| !known.contains(&field.as_str())) {
        Some(field) => refuse(422, format!("{place}: unknown field {field}")),
        None => Ok(()),
    }
}

pub fn object<'a>(place: &str, value: &'a Value) -> Result<&'a Map<String, Value>, (StatusCode, String)> {
    value.as_object().map_or_else(|| refuse(422, format!("{place} must be an object")), Ok)
}

pub fn string(place: &str, value: &Value) -> Result<String, (StatusCode, String)> {
    value
        .as_str()
        .map_or_else(|| refuse(422, format!("{place} must be a string")), |text| Ok(text.to_owned()))
}

pub fn e164(number: &Value) -> bool {
    let digits = number.as_str().and_then(|number| number.strip_prefix('+'));
    digits.is_some_and(|digits| digits.len() >= 7 && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

async fn answer(State(fake): State<Fake>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // A call's own address is its key; it is not told the account's.
    let is_known = match parts.uri.path().ends_with("/control") {
        true => !parts.headers.contains_key("authorization"),
        false => has_key(&parts.headers, fake.key),
    };
    if !is_known {
        return (StatusCode::UNAUTHORIZED, r#"{"message":"Invalid API key"}"#).into_response();
    }
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    let body = match serde_json::from_slice::<Value>(&bytes) {
        _ if bytes.is_empty() => Map::new(),
        Ok(Value::Object(body)) if parts.headers["content-type"] == "application/json" => body,
        Err(_) if parts.headers["content-type"] == "application/x-www-form-urlencoded" => {
            let pairs = url::form_urlencoded::parse(&bytes).into_owned();
            pairs.map(|(name, value)| (name, Value::String(value))).collect()
        }
        _ => return (StatusCode::BAD_REQUEST, r#"{"message":"the body is no JSON object"}"#).into_response(),
    };
    let query = parts.uri.query().unwrap_or_default();
    let call = Call {
        method: parts.method.to_string(),
        path: parts.uri.path().trim_start_matches('/').split('/').map(str::to_owned).collect(),
        query: url::form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
        body,
    };
    let (answered, lost) = {
        let mut records = fake.records.lock().unwrap();
        let reads = call.method == "GET" || call.path == ["v3", "list-calls"];
        let trouble = if reads { records.read_troubles.pop_front() } else { records.troubles.pop_front() };
        match trouble {
            Some(Trouble::Status(status)) => (refuse(status, "no such luck"), false),
            Some(Trouble::Busy(seconds)) => {
                return (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, seconds.to_string())]).into_response();
            }
            Some(Trouble::Ignored) => (Ok(json!({"nonsense": true})), false),
            trouble => {
                let answered = (fake.platform)(&mut records, &call);
                if !reads && answered.is_ok() {
                    records.changes.push(format!("{} /{}", call.method, call.path.join("/")));
                }
                (answered, trouble.is_some())
            }
        }
    };
    match answered {
        Ok(_) if lost => {
            let broken = futures::stream::iter([Err::<Vec<u8>, _>(std::io::Error::other("the line is cut"))]);
            Body::from_stream(broken).into_response()
        }
        Ok(Value::Null) => StatusCode::OK.into_response(),
        Ok(body) => axum::Json(body).into_response(),
        Err((status, why)) => (status, axum::Json(json!({"message": why}))).into_response(),
    }
}

fn has_key(headers: &HeaderMap, name: &str) -> bool {
    if name == "basic" {
        let given = headers.get("authorization").and_then(|value| value.to_str().ok());
        let login = STANDARD.encode(format!("{}:{KEY}", call_fakes::ACCOUNT));
        return given == Some(format!("Basic {login}").as_str());
    }
    let given = headers.get(name).and_then(|value| value.to_str().ok());
    let wanted = if name == "authorization" { format!("Bearer {KEY}") } else { KEY.to_owned() };
    given == Some(wanted.as_str())
}
