//! A long load at a part of what the machine can do: what fails, and whether memory grows.

use core::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Instant,
};

use anyhow::Context;
use jiff::ToSpan;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::{task::JoinSet, time::interval};

use super::{
    BenchArgs, Search,
    load::{self, Rate},
    print, resident_mb,
};
use crate::{demo::id, stack::Secrets, visitor::below};

/// Of the requests a second that are answered when nothing holds them back.
const SHARE: f64 = 0.7;
const AT_ONCE: usize = 32;
const CAPACITY_FOR: Duration = Duration::from_secs(10);
/// Memory settles in the first minute: pools and caches fill.
const SETTLED: Duration = Duration::from_secs(60);
const SAMPLED_EVERY: Duration = Duration::from_secs(5);
/// An hour at which the salon has no bookings of its own.
const FREE_HOUR: i8 = 15;
const DAYS: u32 = 28;
const EMPLOYEES: u32 = 10;

/// Searches, days, lists and bookings that are cancelled again; at 70 % of what was answered before.
pub async fn measure(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<()> {
    let desk = Arc::new(Desk { search: Search::open(args, secrets).await?, outcomes: Mutex::default() });
    let capacity = capacity(&desk).await?;
    print("requests answered by one core, 32 at once", "", &format!("{capacity:.0}/s"));
    desk.outcomes.lock().expect("no holder panics").clear();
    let samples = Samples::default();
    let memory = args.pid.map(|pid| tokio::spawn(sample(pid, samples.clone())));
    let rate = Rate { per_second: (capacity * SHARE) as u32, seconds: args.seconds };
    let latencies = load::run(rate, |n| {
        let desk = desk.clone();
        async move { desk.request(n).await }
    })
    .await?;
    let work = format!("soak, {} s at {}/s, p99", rate.seconds, rate.per_second);
    print(&work, "", &latencies.to_string());
    let outcomes = desk.outcomes.lock().expect("no holder panics").clone();
    let failed: u32 = outcomes.iter().filter(|(status, _)| **status >= 500).map(|(_, times)| times).sum();
    print("soak, answers of 5xx", "0", &format!("{failed}; all: {outcomes:?}"));
    if let Some(memory) = memory {
        memory.abort();
        let samples = samples.lock().expect("no holder panics").clone();
        let settled = samples.iter().find(|(at, _)| *at >= SETTLED).map_or(0, |(_, mb)| *mb);
        let last = samples.last().map_or(0, |(_, mb)| *mb);
        print(
            "soak, resident memory after a minute, and at the end",
            "flat",
            &format!("{settled} MB, {last} MB"),
        );
    }
    Ok(())
}

/// Resident memory, in megabytes, by the time since the load began.
type Samples = Arc<Mutex<Vec<(Duration, u64)>>>;

async fn sample(pid: u32, samples: Samples) {
    let began = Instant::now();
    let mut turn = interval(SAMPLED_EVERY);
    loop {
        turn.tick().await;
        let Ok(megabytes) = resident_mb(pid) else { return };
        samples.lock().expect("no holder panics").push((began.elapsed(), megabytes));
    }
}

struct Desk {
    search: Search,
    /// How often each status was answered.
    outcomes: Mutex<BTreeMap<u16, u32>>,
}

impl Desk {
    /// The `n`th request of the mix: six searches, two days, a list, and a booking that is cancelled again.
    async fn request(&self, n: u32) -> anyhow::Result<()> {
        let path = |rest: &str| below(&self.search.salon.business, rest);
        match n % 10 {
            0..=5 => self.send(Method::POST, &self.search.path, Some(&self.search.of(None)), None).await,
            6 | 7 => {
                self.send(Method::GET, &path(&format!("days?firstDate={}", self.date(n)?)), None, None).await
            }
            8 => self.send(Method::GET, &path("services"), None, None).await,
            _ => return self.book(n / 10).await,
        }
        .map(drop)
    }

    async fn book(&self, n: u32) -> anyhow::Result<()> {
        let appointments = below(&self.search.salon.business, "appointments");
        let at =
            self.date(n / EMPLOYEES)?.at(FREE_HOUR, 0, 0, 0).to_zoned(self.search.salon.zone().clone())?;
        let employee = id("bench-employee", (n % EMPLOYEES) as usize);
        let body = json!({
            "items": [{"serviceId": self.search.salon.service, "employeeId": employee}],
            "startsAt": at.timestamp().to_string(),
        });
        let booked = self.send(Method::POST, &appointments, Some(&body), Some(&format!("soak-{n}"))).await?;
        // One that is still booked from a moment ago is refused, and there is nothing to cancel.
        let Some(id) = booked["appointment"]["id"].as_str() else { return Ok(()) };
        let cancel = format!("{appointments}/{id}:cancel");
        self.send(Method::POST, &cancel, Some(&json!({})), None).await.map(drop)
    }

    fn date(&self, n: u32) -> anyhow::Result<jiff::civil::Date> {
        let salon = &self.search.salon;
        let first = salon.from.to_zoned(salon.zone().clone()).date();
        Ok(first.checked_add(i64::from(n % DAYS).days())?)
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> anyhow::Result<Value> {
        let answer = self.search.admin.send(method, path, body, key).await.context("no answer")?;
        *self.outcomes.lock().expect("no holder panics").entry(answer.status().as_u16()).or_default() += 1;
        Ok(answer.json().await.unwrap_or_default())
    }
}

/// Requests answered a second while 32 are under way all the time.
async fn capacity(desk: &Arc<Desk>) -> anyhow::Result<f64> {
    let (began, next) = (Instant::now(), Arc::new(AtomicU32::new(0)));
    let mut people = JoinSet::new();
    for _ in 0..AT_ONCE {
        let (desk, next) = (desk.clone(), next.clone());
        people.spawn(async move {
            while began.elapsed() < CAPACITY_FOR {
                desk.request(next.fetch_add(1, Ordering::Relaxed)).await?;
            }
            anyhow::Ok(())
        });
    }
    while let Some(done) = people.join_next().await {
        done??;
    }
    Ok(f64::from(next.load(Ordering::Relaxed)) / began.elapsed().as_secs_f64())
}
