//! `local bench`: loads a running installation from outside and prints what it
//! saw beside the targets.

mod bookings;
mod call_events;
mod capacity;
mod customers;
mod desk;
mod following;
mod lists;
mod load;
mod pauses;
mod programs;
mod salon;
mod sessions;
mod soak;

use core::time::Duration;
use std::{fs, path::PathBuf, time::Instant};

use anyhow::Context;
use clap::ValueEnum;
use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    demo::salon::CONNECTION,
    stack::Secrets,
    telephone::Telephone,
    visitor::{Visitor, below},
};
use load::{Answer, Latencies, Rate};

const COLD_SEARCHES: usize = 300;

/// Flags of `local bench`.
#[derive(Debug, clap::Args)]
pub struct BenchArgs {
    /// Where Frontdesk runs.
    #[arg(long, env = "FRONTDESK_URL", default_value = "http://localhost:8080")]
    url: String,
    /// Folder of the installation.
    #[arg(long, default_value = ".local")]
    data: PathBuf,
    /// Base port of its services.
    #[arg(long, default_value_t = 7100)]
    base_port: u16,
    /// Process whose resident memory is read.
    #[arg(long)]
    pid: Option<u32>,
    /// Seconds of each load.
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// Customers of the salon that is searched.
    #[arg(long, default_value_t = 100_000)]
    customers: usize,
    /// Folder with the programs that ship.
    #[arg(long, default_value = "target/release")]
    programs: PathBuf,
    /// One of the works alone.
    #[arg(long)]
    only: Option<Work>,
}

/// What is measured, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Work {
    /// Of the core this runs on, before anything is loaded.
    Pauses,
    Webhooks,
    /// On both cores: `.ci/bench` runs it so; left out unless it is asked for.
    CallEvents,
    /// Before a salon gets its history: the other services follow that for a while.
    Bookings,
    Search,
    /// The same salon, with twelve times as much behind it.
    History,
    /// A hundred thousand of one salon, typed for.
    Customers,
    Sessions,
    /// Left out unless it is asked for: `.ci/bench` compares.
    Capacity,
    /// The programs that ship, each beside the installation; left out unless it is asked for.
    Programs,
    /// Ten minutes with `--seconds 600`; left out unless it is asked for.
    Soak,
}

/// Loads the installation and prints a table.
///
/// # Errors
/// When the installation can't be reached or refuses.
pub async fn run(args: BenchArgs) -> anyhow::Result<()> {
    println!("machine: {}; the first {} s of each load are not counted", machine(), load::WARM_UP_SECONDS);
    println!("{:<58} {:>12} {:>34}", "work", "target", "measured");
    let secrets = Secrets::open(&args.data.join("secrets"))?;
    for work in Work::value_variants().iter().filter(|work| match args.only {
        Some(only) => only == **work,
        None => !matches!(**work, Work::CallEvents | Work::Capacity | Work::Programs | Work::Soak),
    }) {
        match work {
            Work::Pauses => pauses::measure(),
            Work::Webhooks => webhooks(&args, &secrets.get("retell-demo-key")?).await?,
            Work::CallEvents => call_events::measure(&args, &secrets.get("retell-demo-key")?).await?,
            Work::Bookings => {
                bookings::measure(&args, &secrets, 0, "").await?;
                lists::note_bookings(&args, &secrets, false).await?;
                let unnoted = bookings::measure(&args, &secrets, 1, ", not noted as changes").await;
                lists::note_bookings(&args, &secrets, true).await?;
                unnoted?;
                following::wait(args.base_port, &secrets).await.context("the bookings' followers")?;
            }
            Work::Search => search(&args, &secrets).await?,
            Work::History => history(&args, &secrets).await?,
            Work::Customers => customers::measure(&args, &secrets).await?,
            Work::Sessions => sessions::measure(&args).await?,
            Work::Capacity => capacity::measure(&args, &secrets).await?,
            Work::Programs => programs::measure(&args).await?,
            Work::Soak => soak::measure(&args, &secrets).await?,
        }
    }
    if let Some(pid) = args.pid {
        print("resident memory of `local all`", "≤ 200 MB", &format!("{} MB", resident_mb(pid)?));
    }
    Ok(())
}

fn print(work: &str, target: &str, measured: &str) {
    println!("{work:<58} {target:>12} {measured:>34}");
}

/// Tool calls as a platform posts them: each a new delivery, twenty a second.
async fn webhooks(args: &BenchArgs, secret: &str) -> anyhow::Result<()> {
    let line = Telephone::new(&args.url, CONNECTION, secret)?;
    let rate = Rate { per_second: 20, seconds: args.seconds };
    let latencies = load::run(rate, |n| {
        let line = line.clone();
        async move {
            let arguments = json!({"service": "men's cut", "turn": n});
            line.use_tool(&format!("bench_{}", n / 10), "search_availability", &arguments)
                .await
                .map(|_| Answer::Served)
        }
    })
    .await?;
    print("tool-call webhook, 20 requests/s, p99", "≤ 50 ms", &latencies.to_string());
    Ok(())
}

/// Availability of ten employees with eight bookings a day each, through the door.
async fn search(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<()> {
    let search = Search::open(args, secrets).await?;
    let (week, month) = (search.of(None), search.of(Some((search.salon.from, search.salon.to))));
    for per_second in [50, 200] {
        let work = format!("availability:search, 10 employees, 7 days, {per_second}/s, p99");
        print(&work, "≤ 15 ms", &search.warm(args, &week, per_second).await?.to_string());
    }
    search.month(args, &month, "").await?;
    explain(args, &search.admin, &search.salon).await
}

/// The same after a year of as many bookings a day.
async fn history(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<()> {
    let search = Search::open(args, secrets).await?;
    search.salon.remember().await.context("the salon's history")?;
    following::wait(args.base_port, secrets).await.context("the history's followers")?;
    let month = search.of(Some((search.salon.from, search.salon.to)));
    search.month(args, &month, ", 12 × history").await
}

/// Searches of one salon.
struct Search {
    salon: salon::Salon,
    admin: Visitor,
    path: String,
}

impl Search {
    async fn open(args: &BenchArgs, secrets: &Secrets) -> anyhow::Result<Self> {
        let salon = salon::open(args.base_port, secrets).await?;
        let admin = Visitor::sign_in(&args.url, "admin").await?;
        Ok(Self { path: below(&salon.business, "availability:search"), admin, salon })
    }

    /// A month of it, warm and cold.
    async fn month(&self, args: &BenchArgs, body: &Value, of: &str) -> anyhow::Result<()> {
        let work = |how: &str| format!("availability:search, 10 employees, 31 days, {how}{of}, p99");
        // The first says what a search takes, the second how near to all of a core 500 of them come.
        for per_second in [100, 500] {
            let warm = self.warm(args, body, per_second).await?;
            print(&work(&format!("{per_second}/s")), "≤ 3 ms", &warm.to_string());
        }
        print(&work("cold"), "≤ 10 ms", &self.cold(body).await?.to_string());
        Ok(())
    }

    /// The first page of twenty, of a span or of the week that begins now.
    fn of(&self, span: Option<(Timestamp, Timestamp)>) -> Value {
        let mut body = json!({"items": [{"serviceId": self.salon.service}], "pageSize": 20});
        if let Some((from, to)) = span {
            body["from"] = json!(from.to_string());
            body["to"] = json!(to.to_string());
        }
        body
    }

    async fn warm(&self, args: &BenchArgs, body: &Value, per_second: u32) -> anyhow::Result<Latencies> {
        self.admin.post(&self.path, body).await.context("the first search")?;
        let rate = Rate { per_second, seconds: args.seconds };
        load::run(rate, |_| {
            let (admin, path, body) = (self.admin.clone(), self.path.clone(), body.clone());
            async move { asked(&admin, &path, &body).await }
        })
        .await
    }

    /// One after the other, each after a change of the schedule: it and all days are read anew.
    async fn cold(&self, body: &Value) -> anyhow::Result<Latencies> {
        let mut taken = vec![];
        for _ in 0..COLD_SEARCHES {
            self.salon.forget_days().await?;
            let began = Instant::now();
            self.admin.post(&self.path, body).await?;
            taken.push(began.elapsed());
        }
        Ok(taken.into())
    }
}

/// A start at which all ten employees are booked: everything is named, and the next time looked for.
async fn explain(args: &BenchArgs, admin: &Visitor, salon: &salon::Salon) -> anyhow::Result<()> {
    let path = below(&salon.business, "availability:explain");
    let body = json!({"items": [{"serviceId": salon.service}], "startsAt": salon.booked.to_string()});
    let first: Value = admin.post(&path, &body).await.context("the first explanation")?;
    anyhow::ensure!(first.get("offer").is_none(), "the time to be explained is free");
    let rate = Rate { per_second: 100, seconds: args.seconds };
    let latencies = load::run(rate, |_| {
        let (admin, path, body) = (admin.clone(), path.clone(), body.clone());
        async move { asked(&admin, &path, &body).await }
    })
    .await?;
    print("availability:explain, 10 employees booked, 100/s, p99", "≤ 5 ms", &latencies.to_string());
    Ok(())
}

/// Posts a question under load.
async fn asked(person: &Visitor, path: &str, body: &Value) -> anyhow::Result<Answer> {
    let answer = person.send(Method::POST, path, Some(body), None).await?;
    if is_busy(answer.status()) {
        return Ok(Answer::Refused);
    }
    let answer = answer.error_for_status()?;
    // Read to its end, as a page does.
    answer.bytes().await?;
    Ok(Answer::Served)
}

/// The system has no place at present, and says so.
fn is_busy(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

fn resident_mb(pid: u32) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).context("reading the process's memory")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).context("no VmRSS")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).context("no figure")?.parse()?;
    Ok(kilobytes / 1024)
}

fn machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let count = cpus.lines().filter(|line| line.starts_with("processor")).count();
    format!("{count} × {}", model.map_or("unknown", |(_, name)| name))
}

impl core::fmt::Display for Latencies {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let ms = |d: Duration| d.as_secs_f64() * 1000.0;
        let [p99, p50, p95] = [0.99, 0.5, 0.95].map(|share| ms(self.quantile(share)));
        write!(f, "{p99:.1} ms (p50 {p50:.1}, p95 {p95:.1}, n {}", self.count())?;
        if self.refused > 0 {
            write!(f, ", {} refused", self.refused)?;
        }
        write!(f, ")")
    }
}
