//! Retell: an agent answers by a response engine, whose prompt and tools are a "Retell LLM". Changes are made to a draft
//! version, which calls run on once it is published.
//!
//! <https://docs.retellai.com/api-references/update-agent>, `update-retell-llm`, `create-agent-version`, `publish-agent-version`.

use std::collections::BTreeMap;

use agent_tools::Tool;
use http::header::AUTHORIZATION;
use jiff::Timestamp;
use outgoing::Login;
use serde_json::{Map, Value, json};
use tonic::async_trait;

use super::{
    Account, AgentPlatform, CallHistory, CallPage, EndedCall, Wanted,
    api::{Api, Call},
};
use crate::domain::{PlatformAgent, PublicationFault, Script};

/// What Retell's own tool is called there.
const TRANSFER: &str = Tool::TransferCall.name();
/// A tool answers sooner; the caller waits.
const TIMEOUT_MS: u32 = 10_000;

/// Retell's API.
#[derive(Debug)]
pub struct Retell(pub Api);

/// An agent's version with its response engine.
struct Version {
    agent: Value,
    llm_id: String,
    llm: Value,
}

impl Version {
    fn number(&self) -> Option<i64> {
        self.agent["version"].as_i64()
    }

    fn is_published(&self) -> bool {
        self.agent["is_published"].as_bool().unwrap_or_default()
    }

    fn llm_version(&self) -> Option<i64> {
        self.llm["version"].as_i64()
    }
}

impl Retell {
    async fn call(&self, account: &Account, call: Call<'_>) -> Result<Value, PublicationFault> {
        let login = Login::Key(AUTHORIZATION, format!("Bearer {}", account.key.expose()));
        self.0.call(login, call).await
    }

    async fn latest(&self, account: &Account) -> Result<Version, PublicationFault> {
        let path = ["get-agent", account.agent.as_str()];
        let agent = self.call(account, Call { method: "GET", path: &path, query: &[], body: None }).await?;
        self.with_llm(account, agent).await
    }

    async fn with_llm(&self, account: &Account, agent: Value) -> Result<Version, PublicationFault> {
        let engine = &agent["response_engine"];
        let llm_id = engine["llm_id"].as_str().filter(|_| engine["type"] == "retell-llm");
        let llm_id = llm_id.map(str::to_owned).ok_or_else(|| {
            let kind = engine["type"].as_str().unwrap_or("of no known kind");
            PublicationFault::Kind(format!("the agent is {kind}, and only a single or multi prompt agent (retell-llm) can be set up from here"))
        })?;
        let version = engine["version"].as_f64().map(|version| format!("{version:.0}"));
        let query: Vec<_> = version.iter().map(|version| ("version", version.as_str())).collect();
        let path = ["get-retell-llm", llm_id.as_str()];
        let llm = self.call(account, Call { method: "GET", path: &path, query: &query, body: None }).await?;
        Ok(Version { agent, llm_id, llm })
    }

    /// The version that may be changed: the latest, or a new one where that is published.
    async fn draft(&self, account: &Account, latest: Version) -> Result<Version, PublicationFault> {
        if !latest.is_published() {
            return Ok(latest);
        }
        let path = ["create-agent-version", account.agent.as_str()];
        let body = Some(json!({"base_version": latest.number()}));
        let agent = self.call(account, Call { method: "POST", path: &path, query: &[], body }).await?;
        self.with_llm(account, agent).await
    }

    async fn write(
        &self,
        account: &Account,
        draft: &Version,
        script: &Script,
    ) -> Result<(), PublicationFault> {
        let body = Some(json!({
            "begin_message": script.greeting,
            "start_speaker": "agent",
            "general_prompt": script.prompt,
            "general_tools": tools_beside(&draft.llm, script),
        }));
        let version = draft.llm_version().map(|version| version.to_string());
        let query: Vec<_> = version.iter().map(|version| ("version", version.as_str())).collect();
        let path = ["update-retell-llm", draft.llm_id.as_str()];
        self.call(account, Call { method: "PATCH", path: &path, query: &query, body }).await?;
        let mut body = Map::from_iter([
            ("webhook_url".to_owned(), json!(script.webhook)),
            ("language".to_owned(), locales(&draft.agent["language"], &script.languages)),
        ]);
        if !script.voice.is_empty() {
            body.insert("voice_id".to_owned(), json!(script.voice));
        }
        let version = draft.number().map(|version| version.to_string());
        let query: Vec<_> = version.iter().map(|version| ("version", version.as_str())).collect();
        let path = ["update-agent", account.agent.as_str()];
        let body = Some(Value::Object(body));
        self.call(account, Call { method: "PATCH", path: &path, query: &query, body }).await.map(drop)
    }
}

#[async_trait]
impl AgentPlatform for Retell {
    fn expected(&self, script: &Script) -> PlatformAgent {
        let tools =
            script.tools.iter().map(|tool| (tool.name().to_owned(), definition(*tool, &script.webhook)));
        let transfer = script.transfer.iter().map(|number| (TRANSFER.to_owned(), transfer(number)));
        PlatformAgent {
            greeting: script.greeting.clone(),
            prompt: script.prompt.clone(),
            languages: sorted(script.languages.iter().map(|code| (*code).to_owned())),
            voice: Some(script.voice.clone()).filter(|voice| !voice.is_empty()),
            webhook: script.webhook.clone(),
            tools: tools.chain(transfer).collect(),
        }
    }

    async fn read(&self, account: &Account, _: &str) -> Result<PlatformAgent, PublicationFault> {
        Ok(found(&self.latest(account).await?))
    }

    async fn publish(&self, account: &Account, script: &Script) -> Result<(), PublicationFault> {
        let latest = self.latest(account).await?;
        // An attempt whose answer was lost may have got this far.
        if latest.is_published() && self.expected(script).drift(&found(&latest)).is_empty() {
            return Ok(());
        }
        let draft = self.draft(account, latest).await?;
        self.write(account, &draft, script).await?;
        let path = ["publish-agent-version", account.agent.as_str()];
        let body = Some(json!({"version": draft.number()}));
        self.call(account, Call { method: "POST", path: &path, query: &[], body }).await.map(drop)
    }
}

/// <https://docs.retellai.com/api-references/list-calls>, `get-call`. The list leaves out what was said.
#[async_trait]
impl CallHistory for Retell {
    async fn list(&self, account: &Account, wanted: Wanted<'_>) -> Result<CallPage, PublicationFault> {
        let span = [wanted.span.since, wanted.span.until].map(Timestamp::as_millisecond);
        let mut body = json!({
            "filter_criteria": {
                "agent": [{"agent_id": account.agent}],
                "call_status": {"type": "enum", "op": "in", "value": ["ended", "error", "not_connected"]},
                "start_timestamp": {"type": "range", "op": "bt", "value": span},
            },
            "sort_order": "ascending",
            "limit": 100,
        });
        if !wanted.page.is_empty() {
            body["pagination_key"] = json!(wanted.page);
        }
        let path = ["v3", "list-calls"];
        let page =
            self.call(account, Call { method: "POST", path: &path, query: &[], body: Some(body) }).await?;
        let next = page["pagination_key"].as_str().filter(|_| page["has_more"] == true);
        let ended = |call: &Value| {
            let at = call["end_timestamp"].as_i64().or(call["start_timestamp"].as_i64())?;
            let ended_at = Timestamp::from_millisecond(at).ok()?;
            Some(EndedCall { id: call["call_id"].as_str()?.to_owned(), ended_at })
        };
        let calls = list(&page["items"]).iter().filter_map(ended).collect();
        Ok(CallPage { calls, next: next.map(str::to_owned) })
    }

    async fn read(&self, account: &Account, call: &str) -> Result<Value, PublicationFault> {
        let path = ["v2", "get-call", call];
        self.call(account, Call { method: "GET", path: &path, query: &[], body: None }).await
    }
}

fn found(version: &Version) -> PlatformAgent {
    let Version { agent, llm, .. } = version;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let ours = list(&llm["general_tools"]).iter().filter_map(|tool| Some((our_tool(tool)?, tool.clone())));
    PlatformAgent {
        greeting: text(&llm["begin_message"]),
        prompt: text(&llm["general_prompt"]),
        languages: sorted(spoken(&agent["language"]).map(primary)),
        voice: agent["voice_id"].as_str().map(str::to_owned),
        webhook: text(&agent["webhook_url"]),
        tools: ours.collect::<BTreeMap<_, _>>(),
    }
}

fn definition(tool: Tool, webhook: &str) -> Value {
    let definition = tool.definition();
    json!({
        "type": "custom",
        "name": definition.name,
        "description": definition.description,
        "url": webhook,
        "method": "POST",
        "parameters": definition.parameters,
        "speak_during_execution": false,
        "speak_after_execution": true,
        "timeout_ms": TIMEOUT_MS,
    })
}

/// Retell's own tool, which puts the caller through and ends the agent's part.
fn transfer(number: &str) -> Value {
    let definition = Tool::TransferCall.definition();
    json!({
        "type": "transfer_call",
        "name": definition.name,
        "description": definition.description,
        "transfer_destination": {"type": "predefined", "number": number},
        "transfer_option": {"type": "cold_transfer"},
    })
}

/// The script's tools, and those of the agent that are none of ours, such as the one that ends a call.
fn tools_beside(llm: &Value, script: &Script) -> Vec<Value> {
    // One that was set up there gives way to ours alone.
    let is_replaced = |tool: &Value| script.transfer.is_some() && tool["name"] == TRANSFER;
    let theirs = list(&llm["general_tools"]).iter();
    let theirs = theirs.filter(|tool| our_tool(tool).is_none() && !is_replaced(tool)).cloned();
    let ours = script.tools.iter().map(|tool| definition(*tool, &script.webhook));
    theirs.chain(ours).chain(script.transfer.as_deref().map(transfer)).collect()
}

fn our_tool(tool: &Value) -> Option<String> {
    let name = tool["name"].as_str()?;
    let is_ours = match Tool::named(name)? {
        known @ Tool::TransferCall => {
            tool["type"] == "transfer_call" && tool["description"] == known.definition().description
        }
        _ => tool["type"] == "custom",
    };
    is_ours.then(|| name.to_owned())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Languages as Retell writes them: one, or several in a list.
fn spoken(language: &Value) -> impl Iterator<Item = &str> {
    language.as_str().into_iter().chain(list(language).iter().filter_map(Value::as_str))
}

fn primary(locale: &str) -> String {
    locale.split('-').next().unwrap_or(locale).to_owned()
}

fn sorted(languages: impl Iterator<Item = String>) -> Vec<String> {
    let mut languages: Vec<_> = languages.collect();
    languages.sort();
    languages
}

/// The locales of languages: those that are there already stay, `en-US` as well as `en-GB`.
fn locales(there: &Value, languages: &[&str]) -> Value {
    let locale = |code: &&str| {
        let known = spoken(there).find(|locale| primary(locale) == *code);
        known.unwrap_or(if *code == "de" { "de-DE" } else { "en-GB" }).to_owned()
    };
    let mut locales: Vec<String> = languages.iter().map(locale).collect();
    match locales.len() {
        1 => Value::String(locales.remove(0)),
        _ => json!(locales),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_that_is_there_stays() {
        assert_eq!(locales(&json!("en-US"), &["en"]), json!("en-US"));
        assert_eq!(locales(&json!("en-US"), &["de", "en"]), json!(["de-DE", "en-US"]));
        assert_eq!(locales(&json!("multi"), &["en"]), json!("en-GB"));
        assert_eq!(locales(&json!(["en-AU", "fr-FR"]), &["en"]), json!("en-AU"));
    }
}
