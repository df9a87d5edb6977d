//! Who changed what of one record, wherever it is kept, as one list that reads as people speak.

use boot::clock::Clock;
use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::stack::Stack;

async fn send(visitor: &Visitor, verb: Method, path: &str, body: Value) -> Value {
    let key = Clock::system().new_id().to_string();
    let answer = visitor.send(verb, &willow(path), Some(&body), Some(&key)).await.unwrap();
    let status = answer.status();
    let answer: Value = answer.json().await.unwrap_or_default();
    assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    answer
}

/// The name by which an answer calls the record with an id.
fn name_of<'a>(page: &'a Value, id: &Value) -> Option<&'a str> {
    page["names"].as_array()?.iter().find(|name| name["id"] == *id)?["name"].as_str()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_trails_of_several_services_are_joined_for_one_record() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let admin = Visitor::sign_in(&stack.url(), "admin").await.unwrap();
    let made = send(&owner, Method::POST, "employees", json!({"name": "Robin Hale"})).await;
    let robin = &made["employee"]["id"];
    let schedule = format!("employees/{}/schedule", robin.as_str().unwrap());
    let week = json!({"spans": [{"weekday": 2, "fromMinute": 540, "toMinute": 1020}]});
    send(&admin, Method::PUT, &schedule, week).await;
    let calendar = json!({"kind": "CALENDAR_KIND_DEMO", "employeeId": robin, "name": "Robin's days"});
    send(&owner, Method::POST, "calendars", calendar).await;

    // The employee: tenancy's record, and scheduling's hours of it. The latest comes first.
    let path = willow(&format!("audit-entries?recordId={}", robin.as_str().unwrap()));
    let page = owner.get(&path).await.unwrap();
    let told: Vec<_> = page["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            ["action", "recordKind", "actorName"].map(|field| entry[field].as_str().unwrap_or_default())
        })
        .collect();
    assert_eq!(told.last().unwrap(), &["CreateEmployee", "employee", "Olivia Reed"], "{page}");
    assert!(
        told.contains(&["SetWeeklySchedule", "working_hours", ""]),
        "an administrator is no member: {page}"
    );
    assert_eq!(name_of(&page, robin), Some("Robin Hale"));
    assert_eq!(page["missingServices"], json!([]));

    // What calendar-sync noted names the employee, whom tenancy knows.
    let all = owner.get(&willow("audit-entries")).await.unwrap();
    let connected = all["entries"].as_array().unwrap().iter().find(|entry| entry["recordKind"] == "calendar");
    let connected = connected.unwrap_or_else(|| panic!("{all}"));
    assert_eq!(name_of(&all, &connected["recordId"]), Some("Robin's days"));
    assert_eq!(name_of(&all, robin), Some("Robin Hale"));
}
