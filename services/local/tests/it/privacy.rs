//! What people enter never leaves in telemetry: names that occur nowhere else go through everything,
//! and are looked for in each byte that the processes export and log.

mod sink;
mod sweep;

use local::{
    demo::salon::CONNECTION,
    telephone::Telephone,
    visitor::{Visitor, willow},
};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::stack::Stack;
use sink::Sink;

/// In everything that is entered, whatever it is.
pub const MARK: &str = "zyzzyva";
/// Of a number that no one else has.
const PHONE: &str = "+447700900987";
const PHONE_DIGITS: &str = "7700900987";
const PASSWORD: &str = "Zyzzyva-Password-91!";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_people_enter_is_in_no_span_no_metric_and_no_log() {
    let sink = Sink::start().await;
    let flags = [
        "--processes",
        "--otel-exporter-otlp-protocol",
        "http/protobuf",
        "--otel-exporter-otlp-endpoint",
        &sink.url,
    ];
    let stack = Stack::start_empty(&flags, |stack| stack.say("RUST_LOG", "info")).await;
    let mut owner = Visitor::sign_in(&stack.url(), "owner").await.unwrap();
    let mut secrets = vec![owner.token().to_owned(), owner.cookie("__Host-refresh").to_owned()];
    let session = Session { stack: &stack, owner: &owner };
    session.keep_a_customer_and_book().await;
    session.call().await;
    session.fail_to_enter().await;
    session.report_pages().await;
    session.send_what_is_malformed().await;
    sweep::every_route(&stack, &owner).await;
    owner.refresh().await.unwrap();
    secrets.extend([owner.token().to_owned(), owner.cookie("__Host-refresh").to_owned()]);
    let log = stack.stop();

    assert!(secrets.iter().all(|secret| secret.len() > 20), "{secrets:?}");
    secrets.extend([MARK, PHONE_DIGITS].map(str::to_owned));
    for telling in [
        "BookAppointment",
        "db.operation.name",
        "/api/auth/login",
        "http.server.request.duration",
        "browser.web_vital.duration",
        "POST /api/v1/businesses/{business_id}/customers",
        "account ensured",
    ] {
        assert!(sink.find(telling).is_some(), "{telling} was not exported: the sink is deaf");
    }
    assert!(log.contains("account ensured"), "{log}");
    let leaks: Vec<String> = secrets
        .iter()
        .flat_map(|secret| sink.find(secret).into_iter().chain(sink::find_in(&log, secret)))
        .collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

/// One person's work, with a mark in whatever can be entered.
struct Session<'a> {
    stack: &'a Stack,
    owner: &'a Visitor,
}

impl Session<'_> {
    async fn send(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let key = boot::clock::Clock::system().new_id().to_string();
        let answer = self.owner.send(Method::POST, path, Some(body), Some(&key)).await.unwrap();
        (answer.status(), answer.json().await.unwrap_or_default())
    }

    async fn expect(&self, status: StatusCode, path: &str, body: &Value) -> Value {
        let (seen, answer) = self.send(path, body).await;
        assert_eq!(seen, status, "{path}: {answer}");
        answer
    }

    async fn keep_a_customer_and_book(&self) {
        let ok = StatusCode::OK;
        let customer = json!({"name": "Zyzzyva Name", "phone": PHONE, "email": "zyzzyva.customer@demo.test"});
        let kept = self.expect(ok, &willow("customers"), &customer).await;
        let customer = kept["customer"]["id"].as_str().unwrap();
        for search in ["query=Zyzzyva%20Na", "query=7700900987", "phone=%2B447700900987"] {
            let found = self.owner.get(&willow(&format!("customers?{search}"))).await.unwrap();
            assert_eq!(found["customers"][0]["id"], customer, "{search}");
        }
        let changed = json!({
            "name": "Zyzzyva Rename", "phone": PHONE, "email": "zyzzyva.changed@demo.test", "tags": ["zyzzyva tag"],
        });
        let profile = willow(&format!("customers/{customer}"));
        let answer = self.owner.send(Method::PUT, &profile, Some(&changed), None).await.unwrap();
        assert_eq!(answer.status(), ok);
        let note = json!({"text": "zyzzyva is allergic", "pinned": true});
        self.expect(ok, &format!("{profile}/notes"), &note).await;
        let services = self.owner.get(&willow("services")).await.unwrap();
        let service = &services["services"][0];
        let items = json!([{"serviceId": service["id"], "employeeId": service["employeeIds"][0]}]);
        let found = self.owner.post(&willow("availability:search"), &json!({"items": items})).await.unwrap();
        let booking = json!({
            "items": items, "startsAt": found["offers"][0]["startsAt"], "customerId": customer,
            "notes": "zyzzyva note",
        });
        let booked = self.expect(ok, &willow("appointments"), &booking).await;
        // The ledger's constraint, or the check before it, refuses the second booking.
        self.expect(StatusCode::CONFLICT, &willow("appointments"), &booking).await;
        let id = booked["appointment"]["id"].as_str().unwrap();
        let cancel = willow(&format!("appointments/{id}:cancel"));
        self.expect(ok, &cancel, &json!({"reason": "zyzzyva reason"})).await;
        let follow_up = json!({"text": "zyzzyva message", "phone": PHONE, "customerId": customer});
        self.expect(ok, &willow("follow-ups"), &follow_up).await;
        let invitation = json!({"email": "zyzzyva.invited@demo.test", "role": "EMPLOYEE"});
        self.expect(ok, &willow("invitations"), &invitation).await;
        self.expect(ok, "/api/v1/me:rename", &json!({"name": "Zyzzyva Owner"})).await;
        let phrase = json!({"phrase": "zyzzyva treatment"});
        self.expect(ok, &willow("services:match"), &phrase).await;
        // A unique index refuses the second.
        self.expect(ok, &willow("services"), &json!({"service": named_service()})).await;
        self.expect(StatusCode::CONFLICT, &willow("services"), &json!({"service": named_service()})).await;
    }

    async fn call(&self) {
        let secret = self.stack.secret("retell-demo-key");
        let line = Telephone::new(&self.stack.url(), CONNECTION, &secret).unwrap();
        let spoken = |event: &str| {
            let mut body: Value = serde_json::from_str(&line.event("call_zyz", event)).unwrap();
            body["call"]["from_number"] = PHONE.into();
            body["call"]["transcript_object"] =
                json!([{"role": "user", "content": "My name is Zyzzyva", "words": []}]);
            body["call"]["call_analysis"] = json!({"call_summary": "Zyzzyva wants a haircut"});
            body.to_string()
        };
        for event in ["call_started", "transcript_updated"] {
            let answer = line.deliver(&spoken(event)).await.unwrap();
            assert!(answer.status().is_success(), "{event}: {}", answer.status());
        }
        for (tool, arguments) in [
            ("find_customer", json!({"phone": PHONE, "name": "Zyzzyva"})),
            ("search_availability", json!({"service": "zyzzyva cut"})),
            ("create_customer", json!({"name": "Zyzzyva Caller", "phone": PHONE})),
            ("zyzzyva_tool", json!({"zyzzyva": "zyzzyva"})),
        ] {
            let answer = line.deliver(&line.tool_call("call_zyz", tool, &arguments)).await.unwrap();
            assert!(answer.status().is_success(), "{tool}: {}", answer.status());
        }
        for event in ["call_ended", "call_analyzed"] {
            let answer = line.deliver(&spoken(event)).await.unwrap();
            assert!(answer.status().is_success(), "{event}: {}", answer.status());
        }
        let malformed = line.deliver(r#"{"event": ["zyzzyva"], "call": "zyzzyva"}"#).await.unwrap();
        assert!(malformed.status().is_client_error());
        let forged = line.deliver_as(&spoken("call_started"), Some("v=1,d=zyzzyva")).await.unwrap();
        assert_eq!(forged.status(), StatusCode::UNAUTHORIZED);
    }

    async fn fail_to_enter(&self) {
        let stranger = Visitor::met(&self.stack.url()).await.unwrap();
        for email in ["zyzzyva.unknown@demo.test", "owner@demo.test", "zyzzyva is no address"] {
            let refused = stranger.try_log_in(email, PASSWORD).await.unwrap();
            assert!(refused.status().is_client_error(), "{email}");
        }
        let email = "zyzzyva.new@demo.test";
        let registration = json!({"name": "Zyzzyva New", "email": email, "password": PASSWORD});
        for (path, body) in [
            ("/api/auth/register/employee", registration.clone()),
            ("/api/auth/register/employee", registration),
            ("/api/auth/forgot-password", json!({"email": email})),
            ("/api/auth/reset-password", json!({"token": "zyzzyva.token", "password": PASSWORD})),
            ("/api/auth/verify-email", json!({"token": "zyzzyva.token"})),
            ("/api/auth/invitation", json!({"invitation": "zyzzyva.invitation"})),
            ("/api/auth/diagnose-user", json!({"email": email})),
        ] {
            let answer = stranger.send(Method::POST, path, Some(&body), None).await.unwrap();
            assert!(!answer.status().is_server_error(), "{path}: {}", answer.status());
        }
        let wrong = json!({"currentPassword": PASSWORD, "newPassword": "Zyzzyva-Password-92!"});
        let (status, _) = self.send("/api/v1/me:changePassword", &wrong).await;
        assert!(status.is_client_error());
    }

    /// What pages measure, once as they do and then with what was entered in each place.
    async fn report_pages(&self) {
        let vital = json!({"name": "LCP", "page": "/login", "navigation": "soft", "value": 12.5});
        let request = json!({
            "traceparent": "00-6cf92f3577b34da6a3ce929d0e0e4736-20f067aa0ba902b7-01", "method": "POST",
            "route": "/api/v1/businesses/{business_id}/customers", "status": 200, "ageMs": 9, "durationMs": 5,
        });
        let path = "/api/v1/page-reports";
        let report = json!({"vitals": [vital], "requests": [request]});
        self.expect(StatusCode::NO_CONTENT, path, &report).await;
        for (list, entry) in [("vitals", vital), ("requests", request)] {
            for field in entry.as_object().unwrap().keys() {
                let mut marked = entry.clone();
                marked[field] = MARK.into();
                self.expect(StatusCode::BAD_REQUEST, path, &json!({list: [marked]})).await;
            }
        }
    }

    async fn send_what_is_malformed(&self) {
        let url = self.stack.url();
        let client = Client::builder().user_agent("zyzzyva/1.0").build().unwrap();
        for path in [
            "/api/v1/zyzzyva",
            "/api/v1/businesses/zyzzyva/services",
            "/api/v1/businesses/zyzzyva@demo.test/customers/zyzzyva",
            "/reset-password/zyzzyva?token=zyzzyva",
            "/assets/zyzzyva.js",
            "/oauth2/callback/google?code=zyzzyva&state=zyzzyva",
            "/oauth2/authorization/google?frontend=zyzzyva",
            "/login?email=zyzzyva",
            "/healthz?zyzzyva",
        ] {
            let request = client.get(format!("{url}{path}"));
            let request = request.bearer_auth("zyzzyva.zyzzyva.zyzzyva").header("traceparent", "00-zyzzyva");
            let answer = request.header("cookie", "__Host-refresh=zyzzyva").send().await.unwrap();
            assert!(!answer.status().is_server_error(), "{path}: {}", answer.status());
        }
        let xsrf = self.owner.cookie("XSRF-TOKEN");
        for body in [r#"{"email": "zyzzyva"#, r#"{"zyzzyva": 1}"#, r#"{"email": ["zyzzyva"], "password": 1}"#]
        {
            let request = client.post(format!("{url}/api/auth/login")).header("x-xsrf-token", xsrf);
            let request = request.header("cookie", format!("XSRF-TOKEN={xsrf}")).body(body);
            let answer = request.header("content-type", "application/json").send().await.unwrap();
            assert!(answer.status().is_client_error(), "{body}");
        }
        live_socket_refuses(&self.stack.url()).await;
    }
}

fn named_service() -> Value {
    json!({"name": "Zyzzyva Cut", "category": "Zyzzyva", "currency": "GBP",
        "segments": [{"kind": "SEGMENT_KIND_ACTIVE", "minutes": 30}],})
}

/// An invalid token at the live socket.
async fn live_socket_refuses(url: &str) {
    use futures::{SinkExt, StreamExt};
    use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};

    let mut request = format!("{}/ws", url.replace("http", "ws")).into_client_request().unwrap();
    request.headers_mut().insert("origin", url.parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    let token = json!({"authenticate": {"token": "zyzzyva.zyzzyva.zyzzyva"}}).to_string();
    socket.send(Message::text(token)).await.unwrap();
    while let Some(Ok(message)) = socket.next().await {
        if message.is_close() {
            return;
        }
    }
}
