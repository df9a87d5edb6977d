//! The figures are what a slow recount of the rows says, whatever is told of calls in whichever order.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use proto::{
    frontdesk::telemetry::{
        internal::v1::CallFacts,
        v1::{CallOutcome, CallState, GetInsightsResponse, MissedReason, Speaker},
    },
    time::to_proto,
};
use sea_orm::{ConnectionTrait, DbBackend, Statement, prelude::DateTimeUtc};
use telemetry::domain::latency::{longest, step};
use uuid::Uuid;

use crate::{
    desk::{Desk, Tool, book, facts, refused, said, search},
    following::{follow_visits, visit},
};

/// Around the nights on which clocks change in these zones, and a plain day.
const PLACES: [(&str, &str); 5] = [
    ("Europe/London", "2026-03-29T00:30:00Z"),
    ("Europe/London", "2026-10-25T00:30:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
    ("Asia/Kathmandu", "2026-06-01T18:10:00Z"),
    ("America/St_Johns", "2026-11-01T04:20:00Z"),
];

/// Something that is told of one of a few calls.
#[derive(Debug, Clone)]
enum Told {
    /// By a delivery: so many minutes after the place's instant it started.
    Event { call: u8, minutes: Option<i64>, over: bool, spoke: bool },
    /// By an answered run.
    Run { call: u8, tool: usize, latency: i32 },
    /// By scheduling.
    Visit { call: u8, visit: u8, version: i64, price: i32, euro: bool, cancelled: bool },
}

fn told() -> impl Strategy<Value = Told> {
    let call = 0_u8..5;
    prop_oneof![
        4 => (call.clone(), prop::option::of(-2_000_i64..2_000), any::<bool>(), any::<bool>())
            .prop_map(|(call, minutes, over, spoke)| Told::Event { call, minutes, over, spoke }),
        4 => (call.clone(), 0..TOOLS, 1_i32..3_000).prop_map(|(call, tool, latency)| Told::Run { call, tool, latency }),
        2 => (call, 0_u8..3, 1_i64..4, 100_i32..9_000, any::<bool>(), any::<bool>()).prop_map(
            |(call, visit, version, price, euro, cancelled)| Told::Visit { call, visit, version, price, euro, cancelled }
        ),
    ]
}

const TOOLS: usize = 9;
/// The one of them that fails by a fault of ours.
const FAULT: usize = 5;

/// The tools that are run, and what each says of a wish for a booking.
fn tool(n: usize) -> (Tool, Option<MissedReason>) {
    let service = Uuid::from_u128(0x5e0 + u128::try_from(n % 3).unwrap());
    let moved = Tool { name: "move_appointment", outcome: CallOutcome::Moved, ..book(Uuid::from_u128(0xa2)) };
    match n {
        0 => (search(service, 0), Some(MissedReason::NoFreeTime)),
        1 => (search(service, 2), Some(MissedReason::NotTaken)),
        2 => (refused("hold_slot", "SLOT_TAKEN"), Some(MissedReason::TimeTaken)),
        3 => (refused("search_availability", "NOT_FOUND"), Some(MissedReason::NotOffered)),
        4 => (refused("book_appointment", "TOO_SOON"), Some(MissedReason::NotAllowed)),
        5 => (refused("search_availability", "UNAVAILABLE"), Some(MissedReason::Fault)),
        6 => (refused("find_customer", "NOT_FOUND"), None),
        7 => (book(Uuid::from_u128(0xa1)), Some(MissedReason::NotTaken)),
        _ => (moved, None),
    }
}

/// What the rows of the salon say, added up by hand.
#[derive(Debug, Default, PartialEq)]
struct Recount {
    calls: i64,
    ended: i64,
    answered: i64,
    wanted: i64,
    booked: i64,
    failed: i64,
    outcomes: BTreeMap<i32, i64>,
    missed: BTreeMap<i32, i64>,
    value: BTreeMap<String, i64>,
    days: BTreeMap<String, (i64, i64, i64)>,
    hours: BTreeMap<i32, (i64, i64, i64)>,
    services: BTreeMap<String, (i64, i64, i64)>,
    lookups: Vec<i32>,
}

impl Recount {
    fn of(told: &GetInsightsResponse) -> Self {
        let figures = told.figures.clone().unwrap();
        let some = |map: BTreeMap<_, (i64, i64, i64)>| map.into_iter().filter(|(_, part)| *part != (0, 0, 0));
        let days = told.days.iter().map(|day| {
            let part = day.figures.unwrap();
            (day.date.clone(), (part.calls, part.ended, part.booked))
        });
        let hours = told.hours.iter().map(|hour| {
            let part = hour.figures.unwrap();
            (hour.hour, (part.calls, part.ended, part.booked))
        });
        let services =
            told.services.iter().map(|of| (of.service_id.clone(), (of.asked, of.booked, of.missed)));
        let value = figures.booked_value.iter().map(|amount| (amount.currency.clone(), amount.minor));
        Self {
            calls: figures.calls,
            ended: figures.ended,
            answered: figures.answered,
            wanted: figures.wanted_booking,
            booked: figures.booked,
            failed: figures.with_failed_tool,
            outcomes: figures.outcomes.iter().map(|count| (count.outcome, count.calls)).collect(),
            missed: figures.missed.iter().map(|count| (count.reason, count.calls)).collect(),
            value: value.filter(|(_, minor)| *minor != 0).collect(),
            days: some(days.collect()).collect(),
            hours: hours.filter(|(_, part)| *part != (0, 0, 0)).collect(),
            services: services.collect(),
            lookups: vec![],
        }
    }
}

/// A call's rows.
struct Raw {
    id: Uuid,
    started: Timestamp,
    outcome: Option<String>,
    runs: Vec<RawRun>,
}

struct RawRun {
    tool: usize,
    latency: i32,
}

async fn rows(desk: &Desk) -> Vec<Raw> {
    let tx = desk.app.begin(&caller::Worker::new("recount", crate::desk::SALON)).await.unwrap();
    let all = |sql: &str| tx.query_all_raw(Statement::from_string(DbBackend::Postgres, sql.to_owned()));
    let calls = "SELECT id, COALESCE(reported_start, first_seen_at) AS started, outcome FROM call";
    let runs = "SELECT call_id, arguments, result, name, latency_ms FROM tool_call ORDER BY started_at, id";
    let runs = all(runs).await.unwrap();
    let raw = |row: &sea_orm::QueryResult| {
        let (name, result): (String, String) =
            (row.try_get("", "name").unwrap(), row.try_get("", "result").unwrap());
        let asked: String = row.try_get("", "arguments").unwrap();
        let is = |n: &usize| {
            let (tool, _) = tool(*n);
            (tool.name, &tool.result, &tool.arguments) == (name.as_str(), &result, &asked)
        };
        RawRun { tool: (0..TOOLS).find(is).unwrap(), latency: row.try_get("", "latency_ms").unwrap() }
    };
    let calls = all(calls).await.unwrap();
    let call = |row: &sea_orm::QueryResult| {
        let id: Uuid = row.try_get("", "id").unwrap();
        let started: DateTimeUtc = row.try_get("", "started").unwrap();
        let own = runs.iter().filter(|run| run.try_get::<Uuid>("", "call_id").unwrap() == id);
        Raw {
            id,
            started: Timestamp::from_microsecond(started.timestamp_micros()).unwrap(),
            outcome: row.try_get("", "outcome").unwrap(),
            runs: own.map(raw).collect(),
        }
    };
    calls.iter().map(call).collect()
}

/// What is known of visits: by call and visit the latest version.
type Visits = BTreeMap<(Uuid, u8), (i64, i32, bool, bool)>;

fn recount(rows: &[Raw], visits: &Visits, zone: &TimeZone, first: Date, last: Date) -> Recount {
    let mut sum = Recount::default();
    for raw in rows {
        let local = raw.started.to_zoned(zone.clone());
        if !(first..=last).contains(&local.date()) {
            continue;
        }
        let booked = raw.outcome.as_deref() == Some("BOOKED");
        let ended = i64::from(raw.outcome.is_some());
        let part = (1, ended, i64::from(booked));
        let add = |sum: &mut (i64, i64, i64)| *sum = (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2);
        add(sum.days.entry(local.date().to_string()).or_default());
        add(sum.hours.entry(local.hour().into()).or_default());
        sum.calls += 1;
        sum.ended += ended;
        sum.booked += i64::from(booked);
        sum.answered += i64::from(raw.outcome.as_deref().is_some_and(|outcome| outcome != "ABANDONED"));
        sum.failed += i64::from(raw.outcome.is_some() && raw.runs.iter().any(|run| run.tool == FAULT));
        sum.lookups.extend(raw.runs.iter().map(|run| run.latency));
        let latest = raw.runs.iter().rev().find_map(|run| tool(run.tool).1);
        let elsewhere = matches!(raw.outcome.as_deref(), Some("BOOKED" | "MOVED" | "CANCELLED"));
        let missed = latest.filter(|_| raw.outcome.is_some() && !elsewhere);
        sum.wanted += i64::from(booked || missed.is_some());
        if let Some(missed) = missed {
            *sum.missed.entry(missed.into()).or_default() += 1;
        }
        if let Some(outcome) = &raw.outcome {
            let outcome = CallOutcome::from_str_name(&format!("CALL_OUTCOME_{outcome}")).unwrap();
            *sum.outcomes.entry(outcome.into()).or_default() += 1;
        }
        let mut asked: Vec<String> = raw
            .runs
            .iter()
            .filter(|run| run.tool < 2)
            .map(|run| Uuid::from_u128(0x5e0 + u128::try_from(run.tool % 3).unwrap()).to_string())
            .collect();
        asked.sort();
        asked.dedup();
        for service in &asked {
            let of = sum.services.entry(service.clone()).or_default();
            of.0 += 1;
            of.2 += i64::from(missed.is_some());
        }
        let own: Vec<_> =
            visits.iter().filter(|((call, _), _)| *call == raw.id).map(|(_, visit)| visit).collect();
        if !own.is_empty() {
            let cut = crate::following::CUT.to_string();
            let of = sum.services.entry(cut.clone()).or_default();
            of.0 += i64::from(!asked.contains(&cut));
            of.1 += 1;
        }
        for (_, price, euro, cancelled) in own {
            let currency = if *euro { "EUR" } else { "GBP" };
            *sum.value.entry(currency.to_owned()).or_default() +=
                if *cancelled { 0 } else { i64::from(*price) };
        }
    }
    sum.value.retain(|_, minor| *minor != 0);
    sum
}

fn percentile(lookups: &mut [i32], percent: usize) -> i32 {
    lookups.sort_unstable();
    match (lookups.len() * percent).div_ceil(100) {
        _ if lookups.is_empty() => 0,
        rank => longest(step(lookups[rank.max(1) - 1])),
    }
}

async fn tell(desk: &Desk, base: Timestamp, history: &[Told]) -> (BTreeMap<u8, String>, Visits) {
    let mut ids: BTreeMap<u8, String> = BTreeMap::new();
    let (mut visits, mut events) = (Visits::new(), vec![]);
    for (n, told) in history.iter().enumerate() {
        desk.time.advance(SignedDuration::from_secs(7));
        match told {
            Told::Event { call, minutes, over, spoke } => {
                let start = minutes.map(|minutes| to_proto(base + SignedDuration::from_mins(minutes)));
                let turns = if *spoke { vec![said(Speaker::Caller, "Hello")] } else { vec![] };
                let state = if *over { CallState::Ended } else { CallState::Live };
                let name = format!("call-{call}");
                let facts = CallFacts { started_at: start, turns, state: state.into(), ..facts(&name) };
                ids.insert(*call, desk.record(&format!("event-{n}"), facts).await.unwrap().call_id);
            }
            Told::Run { call, tool: wanted, latency } => {
                desk.tool(&format!("call-{call}"), &format!("run-{n}"), &tool(*wanted).0, *latency).await;
            }
            Told::Visit { call, visit: which, version, price, euro, cancelled } => {
                let Some(id) = ids.get(call) else { continue };
                let currency = if *euro { "EUR" } else { "GBP" };
                let appointment = Uuid::from_u128(0xb00 + u128::from(*call) * 16 + u128::from(*which));
                let position = i64::try_from(events.len()).unwrap() + 1;
                events.push(visit(position, id, appointment, *version, (*price, currency), *cancelled));
                let key = (id.parse().unwrap(), *which);
                let known: Option<&(i64, i32, bool, bool)> = visits.get(&key);
                if known.is_none_or(|known| known.0 < *version) {
                    visits.insert(key, (*version, *price, *euro, *cancelled));
                }
            }
        }
    }
    if !events.is_empty() {
        follow_visits(desk, events).await;
    }
    (ids, visits)
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_equal_a_slow_recount_across_clock_changes_and_late_events() {
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let histories = (0..PLACES.len(), prop::collection::vec(told(), 5..40));
    for _ in 0..12 {
        let (place, history) = histories.new_tree(&mut runner).unwrap().current();
        let (zone, base) = PLACES[place];
        let base: Timestamp = base.parse().unwrap();
        let desk = Desk::open().await;
        desk.tenancy.move_to(zone);
        // What has no reported start starts when it is seen.
        desk.time.advance(base.duration_since(desk.time.now()));
        let (_, visits) = tell(&desk, base, &history).await;
        let (zone, rows) = (TimeZone::get(zone).unwrap(), rows(&desk).await);
        let day = base.to_zoned(zone.clone()).date();
        for (first, last) in [(-2, 2), (0, 0), (-1, 0), (0, 1), (-200, 100)] {
            let span = [first, last].map(|days| day + SignedDuration::from_hours(24 * days));
            let told = desk.figures(&span[0].to_string(), &span[1].to_string()).await.unwrap();
            let mut expected = recount(&rows, &visits, &zone, span[0], span[1]);
            let latency = told.figures.as_ref().unwrap().latency.unwrap();
            let mut lookups = core::mem::take(&mut expected.lookups);
            assert_eq!(Recount::of(&told), expected, "{history:?} at {place}, {span:?}");
            let of = [50, 95, 99].map(|percent| percentile(&mut lookups, percent));
            assert_eq!([latency.median_ms, latency.p95_ms, latency.p99_ms], of);
            assert_eq!(latency.lookups, i64::try_from(lookups.len()).unwrap());
        }
    }
}
