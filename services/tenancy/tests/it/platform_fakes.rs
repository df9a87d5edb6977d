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

fn string(place: &str, value: &Value) -> Result<String, (StatusCode, String)> {
    value
        .as_str()
        .map_or_else(|| refuse(422, format!("{place} must be a string")), |text| Ok(text.to_owned()))
}

async fn answer(State(fake): State<Fake>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !has_key(&parts.headers, fake.key) {
        return (StatusCode::UNAUTHORIZED, r#"{"message":"Invalid API key"}"#).into_response();
    }
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    let body = match serde_json::from_slice::<Value>(&bytes) {
        _ if bytes.is_empty() => Map::new(),
        Ok(Value::Object(body)) if parts.headers["content-type"] == "application/json" => body,
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

/// The version that a query names, or the latest.
fn version_of<'a>(
    versions: &'a mut [Value],
    query: &BTreeMap<&str, &str>,
) -> Result<&'a mut Value, (StatusCode, String)> {
    let found = match query.get("version") {
        None => versions.last_mut(),
        Some(wanted) => {
            let wanted: Value = wanted.parse().unwrap_or_default();
            versions.iter_mut().find(|version| version["version"] == wanted)
        }
    };
    found.map_or_else(|| refuse(404, "no such version"), Ok)
}

fn retell(records: &mut Records, call: &Call) -> Answered {
    if matches!(call.path[0].as_str(), "v2" | "v3") {
        return call_fakes::retell(records, call);
    }
    let query = call.query(&["version"])?;
    let versions = |agents: &mut BTreeMap<String, Vec<Value>>, id: &str| {
        agents.get(id).cloned().map_or_else(|| refuse(404, "no such agent"), Ok)
    };
    match call.route() {
        ("GET", path) if path[0] == "get-agent" => {
            version_of(&mut versions(&mut records.retell_agents, path[1])?, &query).cloned()
        }
        ("GET", path) if path[0] == "get-retell-llm" => {
            version_of(&mut versions(&mut records.retell_llms, path[1])?, &query).cloned()
        }
        ("POST", path) if path[0] == "create-agent-version" => {
            let base = call.body(&["base_version"])?.get("base_version").cloned().unwrap_or_default();
            let agents = records.retell_agents.entry(path[1].to_owned()).or_default();
            let Some(from) = agents.iter().find(|agent| agent["version"] == base).cloned() else {
                return refuse(422, "base_version is required");
            };
            let next = agents.len();
            let mut agent = from;
            agent["version"] = json!(next);
            agent["is_published"] = json!(false);
            agent["response_engine"]["version"] = json!(next);
            agents.push(agent.clone());
            let llm_id = string("llm_id", &agent["response_engine"]["llm_id"])?;
            let llms = records.retell_llms.entry(llm_id).or_default();
            let mut llm = llms.last().cloned().unwrap_or_default();
            llm["version"] = json!(next);
            llm["is_published"] = json!(false);
            llms.push(llm);
            Ok(agent)
        }
        ("PATCH", path) if path[0] == "update-retell-llm" => {
            let body =
                call.body(&["begin_message", "start_speaker", "general_prompt", "general_tools", "model"])?;
            for tool in body.get("general_tools").and_then(Value::as_array).into_iter().flatten() {
                retell_tool(tool)?;
            }
            change(records.retell_llms.get_mut(path[1]), &query, body)
        }
        ("PATCH", path) if path[0] == "update-agent" => {
            let body =
                call.body(&["webhook_url", "language", "voice_id", "response_engine", "agent_name"])?;
            change(records.retell_agents.get_mut(path[1]), &query, body)
        }
        ("POST", path) if path[0] == "publish-agent-version" => {
            let body = call.body(&["version", "version_description", "version_title"])?;
            let wanted = body.get("version").and_then(Value::as_i64);
            let agents = records.retell_agents.get_mut(path[1]).into_iter().flatten();
            let Some(agent) = agents.into_iter().find(|agent| agent["version"].as_i64() == wanted) else {
                return refuse(404, "no such version");
            };
            agent["is_published"] = json!(true);
            let llm_id = string("llm_id", &agent["response_engine"]["llm_id"])?;
            for llm in records.retell_llms.get_mut(&llm_id).into_iter().flatten() {
                if llm["version"].as_i64() == wanted {
                    llm["is_published"] = json!(true);
                }
            }
            Ok(Value::Null)
        }
        (method, path) => refuse(
            if path[0].contains("agent") { 405 } else { 404 },
            format!("Cannot {method} /{}", path.join("/")),
        ),
    }
}

fn change(
    versions: Option<&mut Vec<Value>>,
    query: &BTreeMap<&str, &str>,
    body: &Map<String, Value>,
) -> Answered {
    let Some(versions) = versions else { return refuse(404, "no such record") };
    let record = version_of(versions, query)?;
    if record["is_published"] == true {
        return refuse(422, "a published version can't be changed");
    }
    for (field, value) in body {
        record[field] = value.clone();
    }
    Ok(record.clone())
}

fn retell_tool(tool: &Value) -> Result<(), (StatusCode, String)> {
    let tool = object("general_tools", tool)?;
    let known: &[&str] = match tool.get("type").and_then(Value::as_str) {
        Some("end_call") => &["type", "name", "description"],
        Some("custom") => &[
            "type",
            "name",
            "description",
            "url",
            "method",
            "headers",
            "parameters",
            "timeout_ms",
            "speak_during_execution",
            "speak_after_execution",
            "execution_message_description",
            "args_at_root",
        ],
        other => return refuse(422, format!("general_tools: unknown type {other:?}")),
    };
    only("general_tools", tool, known)?;
    let name = string("name", &tool["name"])?;
    let fits = name.len() <= 64 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if !fits {
        return refuse(422, "name must be of letters, digits, _ and -");
    }
    if tool["type"] == "custom" {
        string("url", tool.get("url").unwrap_or(&Value::Null))?;
        let parameters = object("parameters", &tool["parameters"])?;
        only("parameters", parameters, &["type", "properties", "required"])?;
        if !tool
            .get("timeout_ms")
            .is_none_or(|ms| ms.as_u64().is_some_and(|ms| (1_000..=600_000).contains(&ms)))
        {
            return refuse(422, "timeout_ms must be 1000 to 600000");
        }
    }
    Ok(())
}

fn vapi(records: &mut Records, call: &Call) -> Answered {
    if call.path[0] == "call" {
        return call_fakes::vapi(records, call);
    }
    call.query(&[])?;
    let (method, path) = call.route();
    let ["assistant", id] = path[..] else {
        return refuse(404, format!("Cannot {method} /{}", path.join("/")));
    };
    let Some(assistant) = records.vapi_assistants.get_mut(id) else {
        return refuse(404, "Couldn't get assistant");
    };
    match method {
        "GET" => Ok(assistant.clone()),
        "PATCH" => {
            let body = call.body(&[
                "firstMessage",
                "firstMessageMode",
                "model",
                "server",
                "voice",
                "transcriber",
                "name",
            ])?;
            if let Some(model) = body.get("model") {
                vapi_model(object("model", model)?)?;
            }
            if let Some(server) = body.get("server") {
                only(
                    "server",
                    object("server", server)?,
                    &["url", "credentialId", "headers", "timeoutSeconds", "backoffPlan"],
                )?;
            }
            if let Some(voice) = body.get("voice") {
                let voice = object("voice", voice)?;
                only(
                    "voice",
                    voice,
                    &["provider", "voiceId", "speed", "model", "stability", "cachingEnabled"],
                )?;
                string("voice.voiceId", voice.get("voiceId").unwrap_or(&Value::Null))?;
            }
            for (field, value) in body {
                assistant[field] = value.clone();
            }
            Ok(assistant.clone())
        }
        _ => refuse(404, format!("Cannot {method} /assistant/{id}")),
    }
}

fn vapi_model(model: &Map<String, Value>) -> Result<(), (StatusCode, String)> {
    only("model", model, &["provider", "model", "messages", "tools", "toolIds", "temperature", "maxTokens"])?;
    for required in ["provider", "model"] {
        string(required, model.get(required).unwrap_or(&Value::Null))?;
    }
    for tool in model.get("tools").and_then(Value::as_array).into_iter().flatten() {
        let tool = object("model.tools", tool)?;
        only("model.tools", tool, &["type", "async", "function", "server", "messages"])?;
        if tool["type"] == "function" {
            only(
                "function",
                object("function", &tool["function"])?,
                &["name", "description", "parameters", "strict"],
            )?;
        }
    }
    for message in model.get("messages").and_then(Value::as_array).into_iter().flatten() {
        only("model.messages", object("model.messages", message)?, &["role", "content"])?;
    }
    Ok(())
}

fn elevenlabs(records: &mut Records, call: &Call) -> Answered {
    let (method, path) = call.route();
    let ["v1", "convai", rest @ ..] = &path[..] else { return refuse(404, "Not Found") };
    if let ["conversations", rest @ ..] = rest {
        return call_fakes::elevenlabs(records, call, rest);
    }
    match (method, rest) {
        ("GET", ["agents", id]) => {
            call.query(&[])?;
            records.elevenlabs_agents.get(*id).cloned().map_or_else(|| refuse(404, "no such agent"), Ok)
        }
        ("PATCH", ["agents", id]) => {
            call.query(&[])?;
            let body = call.body(&[
                "conversation_config",
                "platform_settings",
                "name",
                "tags",
                "version_description",
            ])?;
            let config = object("conversation_config", &body["conversation_config"])?;
            only(
                "conversation_config",
                config,
                &["agent", "tts", "asr", "turn", "conversation", "language_presets", "vad"],
            )?;
            let agent = object("agent", &config["agent"])?;
            only("agent", agent, &["first_message", "language", "prompt", "dynamic_variables"])?;
            // Tools in the prompt itself are no longer taken.
            only(
                "prompt",
                object("prompt", &agent["prompt"])?,
                &["prompt", "llm", "tool_ids", "built_in_tools", "timezone", "temperature"],
            )?;
            for id in agent["prompt"]["tool_ids"].as_array().into_iter().flatten() {
                if !records.elevenlabs_tools.contains_key(id.as_str().unwrap_or_default()) {
                    return refuse(422, format!("tool_ids: {id} is none"));
                }
            }
            let Some(agent) = records.elevenlabs_agents.get_mut(*id) else {
                return refuse(404, "no such agent");
            };
            merge(&mut agent["conversation_config"], &body["conversation_config"]);
            Ok(agent.clone())
        }
        ("GET", ["tools"]) => {
            let query = call.query(&["page_size", "types", "cursor", "search"])?;
            let tools: Vec<_> = records.elevenlabs_tools.iter().collect();
            // A page of two, whatever is asked for: who lists has to go on.
            let from: usize = query.get("cursor").map_or(0, |cursor| cursor.parse().unwrap());
            let page = tools.iter().skip(from).take(2);
            let page: Vec<_> = page
                .map(|(id, config)| json!({"id": id, "tool_config": config, "access_info": {}}))
                .collect();
            let more = from + page.len() < tools.len();
            Ok(json!({"tools": page, "has_more": more, "next_cursor": more.then(|| (from + 2).to_string())}))
        }
        ("POST", ["tools"]) => {
            let config = elevenlabs_tool(call)?;
            let id = format!("tool_{}", records.elevenlabs_tools.len());
            records.elevenlabs_tools.insert(id.clone(), config.clone());
            Ok(json!({"id": id, "tool_config": config, "access_info": {}, "usage_stats": {}}))
        }
        ("PATCH", ["tools", id]) => {
            let config = elevenlabs_tool(call)?;
            let Some(tool) = records.elevenlabs_tools.get_mut(*id) else {
                return refuse(404, "no such tool");
            };
            tool.clone_from(&config);
            Ok(json!({"id": id, "tool_config": config, "access_info": {}, "usage_stats": {}}))
        }
        ("GET" | "PATCH" | "POST" | "PUT" | "DELETE", ["agents" | "tools", ..]) => {
            refuse(405, "Method Not Allowed")
        }
        _ => refuse(404, "Not Found"),
    }
}

fn elevenlabs_tool(call: &Call) -> Result<Value, (StatusCode, String)> {
    call.query(&[])?;
    let config =
        call.body(&["tool_config", "response_mocks"])?.get("tool_config").cloned().unwrap_or_default();
    let tool = object("tool_config", &config)?;
    only(
        "tool_config",
        tool,
        &["type", "name", "description", "response_timeout_secs", "api_schema", "dynamic_variables"],
    )?;
    if !tool
        .get("response_timeout_secs")
        .is_none_or(|secs| secs.as_u64().is_some_and(|secs| (5..=120).contains(&secs)))
    {
        return refuse(422, "response_timeout_secs must be 5 to 120");
    }
    let schema = object("api_schema", &config["api_schema"])?;
    only("api_schema", schema, &["url", "method", "request_headers", "request_body_schema", "content_type"])?;
    let body = object("request_body_schema", &schema["request_body_schema"])?;
    only("request_body_schema", body, &["type", "description", "required", "properties"])?;
    for (name, property) in object("properties", &body["properties"])? {
        let property = object(name, property)?;
        only(
            name,
            property,
            &["type", "description", "enum", "dynamic_variable", "constant_value", "properties", "required"],
        )?;
        let from = ["description", "dynamic_variable", "constant_value"]
            .iter()
            .filter(|from| property.contains_key(**from));
        if from.count() != 1 {
            return refuse(422, format!("{name}: one of description, dynamic_variable and constant_value"));
        }
    }
    Ok(config)
}

/// What is not sent stays.
fn merge(record: &mut Value, sent: &Value) {
    match (record, sent) {
        (Value::Object(record), Value::Object(sent)) => {
            for (field, value) in sent {
                merge(record.entry(field.clone()).or_insert(Value::Null), value);
            }
        }
        (record, sent) => *record = sent.clone(),
    }
}
