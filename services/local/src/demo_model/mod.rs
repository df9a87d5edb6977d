//! A language model's API on this machine, for when none is configured: it speaks OpenAI's protocol and answers by a
//! few rules, so that a call to our own agent can be tried without an account anywhere.

mod receptionist;

use core::convert::Infallible;

use anyhow::Context;
use axum::{
    Json, Router,
    response::{Sse, sse::Event},
    routing::post,
};
use futures::{Stream, stream};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use self::receptionist::Reply;

/// The model's name.
pub const NAME: &str = "demo-receptionist";

/// A model that listens; it ends when this is dropped.
#[derive(Debug)]
pub struct DemoModel(JoinHandle<()>);

impl DemoModel {
    /// Listens on a port of this machine.
    ///
    /// # Errors
    /// When the port is taken.
    pub async fn start(port: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await.context("the demo model's port")?;
        let router = Router::new().route("/v1/chat/completions", post(complete));
        Ok(Self(tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::warn!(%error, "the demo model stopped");
            }
        })))
    }
}

impl Drop for DemoModel {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn complete(Json(request): Json<Value>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let messages = request["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let deltas = match receptionist::reply(messages) {
        Reply::Say(text) => text.split_inclusive(' ').map(|word| json!({ "content": word })).collect(),
        Reply::Use { tool, arguments } => vec![json!({"tool_calls": [{"index": 0, "type": "function",
            "id": format!("call_{}", messages.len()),
            "function": {"name": tool, "arguments": arguments.to_string()}}]})],
    };
    let chunks: Vec<Result<Event, Infallible>> =
        deltas.into_iter().map(|delta| Ok(Event::default().data(chunk(&delta).to_string()))).collect();
    Sse::new(stream::iter(chunks.into_iter().chain([Ok(Event::default().data("[DONE]"))])))
}

fn chunk(delta: &Value) -> Value {
    json!({"id": "chatcmpl-demo", "object": "chat.completion.chunk", "created": 0, "model": NAME,
        "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}
