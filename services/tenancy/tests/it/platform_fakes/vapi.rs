//! Vapi's assistants.

use axum::http::StatusCode;
use serde_json::{Map, Value};

use super::{Answered, Call, Records, e164, object, only, refuse, string};
use crate::call_fakes;

pub fn vapi(records: &mut Records, call: &Call) -> Answered {
    if call.path[0] == "call" {
        return call_fakes::vapi(records, call);
    }
    if call.path.last().is_some_and(|last| last == "control") {
        return call_fakes::vapi_control(records, call);
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
        only("model.tools", tool, &["type", "async", "function", "server", "messages", "destinations"])?;
        if tool["type"] == "transferCall" {
            for destination in tool["destinations"].as_array().into_iter().flatten() {
                let destination = object("destinations", destination)?;
                only("destinations", destination, &["type", "number", "description", "message", "callerId"])?;
                if destination["type"] != "number" || !e164(&destination["number"]) {
                    return refuse(400, "destinations.number must be E.164");
                }
            }
        }
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
