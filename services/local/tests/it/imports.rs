//! An import of 20,000 lines whose process is killed under way.

use core::time::Duration;
use std::fmt::Write;

use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{restore::backup::Server, stack::Stack};

const LINES: u64 = 20_000;
/// One line in a hundred has an invalid telephone number.
const BAD: u64 = 100;
const GOOD: u64 = LINES - LINES / BAD;
/// The lease of a worker that was killed runs for half a minute.
const PATIENCE: Duration = Duration::from_secs(180);

fn table() -> String {
    let mut text = "name,phone,email\n".to_owned();
    for n in 1..=LINES {
        let phone = if n % BAD == 0 { "anonymous".to_owned() } else { format!("+4420{:08}", 79_460_000 + n) };
        writeln!(text, "Customer {n},{phone},killed-{n}@example.com").unwrap();
    }
    text
}

async fn send(owner: &Visitor) -> String {
    let begun = owner.post(&willow("imports"), &json!({"kind": "IMPORT_KIND_CUSTOMERS"})).await.unwrap();
    let path = willow(&format!("imports/{}", begun["import"]["id"].as_str().unwrap()));
    let text = table();
    let parts: Vec<_> = text.as_bytes().chunks(400_000).collect();
    for (part, bytes) in parts.iter().enumerate() {
        let body = json!({"part": part, "text": core::str::from_utf8(bytes).unwrap()});
        let put = owner.send(Method::PUT, &format!("{path}/parts"), Some(&body), None).await.unwrap();
        assert_eq!(put.status(), StatusCode::OK);
    }
    owner.post(&format!("{path}:check"), &json!({"partCount": parts.len()})).await.unwrap();
    path
}

/// The import once `done` says so.
async fn until(owner: &Visitor, path: &str, done: impl Fn(&Value) -> bool) -> Value {
    let waiting = async {
        loop {
            let import = owner.get(path).await.unwrap()["import"].clone();
            if done(&import) {
                return import;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the import goes on")
}

fn count(import: &Value, field: &str) -> u64 {
    import[field].as_u64().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_goes_on_after_its_process_was_killed_without_a_doubled_or_a_lost_line() {
    let mut stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let path = send(&owner).await;
    let checked = until(&owner, &path, |import| import["state"] == "IMPORT_STATE_CHECKED").await;
    assert_eq!((count(&checked, "lineCount"), count(&checked, "badCount")), (LINES, LINES / BAD));
    owner.post(&format!("{path}:start"), &json!({})).await.unwrap();
    for part in [LINES / 10, LINES / 2] {
        let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
        let import = until(&owner, &path, |import| count(import, "importedCount") >= part).await;
        assert_eq!(import["state"], "IMPORT_STATE_IMPORTING", "the kill falls into the import");
        stack.kill();
        stack.restart();
    }
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let done = until(&owner, &path, |import| import["state"] == "IMPORT_STATE_DONE").await;
    assert_eq!((count(&done, "importedCount"), count(&done, "failedCount")), (GOOD, 0));
    let mut tenancy = Server::of(&stack).connect("tenancy").await;
    let sql = "SELECT count(*), count(DISTINCT email) FROM customer WHERE email LIKE 'killed-%'";
    let (rows, people): (i64, i64) = sqlx::query_as(sql).fetch_one(&mut tenancy).await.unwrap();
    let good = i64::try_from(GOOD).unwrap();
    assert_eq!((rows, people), (good, good));
}
