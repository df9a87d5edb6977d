//! Page tokens that no list gave out, to every list of the contract.

use std::{collections::BTreeMap, fs, path::Path};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as B64};
use futures::{StreamExt, stream};
use local::{
    demo::salon::WILLOW,
    visitor::{Visitor, willow},
};
use proptest::{collection::vec, prelude::*, sample::Index, strategy::ValueTree, test_runner::TestRunner};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stack::Stack;

const TOKENS_PER_LIST: usize = 150;
/// Years -9999 and 0, the ends of 9999 and of the next second, and what no calendar has, in microseconds.
const EXTREMES: [i64; 9] = [
    i64::MIN,
    -377_705_116_800_000_000,
    -62_135_596_800_000_001,
    -1,
    0,
    253_402_207_200_000_001,
    253_402_300_799_999_999,
    253_402_300_800_000_000,
    i64::MAX,
];

/// A list, with all it needs but its page.
#[derive(Debug)]
struct List {
    verb: Method,
    path: String,
    query: Vec<(String, String)>,
    body: Option<Value>,
    /// Whether its pages have a size that can be asked for.
    sized: bool,
}

impl List {
    async fn page(&self, visitor: &Visitor, size: i32, token: &str) -> (StatusCode, Value) {
        let mut path = self.path.clone();
        let mut body = self.body.clone();
        if let Some(body) = &mut body {
            body["pageToken"] = json!(token);
            if self.sized {
                body["pageSize"] = json!(size);
            }
        } else {
            path.push_str(&format!("?pageToken={token}"));
            if self.sized {
                path.push_str(&format!("&pageSize={size}"));
            }
            for (name, value) in &self.query {
                path.push_str(&format!("&{name}={value}"));
            }
        }
        let answer = visitor.send(self.verb.clone(), &path, body.as_ref(), None).await.unwrap();
        (answer.status(), answer.json().await.unwrap_or_default())
    }
}

/// Where a schema is, following its reference.
fn schema<'a>(contract: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str() {
        Some(reference) => contract.pointer(&reference[1..]).unwrap(),
        None => schema,
    }
}

/// Every operation of the contract whose request has a page token. `values` are what its other
/// required fields take; those that it does not know are left out.
fn lists(values: &BTreeMap<&str, String>, search: &Value) -> Vec<List> {
    let contract: Value = serde_json::from_str(proto::rest::OPENAPI).unwrap();
    let mut lists = Vec::new();
    for (template, operations) in contract["paths"].as_object().unwrap() {
        for (verb, operation) in operations.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
            let names: Vec<&str> = parameters.iter().filter_map(|one| one["name"].as_str()).collect();
            let body = &operation["requestBody"]["content"]["application/json"]["schema"];
            let fields = &schema(&contract, body)["properties"];
            let by_body = fields.get("pageToken").is_some();
            if !by_body && !names.contains(&"pageToken") {
                continue;
            }
            let path = template.split('/').map(|segment| match segment.split_once('}') {
                Some((name, rest)) => format!("{}{rest}", values[variable(template, &name[1..]).as_str()]),
                None => segment.to_owned(),
            });
            let known =
                |name: &&&str| values.contains_key(**name) && !template.contains(&format!("{{{name}}}"));
            lists.push(List {
                verb: verb.to_uppercase().parse().unwrap(),
                path: path.collect::<Vec<_>>().join("/"),
                query: names
                    .iter()
                    .filter(known)
                    .map(|name| ((*name).to_owned(), values[name].clone()))
                    .collect(),
                sized: fields.get("pageSize").is_some() || names.contains(&"pageSize"),
                body: by_body.then(|| match fields.get("items") {
                    Some(_) => search.clone(),
                    None => json!({}),
                }),
            });
        }
    }
    lists
}

/// A path's variable, as JSON spells it. Exports of two kinds have ids of the same name.
fn variable(template: &str, name: &str) -> String {
    match (name, template.contains("/appointment-exports/")) {
        ("export_id", true) => "appointmentExportId".to_owned(),
        _ => camel(name),
    }
}

/// A name as JSON spells it.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

/// How many requests that have a path also have a page token. Services alone call the internal ones, with tokens of others.
fn declared(folder: &Path) -> usize {
    fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("internal"))
        .map(|path| match path.is_dir() {
            true => declared(&path),
            false => fs::read_to_string(path).unwrap().matches(" string page_token = ").count(),
        })
        .sum()
}

/// Random bytes, and what is left of a real token after a flipped bit, a cut or an extreme number.
fn tokens(real: &[Vec<u8>]) -> Vec<String> {
    let mangled = (any::<Index>(), any::<Index>(), 0_u8..8, 0_u8..4, any::<Index>());
    let strategy = (vec(any::<u8>(), 0..64), mangled);
    let mut runner = TestRunner::deterministic();
    let mut tokens = vec!["%".to_owned(), "A".repeat(8000)];
    for n in 0..TOKENS_PER_LIST {
        let (random, (which, place, bit, kind, extreme)) = strategy.new_tree(&mut runner).unwrap().current();
        if n % 4 == 0 || real.is_empty() {
            tokens.push(B64.encode(random));
            continue;
        }
        let mut bytes = which.get(real).clone();
        let at = place.index(bytes.len());
        match kind {
            0 => bytes[at] ^= 1 << bit,
            1 => bytes.truncate(at),
            2 => bytes.extend(random),
            _ if bytes.len() >= 8 => {
                let at = place.index(bytes.len() - 7);
                bytes[at..at + 8].copy_from_slice(&extreme.get(&EXTREMES).to_be_bytes());
            }
            _ => {}
        }
        tokens.push(B64.encode(bytes));
    }
    tokens
}

async fn id_of(visitor: &Visitor, path: &str, field: &str) -> String {
    visitor.get(&willow(path)).await.unwrap()[field][0]["id"].as_str().unwrap().to_owned()
}

/// The id of what was just made.
async fn made(visitor: &Visitor, path: &str, body: &Value, id: &str) -> String {
    let answer = visitor.post(&willow(path), body).await.unwrap();
    answer.pointer(id).and_then(Value::as_str).unwrap_or_else(|| panic!("{path}: {answer}")).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_list_answers_or_names_the_token_whatever_the_token_is() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let admin = Visitor::sign_in(&stack.url(), "admin").await.unwrap();
    let days = json!({ "firstDate": "2026-06-01", "lastDate": "2026-06-30" });
    let values = BTreeMap::from([
        ("businessId", WILLOW.to_owned()),
        ("employeeId", id_of(&owner, "employees", "employees").await),
        ("customerId", id_of(&owner, "customers", "customers").await),
        ("calendarId", id_of(&owner, "calendars", "calendars").await),
        ("itemId", id_of(&owner, "items", "items").await),
        ("importId", made(&owner, "imports", &json!({"kind": "IMPORT_KIND_CUSTOMERS"}), "/import/id").await),
        ("exportId", made(&admin, "customer-exports", &json!({}), "/exportId").await),
        ("appointmentExportId", made(&admin, "appointment-exports", &days, "/exportId").await),
        ("kind", "IMPORT_KIND_CUSTOMERS".to_owned()),
        ("firstDate", "2026-06-01".to_owned()),
        ("lastDate", "2026-06-30".to_owned()),
    ]);
    let service = id_of(&owner, "services", "services").await;
    let lists = lists(&values, &json!({ "items": [{ "serviceId": service }] }));
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto/frontdesk");
    assert_eq!(lists.len(), declared(&contract), "a list without a path would go untested");

    let mut real = Vec::new();
    for list in &lists {
        let (status, first) = list.page(&admin, 1, "").await;
        assert_eq!(status, StatusCode::OK, "{list:?} {first}");
        let next = first["nextPageToken"].as_str().unwrap_or_default();
        if !next.is_empty() {
            let (status, second) = list.page(&admin, 1, next).await;
            assert_eq!(status, StatusCode::OK, "{list:?} {second}");
            real.push(B64.decode(next).unwrap());
        }
    }
    assert!(real.len() >= 8, "the demo fills more lists than {}", real.len());

    let tokens = tokens(&real);
    let mut wrong = Vec::new();
    for list in &lists {
        let answers = stream::iter(&tokens).map(async |token| (token, list.page(&admin, 2, token).await));
        let answers: Vec<_> = answers.buffer_unordered(8).collect().await;
        for (token, (status, answer)) in answers {
            let violation = &answer["details"][1]["fieldViolations"][0];
            let named = status == StatusCode::BAD_REQUEST && violation["field"] == "pageToken";
            if status != StatusCode::OK && !named {
                wrong.push(format!("{} {} {token}: {status} {answer}", list.verb, list.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of them:\n{}", wrong.len(), wrong.join("\n"));
}
