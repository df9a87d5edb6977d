//! The dashboards and alerts on a real Prometheus: every query is answered by what the processes send.

use core::time::Duration;
use std::{collections::BTreeMap, fs, path::Path, time::Instant};

use axum::{Router, body::Bytes};
use local::{
    demo::salon::CONNECTION,
    demo_call::{self, Pace, Platform},
    telephone::Telephone,
    visitor::{Visitor, below, willow},
};
use reqwest::{Client, Method, StatusCode, Url};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::stack::Stack;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Several reports of each process, and the rules evaluated over them.
const PATIENCE: Duration = Duration::from_secs(50);
const POLL: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Prometheus, which takes minutes to build: `make watch-live`"]
async fn every_query_of_dashboards_rules_and_runbooks_is_answered() {
    let (program, monitoring) =
        (format!("{ROOT}/target/prometheus/prometheus"), format!("{ROOT}/charts/monitoring"));
    let sink = Sink::start().await;
    let [traces, logs] = ["traces", "logs"].map(|signal| format!("{}/v1/{signal}", sink.url));
    let stack = Stack::start(&[
        "--processes",
        "--tls",
        "--prometheus",
        &program,
        "--monitoring",
        &monitoring,
        "--otel-exporter-otlp-traces-endpoint",
        &traces,
        "--otel-exporter-otlp-logs-endpoint",
        &logs,
    ])
    .await;
    let prometheus = Prometheus::of(&stack);
    let mut queries = written_queries();
    queries.extend(prometheus.rules().await);
    assert!(queries.len() > 100, "only {} queries were found", queries.len());

    let drive = Drive::begin(&stack).await;
    let started = Instant::now();
    for times in 1.. {
        drive.once().await;
        // Each time's two calls end after everything else of it has begun.
        let arrived = format!("sum(frontdesk_calls_ended_total) >= {}", 2 * times);
        prometheus.waits_for(&arrived).await;
        let mut left = BTreeMap::new();
        for (name, query) in queries {
            if !prometheus.answers(&query).await {
                left.insert(name, query);
            }
        }
        queries = left;
        if queries.is_empty() {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "{} have no answer: {queries:#?}", queries.len());
    }
    prometheus.evaluates_every_rule_and_no_alert_is_active().await;
    prometheus.serves_the_console().await;
}

/// Takes in what a collector would: Prometheus has a place for metrics alone.
struct Sink {
    url: String,
    listening: JoinHandle<()>,
}

impl Sink {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        // An empty answer is OTLP's "all of it was accepted".
        let router = Router::new().fallback(|_: Bytes| async { StatusCode::OK });
        let listening = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, listening }
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Queries of dashboards and runbooks by where they stand.
fn written_queries() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (path, text) in files(&format!("{ROOT}/charts/frontdesk/dashboards"), "json") {
        let dashboard: Value = serde_json::from_str(&text).unwrap();
        for panel in dashboard["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().into_iter().flatten() {
                let name = format!("{path}: {} {}", panel["title"], target["refId"]);
                found.insert(name, one_line(target["expr"].as_str().unwrap()));
            }
        }
    }
    for (path, text) in files(&format!("{ROOT}/k8s/runbooks"), "md") {
        for (number, block) in text.split("```promql").skip(1).enumerate() {
            let (query, _) = block.split_once("```").unwrap();
            found.insert(format!("{path}: {number}"), one_line(query));
        }
    }
    found
}

fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// Faults that a healthy installation can't be made to have. What is asked about them gives 0.
const FAULTS: [&str; 4] =
    [r#"=~"5..""#, "frontdesk_peer_faults_total", "DEADLINE_EXCEEDED", r#"error_type!="""#];

/// The query as it is asked: on one line, and with what Grafana fills in. A 0 instead of nothing counts
/// as an answer about faults alone.
fn one_line(query: &str) -> String {
    let words: Vec<&str> = query.split_whitespace().collect();
    let query = words.join(" ").replace("$__rate_interval", "1m").replace("$service", ".*");
    let about_faults = FAULTS.iter().any(|fault| query.contains(fault));
    if about_faults { query } else { query.replace(" or vector(0)", "") }
}

/// An alert's query, so that it has an answer whether the alert fires or not: comparisons give 0 or 1, and what
/// must not be absent is asked for itself. Joins that match nothing still have none.
fn always_answered(query: &str) -> String {
    let mut query = one_line(query).replace("absent(", "(");
    for comparison in [">", "<", ">=", "<=", "==", "!="] {
        query = query.replace(&format!(" {comparison} "), &format!(" {comparison} bool "));
    }
    query.replace("bool bool", "bool")
}

struct Prometheus {
    client: Client,
    url: String,
}

impl Prometheus {
    fn of(stack: &Stack) -> Self {
        Self { client: Client::new(), url: format!("http://127.0.0.1:{}", stack.base_port() + 95) }
    }

    async fn get(&self, path: &str, parameters: &[(&str, &str)]) -> Value {
        let url = Url::parse_with_params(&format!("{}/api/v1/{path}", self.url), parameters).unwrap();
        self.client.get(url).send().await.unwrap().json().await.unwrap()
    }

    async fn groups(&self) -> Vec<Value> {
        let answer = self.get("rules", &[]).await;
        let groups = answer["data"]["groups"].as_array().unwrap();
        groups.iter().flat_map(|group| group["rules"].as_array().unwrap().clone()).collect()
    }

    /// Queries of the rules by their names. Several have the same name, for several objectives.
    async fn rules(&self) -> BTreeMap<String, String> {
        let rules = self.groups().await;
        let named = rules.iter().map(|rule| {
            let query = rule["query"].as_str().unwrap();
            (format!("rule {} {}", rule["name"], rule["labels"]), always_answered(query))
        });
        named.collect()
    }

    /// Whether a query has an answer with a number in it.
    async fn answers(&self, query: &str) -> bool {
        let answer = self.get("query", &[("query", query)]).await;
        let number = |sample: &Value| {
            let value: f64 = sample["value"][1].as_str().unwrap_or_default().parse().unwrap_or(f64::NAN);
            value.is_finite()
        };
        assert_eq!(answer["status"], "success", "{query}: {}", answer["error"]);
        answer["data"]["result"].as_array().is_some_and(|samples| samples.iter().any(number))
    }

    async fn waits_for(&self, query: &str) {
        let until = Instant::now() + PATIENCE;
        let mut polls = tokio::time::interval(POLL);
        while !self.answers(query).await {
            assert!(Instant::now() < until, "{query} did not come true");
            polls.tick().await;
        }
    }

    async fn evaluates_every_rule_and_no_alert_is_active(&self) {
        for rule in self.groups().await {
            let name = &rule["name"];
            assert_eq!(rule["health"], "ok", "{name}: {}", rule["lastError"]);
            let state = rule["state"].as_str().unwrap_or("inactive");
            assert_eq!(state, "inactive", "{name}: {}", rule["alerts"]);
        }
    }

    async fn serves_the_console(&self) {
        for path in ["console/", "console/console.js", "dashboards/overview.json", "runbooks/EventsParked.md"]
        {
            let answer = self.client.get(format!("{}/user/{path}", self.url)).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
        }
    }
}

/// What people and platforms do, so that every series is there.
struct Drive<'a> {
    stack: &'a Stack,
    owner: Visitor,
    telephone: Telephone,
    forger: Telephone,
}

impl<'a> Drive<'a> {
    async fn begin(stack: &'a Stack) -> Self {
        let telephone = |secret: &str| Telephone::new(&stack.url(), CONNECTION, secret).unwrap();
        Self {
            stack,
            owner: Visitor::sign_in(&stack.url(), "owner").await.unwrap(),
            telephone: telephone(&stack.secret("retell-demo-key")),
            forger: telephone("not the key"),
        }
    }

    async fn once(&self) {
        self.measure_pages().await;
        self.fail_to_sign_in().await;
        self.ask_another_business().await;
        self.book_and_cancel().await;
        self.call().await;
        self.talk_to_our_own_agent().await;
        self.fill_a_calendar().await;
    }

    async fn measure_pages(&self) {
        let measured = [("LCP", 900.0), ("FCP", 600.0), ("TTFB", 40.0), ("INP", 60.0), ("CLS", 0.02)];
        for navigation in ["document", "soft"] {
            let vital = |(name, value)| json!({"name": name, "value": value, "navigation": navigation, "page": "/:businessId/schedule"});
            let vitals: Vec<Value> = measured.into_iter().map(vital).collect();
            let report = json!({"vitals": vitals});
            let answer = self.owner.send(Method::POST, "/api/v1/page-reports", Some(&report), None).await;
            assert_eq!(answer.unwrap().status(), StatusCode::NO_CONTENT);
        }
    }

    async fn fail_to_sign_in(&self) {
        let visitor = Visitor::met(&self.stack.url()).await.unwrap();
        let answer = visitor.try_log_in("nosuch@demo.test", "wrong").await.unwrap();
        assert!(answer.status().is_client_error());
    }

    async fn ask_another_business(&self) {
        let path = below(&boot::clock::Clock::system().new_id().to_string(), "services");
        let answer = self.owner.send(Method::GET, &path, None, None).await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }

    async fn offer(&self) -> (Value, Value) {
        let services = self.owner.get(&willow("services")).await.unwrap();
        let service = &services["services"][0];
        let items = json!([{"serviceId": service["id"], "employeeId": service["employeeIds"][0]}]);
        let found = self.owner.post(&willow("availability:search"), &json!({"items": items})).await.unwrap();
        (items, found["offers"][0].clone())
    }

    async fn change(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let key = boot::clock::Clock::system().new_id().to_string();
        let answer = self.owner.send(Method::POST, &willow(path), Some(body), Some(&key)).await.unwrap();
        (answer.status(), answer.json().await.unwrap())
    }

    async fn book_and_cancel(&self) {
        let (items, offer) = self.offer().await;
        let wanted = json!({"items": items, "startsAt": offer["startsAt"]});
        let (_, booked) = self.change("appointments", &wanted).await;
        let id = booked["appointment"]["id"].as_str().unwrap_or_else(|| panic!("not booked: {booked}"));
        let (taken, _) = self.change("appointments", &wanted).await;
        assert_eq!(taken, StatusCode::CONFLICT);
        let (cancelled, answer) =
            self.change(&format!("appointments/{id}:cancel"), &json!({"reason": "ill"})).await;
        assert_eq!(cancelled, StatusCode::OK, "{answer}");
    }

    async fn call(&self) {
        let secret = self.stack.secret("retell-demo-key");
        demo_call::play(&self.stack.url(), Platform::Retell, &secret, Pace::Fast).await.unwrap();
        let body = self.telephone.event("call_forged", "call_started");
        let forged = self.forger.deliver(&body).await.unwrap();
        assert_eq!(forged.status(), StatusCode::UNAUTHORIZED);
    }

    /// Over Twilio: a model answers, which the other platforms have themselves.
    async fn talk_to_our_own_agent(&self) {
        let secret = self.stack.secret(&Platform::Twilio.secret_name());
        demo_call::play(&self.stack.url(), Platform::Twilio, &secret, Pace::Fast).await.unwrap();
    }

    /// What an employee enters elsewhere.
    async fn fill_a_calendar(&self) {
        let (items, offer) = self.offer().await;
        let calendars = self.owner.list(&willow("calendars"), "calendars").await.unwrap();
        let of_employee = |calendar: &&Value| calendar["employeeId"] == items[0]["employeeId"];
        let calendar = calendars.iter().find(of_employee).unwrap()["id"].as_str().unwrap();
        let event = json!({"title": "Dentist", "startsAt": offer["startsAt"], "endsAt": offer["endsAt"]});
        self.owner.post(&willow(&format!("calendars/{calendar}/events")), &event).await.unwrap();
    }
}

#[test]
fn a_query_of_an_alert_is_asked_so_that_it_has_an_answer() {
    assert_eq!(always_answered("a\n  > 0.5 * b and c >= bool 5"), "a > bool 0.5 * b and c >= bool 5");
    assert_eq!(always_answered(r#"absent(a{b!="c"})"#), r#"(a{b!="c"})"#);
}
