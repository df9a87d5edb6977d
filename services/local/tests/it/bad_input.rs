//! Invalid input in every form that takes it: refused with the name of the wrong field.

use boot::clock::Clock;
use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stack::Stack;

/// Places in a form where a line of text stands, as the field is told and as it is sent.
const NAMES: [(&str, &str, &str, &str); 9] = [
    ("POST", "employees", "name", r#"{"name": "?"}"#),
    ("POST", "customers", "name", r#"{"name": "?"}"#),
    ("POST", "suppliers", "name", r#"{"name": "?"}"#),
    ("POST", "items", "name", r#"{"details": {"name": "?"}}"#),
    ("POST", "resources", "name", r#"{"resource": {"name": "?", "kind": "chair"}}"#),
    (
        "POST",
        "services",
        "name",
        r#"{"service": {"name": "?", "category": "Hair", "currency": "GBP",
            "segments": [{"kind": "SEGMENT_KIND_ACTIVE", "minutes": 30}]}}"#,
    ),
    ("PUT", "details", "name", r#"{"name": "?"}"#),
    ("PUT", "details", "address", r#"{"name": "Willow & Co", "address": "?"}"#),
    (
        "POST",
        "opening-exceptions",
        "label",
        r#"{"firstDate": "2030-12-25", "lastDate": "2030-12-25", "label": "?"}"#,
    ),
];
/// A tab, a null, a mark that turns the direction of writing, one of a lost character, and more than anyone reads.
fn bad_lines() -> [String; 5] {
    let marked = ["Mia\tLarsen", "Mia\0", "Mia\u{202E}nesraL", "Mia L\u{FFFD}rsen"].map(ToOwned::to_owned);
    let [tab, null, turned, lost] = marked;
    [tab, null, turned, lost, "x".repeat(10_000)]
}

/// Numbers, addresses and hours that are none.
const OTHERS: [(&str, &str, &str, &str); 9] = [
    ("POST", "customers", "phone", r#"{"name": "Mia", "phone": "call me"}"#),
    ("POST", "customers", "phone", r#"{"name": "Mia", "phone": "+4400000000000000000"}"#),
    ("POST", "customers", "email", r#"{"name": "Mia", "email": "mia"}"#),
    ("PUT", "details", "phone", r#"{"name": "Willow & Co", "phone": "12"}"#),
    ("POST", "follow-ups", "phone", r#"{"text": "Call back", "phone": "twelve"}"#),
    ("POST", "invitations", "email", r#"{"email": "mia", "role": "EMPLOYEE"}"#),
    (
        "PUT",
        "opening-hours",
        "spans",
        r#"{"timeZone": "Europe/London", "spans": [{"weekday": 1, "fromMinute": 1020, "toMinute": 540}]}"#,
    ),
    (
        "PUT",
        "opening-hours",
        "spans",
        r#"{"timeZone": "Europe/London", "spans": [{"weekday": 8, "fromMinute": 540, "toMinute": 1500}]}"#,
    ),
    ("POST", "opening-exceptions", "firstDate", r#"{"firstDate": "2030-02-30", "lastDate": "2030-03-01"}"#),
];

/// What is wrong with an answer that should name a field, if anything is.
async fn fault(owner: &Visitor, (verb, path, field): (&str, &str, &str), body: &Value) -> Option<String> {
    let key = Clock::system().new_id().to_string();
    let verb: Method = verb.parse().unwrap();
    let answer = owner.send(verb, &willow(path), Some(body), Some(&key)).await.unwrap();
    let status = answer.status();
    let answer: Value = answer.json().await.unwrap_or_default();
    let violations = answer["details"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|detail| detail["fieldViolations"].as_array().cloned().unwrap_or_default());
    let named = violations
        .filter_map(|violation| violation["field"].as_str().map(str::to_owned))
        .any(|told| told.split(['.', '[']).any(|part| part == field));
    (status != StatusCode::BAD_REQUEST || !named).then(|| {
        let sent: String = body.to_string().chars().take(120).collect();
        format!("{path} {field}: {status} {answer} to {sent}")
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_malformed_is_refused_at_its_field_and_changes_nothing() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let mut faults = vec![];
    for (verb, path, field, body) in NAMES {
        for line in bad_lines() {
            let body = filled(&serde_json::from_str(body).unwrap(), &line);
            faults.extend(fault(&owner, (verb, path, field), &body).await);
        }
    }
    for (verb, path, field, body) in OTHERS {
        faults.extend(fault(&owner, (verb, path, field), &serde_json::from_str(body).unwrap()).await);
    }
    assert!(faults.is_empty(), "{} of them:\n{}", faults.len(), faults.join("\n"));
    // What was refused is noted, and nothing was made.
    let entries = owner.get(&willow("audit-entries?pageSize=200")).await.unwrap()["entries"].clone();
    let of_owner = entries.as_array().unwrap().iter().filter(|entry| entry["actorName"] == "Olivia Reed");
    let told: Vec<_> = of_owner.map(|entry| entry["refusal"].as_str().unwrap_or_default()).collect();
    assert!(!told.is_empty() && told.iter().all(|refusal| *refusal == "INVALID_FIELD"), "{entries}");
}

/// A body with a text in the place of its question mark.
fn filled(body: &Value, text: &str) -> Value {
    match body {
        Value::String(place) if place == "?" => json!(text),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), filled(value, text))).collect()
        }
        other => other.clone(),
    }
}
