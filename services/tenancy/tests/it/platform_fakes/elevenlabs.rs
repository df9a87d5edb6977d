//! ElevenLabs' agents and tools.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{Answered, Call, Records, e164, object, only, refuse, string};
use crate::call_fakes;

pub fn elevenlabs(records: &mut Records, call: &Call) -> Answered {
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
            if let Some(own) = agent["prompt"].get("built_in_tools") {
                for (name, tool) in object("built_in_tools", own)? {
                    built_in(name, tool)?;
                }
            }
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

/// A tool of ElevenLabs' own; null takes it away.
fn built_in(name: &str, tool: &Value) -> Result<(), (StatusCode, String)> {
    if tool.is_null() {
        return Ok(());
    }
    let tool = object(name, tool)?;
    only(name, tool, &["type", "name", "description", "params", "response_timeout_secs"])?;
    if name != "transfer_to_number" {
        return Ok(());
    }
    let params = object("params", &tool["params"])?;
    only("params", params, &["system_tool_type", "transfers", "enable_client_message"])?;
    for transfer in params["transfers"].as_array().into_iter().flatten() {
        let transfer = object("transfers", transfer)?;
        only("transfers", transfer, &["transfer_destination", "condition", "transfer_type"])?;
        string("condition", &transfer["condition"])?;
        let destination = object("transfer_destination", &transfer["transfer_destination"])?;
        only("transfer_destination", destination, &["type", "phone_number"])?;
        if destination["type"] != "phone" || !e164(&destination["phone_number"]) {
            return refuse(422, "transfer_destination must be a phone, of E.164");
        }
    }
    Ok(())
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
