//! A long load at a part of what the machine can do: what fails, and whether memory grows.

use core::time::Duration;
use std::{
    sync::{Arc, Mutex},
    time::Instant,
};

use tokio::time::interval;

use super::{
    BenchArgs, capacity,
    desk::Desk,
    load::{self, Answer, Rate},
    print, resident_mb,
};
use crate::stack::Secrets;

/// Of the requests a second that are answered when nothing holds them back.
const SHARE: f64 = 0.7;
const CAPACITY_FOR: Duration = Duration::from_secs(10);
/// Memory settles in the first minute: pools and caches fill.
const SETTLED: Duration = Duration::from_secs(60);
const SAMPLED_EVERY: Duration = Duration::from_secs(5);

/// Searches, days, lists and bookings that are cancelled again; at 70 % of what was answered before.
pub async fn measure(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<()> {
    let desk = Arc::new(Desk::open(args, secrets).await?);
    let capacity = capacity::of(&desk, CAPACITY_FOR).await?;
    print("requests answered by one core, 32 at once", "", &format!("{capacity:.0}/s"));
    desk.outcomes.lock().expect("no holder panics").clear();
    let samples = Samples::default();
    let memory = args.pid.map(|pid| tokio::spawn(sample(pid, samples.clone())));
    let rate = Rate { per_second: (capacity * SHARE) as u32, seconds: args.seconds };
    let latencies = load::run(rate, |n| {
        let desk = desk.clone();
        async move { desk.request(n).await.map(|()| Answer::Served) }
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
