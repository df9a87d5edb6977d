//! A language model's API on loopback: it speaks OpenAI's protocol, says what it was told to say, and is strict about
//! what it is sent.

use core::{convert::Infallible, time::Duration};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    extract::State,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
    routing::post,
};
use bff::voice::model::{Model, ModelConfig};
use boot::config::Secret;
use futures::{StreamExt, stream};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Notify};

const KEY: &str = "sk-test";
const NAME: &str = "desk-small";

/// What the model does next.
#[derive(Debug, Clone)]
pub enum Line {
    /// Says these words, one after the other.
    Say(&'static [&'static str]),
    /// Says these words, and has spent so many tokens by then.
    SayFor(u32, &'static [&'static str]),
    /// Says these words, and never comes to an end.
    SayAndWait(&'static str),
    /// Wants a tool used.
    Use(&'static str, Value),
    /// Wants a tool used, its arguments filled from the last result.
    UseWith(&'static str, fn(&Value) -> Value),
    /// Accepts the request and never answers.
    Hang,
    /// Refuses the request.
    Refuse,
}

/// The API, and what it was asked.
#[derive(Debug, Clone)]
pub struct Script(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    lines: Mutex<VecDeque<Line>>,
    requests: Mutex<Vec<Value>>,
    /// Told each time a first word was sent by [`Line::SayAndWait`].
    waiting: Notify,
}

impl Script {
    /// A model that says these lines, on a port of its own.
    pub async fn start(lines: Vec<Line>) -> (Self, Model) {
        let (script, config) = Self::serve(lines).await;
        (script, config.model().unwrap().unwrap())
    }

    /// The same, and what a door is told of it.
    pub async fn serve(lines: Vec<Line>) -> (Self, ModelConfig) {
        let inner =
            Inner { lines: Mutex::new(lines.into()), requests: Mutex::default(), waiting: Notify::new() };
        let script = Self(Arc::new(inner));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let app = Router::new().route("/v1/chat/completions", post(complete)).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        let config = ModelConfig {
            agent_model_url: Some(url),
            agent_model: Some(NAME.into()),
            agent_model_key: Some(Secret::new(KEY.to_owned())),
        };
        (script, config)
    }

    pub fn requests(&self) -> Vec<Value> {
        self.0.requests.lock().unwrap().clone()
    }

    /// Waits until the first words of a [`Line::SayAndWait`] are out.
    pub async fn waits(&self) {
        self.0.waiting.notified().await;
    }
}

async fn complete(
    State(Script(script)): State<Script>,
    headers: HeaderMap,
    Json(request): Json<Value>,
) -> Response {
    if headers.get("authorization").is_none_or(|value| value != &format!("Bearer {KEY}")) {
        return refuse(StatusCode::UNAUTHORIZED, "Incorrect API key provided.");
    }
    if let Err(what) = check(&request) {
        return refuse(StatusCode::BAD_REQUEST, &what);
    }
    let result = last_result(&request);
    script.requests.lock().unwrap().push(request);
    let line = script.lines.lock().unwrap().pop_front();
    let tokens = if let Some(Line::SayFor(tokens, _)) = line { tokens } else { 120 };
    let chunks: Vec<Value> = match line {
        None => return refuse(StatusCode::BAD_REQUEST, "The script is over."),
        Some(Line::Refuse) => return refuse(StatusCode::BAD_REQUEST, "No."),
        Some(Line::Hang) => core::future::pending().await,
        Some(Line::Say(words) | Line::SayFor(_, words)) => {
            words.iter().map(|word| delta(json!({ "content": word }))).collect()
        }
        Some(Line::Use(tool, arguments)) => used(tool, &arguments),
        Some(Line::UseWith(tool, arguments)) => used(tool, &arguments(&result)),
        Some(Line::SayAndWait(words)) => {
            let said = stream::once(async move { event(&delta(json!({ "content": words }))) });
            let silence = stream::once(async move {
                script.waiting.notify_one();
                core::future::pending().await
            });
            return Sse::new(said.chain(silence)).keep_alive(KeepAlive::new()).into_response();
        }
    };
    let events: Vec<Result<Event, Infallible>> = chunks.iter().map(event).chain(end(tokens)).collect();
    Sse::new(stream::iter(events)).into_response()
}

/// What the real one refuses: unknown models, no stream, and results that answer no call.
fn check(request: &Value) -> Result<(), String> {
    if request["model"] != NAME || request["stream"] != true {
        return Err("model and stream are required".into());
    }
    let tools = request["tools"].as_array().ok_or("tools")?;
    if tools.iter().any(|tool| tool["type"] != "function" || !tool["function"]["parameters"].is_object()) {
        return Err("a tool is no function".into());
    }
    let messages = request["messages"].as_array().ok_or("messages")?;
    if messages.first().is_none_or(|first| first["role"] != "system") {
        return Err("the first message must be of the system".into());
    }
    let mut open: Vec<&str> = vec![];
    for message in messages {
        match message["role"].as_str() {
            Some("tool") => {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                let at = open.iter().position(|open| *open == id).ok_or("a result answers no call")?;
                open.remove(at);
            }
            Some("system" | "user" | "assistant") if !open.is_empty() => {
                return Err(format!("tool calls without results: {open:?}"));
            }
            Some("assistant") => {
                let calls = message["tool_calls"].as_array();
                if calls.is_none() && message["content"].as_str().unwrap_or_default().is_empty() {
                    return Err("an assistant's message is empty".into());
                }
                open = calls.into_iter().flatten().filter_map(|call| call["id"].as_str()).collect();
            }
            Some("system" | "user") => {}
            other => return Err(format!("role {other:?}")),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("tool calls without results: {open:?}")) }
}

fn last_result(request: &Value) -> Value {
    let mut messages = request["messages"].as_array().into_iter().flatten();
    let last = messages.rfind(|message| message["role"] == "tool");
    let text = last.and_then(|message| message["content"].as_str()).unwrap_or("null");
    serde_json::from_str(text).unwrap_or_default()
}

/// Arguments come in parts.
fn used(tool: &str, arguments: &Value) -> Vec<Value> {
    let text = arguments.to_string();
    let (first, rest) = text.split_at(text.len() / 2);
    vec![
        delta(json!({"tool_calls": [{"index": 0, "id": "call_1", "type": "function",
            "function": {"name": tool, "arguments": ""}}]})),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": first}}]})),
        delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": rest}}]})),
    ]
}

fn delta(delta: Value) -> Value {
    json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_780_300_800, "model": NAME,
        "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn event(chunk: &Value) -> Result<Event, Infallible> {
    Ok(Event::default().data(chunk.to_string()))
}

fn end(tokens: u32) -> [Result<Event, Infallible>; 2] {
    let usage = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_780_300_800,
        "model": NAME, "choices": [],
        "usage": {"prompt_tokens": tokens - 20, "completion_tokens": 20, "total_tokens": tokens}});
    [event(&usage), Ok(Event::default().data("[DONE]"))]
}

fn refuse(status: StatusCode, message: &str) -> Response {
    let error =
        json!({"error": {"message": message, "type": "invalid_request_error", "param": null, "code": null}});
    (status, Json(error)).into_response()
}

#[test]
fn the_scripted_model_refuses_a_result_that_answers_no_call_and_a_call_without_a_result() {
    let ask = |messages: Value| {
        check(&json!({"model": NAME, "stream": true, "messages": messages,
            "tools": [{"type": "function", "function": {"name": "t", "parameters": {}}}]}))
    };
    let system = json!({"role": "system", "content": "Be kind."});
    let call = json!({"role": "assistant", "tool_calls": [{"id": "1"}]});
    let result = json!({"role": "tool", "tool_call_id": "1", "content": "{}"});
    let user = json!({"role": "user", "content": "Hi"});
    assert_eq!(ask(json!([system, user, call, result])), Ok(()));
    assert!(ask(json!([user])).is_err());
    assert!(ask(json!([system, result])).is_err());
    assert!(ask(json!([system, call, user])).is_err());
    assert!(ask(json!([system, call])).is_err());
    assert!(ask(json!([system, {"role": "assistant", "content": ""}])).is_err());
}

/// As long as a test waits for what comes at once when all is well.
pub const PATIENCE: Duration = Duration::from_secs(15);
