//! The voice door on the whole installation.

use local::{
    demo::salon::CONNECTION,
    telephone::Telephone,
    visitor::{Visitor, willow},
};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::stack::Stack;

/// Of a platform's delivery.
const LONGEST: usize = 2 << 20;

fn line(stack: &Stack, secret: &str) -> Telephone {
    Telephone::new(&stack.url(), CONNECTION, secret).unwrap()
}

/// The answer to a delivery that says how long it is, of which nothing is sent: one that is being sent may
/// meet a closed connection before the answer is read.
async fn announced(stack: &Stack, length: usize) -> String {
    let head = format!(
        "POST /api/webhooks/voice/retell/{CONNECTION} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    let mut wire = TcpStream::connect(("localhost", stack.port())).await.unwrap();
    wire.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    wire.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn calls(owner: &Visitor) -> Vec<Value> {
    owner.list(&willow("calls"), "calls").await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_delivered_twice_makes_one_call_and_one_appointment() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let line = line(&stack, &stack.secret("retell-demo-key"));

    let started = line.event("call_twice", "call_started");
    for _ in 0..2 {
        assert!(line.deliver(&started).await.unwrap().status().is_success());
    }
    let found = line.use_tool("call_twice", "find_customer", &json!({})).await.unwrap();
    let offered =
        line.use_tool("call_twice", "search_availability", &json!({"service": "men's cut"})).await.unwrap();
    let offer = &offered["offers"][0];
    let wanted = json!({
        "starts_at": offer["starts_at"],
        "services": ["men's cut"],
        "employee": offer["employee"],
    });
    let held = line.use_tool("call_twice", "hold_slot", &wanted).await.unwrap();
    let booking = line.tool_call(
        "call_twice",
        "book_appointment",
        &json!({"hold_id": held["hold_id"], "customer_id": found["customer_id"]}),
    );
    let mut answers = Vec::new();
    for _ in 0..2 {
        answers.push(line.deliver(&booking).await.unwrap().json::<Value>().await.unwrap());
    }
    assert_eq!(answers[0]["ok"], true, "{}", answers[0]);
    assert_eq!(answers[0], answers[1]);

    let calls = calls(&owner).await;
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0]["appointmentIds"], json!([answers[0]["appointment_id"]]));
    let detail = owner.get(&willow(&format!("calls/{}", calls[0]["id"].as_str().unwrap()))).await.unwrap();
    let tools: Vec<&str> =
        detail["toolCalls"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(tools, ["find_customer", "search_availability", "hold_slot", "book_appointment"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_is_told_at_the_public_address_whatever_the_page_was_opened_under() {
    let stack = Stack::start(&[]).await;
    let elsewhere = format!("http://127.0.0.1:{}", stack.port());
    let mut told = Vec::new();
    for opened in [&elsewhere, &stack.url()] {
        let owner = Visitor::sign_in(opened, "owner").await.unwrap();
        let listed = owner.list(&willow("voice-connections"), "voiceConnections").await.unwrap();
        let line = listed.iter().find(|line| line["id"] == CONNECTION).unwrap();
        told.push(line["webhookUrl"].as_str().unwrap().to_owned());
    }
    let public = format!("{}/api/webhooks/voice/retell/{CONNECTION}", stack.url());
    assert_eq!(told, [public.as_str(), public.as_str()]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_signed_right_is_refused_and_leaves_nothing() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let secret = stack.secret("retell-demo-key");
    let right = line(&stack, &secret);
    let body = right.event("call_forged", "call_started");

    let forged = line(&stack, "not the key").deliver(&body).await.unwrap();
    assert_eq!(forged.status(), StatusCode::UNAUTHORIZED);
    let unsigned = right.deliver_as(&body, None).await.unwrap();
    assert_eq!(unsigned.status(), StatusCode::UNAUTHORIZED);
    let old = boot::clock::Clock::system().now() - jiff::SignedDuration::from_mins(6);
    let stale = bff::voice::retell::signature::sign(&secret, body.as_bytes(), old);
    let stale = right.deliver_as(&body, Some(&stale)).await.unwrap();
    assert_eq!(stale.status(), StatusCode::UNAUTHORIZED);
    let refusal: Value = stale.json().await.unwrap();
    assert_eq!(refusal["details"][0]["reason"], "BAD_SIGNATURE");

    let malformed = right.deliver("{\"event\":").await.unwrap();
    assert_eq!(malformed.status(), StatusCode::BAD_REQUEST);
    let refusal: Value = malformed.json().await.unwrap();
    assert_eq!(refusal["details"][0]["reason"], "INVALID_FIELD");
    assert!(announced(&stack, LONGEST + 1).await.starts_with("HTTP/1.1 413"));
    let elsewhere = Telephone::new(&stack.url(), "01900000-0000-7000-8000-0000000000ff", &secret).unwrap();
    assert_eq!(elsewhere.deliver(&body).await.unwrap().status(), StatusCode::NOT_FOUND);

    assert_eq!(calls(&owner).await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_put_into_the_demo_calendar_blocks_the_time() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let services = owner.get(&willow("services")).await.unwrap();
    let service = &services["services"][0];
    let employee = &service["employeeIds"][0];
    let search = json!({"items": [{"serviceId": service["id"], "employeeId": employee}]});
    let offers = owner.post(&willow("availability:search"), &search).await.unwrap();
    let offer = offers["offers"][0].clone();

    let calendars = owner.list(&willow("calendars"), "calendars").await.unwrap();
    let calendar = calendars.iter().find(|calendar| calendar["employeeId"] == *employee).unwrap();
    let event = json!({"title": "Dentist", "startsAt": offer["startsAt"], "endsAt": offer["endsAt"]});
    let path = willow(&format!("calendars/{}/events", calendar["id"].as_str().unwrap()));
    owner.post(&path, &event).await.unwrap();

    // The event is imported in the background, so poll availability until the offer is gone.
    for _ in 0..500 {
        let now = owner.post(&willow("availability:search"), &search).await.unwrap();
        if now["offers"].as_array().unwrap().iter().all(|other| other["startsAt"] != offer["startsAt"]) {
            return;
        }
    }
    panic!("{} is still offered", offer["startsAt"]);
}
