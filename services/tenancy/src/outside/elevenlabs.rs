//! ElevenLabs: tools are records of the workspace, which an agent names by their ids. The salon's are those that deliver to
//! the connection's own address.
//!
//! <https://elevenlabs.io/docs/api-reference/agents/update>, `tools/list`, `tools/create`, `tools/update`.

use std::collections::BTreeMap;

use agent_tools::Tool;
use http::HeaderName;
use jiff::Timestamp;
use outgoing::Login;
use serde_json::{Map, Value, json};
use tonic::async_trait;

use super::{
    Account, AgentPlatform, CallHistory, CallPage, EndedCall, Wanted,
    api::{Api, Call},
};
use crate::{
    domain::{PlatformAgent, PublicationFault, Script},
    webhook_url::without_version,
};

/// The header of the API key.
const KEY: HeaderName = HeaderName::from_static("xi-api-key");
/// Tools of a page, and pages: a workspace with more than these keeps our tools near the front by their name.
const PAGE: &str = "100";
const MOST_PAGES: usize = 20;
/// The variable that has the version.
const VERSION: &str = "frontdesk_agent_version";
/// The platform's own tool that puts callers through, and what it is called here.
const TRANSFER: &str = "transfer_to_number";
const OURS: &str = Tool::TransferCall.name();
/// A tool answers sooner; the caller waits.
const TIMEOUT_SECS: u32 = 10;

/// ElevenLabs' API.
#[derive(Debug)]
pub struct ElevenLabs(pub Api);

/// Our tools in a workspace, by name: the id of each, and its configuration.
type OurTools = BTreeMap<String, (String, Value)>;

impl ElevenLabs {
    async fn call(
        &self,
        account: &Account,
        method: &'static str,
        path: &[&str],
        query: &[(&str, &str)],
        body: Option<Value>,
    ) -> Result<Value, PublicationFault> {
        let login = Login::Key(KEY, account.key.expose().to_owned());
        let path: Vec<&str> = ["v1", "convai"].into_iter().chain(path.iter().copied()).collect();
        self.0.call(login, Call { method, path: &path, query, body }).await
    }

    async fn agent(&self, account: &Account) -> Result<Value, PublicationFault> {
        self.call(account, "GET", &["agents", &account.agent], &[], None).await
    }

    async fn our_tools(&self, account: &Account, webhook: &str) -> Result<OurTools, PublicationFault> {
        let mut ours = OurTools::new();
        let mut cursor = String::new();
        for _ in 0..MOST_PAGES {
            let mut query = vec![("page_size", PAGE), ("types", "webhook")];
            if !cursor.is_empty() {
                query.push(("cursor", &cursor));
            }
            let page = self.call(account, "GET", &["tools"], &query, None).await?;
            ours.extend(list(&page["tools"]).iter().filter_map(|tool| our_tool(tool, webhook)));
            match page["next_cursor"].as_str().filter(|_| page["has_more"] == true) {
                Some(next) => cursor = next.to_owned(),
                None => return Ok(ours),
            }
        }
        Ok(ours)
    }

    /// Writes a tool; its id.
    async fn write_tool(
        &self,
        account: &Account,
        tool: Tool,
        webhook: &str,
        known: Option<&(String, Value)>,
    ) -> Result<String, PublicationFault> {
        let mut config = definition(tool, webhook);
        // Tools are not signed: their requests carry the secret.
        let bearer = format!("Bearer {}", account.secret.expose());
        config["api_schema"]["request_headers"] = json!({"Authorization": bearer});
        let body = Some(json!({"tool_config": config}));
        let written = match known {
            Some((id, _)) => self.call(account, "PATCH", &["tools", id], &[], body).await?,
            None => self.call(account, "POST", &["tools"], &[], body).await?,
        };
        let unread = || PublicationFault::Unreachable("the platform names no id of a tool".to_owned());
        written["id"].as_str().map(str::to_owned).ok_or_else(unread)
    }
}

#[async_trait]
impl AgentPlatform for ElevenLabs {
    fn expected(&self, script: &Script) -> PlatformAgent {
        let tools =
            script.tools.iter().map(|tool| (tool.name().to_owned(), definition(*tool, &script.webhook)));
        let transfer = script.transfer.iter().map(|number| (OURS.to_owned(), transfer(number)));
        PlatformAgent {
            greeting: script.greeting.clone(),
            prompt: script.prompt.clone(),
            languages: script.languages.first().map(|code| (*code).to_owned()).into_iter().collect(),
            voice: Some(script.voice.clone()).filter(|voice| !voice.is_empty()),
            // Webhooks of what happened are the workspace's there.
            webhook: String::new(),
            tools: tools.chain(transfer).collect(),
        }
    }

    async fn read(&self, account: &Account, webhook: &str) -> Result<PlatformAgent, PublicationFault> {
        let agent = self.agent(account).await?;
        let config = &agent["conversation_config"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let named = list(&config["agent"]["prompt"]["tool_ids"]);
        let ours = self.our_tools(account, webhook).await?;
        let tools = ours.into_iter().filter(|(_, (id, _))| named.contains(&json!(id)));
        let own = &config["agent"]["prompt"]["built_in_tools"][TRANSFER];
        let transfer = is_our_transfer(own).then(|| (OURS.to_owned(), own.clone()));
        Ok(PlatformAgent {
            greeting: text(&config["agent"]["first_message"]),
            prompt: text(&config["agent"]["prompt"]["prompt"]),
            languages: config["agent"]["language"].as_str().map(str::to_owned).into_iter().collect(),
            voice: config["tts"]["voice_id"].as_str().map(str::to_owned),
            webhook: String::new(),
            tools: tools.map(|(name, (_, config))| (name, config)).chain(transfer).collect(),
        })
    }

    async fn publish(&self, account: &Account, script: &Script) -> Result<(), PublicationFault> {
        let agent = self.agent(account).await?;
        let ours = self.our_tools(account, &script.webhook).await?;
        let mut tool_ids: Vec<Value> = list(&agent["conversation_config"]["agent"]["prompt"]["tool_ids"])
            .iter()
            .filter(|id| !ours.values().any(|(ours, _)| *id == ours))
            .cloned()
            .collect();
        for tool in &script.tools {
            let known = ours.get(tool.name());
            tool_ids.push(Value::String(self.write_tool(account, *tool, &script.webhook, known).await?));
        }
        let mut prompt = json!({"prompt": script.prompt, "tool_ids": tool_ids, "timezone": script.zone});
        let own = &agent["conversation_config"]["agent"]["prompt"]["built_in_tools"][TRANSFER];
        // One that was set up there gives way to ours alone; null takes ours away.
        if script.transfer.is_some() || is_our_transfer(own) {
            prompt["built_in_tools"] = json!({TRANSFER: script.transfer.as_deref().map(transfer)});
        }
        let mut config = Map::from_iter([(
            "agent".to_owned(),
            json!({
                "first_message": script.greeting,
                "language": script.languages.first(),
                "prompt": prompt,
                "dynamic_variables": {"dynamic_variable_placeholders": variables(&agent, script.version)},
            }),
        )]);
        if !script.voice.is_empty() {
            config.insert("tts".to_owned(), json!({"voice_id": script.voice}));
        }
        let body = Some(json!({"conversation_config": config}));
        self.call(account, "PATCH", &["agents", &account.agent], &[], body).await.map(drop)
    }
}

/// <https://elevenlabs.io/docs/api-reference/conversations/list>, `get`.
#[async_trait]
impl CallHistory for ElevenLabs {
    async fn list(&self, account: &Account, wanted: Wanted<'_>) -> Result<CallPage, PublicationFault> {
        // Whole seconds, and none is left out.
        let since = wanted.span.since.as_second().to_string();
        let until = wanted.span.until.as_second().saturating_add(1).to_string();
        let mut query = vec![
            ("agent_id", account.agent.as_str()),
            ("call_start_after_unix", &since),
            ("call_start_before_unix", &until),
            ("page_size", PAGE),
        ];
        if !wanted.page.is_empty() {
            query.push(("cursor", wanted.page));
        }
        let page = self.call(account, "GET", &["conversations"], &query, None).await?;
        let next = page["next_cursor"].as_str().filter(|_| page["has_more"] == true);
        let ended = |call: &Value| {
            let status = call["status"].as_str().filter(|status| matches!(*status, "done" | "failed"));
            let length = call["call_duration_secs"].as_i64().unwrap_or_default().max(0);
            let at = call["start_time_unix_secs"].as_i64().filter(|_| status.is_some())?;
            let ended_at = Timestamp::from_second(at.saturating_add(length)).ok()?;
            Some(EndedCall { id: call["conversation_id"].as_str()?.to_owned(), ended_at })
        };
        let calls = list(&page["conversations"]).iter().filter_map(ended).collect();
        Ok(CallPage { calls, next: next.map(str::to_owned) })
    }

    async fn read(&self, account: &Account, call: &str) -> Result<Value, PublicationFault> {
        self.call(account, "GET", &["conversations", call], &[], None).await
    }
}

/// The agent's variables with the version, which conversations tell of themselves.
fn variables(agent: &Value, version: i32) -> Value {
    let there = &agent["conversation_config"]["agent"]["dynamic_variables"]["dynamic_variable_placeholders"];
    let mut variables = there.as_object().cloned().unwrap_or_default();
    variables.insert(VERSION.to_owned(), json!(version.to_string()));
    Value::Object(variables)
}

/// The body is ours to define: the tool's name, what ElevenLabs knows of the call, and the arguments.
fn definition(tool: Tool, webhook: &str) -> Value {
    let definition = tool.definition();
    let known = |variable: &str| json!({"type": "string", "dynamic_variable": variable});
    let mut parameters = definition.parameters;
    parameters["description"] = json!("What the tool takes.");
    json!({
        "type": "webhook",
        "name": definition.name,
        "description": definition.description,
        "response_timeout_secs": TIMEOUT_SECS,
        "api_schema": {
            "url": webhook,
            "method": "POST",
            "request_body_schema": {
                "type": "object",
                "required": ["tool", "conversation_id", "parameters"],
                "properties": {
                    "tool": {"type": "string", "constant_value": definition.name},
                    "conversation_id": known("system__conversation_id"),
                    "caller_id": known("system__caller_id"),
                    "called_number": known("system__called_number"),
                    "parameters": parameters,
                },
            },
        },
    })
}

/// ElevenLabs' own tool, which puts the caller through.
fn transfer(number: &str) -> Value {
    let description = Tool::TransferCall.definition().description;
    json!({
        "type": "system",
        "name": TRANSFER,
        "description": description,
        "params": {
            "system_tool_type": TRANSFER,
            "transfers": [{
                "transfer_destination": {"type": "phone", "phone_number": number},
                "condition": description,
                "transfer_type": "conference",
            }],
        },
    })
}

fn is_our_transfer(tool: &Value) -> bool {
    tool["description"] == Tool::TransferCall.definition().description
}

fn our_tool(tool: &Value, webhook: &str) -> Option<(String, (String, Value))> {
    let config = &tool["tool_config"];
    let url = config["api_schema"]["url"].as_str()?;
    let is_ours = without_version(url) == without_version(webhook);
    let name = config["name"].as_str().filter(|_| is_ours)?;
    let known = Tool::named(name)?;
    Some((known.name().to_owned(), (tool["id"].as_str()?.to_owned(), config.clone())))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
