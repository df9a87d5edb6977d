//! People who go on using the front desk while something is wrong.

use core::time::Duration;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
    time::Instant,
};

use boot::clock::Clock;
use jiff::SignedDuration;
use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{sync::watch, task::JoinSet, time::interval};

/// Served so often in a row, a route is well again.
const WELL: usize = 5;
const BOOKERS: usize = 2;

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Answered.
    Served,
    /// Refused for now, by a status that says so.
    Refused,
    /// What no fault excuses: another status, a broken connection.
    Wrong(String),
}

/// A request, once it was answered.
#[derive(Debug, Clone)]
pub struct Answer {
    pub route: &'static str,
    pub began: Instant,
    pub took: Duration,
    pub verdict: Verdict,
}

/// Bookings by their keys: the request, and the appointment that was acknowledged.
pub type Book = BTreeMap<String, (Value, String)>;

/// Requests of every kind, until it is stopped.
pub struct Load {
    log: watch::Sender<Vec<Answer>>,
    book: Arc<Mutex<Book>>,
    stop: watch::Sender<bool>,
    people: JoinSet<()>,
}

impl Load {
    /// Begins; `times` are free times that don't exclude one another.
    pub fn begin(url: &str, owner: &Visitor, times: Vec<Value>) -> Self {
        let mut load = Self {
            log: watch::Sender::new(vec![]),
            book: Arc::default(),
            stop: watch::Sender::new(false),
            people: JoinSet::new(),
        };
        let tomorrow = (Clock::system().now() + SignedDuration::from_hours(24)).strftime("%F").to_string();
        let day = willow(&format!("days?firstDate={tomorrow}"));
        load.read("me", 50, owner, Method::GET, "/api/auth/me".to_owned(), None);
        load.read("services", 50, owner, Method::GET, willow("services"), None);
        load.read("day", 100, owner, Method::GET, day, None);
        load.read("calls", 50, owner, Method::GET, willow("calls"), None);
        let search = json!({
            "items": times[0]["items"], "from": format!("{tomorrow}T00:00:00Z"), "to": format!("{tomorrow}T23:00:00Z"),
        });
        load.read("search", 100, owner, Method::POST, willow("availability:search"), Some(search));
        load.sign_in(url);
        load.book(owner, times);
        load
    }

    fn read(
        &mut self,
        route: &'static str,
        every_ms: u64,
        owner: &Visitor,
        method: Method,
        path: String,
        body: Option<Value>,
    ) {
        let (owner, log, stop) = (owner.clone(), self.log.clone(), self.stop.subscribe());
        self.people.spawn(async move {
            let mut turn = interval(Duration::from_millis(every_ms));
            while !*stop.borrow() {
                turn.tick().await;
                let began = Instant::now();
                let answer = owner.send(method.clone(), &path, body.as_ref(), None).await;
                note(&log, route, began, &answer);
            }
        });
    }

    fn sign_in(&mut self, url: &str) {
        let (url, log, stop) = (url.to_owned(), self.log.clone(), self.stop.subscribe());
        self.people.spawn(async move {
            let person = Visitor::met(&url).await.unwrap();
            let mut turn = interval(Duration::from_millis(500));
            while !*stop.borrow() {
                turn.tick().await;
                let began = Instant::now();
                note(&log, "sign-in", began, &person.log_in("manager").await);
            }
        });
    }

    /// Each time is asked for under one key until it is acknowledged, as clients do.
    fn book(&mut self, owner: &Visitor, times: Vec<Value>) {
        let waiting: VecDeque<_> = times.into_iter().enumerate().collect();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..BOOKERS {
            let (owner, log, stop) = (owner.clone(), self.log.clone(), self.stop.subscribe());
            let (waiting, book) = (waiting.clone(), self.book.clone());
            self.people.spawn(async move {
                let mut turn = interval(Duration::from_millis(400));
                while !*stop.borrow() {
                    let Some((n, time)) = waiting.lock().unwrap().pop_front() else { return };
                    let key = format!("fault-{n}");
                    loop {
                        turn.tick().await;
                        let began = Instant::now();
                        let path = willow("appointments");
                        let answer = owner.send(Method::POST, &path, Some(&time), Some(&key)).await;
                        if note(&log, "book", began, &answer) {
                            let body: Value = answer.unwrap().json().await.unwrap();
                            let id = body["appointment"]["id"].as_str().unwrap().to_owned();
                            book.lock().unwrap().insert(key, (time, id));
                            break;
                        }
                    }
                }
            });
        }
    }

    /// Waits until every route was served several times in a row after `healed`; how long until the first of these.
    pub async fn recovers(&self, healed: Instant) -> Duration {
        let mut answers = self.log.subscribe();
        let log = answers.wait_for(|log| recovery(log, healed).is_some()).await.unwrap();
        recovery(&log, healed).unwrap()
    }

    /// Answers to requests sent after `since`.
    pub fn felt(&self, since: Instant) -> Vec<Answer> {
        self.log.borrow().iter().filter(|answer| answer.began >= since).cloned().collect()
    }

    /// Ends it: what was acknowledged.
    pub async fn stop(mut self) -> Book {
        self.stop.send_replace(true);
        while let Some(ended) = self.people.join_next().await {
            ended.unwrap();
        }
        self.book.lock().unwrap().clone()
    }
}

/// Whether the request was served.
fn note(
    log: &watch::Sender<Vec<Answer>>,
    route: &'static str,
    began: Instant,
    answer: &reqwest::Result<reqwest::Response>,
) -> bool {
    let verdict = match answer {
        Ok(answer) => match answer.status() {
            StatusCode::OK => Verdict::Served,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT => {
                Verdict::Refused
            }
            other => Verdict::Wrong(other.to_string()),
        },
        Err(error) => Verdict::Wrong(format!("{error:?}")),
    };
    let served = verdict == Verdict::Served;
    log.send_modify(|log| log.push(Answer { route, began, took: began.elapsed(), verdict }));
    served
}

/// The latest begin of a run of served requests that still lasts, of all routes; `None` while one has none.
fn recovery(log: &[Answer], healed: Instant) -> Option<Duration> {
    let mut runs: BTreeMap<&str, (usize, Instant)> = BTreeMap::new();
    for answer in log {
        runs.entry(answer.route).or_insert((0, healed));
    }
    for answer in log.iter().filter(|answer| answer.began + answer.took >= healed) {
        let ended = answer.began + answer.took;
        let run = runs.get_mut(answer.route).expect("every route of the log is there");
        *run = match (answer.verdict == Verdict::Served, run.0) {
            (true, 0) => (1, ended),
            (true, so_far) => (so_far + 1, run.1),
            (false, _) => (0, ended),
        };
    }
    runs.values().all(|(run, _)| *run >= WELL).then(|| runs.values().map(|(_, at)| *at - healed).max())?
}
