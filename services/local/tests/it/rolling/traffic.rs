//! Requests that begin on time, whatever became of those before.

use core::time::Duration;
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Instant,
};

use boot::clock::Clock;
use jiff::SignedDuration;
use local::visitor::{Visitor, willow};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    sync::watch,
    task::{JoinHandle, JoinSet},
    time::{MissedTickBehavior, interval},
};

/// One request in so many is a booking.
const BOOKING: usize = 50;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How long each served request took, in order of their ends.
    pub served: Vec<Duration>,
    /// What was not served, and how.
    pub failed: Vec<String>,
    /// Appointments that were acknowledged.
    pub booked: Vec<String>,
    /// How many met a connection of HTTP/1 that was closed while it was idle, and were sent once more, as
    /// browsers and proxies do.
    pub repeated: usize,
}

/// Requests of several people, each from a browser of their own, at a steady rate, until it is stopped.
pub struct Traffic {
    per_second: u32,
    stop: watch::Sender<bool>,
    begun: watch::Receiver<usize>,
    sending: JoinHandle<Outcome>,
}

impl Traffic {
    /// Begins; `times` are free times that don't exclude one another.
    pub fn begin(per_second: u32, people: Vec<Visitor>, times: Vec<Value>) -> Self {
        let stop = watch::Sender::new(false);
        let begun = watch::Sender::new(0);
        let (is_over, so_far) = (stop.subscribe(), begun.subscribe());
        let sending = tokio::spawn(send(per_second, people, times, begun, is_over));
        Self { per_second, stop, begun: so_far, sending }
    }

    /// Resolves when the requests of so many more seconds have begun.
    pub async fn goes_on(&self, seconds: u32) {
        let mut begun = self.begun.clone();
        let wanted = *begun.borrow() + (seconds * self.per_second) as usize;
        begun.wait_for(|begun| *begun >= wanted).await.expect("requests go on");
    }

    /// Ends it, once every request that began was answered.
    pub async fn stop(self) -> Outcome {
        self.stop.send_replace(true);
        self.sending.await.unwrap()
    }
}

async fn send(
    per_second: u32,
    people: Vec<Visitor>,
    times: Vec<Value>,
    begun: watch::Sender<usize>,
    is_over: watch::Receiver<bool>,
) -> Outcome {
    let reads = reads(&times);
    let mut times = VecDeque::from(times);
    let outcome = Arc::new(Mutex::new(Outcome::default()));
    let mut under_way = JoinSet::new();
    let mut turn = interval(Duration::from_secs(1) / per_second);
    turn.set_missed_tick_behavior(MissedTickBehavior::Burst);
    for n in 0.. {
        turn.tick().await;
        if *is_over.borrow() {
            break;
        }
        begun.send_replace(n + 1);
        let (person, outcome) = (people[n % people.len()].clone(), outcome.clone());
        let booking = if n % BOOKING == 0 { times.pop_front() } else { None };
        let (method, path, body) = match &booking {
            Some(_) => (Method::POST, willow("appointments"), booking.clone()),
            None => reads[n % reads.len()].clone(),
        };
        under_way.spawn(async move {
            let began = Instant::now();
            let key = format!("rolling-{n}");
            let send =
                || person.send(method.clone(), &path, body.as_ref(), booking.is_some().then_some(&*key));
            let mut answer = send().await;
            let repeat = answer.as_ref().is_err_and(reqwest::Error::is_request);
            if repeat {
                answer = send().await;
            }
            let told = told(answer, booking.is_some()).await;
            let mut outcome = outcome.lock().unwrap();
            outcome.repeated += usize::from(repeat);
            match told {
                Ok(booked) => {
                    outcome.served.push(began.elapsed());
                    outcome.booked.extend(booked);
                }
                Err(how) => outcome.failed.push(format!("{path} after {:?}: {how}", began.elapsed())),
            }
        });
        while under_way.try_join_next().is_some() {}
    }
    while let Some(ended) = under_way.join_next().await {
        ended.unwrap();
    }
    core::mem::take(&mut *outcome.lock().unwrap())
}

/// Something of every service.
fn reads(times: &[Value]) -> Vec<(Method, String, Option<Value>)> {
    let tomorrow = (Clock::system().now() + SignedDuration::from_hours(24)).strftime("%F").to_string();
    let search = json!({
        "items": times[0]["items"],
        "from": format!("{tomorrow}T00:00:00Z"),
        "to": format!("{tomorrow}T23:00:00Z"),
    });
    let mut reads: Vec<_> = [
        "/api/v1/me/sessions".to_owned(),
        willow("employees"),
        willow("services"),
        willow("calendars"),
        willow("calls"),
    ]
    .map(|path| (Method::GET, path, None))
    .into();
    reads.push((Method::POST, willow("availability:search"), Some(search)));
    reads
}

/// The appointment that was acknowledged, or what is wrong with the answer.
async fn told(answer: reqwest::Result<reqwest::Response>, booking: bool) -> Result<Option<String>, String> {
    let answer = answer.map_err(|error| format!("{error:?}"))?;
    let status = answer.status();
    let body = answer.text().await.map_err(|error| format!("{error:?}"))?;
    if status != StatusCode::OK {
        return Err(format!("{status} {body}"));
    }
    let body: Value = serde_json::from_str(&body).map_err(|error| format!("{error}: {body}"))?;
    let id = body["appointment"]["id"].as_str().map(str::to_owned);
    if booking && id.is_none() { Err(format!("no appointment: {body}")) } else { Ok(id) }
}
