//! The figures are what a slow recount of the rows says, whatever is told of calls in whichever order.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use proto::{
    frontdesk::{
        scheduling::v1::Amount,
        telemetry::{
            internal::v1::CallFacts,
            v1::{CallFigures, CallOutcome, CallState, GetInsightsResponse, MissedReason, Speaker},
        },
    },
    time::to_proto,
};
use sea_orm::{ConnectionTrait, DbBackend, Statement, prelude::DateTimeUtc};
use telemetry::domain::latency::{longest, step};
use uuid::Uuid;

use crate::{
    desk::{Desk, Tool, book, facts, refused, said, search},
    following::{CUT, by_person, follow_visits, visit},
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
    Visit { call: u8, visit: u8, version: i64, told: Visit },
}

/// What is told of a visit. Only its first version says who booked it.
#[derive(Debug, Clone, Copy)]
struct Visit {
    price: i32,
    euro: bool,
    cancelled: bool,
    by_person: Option<bool>,
}

fn told() -> impl Strategy<Value = Told> {
    let call = 0_u8..5;
    prop_oneof![
        4 => (call.clone(), prop::option::of(-2_000_i64..2_000), any::<bool>(), any::<bool>())
            .prop_map(|(call, minutes, over, spoke)| Told::Event { call, minutes, over, spoke }),
        4 => (call.clone(), 0..TOOLS, 1_i32..3_000).prop_map(|(call, tool, latency)| Told::Run { call, tool, latency }),
        2 => (call, 0_u8..3, 1_i64..4, told_visit())
            .prop_map(|(call, visit, version, told)| Told::Visit { call, visit, version, told }),
    ]
}

fn told_visit() -> impl Strategy<Value = Visit> {
    let told = (100_i32..9_000, any::<bool>(), any::<bool>(), any::<bool>());
    told.prop_map(|(price, euro, cancelled, person)| Visit {
        price,
        euro,
        cancelled,
        by_person: Some(person),
    })
}

/// Calls that every history has beside the others: two that were lost, each in its currency, one that the team booked, and
/// one whose booking by the team was cancelled.
fn always() -> Vec<Told> {
    let over = |call| Told::Event { call, minutes: Some(0), over: true, spoke: true };
    let run = |call, tool| Told::Run { call, tool, latency: 90 };
    let booked = Visit { price: 5_200, euro: false, cancelled: false, by_person: Some(true) };
    let cancelled = Visit { cancelled: true, by_person: Some(false), ..booked };
    let told = |call, version, told| Told::Visit { call, visit: 0, version, told };
    vec![
        run(5, 0),
        over(5),
        run(6, 1),
        over(6),
        run(7, 0),
        over(7),
        told(7, 1, booked),
        run(8, 1),
        over(8),
        told(8, 1, booked),
        told(8, 2, cancelled),
    ]
}

/// What services cost today; the third is in the catalogue no more.
const PRICES: [(Uuid, i64, &str); 2] = [(CUTS, 4_500, "GBP"), (CUT, 900, "EUR")];
const CUTS: Uuid = Uuid::from_u128(0x5e0);
const GONE: Uuid = Uuid::from_u128(0x5e2);

const TOOLS: usize = 10;
/// The one of them that fails by a fault of ours.
const FAULT: usize = 5;

/// The tools that are run, and what each says of a wish for a booking.
fn tool(n: usize) -> (Tool, Option<MissedReason>) {
    let moved = Tool { name: "move_appointment", outcome: CallOutcome::Moved, ..book(Uuid::from_u128(0xa2)) };
    match n {
        0 => (search(CUTS, 0), Some(MissedReason::NoFreeTime)),
        1 => (search(CUT, 2), Some(MissedReason::NotTaken)),
        2 => (refused("hold_slot", "SLOT_TAKEN"), Some(MissedReason::TimeTaken)),
        3 => (refused("search_availability", "NOT_FOUND"), Some(MissedReason::NotOffered)),
        4 => (refused("book_appointment", "TOO_SOON"), Some(MissedReason::NotAllowed)),
        5 => (refused("search_availability", "UNAVAILABLE"), Some(MissedReason::Fault)),
        6 => (refused("find_customer", "NOT_FOUND"), None),
        7 => (book(Uuid::from_u128(0xa1)), Some(MissedReason::NotTaken)),
        8 => (search(GONE, 0), Some(MissedReason::NoFreeTime)),
        _ => (moved, None),
    }
}

/// The service that a tool looks for.
fn looked_for(tool: usize) -> Option<Uuid> {
    match tool {
        0 => Some(CUTS),
        1 => Some(CUT),
        8 => Some(GONE),
        _ => None,
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
    lost: BTreeMap<String, i64>,
    team_booked: i64,
    team_value: BTreeMap<String, i64>,
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
        Self {
            days: some(days.collect()).collect(),
            hours: hours.filter(|(_, part)| *part != (0, 0, 0)).collect(),
            services: services.collect(),
            ..Self::of_figures(&figures)
        }
    }

    /// What is told of a span as a whole.
    fn of_figures(figures: &CallFigures) -> Self {
        Self {
            calls: figures.calls,
            ended: figures.ended,
            answered: figures.answered,
            wanted: figures.wanted_booking,
            booked: figures.booked,
            failed: figures.with_failed_tool,
            outcomes: figures.outcomes.iter().map(|count| (count.outcome, count.calls)).collect(),
            missed: figures.missed.iter().map(|count| (count.reason, count.calls)).collect(),
            value: amounts(&figures.booked_value),
            lost: amounts(&figures.lost_value),
            team_booked: figures.booked_by_team,
            team_value: amounts(&figures.team_value),
            ..Self::default()
        }
    }

    /// The span as a whole, without its parts.
    fn whole(self) -> Self {
        let (days, hours, services, lookups) = Default::default();
        Self { days, hours, services, lookups, ..self }
    }
}

fn amounts(amounts: &[Amount]) -> BTreeMap<String, i64> {
    let amounts = amounts.iter().map(|amount| (amount.currency.clone(), amount.minor));
    amounts.filter(|(_, minor)| *minor != 0).collect()
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

/// What is known of visits: by call and visit the latest version, and whether a person booked it, if that was told.
type Visits = BTreeMap<(Uuid, u8), (i64, Visit)>;

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
        let unbooked = latest.filter(|_| raw.outcome.is_some() && !elsewhere);
        sum.wanted += i64::from(booked || unbooked.is_some());
        let own: Vec<Visit> =
            visits.iter().filter(|((call, _), _)| *call == raw.id).map(|(_, (_, visit))| *visit).collect();
        let by_team = own.iter().any(|visit| visit.by_person == Some(true) && !visit.cancelled);
        sum.team_booked += i64::from(by_team && raw.outcome.is_some());
        let missed = unbooked.filter(|_| !by_team);
        if let Some(missed) = missed {
            *sum.missed.entry(missed.into()).or_default() += 1;
        }
        if let Some(outcome) = &raw.outcome {
            let outcome = CallOutcome::from_str_name(&format!("CALL_OUTCOME_{outcome}")).unwrap();
            *sum.outcomes.entry(outcome.into()).or_default() += 1;
        }
        let asked: BTreeSet<Uuid> = raw.runs.iter().filter_map(|run| looked_for(run.tool)).collect();
        for service in &asked {
            let of = sum.services.entry(service.to_string()).or_default();
            of.0 += 1;
            of.2 += i64::from(missed.is_some());
            let price = PRICES.iter().find(|(priced, ..)| priced == service && missed.is_some());
            if let Some((_, minor, currency)) = price {
                *sum.lost.entry((*currency).to_owned()).or_default() += minor;
            }
        }
        if own.iter().any(|visit| !(visit.by_person == Some(true) && visit.cancelled)) {
            let of = sum.services.entry(CUT.to_string()).or_default();
            of.0 += i64::from(!asked.contains(&CUT));
            of.1 += 1;
        }
        for visit in own.iter().filter(|visit| !visit.cancelled) {
            let Some(by_person) = visit.by_person else { continue };
            let value = if by_person { &mut sum.team_value } else { &mut sum.value };
            let currency = if visit.euro { "EUR" } else { "GBP" };
            *value.entry(currency.to_owned()).or_default() += i64::from(visit.price);
        }
    }
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
        if n % 5 == 4 {
            telemetry::update_figures(&desk.app).await.unwrap();
        }
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
            Told::Visit { call, visit: which, version, told } => {
                let Some(id) = ids.get(call) else { continue };
                let currency = if told.euro { "EUR" } else { "GBP" };
                let appointment = Uuid::from_u128(0xb00 + u128::from(*call) * 16 + u128::from(*which));
                let position = i64::try_from(events.len()).unwrap() + 1;
                let event =
                    visit(position, id, appointment, *version, (told.price, currency), told.cancelled);
                events.push(if told.by_person == Some(true) { by_person(event) } else { event });
                let key = (id.parse().unwrap(), *which);
                let known = visits.get(&key);
                // The follower passes over what is older than what it has read.
                if known.is_some_and(|(newest, _)| newest >= version) {
                    continue;
                }
                let booking = (*version == 1).then_some(*told);
                let by_person = booking.or(known.map(|(_, kept)| *kept)).and_then(|kept| kept.by_person);
                visits.insert(key, (*version, Visit { by_person, ..*told }));
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
        let (place, mut history) = histories.new_tree(&mut runner).unwrap().current();
        history.extend(always());
        let (zone, base) = PLACES[place];
        let base: Timestamp = base.parse().unwrap();
        let desk = Desk::open().await;
        desk.tenancy.move_to(zone);
        for (service, minor, currency) in PRICES {
            desk.scheduling.offer(service, "Cut", i32::try_from(minor).unwrap(), currency);
        }
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
            let before = SignedDuration::from_hours(24 * (last - first + 1));
            let before = recount(&rows, &visits, &zone, span[0] - before, span[1] - before);
            let previous = Recount::of_figures(told.previous.as_ref().unwrap());
            assert_eq!(previous, before.whole(), "{history:?} at {place}, before {span:?}");
        }
        let today = desk.figures(&day.to_string(), &day.to_string()).await.unwrap().figures.unwrap();
        let lost: Vec<_> = today.lost_value.iter().map(|amount| amount.currency.as_str()).collect();
        assert_eq!(lost, ["EUR", "GBP"], "each currency by itself");
        assert!(today.booked_by_team >= 1 && !today.team_value.is_empty());
    }
}
