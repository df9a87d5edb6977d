//! Retell's agents, their versions and response engines.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::{Answered, Call, Records, e164, object, only, refuse, string};
use crate::call_fakes;

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

pub fn retell(records: &mut Records, call: &Call) -> Answered {
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
        Some("transfer_call") => &[
            "type",
            "name",
            "description",
            "transfer_destination",
            "transfer_option",
            "ignore_e164_validation",
            "speak_during_execution",
        ],
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
    if tool["type"] == "transfer_call" {
        let destination = object("transfer_destination", &tool["transfer_destination"])?;
        only("transfer_destination", destination, &["type", "number", "extension"])?;
        if destination["type"] != "predefined" || !e164(&destination["number"]) {
            return refuse(422, "transfer_destination must be predefined, of E.164");
        }
        let known = ["type", "show_transferee_as_caller", "cold_transfer_mode", "transfer_ring_duration_ms"];
        only("transfer_option", object("transfer_option", &tool["transfer_option"])?, &known)?;
        if tool["transfer_option"]["type"] != "cold_transfer" {
            return refuse(422, "transfer_option: unknown type");
        }
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
