//! How fast calendars are read, printed by `make bench` beside the targets. Google is the strict one of the tests, and
//! scheduling stands in: what is measured is calendar-sync with its Postgres.

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use calendar_sync::FOLLOWER;
use caller::BusinessId;
use futures::{StreamExt, stream};
use google_fake::Push;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::json;
use uuid::Uuid;

use crate::{
    consistency::check,
    google::{ACCOUNT, World},
    google_push::deliver,
    many_caldav::{self, Many},
    many_google, many_square,
    salon::{CALENDAR, MIA, SALON, Salon, TOM, TOMS, at, visit},
};

/// How late servers of others answer.
const FAR_AWAY: Duration = Duration::from_millis(200);
const EVENTS: usize = 10_000;
const CALENDARS: usize = 1_000;
/// Accounts that are connected at once, before anything is measured.
const CONNECTED_AT_ONCE: usize = 8;
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

/// Calendars that were not read since they fell due.
const UNREAD: &str = "SELECT count(*) FROM sync_state WHERE synced_at IS NULL OR lease IS NOT NULL";

/// Has all calendars fall due at once; how long until each is read.
async fn round(salon: &Salon) -> Duration {
    salon.meddle("UPDATE sync_state SET synced_at = NULL, due_at = '2000-01-01'").await;
    until(async || salon.count(UNREAD).await == 0).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn a_round_through_1000_calendars_at_a_caldav_server() {
    let salon = Salon::open().await;
    let (many, server) = Many::start().await;
    for n in 0..CALENDARS {
        many_caldav::connect(&salon, &server, n).await;
    }
    until(async || salon.count(UNREAD).await == 0).await;
    assert_eq!(salon.scheduling.imported().busy.len(), CALENDARS);
    for (what, late_by) in [("CalDAV, beside", Duration::ZERO), ("CalDAV, 200 ms away", FAR_AWAY)] {
        many.answer_late(late_by);
        let before = many.reports.load(Ordering::SeqCst);
        let took = round(&salon).await;
        let reports = many.reports.load(Ordering::SeqCst) - before;
        assert!(reports >= CALENDARS, "each calendar was asked for what changed: {reports}");
        let found = format!("{:.1} s, {} MB (≤ 150) with fakes", took.as_secs_f64(), resident_mb());
        row(&format!("1,000 connections, each read once ({what})"), "≤ 60 s", &found);
    }
    let failed = "SELECT count(*) FROM sync_state WHERE last_error IS NOT NULL";
    assert_eq!((salon.count(failed).await, many.wrong.load(Ordering::SeqCst)), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn a_round_through_1000_accounts_at_google() {
    let (salon, google) = many_google::open(CALENDARS).await;
    for n in 0..CALENDARS {
        google.put(&many_google::account(n), &many_google::account(n), &format!("own{n}"), event(n));
    }
    // Each allows access in three calls and connects: one after the other, that takes longer than what is measured.
    let connecting = |n| many_google::connect(&salon, &google, n);
    stream::iter(0..CALENDARS).for_each_concurrent(CONNECTED_AT_ONCE, connecting).await;
    until(async || salon.count(UNREAD).await == 0).await;
    assert_eq!(salon.scheduling.imported().busy.len(), CALENDARS);
    // No channel is opened while it is measured.
    let unwatched = format!("SELECT {CALENDARS} - count(DISTINCT calendar_id) FROM google_channel");
    until(async || salon.count(&unwatched).await == 0).await;
    for (what, late_by) in [("Google, beside", Duration::ZERO), ("Google, 200 ms away", FAR_AWAY)] {
        google.answer_late(late_by);
        let before = google.calls();
        let took = round(&salon).await;
        let calls = google.calls() - before;
        assert!(calls >= CALENDARS, "each calendar was asked for what changed: {calls}");
        let found = format!("{:.1} s, {} MB (≤ 150) with fakes", took.as_secs_f64(), resident_mb());
        row(&format!("1,000 connections, each read once ({what})"), "≤ 60 s", &found);
    }
    let failed = "SELECT count(*) FROM sync_state WHERE last_error IS NOT NULL";
    assert_eq!(salon.count(failed).await, 0);
    assert_eq!(salon.scheduling.imported().busy.len(), CALENDARS, "nothing was taken back");
}

/// Salons with a Square of their own, and who works in each.
const SALONS: usize = 200;
const EMPLOYEES: usize = CALENDARS / SALONS;
const SECOND: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn a_round_through_1000_employees_at_square() {
    let salon = Salon::open().await;
    let (square, url) = many_square::ManySquare::start(EMPLOYEES).await;
    for n in 0..SALONS {
        let business = BusinessId(Uuid::from_u128(0xB1_0000 + u128::try_from(n).unwrap()));
        many_square::connect(&salon, business, &url, EMPLOYEES).await;
    }
    let superuser = salon.superuser().await;
    let unread = async || {
        let sql = Statement::from_string(DbBackend::Postgres, UNREAD);
        superuser.query_one_raw(sql).await.unwrap().unwrap().try_get_by_index::<i64>(0).unwrap()
    };
    until(async || unread().await == 0).await;
    assert_eq!(salon.scheduling.imported().busy.len(), CALENDARS);
    square.answer_late(SECOND);
    square.take_counts();
    salon.meddle("UPDATE sync_state SET synced_at = NULL, due_at = '2000-01-01'").await;
    let took = until(async || unread().await == 0).await;
    let (lists, _) = square.take_counts();
    let found = format!("{:.1} s, {lists} calls, {} MB with fakes", took.as_secs_f64(), resident_mb());
    row("1,000 employees of 200 salons (Square, 1 s away)", "≤ 60 s", &found);
    assert_eq!(salon.scheduling.imported().busy.len(), CALENDARS, "nothing was taken back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of `make bench`"]
async fn a_round_through_1000_calendars() {
    let salon = Salon::open().await;
    for n in 0..CALENDARS {
        salon.connect(Uuid::from_u128(0xCA_0000 + u128::try_from(n).unwrap()), MIA).await.unwrap();
    }
    until(async || salon.count(UNREAD).await == 0).await;
    let took = round(&salon).await;
    let found = format!("{:.1} s, {} MB (≤ 150) with fakes", took.as_secs_f64(), resident_mb());
    row("1,000 connections, each read once (demo)", "≤ 60 s", &found);
}
