//! How fast calendars are read, printed by `make bench` beside the targets. Google is the strict one of the tests, and
//! scheduling stands in: what is measured is calendar-sync with its Postgres.

use std::time::{Duration, Instant};

use calendar_sync::FOLLOWER;
use google_fake::Push;
use serde_json::json;
use uuid::Uuid;

use crate::{
    consistency::check,
    google::{ACCOUNT, World},
    google_push::deliver,
    salon::{CALENDAR, MIA, SALON, Salon, TOM, TOMS, at, visit},
};

const EVENTS: usize = 10_000;
const CALENDARS: usize = 1_000;
const PUSHES: usize = 50;
/// Far beyond every target.
const PATIENCE: Duration = Duration::from_secs(300);

fn row(what: &str, target: &str, found: &str) {
    println!("{what:<58} {target:>12} {found:>34}");
}

async fn until(mut done: impl AsyncFnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !done().await {
        assert!(began.elapsed() < PATIENCE, "it never came");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    began.elapsed()
}

/// Half an hour, the `n`-th from now on.
fn event(n: usize) -> serde_json::Value {
    let minutes = 30 * i64::try_from(n).unwrap();
    let text = |minute: i64| at(10, minute).to_string();
    json!({
        "summary": "Own",
        "start": { "dateTime": text(minutes) },
        "end": { "dateTime": text(minutes + 30) },
    })
}

fn resident_mb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").trim().parse::<usize>().unwrap_or(0) / 1024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn the_first_reading_of_10000_events() {
    let world = World::open().await;
    world.allow().await;
    for n in 0..EVENTS {
        world.google.put(ACCOUNT, ACCOUNT, &format!("own{n}"), event(n));
    }
    let began = Instant::now();
    world.connect(ACCOUNT, MIA).await.unwrap();
    let read = "SELECT count(*) FROM sync_state WHERE synced_at IS NOT NULL";
    until(async || world.salon.count(read).await == 1).await;
    assert_eq!(world.salon.scheduling.imported().busy.len(), EVENTS);
    row("first reading of 10,000 events", "≤ 20 s", &format!("{:.1} s", began.elapsed().as_secs_f64()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn a_push_until_the_time_is_blocked() {
    let (world, _) = World::connected().await;
    drop(world.google.take_pushes());
    let mut taken = vec![];
    for n in 0..PUSHES {
        world.google.put(ACCOUNT, ACCOUNT, &format!("own{n}"), event(n));
        let pushes: Vec<Push> = world.google.take_pushes();
        let began = Instant::now();
        deliver(&world.salon, &pushes[0]).await.unwrap();
        until(async || world.salon.scheduling.imported().busy.len() == n + 1).await;
        taken.push(began.elapsed());
    }
    taken.sort_unstable();
    let (median, most) = (taken[PUSHES / 2].as_millis(), taken[PUSHES - 1].as_millis());
    row("a changed event, from push to blocked time", "≤ 1 s", &format!("{median} ms, at most {most} ms"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn a_check_of_10000_appointments() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.connect(TOMS, TOM).await.unwrap();
    salon.scheduling.pages_of(200);
    // Within the next 59 days, so that all are compared.
    let booked = |n: usize| {
        let hour = 24 + i64::try_from(n / 2 % 1_400).unwrap();
        let employee = if n.is_multiple_of(2) { MIA } else { TOM };
        visit(0xF0_0000 + u128::try_from(n).unwrap(), 1, &[(employee, "Cut", hour, 30)])
    };
    let all = (0..EVENTS).map(booked).collect();
    let position = salon.scheduling.publish_all(&salon.host, &SALON.to_string(), all);
    until(async || outbox::caught_up(&salon.app, FOLLOWER, "scheduling", position).await.unwrap()).await;
    let unwritten = "SELECT count(*) FROM calendar_write WHERE written < wanted";
    until(async || salon.count(unwritten).await == 0).await;
    let began = Instant::now();
    let found = check(&salon).await;
    let took = began.elapsed();
    assert_eq!(found.differences, []);
    assert_eq!(found.check.unwrap().appointment_count, i32::try_from(EVENTS).unwrap());
    row("consistency check of 10,000 appointments", "≤ 2 s", &format!("{:.2} s", took.as_secs_f64()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn a_round_through_1000_calendars() {
    let salon = Salon::open().await;
    for n in 0..CALENDARS {
        salon.connect(Uuid::from_u128(0xCA_0000 + u128::try_from(n).unwrap()), MIA).await.unwrap();
    }
    let unread = "SELECT count(*) FROM sync_state WHERE synced_at IS NULL OR lease IS NOT NULL";
    until(async || salon.count(unread).await == 0).await;
    salon.meddle("UPDATE sync_state SET synced_at = NULL, due_at = '2000-01-01'").await;
    let took = until(async || salon.count(unread).await == 0).await;
    let found = format!("{:.1} s, {} MB with the fakes", took.as_secs_f64(), resident_mb());
    row("1,000 connections, each read once", "≤ 60 s", &found);
}
