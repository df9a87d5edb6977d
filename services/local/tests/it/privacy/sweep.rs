//! Every route, with a mark in each field that it takes.

use local::{demo::salon::WILLOW, visitor::Visitor};
use reqwest::Method;
use serde_json::{Value, json};

use super::MARK;
use crate::stack::Stack;

/// Ends the session that the sweep uses, or the account's others.
const ENDS_SESSIONS: [&str; 4] =
    ["/api/auth/logout", "/api/auth/refresh", "/api/v1/me/sessions:signOutEverywhere", "/ws"];
const DEEPEST: usize = 6;

/// Sends a marked request to each route of the published document, twice: with marks for ids as well, and
/// with the ids of the salon and of nothing.
pub async fn every_route(stack: &Stack, owner: &Visitor) {
    let document = owner.get("/api/openapi.json").await.unwrap();
    let nothing = boot::clock::Clock::system().new_id().to_string();
    let mut sent = 0;
    for (path, operations) in document["paths"].as_object().unwrap() {
        if ENDS_SESSIONS.contains(&path.as_str()) {
            continue;
        }
        for (verb, operation) in operations.as_object().unwrap() {
            let verb: Method = verb.to_uppercase().parse().unwrap();
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let body = (!schema.is_null()).then(|| marked(&document, schema, 0));
            let query = query(operation);
            for (business, id) in [(MARK, MARK), (WILLOW, nothing.as_str())] {
                let path = filled(path, business, id);
                let key = (verb != Method::GET).then_some(MARK);
                let answer = owner.send(verb.clone(), &format!("{path}{query}"), body.as_ref(), key).await;
                let status = answer.unwrap().status();
                assert_ne!(status.as_u16(), 500, "{verb} {path}");
                sent += 1;
            }
        }
    }
    assert!(sent > 200, "only {sent} requests were sent to {}", stack.url());
}

/// The path with ids instead of its parameters.
fn filled(template: &str, business: &str, id: &str) -> String {
    let mut path = template.replace("{business_id}", business);
    while let Some((before, rest)) = path.split_once('{') {
        let (_, after) = rest.split_once('}').unwrap();
        path = format!("{before}{id}{after}");
    }
    path
}

fn query(operation: &Value) -> String {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let asked: Vec<String> = parameters
        .filter(|parameter| parameter["in"] == "query")
        .map(|parameter| format!("{}={MARK}", parameter["name"].as_str().unwrap()))
        .collect();
    if asked.is_empty() { String::new() } else { format!("?{}", asked.join("&")) }
}

/// A value of the schema in which each string is marked.
fn marked(document: &Value, schema: &Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return marked(document, &document["components"]["schemas"][name], depth);
    }
    match schema["type"].as_str() {
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties.map(|(name, of)| (name.clone(), marked(document, of, depth + 1))).collect()
        }
        Some("array") => json!([marked(document, &schema["items"], depth + 1)]),
        Some("integer" | "number") => json!(7),
        Some("boolean") => json!(false),
        _ => json!(format!("{MARK} {depth}")),
    }
}
