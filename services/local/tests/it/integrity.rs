//! What one bad record, or one bad guest, can't spoil for others: on real services.

use std::collections::BTreeMap;

use boot::clock::Clock;
use jiff::{SignedDuration, Timestamp};
use local::{
    demo::salon::WILLOW,
    stack::plan::postgres_url,
    visitor::{Visitor, willow},
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::stack::Stack;

const DAY: SignedDuration = SignedDuration::from_hours(24);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_that_scheduling_does_not_hold_stop_no_other_and_are_told_of() {
    let stack = Stack::start(&[]).await;
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let calendar = owner.get(&willow("calendars")).await.unwrap()["calendars"][0].clone();
    let employee = calendar["employeeId"].as_str().unwrap();
    let now = Clock::system().now();
    let (items, soon) = first_offer(&owner, employee, now).await;
    let (_, later) = first_offer(&owner, employee, now + DAY * 40).await;

    poison(&stack, calendar["id"].as_str().unwrap()).await;
    let lunch = json!({
        "title": "Lunch", "startsAt": soon.to_string(), "endsAt": (soon + SignedDuration::from_hours(1)).to_string(),
    });
    let events = format!("{}/{}/events", willow("calendars"), calendar["id"].as_str().unwrap());
    owner.post(&events, &lunch).await.unwrap();

    let calendar = loop {
        let calendars = owner.get(&willow("calendars")).await.unwrap();
        let found = &calendars["calendars"][0];
        if found["shortfallCount"] == 2 && found["unreadCount"] == 1 {
            break found.clone();
        }
        assert_eq!(calendars["calendars"][0]["lastError"], calendar["lastError"], "the calendar stopped");
    };
    let shortfalls = calendar["shortfalls"].as_array().unwrap();
    let reasons: Vec<_> = shortfalls.iter().map(|one| one["reason"].as_str().unwrap()).collect();
    let expected = ["OUT_OF_RANGE", "TOO_LONG"].map(|name| format!("SHORTFALL_REASON_{name}"));
    assert_eq!(reasons, expected);
    assert_eq!(calendar["unread"][0]["reason"], "has an id that can't be kept");
    for (starts_at, why) in [(soon, "lunch"), (later, "sabbatical")] {
        let body = json!({"items": items, "startsAt": starts_at.to_string()});
        let answer = owner.send(Method::POST, &willow("appointments"), Some(&body), Some(why)).await.unwrap();
        let status = answer.status();
        let refused: Value = answer.json().await.unwrap();
        assert_eq!(status, StatusCode::CONFLICT, "over {why}: {refused}");
        assert_eq!(refused["details"][0]["reason"], "SLOT_TAKEN", "over {why}: {refused}");
    }
}

/// The first time from `from` on at which the employee is free for one of their services.
async fn first_offer(owner: &Visitor, employee: &str, from: Timestamp) -> (Value, Timestamp) {
    let services = owner.get(&willow("services")).await.unwrap();
    let does = |service: &&Value| {
        service["employeeIds"].as_array().is_some_and(|ids| ids.contains(&json!(employee)))
    };
    let service = services["services"].as_array().unwrap().iter().find(does).unwrap();
    let items = json!([{"serviceId": service["id"], "employeeId": employee}]);
    let search = json!({"items": items, "from": from.to_string()});
    let found = owner.post(&willow("availability:search"), &search).await.unwrap();
    (items, found["offers"][0]["startsAt"].as_str().unwrap().parse().unwrap())
}

/// Three events as an outside calendar could have them: one that is too long, one that ended
/// long ago, one whose id is longer than any that can be kept.
async fn poison(stack: &Stack, calendar: &str) {
    let password = stack.secret("postgres-superuser");
    let url = postgres_url(stack.base_port(), "postgres", &password, "calendar_sync");
    let mut superuser = PgConnection::connect(&url).await.unwrap();
    let sql = format!(
        "WITH added AS (UPDATE demo_calendar SET change = change + 3 WHERE id = '{calendar}' RETURNING change)
         INSERT INTO demo_event (business_id, calendar_id, id, title, starts_at, ends_at, change, changed_at)
         SELECT '{WILLOW}', '{calendar}', e.id, 'Away', e.starts_at, e.ends_at, change - e.n, now()
         FROM added, (VALUES
             (0, 'sabbatical', now() + interval '30 days', now() + interval '3 years'),
             (1, 'armistice', '1918-11-11 11:00Z'::timestamptz, '1918-11-11 12:00Z'::timestamptz),
             (2, repeat('x', 1025), now() + interval '1 hour', now() + interval '2 hours')
         ) AS e(n, id, starts_at, ends_at)"
    );
    let added = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut superuser).await.unwrap();
    assert_eq!(added.rows_affected(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_business_cannot_take_an_id_that_another_will_use() {
    let stack = Stack::start(&[]).await;
    let admin = Visitor::sign_in(&stack.url(), "admin").await.unwrap();
    let owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let id = "01900000-0000-7000-8000-00000000beef";
    let of = |business: &str, what: &str| format!("/api/v1/businesses/{business}/{what}");
    let attacks = BTreeMap::from([
        ("customerId", (of(WILLOW, "customers"), json!({"customerId": id, "name": "Eve"}))),
        ("employeeId", (of(WILLOW, "employees"), json!({"employeeId": id, "name": "Eve"}))),
        (
            "businessId",
            (
                "/api/v1/admin/businesses".to_owned(),
                json!({"businessId": id, "name": "Eve", "timeZone": "Europe/London"}),
            ),
        ),
        ("service.id", (of(WILLOW, "services"), json!({"service": {"id": id, "name": "Eve"}}))),
        (
            "resource.id",
            (of(WILLOW, "resources"), json!({"resource": {"id": id, "name": "Eve", "kind": "chair"}})),
        ),
        ("dependency.id", (of(WILLOW, "dependencies"), json!({"dependency": {"id": id}}))),
        (
            "calendarId",
            (of(WILLOW, "calendars"), json!({"calendarId": id, "name": "Eve", "kind": "CALENDAR_KIND_DEMO"})),
        ),
        (
            "voiceConnectionId",
            (
                of(WILLOW, "voice-connections"),
                json!({
                    "voiceConnectionId": id, "label": "Eve", "platform": "VOICE_PLATFORM_RETELL", "secret": "secret-secret-secret",
                }),
            ),
        ),
    ]);
    for (field, (path, body)) in &attacks {
        let who = if *field == "businessId" { &admin } else { &owner };
        let answer = who.send(Method::POST, path, Some(body), Some(field)).await.unwrap();
        let status = answer.status();
        let refused: Value = answer.json().await.unwrap();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{field}: {refused}");
        let named = refused["details"]
            .as_array()
            .unwrap()
            .iter()
            .find_map(|detail| detail["fieldViolations"][0]["field"].as_str());
        assert_eq!(named, Some(*field), "{refused}");
    }
}
