//! The lists of calls of the voice platforms' APIs as their references document them, strictly. Each page holds two calls
//! where the reference lets a server choose: who lists has to go on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::platform_fakes::{Answered, Call, Records, e164, object, only, refuse};

/// Twilio's account.
pub const ACCOUNT: &str = "AC0123456789abcdef0123456789abcdef";
const FEW: usize = 2;

/// Calls of all four platforms, each as its API has it.
#[derive(Debug, Default)]
pub struct Calls {
    pub retell: Vec<Value>,
    pub vapi: Vec<Value>,
    pub elevenlabs: Vec<Value>,
    pub twilio: Vec<Value>,
    /// Twilio's numbers of the account.
    pub numbers: Vec<Value>,
    /// Twilio's applications of the account.
    pub applications: Vec<Value>,
    /// Live calls that were told what to do: which, and what.
    pub commands: Vec<(String, Value)>,
}

fn found(calls: &[Value], field: &str, id: &str) -> Answered {
    calls.iter().find(|call| call[field] == id).cloned().map_or_else(|| refuse(404, "no such call"), Ok)
}

/// The part of a list behind `cursor`, and the cursor behind that part.
fn part(calls: &[Value], cursor: Option<&str>) -> (Vec<Value>, Option<String>) {
    let from = cursor.map_or(0, |cursor| cursor.parse().unwrap());
    let part: Vec<_> = calls.iter().skip(from).take(FEW).cloned().collect();
    let next = from + part.len();
    (part, (next < calls.len()).then(|| next.to_string()))
}

/// `POST /v3/list-calls` and `GET /v2/get-call/{call_id}`.
pub fn retell(records: &mut Records, call: &Call) -> Answered {
    call.query(&[])?;
    match call.route() {
        ("GET", path) if path[..2] == ["v2", "get-call"] => found(&records.calls.retell, "call_id", path[2]),
        ("POST", path) if path == ["v3", "list-calls"] => {
            let known = ["filter_criteria", "sort_order", "limit", "pagination_key", "include_total"];
            let body = call.body(&known)?;
            if body.get("limit").is_some_and(|limit| limit.as_u64().is_none_or(|limit| limit > 1000)) {
                return refuse(422, "limit must be at most 1000");
            }
            let filter = object("filter_criteria", &body["filter_criteria"])?;
            only("filter_criteria", filter, &["agent", "call_status", "start_timestamp", "end_timestamp"])?;
            let agent = &filter["agent"][0]["agent_id"];
            let status = range("call_status", &filter["call_status"], "enum", "in")?;
            let span = range("start_timestamp", &filter["start_timestamp"], "range", "bt")?;
            let wanted = |call: &&Value| {
                call["agent_id"] == *agent
                    && status.contains(&call["call_status"])
                    && call["start_timestamp"].as_i64() >= span[0].as_i64()
                    && call["start_timestamp"].as_i64() <= span[1].as_i64()
            };
            let calls: Vec<_> = records.calls.retell.iter().filter(wanted).map(without_words).collect();
            let (items, next) = part(&calls, body.get("pagination_key").and_then(Value::as_str));
            Ok(json!({"items": items, "has_more": next.is_some(), "pagination_key": next}))
        }
        (method, path) => refuse(404, format!("Cannot {method} /{}", path.join("/"))),
    }
}

/// The list leaves out what was said.
fn without_words(call: &Value) -> Value {
    let mut call = call.clone();
    for field in ["transcript", "transcript_object", "transcript_with_tool_calls", "recording_url"] {
        call.as_object_mut().unwrap().remove(field);
    }
    call
}

fn range(
    place: &str,
    filter: &Value,
    kind: &str,
    op: &str,
) -> Result<Vec<Value>, (axum::http::StatusCode, String)> {
    only(place, object(place, filter)?, &["type", "op", "value"])?;
    if filter["type"] != kind || filter["op"] != op {
        return refuse(422, format!("{place} must be {kind} {op}"));
    }
    filter["value"].as_array().cloned().map_or_else(|| refuse(422, format!("{place}.value")), Ok)
}

/// `GET /call` and `GET /call/{id}`.
pub fn vapi(records: &mut Records, call: &Call) -> Answered {
    match call.route() {
        ("GET", path) if path.len() == 2 => {
            call.query(&[])?;
            found(&records.calls.vapi, "id", path[1])
        }
        ("GET", _) => {
            let query = call.query(&["assistantId", "createdAtGe", "createdAtLe", "limit"])?;
            let at = |call: &Value| call["createdAt"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
            let limit = |name: &str| query.get(name).map(|text| text.parse::<jiff::Timestamp>().unwrap());
            let wanted = |call: &&Value| {
                call["assistantId"] == *query["assistantId"]
                    && limit("createdAtGe").is_none_or(|from| at(call) >= from)
                    && limit("createdAtLe").is_none_or(|to| at(call) <= to)
            };
            // The latest come first, as many as are asked for.
            let most: usize = query.get("limit").map_or(100, |limit| limit.parse().unwrap());
            let calls = records.calls.vapi.iter().rev().filter(wanted).take(most);
            Ok(calls.cloned().collect())
        }
        (method, path) => refuse(404, format!("Cannot {method} /{}", path.join("/"))),
    }
}

/// `POST /{call}/control`, whose address a live call names.
pub fn vapi_control(records: &mut Records, call: &Call) -> Answered {
    call.query(&[])?;
    let ("POST", [id, _]) = (call.method.as_str(), &call.path[..]) else { return refuse(405, "not allowed") };
    let body = call.body(&["type", "destination", "content"])?;
    let destination = object("destination", &body["destination"])?;
    only("destination", destination, &["type", "number", "callerId", "message"])?;
    if body["type"] != "transfer" || destination["type"] != "number" || !e164(&destination["number"]) {
        return refuse(400, "destination must be a number of E.164");
    }
    found(&records.calls.vapi, "id", id)?;
    records.calls.commands.push((id.clone(), Value::Object(body.clone())));
    Ok(Value::Null)
}

/// `GET /v1/convai/conversations` and `GET …/{conversation_id}`.
pub fn elevenlabs(records: &mut Records, call: &Call, rest: &[&str]) -> Answered {
    match (call.method.as_str(), rest) {
        ("GET", [id]) => {
            call.query(&[])?;
            found(&records.calls.elevenlabs, "conversation_id", id)
        }
        ("GET", []) => {
            let known =
                ["agent_id", "call_start_after_unix", "call_start_before_unix", "page_size", "cursor"];
            let query = call.query(&known)?;
            if query.get("page_size").is_some_and(|size| size.parse::<u32>().is_ok_and(|size| size > 100)) {
                return refuse(422, "page_size must be at most 100");
            }
            let limit = |name: &str| query.get(name).map(|text| text.parse::<i64>().unwrap());
            let wanted = |call: &&Value| {
                let at = call["metadata"]["start_time_unix_secs"].as_i64().unwrap();
                call["agent_id"] == *query["agent_id"]
                    && limit("call_start_after_unix").is_none_or(|from| at >= from)
                    && limit("call_start_before_unix").is_none_or(|to| at <= to)
            };
            let calls: Vec<_> = records.calls.elevenlabs.iter().filter(wanted).map(summary).collect();
            let (page, next) = part(&calls, query.get("cursor").copied());
            Ok(json!({"conversations": page, "has_more": next.is_some(), "next_cursor": next}))
        }
        _ => refuse(405, "Method Not Allowed"),
    }
}

fn summary(call: &Value) -> Value {
    let metadata = &call["metadata"];
    json!({
        "agent_id": call["agent_id"], "conversation_id": call["conversation_id"], "status": call["status"],
        "start_time_unix_secs": metadata["start_time_unix_secs"],
        "call_duration_secs": metadata["call_duration_secs"], "message_count": 2, "call_successful": "success",
    })
}

/// `GET …/IncomingPhoneNumbers.json`, `GET …/Calls.json`, `GET` and `POST …/Calls/{sid}.json`.
pub fn twilio(records: &mut Records, call: &Call) -> Answered {
    let (method, path) = call.route();
    let ["2010-04-01", "Accounts", ACCOUNT, rest @ ..] = &path[..] else { return refuse(404, "not found") };
    match (method, rest) {
        ("GET", ["IncomingPhoneNumbers.json"]) => {
            let query = call.query(&["PageSize", "Page", "PageToken"])?;
            let (page, next) = part(&records.calls.numbers, query.get("PageToken").copied());
            let uri = next.map(|next| format!("/2010-04-01/Accounts/{ACCOUNT}/IncomingPhoneNumbers.json?PageSize=100&Page=1&PageToken={next}"));
            Ok(json!({"incoming_phone_numbers": page, "next_page_uri": uri}))
        }
        ("GET", ["Applications.json"]) => {
            let query = call.query(&["PageSize", "Page", "PageToken"])?;
            let (page, next) = part(&records.calls.applications, query.get("PageToken").copied());
            let uri = next.map(|next| {
                format!(
                    "/2010-04-01/Accounts/{ACCOUNT}/Applications.json?PageSize=100&Page=1&PageToken={next}"
                )
            });
            Ok(json!({"applications": page, "next_page_uri": uri}))
        }
        ("GET", ["Calls.json"]) => {
            let query = call.query(&["To", "StartTime>", "StartTime<", "PageSize", "Page", "PageToken"])?;
            let day = |name: &str| query.get(name).map(|day| day.parse::<jiff::civil::Date>().unwrap());
            let wanted = |call: &&Value| {
                let at = jiff::fmt::rfc2822::parse(call["start_time"].as_str().unwrap()).unwrap().date();
                call["to"] == *query["To"]
                    && day("StartTime>").is_none_or(|from| at >= from)
                    // On or before midnight of that day.
                    && day("StartTime<").is_none_or(|to| at < to)
            };
            let calls: Vec<_> = records.calls.twilio.iter().filter(wanted).cloned().collect();
            let (page, next) = part(&calls, query.get("PageToken").copied());
            Ok(json!({"calls": page, "next_page_uri": next.map(|next| next_uri(&query, &next))}))
        }
        ("POST", ["Calls", file]) => {
            call.query(&[])?;
            let body = call.body(&["Url", "Method", "Twiml", "Status"])?.clone();
            let sid = file.strip_suffix(".json").unwrap_or_default();
            let changed = found(&records.calls.twilio, "sid", sid)?;
            if changed["status"] != "in-progress" {
                return refuse(400, "Call is not in-progress. Cannot redirect.");
            }
            records.calls.commands.push((sid.to_owned(), Value::Object(body)));
            Ok(changed)
        }
        ("GET", ["Calls", file]) => {
            call.query(&[])?;
            found(&records.calls.twilio, "sid", file.strip_suffix(".json").unwrap_or_default())
        }
        _ => refuse(405, "method not allowed"),
    }
}

fn next_uri(query: &BTreeMap<&str, &str>, next: &str) -> String {
    let kept = query.iter().filter(|(name, _)| !matches!(**name, "Page" | "PageToken"));
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(kept)
        .append_pair("Page", "1")
        .append_pair("PageToken", next)
        .finish();
    format!("/2010-04-01/Accounts/{ACCOUNT}/Calls.json?{query}")
}
