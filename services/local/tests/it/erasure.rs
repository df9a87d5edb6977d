//! A person who is erased is nowhere any more: what stood in everything that was entered about them is looked for in dumps
//! of all databases, in Redis and in recordings.

mod recordings;

use core::time::Duration;

use boot::clock::Clock;
use local::{
    demo::salon::CONNECTION,
    telephone::Telephone,
    visitor::{Visitor, willow},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{restore::backup::Server, stack::Stack};

/// In everything that is entered about the person.
const MARK: &str = "quokkabird";
/// In what is entered about another person: it stays.
const OTHER: &str = "wombatfish";
const PHONE: &str = "+447700900876";
const PHONE_DIGITS: &str = "7700900876";
const DAYS: i64 = 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_of_an_erased_person_is_left_in_any_database() {
    let mut stack = Stack::start(&[]).await;
    let manager = Visitor::sign_in(&stack.url(), "manager").await.unwrap();
    let salon = Salon { stack: &stack, manager: &manager };
    let customer = salon.keep_a_customer().await;
    let part = salon.merge_another_into(&customer).await;
    salon.import().await;
    let (kept, cancelled) = salon.book(&customer, &part).await;
    salon.wait_and_follow_up(&customer).await;
    recordings::turn_on(&stack).await;
    salon.call(&recordings::served(MARK).await).await;
    recordings::until_kept(&stack, MARK, 2).await;
    salon.keep_another_person().await;
    // What Redis keeps is short-lived: a value of the test's own shows that a trace of the person would be found there.
    stack.keep_in_redis("canary", &format!("{0} and again {0}, {0}", "Quokkabird Name"));
    let before = found(&stack, MARK);
    for place in ["calendar_sync", "telemetry", "scheduling", "tenancy", "redis"] {
        assert!(before.iter().any(|line| line.starts_with(place)), "{place} holds nothing of the person");
    }
    stack.drop_from_redis("canary");

    let erase = willow(&format!("customers/{customer}:erase"));
    salon.expect(StatusCode::OK, &erase, &json!({})).await;
    // The services are killed while they erase, and go on.
    stack.kill();
    stack.restart();
    let manager = Visitor::sign_in(&stack.url(), "manager").await.unwrap();
    let erasure = erased(&manager, &customer).await;
    let holders = erasure["holders"].as_array().unwrap();
    let names: Vec<_> = holders.iter().map(|holder| holder["service"].as_str().unwrap()).collect();
    assert_eq!(names, ["tenancy", "telemetry", "scheduling", "calendar-sync"]);
    assert!(holders.iter().all(|holder| holder["confirmedAt"].is_string()), "{erasure}");

    for mark in [MARK, PHONE_DIGITS] {
        let left = found(&stack, mark);
        assert!(left.is_empty(), "{mark} is left in:\n{}", left.join("\n"));
    }
    assert_eq!(recordings::kept(&stack, MARK), 0);
    assert!(!found(&stack, OTHER).is_empty(), "what is about others stays");

    let salon = Salon { stack: &stack, manager: &manager };
    salon.what_is_left(&customer, &kept, &cancelled).await;
    let again = salon.expect(StatusCode::OK, &erase, &json!({})).await;
    assert_eq!(again["erasure"]["finishedAt"], erasure["finishedAt"], "once is enough");
}

/// Waits until every holder confirmed.
async fn erased(manager: &Visitor, customer: &str) -> Value {
    // The lease of a worker that was killed runs for a minute.
    for _ in 0..900 {
        let answer = manager.get(&willow(&format!("customers/{customer}/erasure"))).await.unwrap();
        if answer["erasure"]["finishedAt"].is_string() {
            return answer["erasure"].clone();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let answer = manager.get(&willow(&format!("customers/{customer}/erasure"))).await.unwrap();
    panic!("it does not end: {answer}");
}

/// Lines of dumps, and of Redis, that contain a mark in any case, as text or as bytes.
fn found(stack: &Stack, mark: &str) -> Vec<String> {
    let bytes: String = mark.bytes().map(|byte| format!("{byte:02x}")).collect();
    let capital: String = format!("{}{}", &mark[..1].to_uppercase(), &mark[1..])
        .bytes()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut dumped = Server::of(stack).dumped();
    dumped.push(("redis", stack.kept_in_redis()));
    let mut lines = vec![];
    for (place, text) in dumped {
        let mut table = "";
        for line in text.lines() {
            if line.starts_with("COPY ") {
                table = line;
            }
            let lower = line.to_lowercase();
            if lower.contains(mark) || lower.contains(&bytes) || lower.contains(&capital) {
                let shown: String = line.chars().take(300).collect();
                lines.push(format!("{place}: {table}: {shown}"));
            }
        }
    }
    lines
}

/// What is entered about the person.
struct Salon<'a> {
    stack: &'a Stack,
    manager: &'a Visitor,
}

impl Salon<'_> {
    async fn expect(&self, status: StatusCode, path: &str, body: &Value) -> Value {
        let key = Clock::system().new_id().to_string();
        let answer = self.manager.send(Method::POST, path, Some(body), Some(&key)).await.unwrap();
        let seen = answer.status();
        let answer: Value = answer.json().await.unwrap_or_default();
        assert_eq!(seen, status, "{path}: {answer}");
        answer
    }

    async fn add(&self, path: &str, body: Value) -> Value {
        self.expect(StatusCode::OK, &willow(path), &body).await
    }

    async fn customer(&self, name: &str, phone: &str, email: &str) -> String {
        let made = self.add("customers", json!({"name": name, "phone": phone, "email": email})).await;
        made["customer"]["id"].as_str().unwrap().to_owned()
    }

    async fn keep_a_customer(&self) -> String {
        let id = self.customer("Quokkabird Old", PHONE, "quokkabird@demo.test").await;
        let changed = json!({
            "name": "Quokkabird Name", "phone": PHONE, "email": "quokkabird.new@demo.test",
            "tags": ["quokkabird tag"],
        });
        let profile = willow(&format!("customers/{id}"));
        let answer = self.manager.send(Method::PUT, &profile, Some(&changed), Some("change")).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        self.add(&format!("customers/{id}/notes"), json!({"text": "quokkabird is allergic", "pinned": true}))
            .await;
        let deleted =
            self.add(&format!("customers/{id}/notes"), json!({"text": "quokkabird was here"})).await;
        let deleted = format!("{profile}/notes/{}", deleted["note"]["id"].as_str().unwrap());
        self.manager.send(Method::DELETE, &deleted, None, None).await.unwrap();
        let result = "PATCH_TEST_RESULT_NO_REACTION";
        let test = json!({"subject": "quokkabird tint", "testedOn": "2026-01-05", "result": result});
        self.add(&format!("customers/{id}/patch-tests"), test).await;
        let formula = json!({"text": "quokkabird 6/1", "mixedOn": "2026-01-05"});
        self.add(&format!("customers/{id}/formulas"), formula).await;
        self.add(&format!("customers/{id}:recordMarketingConsent"), json!({"given": true})).await;
        id
    }

    async fn merge_another_into(&self, customer: &str) -> String {
        let part = self.customer("Quokkabird Twin", "", "quokkabird.twin@demo.test").await;
        let merge = json!({"mergedCustomerId": part});
        self.add(&format!("customers/{customer}:merge"), merge).await;
        part
    }

    /// A table with a line that is bad, and that names the person.
    async fn import(&self) {
        let begun = self
            .add("imports", json!({"kind": "IMPORT_KIND_CUSTOMERS", "fileName": "Quokkabird Name.csv"}))
            .await;
        let id = begun["import"]["id"].as_str().unwrap().to_owned();
        let text = format!("name,phone,email\nQuokkabird Name,0{PHONE_DIGITS},not an address\n");
        let path = willow(&format!("imports/{id}/parts"));
        let part = json!({"part": 0, "text": text});
        let put = self.manager.send(Method::PUT, &path, Some(&part), None).await.unwrap();
        assert_eq!(put.status(), StatusCode::OK, "{}", put.text().await.unwrap());
        self.add(&format!("imports/{id}:check"), json!({"partCount": 1})).await;
    }

    /// Visits to come of the person and of the part; the last one is cancelled. The first and the last.
    async fn book(&self, customer: &str, part: &str) -> (String, String) {
        let services = self.manager.get(&willow("services")).await.unwrap();
        let service =
            services["services"].as_array().unwrap().iter().find(|one| one["employeeIds"][0].is_string());
        let items = json!([{"serviceId": service.unwrap()["id"]}]);
        let mut ids = vec![];
        for (number, who) in [customer, customer, part].into_iter().enumerate() {
            let after = Clock::system().now() + jiff::SignedDuration::from_hours(24 * (DAYS + number as i64));
            let search = json!({"items": items, "from": after.to_string()});
            let found = self.add("availability:search", search).await;
            let booking = json!({
                "items": items, "startsAt": found["offers"][0]["startsAt"], "customerId": who,
                "notes": "quokkabird note",
            });
            let booked = self.add("appointments", booking).await;
            ids.push(booked["appointment"]["id"].as_str().unwrap().to_owned());
        }
        let cancel = format!("appointments/{}:cancel", ids[2]);
        self.add(&cancel, json!({"reason": "quokkabird reason"})).await;
        (ids[0].clone(), ids[2].clone())
    }

    async fn wait_and_follow_up(&self, customer: &str) {
        let services = self.manager.get(&willow("services")).await.unwrap();
        let items = json!([{"serviceId": services["services"][0]["id"]}]);
        let day = Clock::system().now().to_zoned(jiff::tz::TimeZone::UTC).date() + jiff::ToSpan::days(5);
        let entry = json!({
            "customerId": customer, "items": items, "firstDate": day.to_string(), "lastDate": day.to_string(),
            "note": "quokkabird waits",
        });
        self.add("waitlist", entry).await;
        self.add("follow-ups", json!({"text": "quokkabird message", "customerId": customer})).await;
        self.add("follow-ups", json!({"text": "quokkabird rang", "phone": PHONE})).await;
    }

    /// Two calls, whose recording the platform has at an address.
    async fn call(&self, recording: &str) {
        let secret = self.stack.secret("retell-demo-key");
        let line = Telephone::new(&self.stack.url(), CONNECTION, &secret).unwrap();
        let spoken = |call: &str, event: &str| {
            let mut body: Value = serde_json::from_str(&line.event(call, event)).unwrap();
            body["call"]["from_number"] = PHONE.into();
            body["call"]["transcript_object"] =
                json!([{"role": "user", "content": "My name is Quokkabird", "words": []}]);
            if event == "call_ended" {
                body["call"]["recording_url"] = recording.into();
            }
            body["call"]["call_analysis"] = json!({"call_summary": "Quokkabird wants a haircut"});
            body.to_string()
        };
        for call in ["call_recognised", "call_unknown"] {
            for event in ["call_started", "transcript_updated"] {
                assert!(line.deliver(&spoken(call, event)).await.unwrap().status().is_success());
            }
            if call == "call_recognised" {
                let who = json!({"phone": PHONE, "name": "Quokkabird Name"});
                line.use_tool(call, "find_customer", &who).await.unwrap();
                let wish = json!({"service": "quokkabird treatment"});
                line.use_tool(call, "search_availability", &wish).await.unwrap();
            }
            for event in ["call_ended", "call_analyzed"] {
                assert!(line.deliver(&spoken(call, event)).await.unwrap().status().is_success());
            }
        }
        let calls = self.manager.list(&willow("calls"), "calls").await.unwrap();
        let id = calls[0]["id"].as_str().unwrap();
        self.add(&format!("calls/{id}/notes"), json!({"text": "quokkabird was kind"})).await;
        self.add("follow-ups", json!({"text": "quokkabird asks back", "callId": id})).await;
        self.add("call-views", json!({"name": "Quokkabird Name", "query": "q=Quokkabird+Name"})).await;
    }

    async fn keep_another_person(&self) {
        let other = self.customer("Wombatfish Name", "", "wombatfish@demo.test").await;
        self.add(&format!("customers/{other}/notes"), json!({"text": "wombatfish likes tea"})).await;
    }

    /// The record says that the person was erased, and the books still add up.
    async fn what_is_left(&self, customer: &str, kept: &str, cancelled: &str) {
        let record = self.manager.get(&willow(&format!("customers/{customer}"))).await.unwrap();
        assert_eq!(record["customer"]["name"], "Erased customer");
        assert!(record["customer"]["erasedAt"].is_string(), "{record}");
        let found = self.manager.get(&willow("customers?query=Erased")).await.unwrap();
        assert_eq!(found["customers"], json!([]), "no search finds the record");
        for visit in [kept, cancelled] {
            let visit = self.manager.get(&willow(&format!("appointments/{visit}"))).await.unwrap();
            let visit = &visit["appointment"];
            assert_eq!(visit["state"], "APPOINTMENT_STATE_CANCELLED", "what was to come is cancelled");
            assert_eq!((&visit["customerName"], &visit["notes"]), (&json!("Erased customer"), &json!("")));
            assert!(visit["items"][0]["serviceName"].is_string(), "what was booked stays");
        }
        let calls = self.manager.list(&willow("calls"), "calls").await.unwrap();
        let erased = calls.iter().filter(|call| call["customerName"] == "Erased customer");
        assert_eq!(erased.count(), 2, "the calls are still counted: {calls:?}");
        let profile = willow(&format!("customers/{customer}"));
        for (path, body) in [
            (format!("{profile}/notes"), json!({"text": "again"})),
            (format!("{profile}:recordMarketingConsent"), json!({"given": true})),
        ] {
            self.expect(StatusCode::CONFLICT, &path, &body).await;
        }
    }
}
