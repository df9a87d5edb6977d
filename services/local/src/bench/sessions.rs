//! Signing in and refreshing through the door.

use core::time::Duration;
use std::{net::Ipv4Addr, sync::Arc};

use anyhow::{Context, ensure};
use futures::future::try_join_all;
use reqwest::{Response, StatusCode, header::RETRY_AFTER};
use tokio::{sync::Mutex, task::JoinSet, time::Instant};

use super::{
    BenchArgs,
    load::{self, Answer, Rate},
    print, resident_mb,
};
use crate::visitor::Visitor;

/// A demo account with a membership: its sign-in does what most do.
const PERSON: &str = "employee";
/// Browsers that sign in one after the other, again and again.
const AT_ONCE: usize = 8;
/// Browsers that refresh.
const TABS: usize = 100;
const REFRESHES: u32 = 300;
/// Browsers that sign in at the same moment.
const CROWD: usize = 200;
/// How many of them share an address.
const HOUSEHOLD: usize = 10;

/// Prints sign-ins and refreshes a second, and what a crowd costs.
pub async fn measure(args: &BenchArgs) -> anyhow::Result<()> {
    let mut visitor = Visitor::stranger(&args.url);
    visitor.arrive().await?;
    sign_ins(args, &visitor).await?;
    refreshes(args).await?;
    crowd(args).await
}

async fn sign_ins(args: &BenchArgs, visitor: &Visitor) -> anyhow::Result<()> {
    let span = Duration::from_secs(args.seconds.into());
    let began = Instant::now();
    let mut browsers = JoinSet::new();
    for _ in 0..AT_ONCE {
        let visitor = visitor.clone();
        browsers.spawn(async move {
            let mut opened = 0_u32;
            while began.elapsed() < span {
                let answer = visitor.log_in(PERSON).await?;
                ensure!(answer.status() == StatusCode::OK, "signing in: {}", answer.text().await?);
                opened += 1;
            }
            anyhow::Ok(opened)
        });
    }
    let mut opened = 0;
    while let Some(done) = browsers.join_next().await {
        opened += done??;
    }
    let per_second = f64::from(opened) / began.elapsed().as_secs_f64();
    print("password sign-ins", "≥ 15/s", &format!("{per_second:.1}/s (n {opened})"));
    Ok(())
}

async fn refreshes(args: &BenchArgs) -> anyhow::Result<()> {
    let mut tabs = Vec::with_capacity(TABS);
    for _ in 0..TABS {
        tabs.push(Arc::new(Mutex::new(Visitor::sign_in(&args.url, PERSON).await?)));
    }
    let rate = Rate { per_second: REFRESHES, seconds: args.seconds };
    let latencies = load::run(rate, |n| {
        let tab = tabs[n as usize % TABS].clone();
        // A browser's next refresh waits for the one before, and its latency counts that.
        async move { tab.lock().await.refresh().await.map(|()| Answer::Served) }
    })
    .await?;
    let answered = latencies.count() as f64 / latencies.span.as_secs_f64();
    print("refreshes", "≥ 300/s", &format!("{answered:.0}/s"));
    print(&format!("refreshes, {REFRESHES}/s, p99"), "< 100 ms", &latencies.to_string());
    Ok(())
}

/// Everybody signs in at once: memory is bounded, and who finds no place is told to come back.
///
/// They are strangers to the installation, so that no limit of one account or one address is
/// what bounds them: a wrong password costs the hash that a right one does.
async fn crowd(args: &BenchArgs) -> anyhow::Result<()> {
    let mut people = Vec::with_capacity(CROWD);
    for n in 0..CROWD {
        let house = u8::try_from(n / HOUSEHOLD + 2)?;
        let mut person = Visitor::stranger_from(&args.url, Ipv4Addr::new(127, 0, 0, house).into())?;
        person.arrive().await?;
        people.push((person, format!("crowd-{n}@bench.test")));
    }
    let before = args.pid.map(resident_mb).transpose()?;
    let answers =
        try_join_all(people.iter().map(|(person, email)| person.try_log_in(email, "a guess of theirs")));
    let (answers, peak) = watched(args.pid, answers).await?;
    let (looked_at, later) = counted(answers?)?;
    let measured = format!("{looked_at} looked at, {later} told 503, Retry-After");
    print(&format!("{CROWD} sign-ins at once"), "no other", &measured);
    if let Some((before, peak)) = before.zip(peak) {
        let measured = format!("{before} MB before, {peak} MB at most");
        print(&format!("resident memory under {CROWD} sign-ins"), "≤ +100 MB", &measured);
    }
    Ok(())
}

/// The most memory a process held while `work` ran.
async fn watched<T>(pid: Option<u32>, work: impl Future<Output = T>) -> anyhow::Result<(T, Option<u64>)> {
    let Some(pid) = pid else { return Ok((work.await, None)) };
    let mut peak = resident_mb(pid)?;
    tokio::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return Ok((done, Some(peak.max(resident_mb(pid)?)))),
            () = tokio::time::sleep(Duration::from_millis(5)) => peak = peak.max(resident_mb(pid)?),
        }
    }
}

/// How many had their password looked at, and how many were told to come back.
fn counted(answers: Vec<Response>) -> anyhow::Result<(usize, usize)> {
    let (mut looked_at, mut later) = (0, 0);
    for answer in answers {
        match answer.status() {
            StatusCode::UNAUTHORIZED => looked_at += 1,
            StatusCode::SERVICE_UNAVAILABLE => {
                answer.headers().get(RETRY_AFTER).context("a 503 without Retry-After")?;
                later += 1;
            }
            other => anyhow::bail!("a sign-in was answered {other}"),
        }
    }
    Ok((looked_at, later))
}
