//! Vapi: an assistant has its model, which holds the prompt and the tools. A part that is sent replaces the whole of it, so
//! what was set up there is read first and sent again.
//!
//! <https://docs.vapi.ai/api-reference/assistants/update>.

use std::collections::BTreeMap;

use agent_tools::Tool;
use http::header::AUTHORIZATION;
use jiff::Timestamp;
use outgoing::Login;
use serde_json::{Map, Value, json};
use tonic::async_trait;

use super::{
    Account, AgentPlatform, CallControl, CallHistory, CallPage, EndedCall, Transfer, Wanted,
    api::{Api, Call},
};
use crate::domain::{PlatformAgent, PublicationFault, Script};

/// Vapi's API.
#[derive(Debug)]
pub struct Vapi(pub Api);

/// What Vapi's own tool is called here.
const TRANSFER: &str = Tool::TransferCall.name();
/// Calls of a page, as many as Vapi lists where it is not told.
const PAGE: usize = 100;

impl Vapi {
    async fn call(&self, account: &Account, call: Call<'_>) -> Result<Value, PublicationFault> {
        self.0.call(login(account), call).await
    }

    async fn assistant(
        &self,
        account: &Account,
        method: &'static str,
        body: Option<Value>,
    ) -> Result<Value, PublicationFault> {
        let path = ["assistant", account.agent.as_str()];
        self.call(account, Call { method, path: &path, query: &[], body }).await
    }
}

fn login(account: &Account) -> Login {
    Login::Key(AUTHORIZATION, format!("Bearer {}", account.key.expose()))
}

/// <https://docs.vapi.ai/api-reference/calls/list>, `get`. The latest come first, and a page goes on at the last one's
/// creation: calls of that instant may be on either side of the border, and are listed twice rather than never.
#[async_trait]
impl CallHistory for Vapi {
    async fn list(&self, account: &Account, wanted: Wanted<'_>) -> Result<CallPage, PublicationFault> {
        let (since, until) = (wanted.span.since.to_string(), wanted.span.until.to_string());
        let limit = PAGE.to_string();
        let latest = if wanted.page.is_empty() { until.as_str() } else { wanted.page };
        let query = [
            ("assistantId", account.agent.as_str()),
            ("createdAtGe", &since),
            ("createdAtLe", latest),
            ("limit", &limit),
        ];
        let page =
            self.call(account, Call { method: "GET", path: &["call"], query: &query, body: None }).await?;
        let listed = list(Some(&page));
        let ended = |call: &Value| {
            let at = ["endedAt", "updatedAt", "createdAt"].iter().find_map(|field| call[*field].as_str())?;
            let ended_at: Timestamp = at.parse().ok().filter(|_| call["status"] == "ended")?;
            Some(EndedCall { id: call["id"].as_str()?.to_owned(), ended_at })
        };
        let last = listed.last().filter(|_| listed.len() >= PAGE);
        let next = last.and_then(|call| call["createdAt"].as_str()).filter(|next| *next != wanted.page);
        Ok(CallPage { calls: listed.iter().filter_map(ended).collect(), next: next.map(str::to_owned) })
    }

    async fn read(&self, account: &Account, call: &str) -> Result<Value, PublicationFault> {
        self.call(account, Call { method: "GET", path: &["call", call], query: &[], body: None }).await
    }
}

/// <https://docs.vapi.ai/calls/call-features>: a live call is controlled at an address of its own.
#[async_trait]
impl CallControl for Vapi {
    async fn transfer(&self, account: &Account, transfer: Transfer<'_>) -> Result<(), PublicationFault> {
        let call = CallHistory::read(self, account, transfer.call).await?;
        let over = || PublicationFault::Refused("the call is over, or may not be controlled".to_owned());
        let address = call["monitor"]["controlUrl"].as_str().filter(|_| call["status"] != "ended");
        let destination = json!({"type": "number", "number": transfer.number});
        let body = json!({"type": "transfer", "destination": destination});
        self.0.post_to(&login(account), address.ok_or_else(over)?, &body).await
    }
}

#[async_trait]
impl AgentPlatform for Vapi {
    fn expected(&self, script: &Script) -> PlatformAgent {
        let tools = script.tools.iter().map(|tool| (tool.name().to_owned(), definition(*tool)));
        let transfer = script.transfer.iter().map(|number| (TRANSFER.to_owned(), transfer(number)));
        PlatformAgent {
            greeting: script.greeting.clone(),
            prompt: script.prompt.clone(),
            // What it hears is its transcriber's, which every provider names differently.
            languages: vec![],
            voice: Some(script.voice.clone()).filter(|voice| !voice.is_empty()),
            webhook: script.webhook.clone(),
            tools: tools.chain(transfer).collect(),
        }
    }

    async fn read(&self, account: &Account, _: &str) -> Result<PlatformAgent, PublicationFault> {
        Ok(found(&self.assistant(account, "GET", None).await?))
    }

    async fn publish(&self, account: &Account, script: &Script) -> Result<(), PublicationFault> {
        let assistant = self.assistant(account, "GET", None).await?;
        let body = changed(&assistant, script)?;
        self.assistant(account, "PATCH", Some(body)).await.map(drop)
    }
}

/// What is sent: the assistant's model, server and voice with ours in them.
fn changed(assistant: &Value, script: &Script) -> Result<Value, PublicationFault> {
    let Some(model) = assistant["model"].as_object().filter(|model| model.contains_key("provider")) else {
        return Err(PublicationFault::Kind(
            "the assistant has no model yet: choose one there first".to_owned(),
        ));
    };
    let mut model = model.clone();
    // An assistant has one tool that puts callers through: one that was set up there gives way to ours alone.
    let is_replaced = |tool: &Value| script.transfer.is_some() && tool["type"] == "transferCall";
    let theirs = list(assistant["model"].get("tools")).iter();
    let theirs = theirs.filter(|tool| our_tool(tool).is_none() && !is_replaced(tool)).cloned();
    let ours = script.tools.iter().map(|tool| definition(*tool));
    let tools: Vec<Value> = theirs.chain(ours).chain(script.transfer.as_deref().map(transfer)).collect();
    model.insert("messages".to_owned(), json!([{"role": "system", "content": script.prompt}]));
    model.insert("tools".to_owned(), json!(tools));
    let mut server = assistant["server"].as_object().cloned().unwrap_or_default();
    server.insert("url".to_owned(), json!(script.webhook));
    let mut body = Map::from_iter([
        ("firstMessage".to_owned(), json!(script.greeting)),
        ("firstMessageMode".to_owned(), json!("assistant-speaks-first")),
        ("model".to_owned(), Value::Object(model)),
        ("server".to_owned(), Value::Object(server)),
    ]);
    if let Some((provider, id)) = script.voice.split_once(':') {
        let there =
            assistant["voice"].as_object().filter(|voice| voice.get("provider") == Some(&json!(provider)));
        let mut voice = there.cloned().unwrap_or_default();
        voice.insert("provider".to_owned(), json!(provider));
        voice.insert("voiceId".to_owned(), json!(id));
        body.insert("voice".to_owned(), Value::Object(voice));
    }
    Ok(Value::Object(body))
}

fn found(assistant: &Value) -> PlatformAgent {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let model = &assistant["model"];
    let system = list(model.get("messages")).iter().filter(|message| message["role"] == "system");
    let prompt: Vec<String> = system.map(|message| text(&message["content"])).collect();
    let ours = list(model.get("tools")).iter().filter_map(|tool| Some((our_tool(tool)?, tool.clone())));
    let voice = &assistant["voice"];
    let voice = voice["provider"].as_str().zip(voice["voiceId"].as_str());
    PlatformAgent {
        greeting: text(&assistant["firstMessage"]),
        prompt: prompt.join("\n"),
        languages: vec![],
        voice: voice.map(|(provider, id)| format!("{provider}:{id}")),
        webhook: text(&assistant["server"]["url"]),
        tools: ours.collect::<BTreeMap<_, _>>(),
    }
}

/// Without a server of its own, a tool is called at the assistant's.
fn definition(tool: Tool) -> Value {
    let definition = tool.definition();
    json!({
        "type": "function",
        "async": false,
        "function": {
            "name": definition.name,
            "description": definition.description,
            "parameters": definition.parameters,
        },
    })
}

/// Vapi's own tool, which puts the caller through; Vapi names and defines its function by the destinations.
fn transfer(number: &str) -> Value {
    let description = Tool::TransferCall.definition().description;
    json!({
        "type": "transferCall",
        "destinations": [{"type": "number", "number": number, "description": description}],
    })
}

/// The name here of a tool that was published.
fn our_tool(tool: &Value) -> Option<String> {
    if tool["type"] == "transferCall" {
        let is_ours = tool["destinations"][0]["description"] == Tool::TransferCall.definition().description;
        return is_ours.then(|| TRANSFER.to_owned());
    }
    let name = tool["function"]["name"].as_str().filter(|_| tool["type"] == "function")?;
    Tool::named(name).map(|tool| tool.name().to_owned())
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
