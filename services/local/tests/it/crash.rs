//! Nothing acknowledged is ever lost, and nothing happens twice.

use core::time::Duration;
use std::{collections::BTreeMap, sync::Arc, time::Instant};

use boot::clock::Clock;
use futures::{StreamExt, stream};
use jiff::SignedDuration;
use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::stack::Stack;

const BOOKINGS: usize = 500;
const IN_STEP_WITHIN: Duration = Duration::from_secs(90);
const KILL_AFTER: usize = 150;

/// One attempt and what became of it.
struct Attempt {
    key: String,
    body: Value,
    acknowledged: Option<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_booking_survives_a_kill_and_takes_effect_once() {
    let mut stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let requests = requests(&owner).await;
    assert!(requests.len() >= BOOKINGS, "only {} free times", requests.len());

    let reached = Arc::new(Notify::new());
    let done = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let booking = tokio::spawn({
        let (owner, reached, done) = (owner.clone(), reached.clone(), done.clone());
        let requests: Vec<Value> = requests.into_iter().take(BOOKINGS).collect();
        async move {
            stream::iter(requests.into_iter().enumerate())
                .map(|(n, body)| {
                    let (owner, reached, done) = (owner.clone(), reached.clone(), done.clone());
                    async move {
                        let key = format!("crash-{n}");
                        let acknowledged = book(&owner, &key, &body).await;
                        let one = usize::from(acknowledged.is_some());
                        if done.fetch_add(one, std::sync::atomic::Ordering::Relaxed) + one == KILL_AFTER {
                            reached.notify_one();
                        }
                        Attempt { key, body, acknowledged }
                    }
                })
                .buffer_unordered(8)
                .collect::<Vec<_>>()
                .await
        }
    });
    reached.notified().await;
    stack.kill();
    let attempts = booking.await.unwrap();
    stack.flush_redis();
    stack.restart();

    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let acknowledged = attempts.iter().filter(|attempt| attempt.acknowledged.is_some()).count();
    assert!((KILL_AFTER..BOOKINGS).contains(&acknowledged), "{acknowledged} acknowledged");
    let mut by_key = BTreeMap::new();
    for attempt in &attempts {
        // The same key again: those that were acknowledged must get the same answer.
        let id = book(&owner, &attempt.key, &attempt.body).await.expect("a repeated booking is accepted");
        if let Some(before) = &attempt.acknowledged {
            assert_eq!(&id, before, "{} was booked twice", attempt.key);
        }
        by_key.insert(attempt.key.clone(), id);
    }
    each_is_in_a_calendar_once(&owner, by_key.into_values().collect()).await;
}

pub async fn book(owner: &Visitor, key: &str, body: &Value) -> Option<String> {
    let answer = owner.send(Method::POST, &willow("appointments"), Some(body), Some(key)).await.ok()?;
    if answer.status() != StatusCode::OK {
        return None;
    }
    let body: Value = answer.json().await.ok()?;
    Some(body["appointment"]["id"].as_str()?.to_owned())
}

/// Free times that don't exclude one another: every offer of a short service for
/// one employee, as far as the horizon.
pub async fn requests(owner: &Visitor) -> Vec<Value> {
    let services = owner.get(&willow("services")).await.unwrap();
    let services = services["services"].as_array().unwrap();
    let service = services.iter().find(|service| service["name"] == "Men's cut").unwrap();
    let mut requests = Vec::new();
    for employee in service["employeeIds"].as_array().unwrap() {
        let items = json!([{"serviceId": service["id"], "employeeId": employee}]);
        let mut last_end = String::new();
        for (from, to) in spans() {
            let mut token = String::new();
            loop {
                let query = json!({
                    "items": items, "from": from, "to": to,
                    "pageSize": 200, "pageToken": token,
                });
                let page = owner.post(&willow("availability:search"), &query).await.unwrap();
                for offer in page["offers"].as_array().unwrap() {
                    let starts_at = offer["startsAt"].as_str().unwrap();
                    if starts_at >= last_end.as_str() {
                        offer["endsAt"].as_str().unwrap().clone_into(&mut last_end);
                        requests.push(json!({"items": items, "startsAt": starts_at}));
                    }
                }
                page["nextPageToken"].as_str().unwrap().clone_into(&mut token);
                if token.is_empty() {
                    break;
                }
            }
        }
    }
    requests
}

/// Beyond the fortnight the demo fills, in spans a search accepts.
pub fn spans() -> [(String, String); 2] {
    let now = Clock::system().now();
    let day = |days: i64| (now + SignedDuration::from_hours(24 * days)).strftime("%FT00:00:00Z").to_string();
    [(day(15), day(75)), (day(75), day(135))]
}

pub async fn each_is_in_a_calendar_once(owner: &Visitor, ids: Vec<String>) {
    let mut times = BTreeMap::<String, usize>::new();
    // The calendars follow the log, and a calendar that was leased when its process
    // died waits for the lease to end. How far they are can be asked until they are there.
    let began = Instant::now();
    while began.elapsed() < IN_STEP_WITHIN {
        times.clear();
        let calendars = owner.list(&willow("calendars"), "calendars").await.unwrap();
        for calendar in calendars {
            let path = willow(&format!("calendars/{}/events", calendar["id"].as_str().unwrap()));
            for event in owner.list(&path, "events").await.unwrap() {
                *times.entry(event["appointmentId"].as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
        if ids.iter().all(|id| times.contains_key(id)) {
            break;
        }
    }
    for id in ids {
        assert_eq!(times.get(&id), Some(&1), "appointment {id}");
    }
}
