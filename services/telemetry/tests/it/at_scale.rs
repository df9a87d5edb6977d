//! A business with a million calls in a year reads them as quickly as one with a few.

use core::time::Duration;
use std::time::Instant;

use caller::Role;
use proto::frontdesk::telemetry::v1::{CallFilter, CallOutcome, ListCallsRequest, MissedReason};
use sea_orm::ConnectionTrait;
use testkit::as_user;
use uuid::Uuid;

use crate::desk::{Desk, LINE, OTHER, SALON};

/// So many calls of the salon in the year before June, and a tenth as many of another business, with their words and
/// figures. A call has forty words: common ones, such as "please", and rare ones.
fn fill(calls: u32) -> String {
    format!(
        "SET synchronous_commit = off;
        INSERT INTO call (business_id, id, connection_id, platform_call_id, version, platform, first_seen_at,
            end_seen_at, outcome, runs, missed_reason, wanted_booking, failed_runs, asked_services)
        SELECT CASE WHEN n % 11 = 0 THEN '{OTHER}'::uuid ELSE '{SALON}'::uuid END, md5('call' || n)::uuid, '{LINE}',
            n::text, 1, (ARRAY['retell', 'vapi', 'twilio', 'elevenlabs'])[1 + n % 4], at, at + interval '3 minutes',
            (ARRAY['BOOKED', 'ANSWERED', 'ABANDONED', 'MESSAGE'])[1 + n % 4],
            -- Slow look-ups were all in the first days.
            jsonb_build_object('services', '[]'::jsonb, 'latest', NULL, 'failed', 0, 'latencies',
                jsonb_build_object((CASE WHEN n < 2000 THEN 60 ELSE 20 + n % 30 END)::text, 1)),
            CASE WHEN n % 4 = 1 THEN CASE n % 100 WHEN 1 THEN 'NO_FREE_TIME' WHEN 5 THEN 'NOT_TAKEN' ELSE 'FAULT' END END,
            n % 4 < 2, CASE WHEN n % 500 = 0 THEN 1 ELSE 0 END, ARRAY[lpad(to_hex(n % 30), 32, '0')::uuid]
        FROM (SELECT n, timestamptz '2025-06-01 06:00Z'
            + (n::double precision / ({calls} * 1.1) * 365) * interval '1 day' AS at
            FROM generate_series(1, {calls} / 10 * 11) n) calls;
        INSERT INTO call_words (business_id, call_id, started_at, words)
        SELECT c.business_id, c.id, c.started_at, to_tsvector('simple', 'please thanks hello willow friday '
            || (SELECT string_agg(substr(md5((n * i % (100 * i * i))::text), 1, 6), ' ')
                FROM generate_series(1, 35) i))
        FROM (SELECT *, platform_call_id::bigint AS n FROM call) c;
        INSERT INTO call_quarter
        SELECT business_id, date_bin('15 minutes', started_at, 'epoch'), count(*), count(*), count(*),
            count(*) FILTER (WHERE wanted_booking), count(*) FILTER (WHERE outcome = 'BOOKED')
        FROM call GROUP BY 1, 2;
        INSERT INTO call_tally
        SELECT c.business_id, g.grain, date_bin(g.width, c.started_at, 'epoch'), k.kind, k.key, count(*)
        FROM call c, (VALUES ('QUARTER', interval '15 minutes'), ('DAY', interval '1 day')) g (grain, width),
            LATERAL (VALUES ('OUTCOME', c.outcome), ('MISSED', c.missed_reason), ('ASKED', c.asked_services[1]::text),
                ('BOOKED_SERVICE', CASE WHEN c.outcome = 'BOOKED' THEN c.asked_services[1]::text END),
                ('MISSED_SERVICE', CASE WHEN c.missed_reason IS NOT NULL THEN c.asked_services[1]::text END),
                ('LATENCY', (20 + c.platform_call_id::bigint % 30)::text), ('VALUE', 'GBP')) k (kind, key)
        WHERE k.key IS NOT NULL GROUP BY 1, 2, 3, 4, 5;
        ANALYZE;"
    )
}

const CALLS: u32 = 1_000_000;
/// Filters that no call passes.
const NONE: [&str; 2] = ["a platform without calls", "no such word"];

async fn filled(calls: u32) -> Desk {
    let desk = Desk::open().await;
    let superuser = sea_orm::Database::connect(&desk.database.superuser_url).await.unwrap();
    superuser.execute_unprepared(&fill(calls)).await.unwrap();
    desk
}

/// A hundred times, sorted.
async fn timed(mut what: impl AsyncFnMut()) -> Vec<Duration> {
    let mut took = vec![];
    for _ in 0..100 {
        let began = Instant::now();
        what().await;
        took.push(began.elapsed());
    }
    took.sort();
    took
}

#[tokio::test]
#[ignore = "minutes, on an idle machine: `make prove`"]
async fn a_million_calls_are_listed_searched_and_added_up_at_once() {
    let desk = filled(CALLS).await;
    let list = async |filter: CallFilter, token: &str| {
        let message = ListCallsRequest {
            business_id: SALON.to_string(),
            filter: Some(filter),
            page_token: token.to_owned(),
            ..ListCallsRequest::default()
        };
        let request = as_user(&desk.host, Role::Manager, SALON, message);
        desk.calls().list_calls(request).await.unwrap().into_inner()
    };
    let filter = CallFilter::default;
    let service = Uuid::from_u128(7).to_string();
    let lists = [
        ("all", filter(), 50),
        ("booked", CallFilter { outcomes: vec![CallOutcome::Booked.into()], ..filter() }, 50),
        ("no free time", CallFilter { missed_reason: MissedReason::NoFreeTime.into(), ..filter() }, 50),
        ("a failed tool", CallFilter { failed_tool: true, ..filter() }, 50),
        ("a slow look-up", CallFilter { lookup_ms: 2_000, ..filter() }, 50),
        ("any look-up", CallFilter { lookup_ms: 1, ..filter() }, 50),
        (
            "a slow look-up of booked calls",
            CallFilter { lookup_ms: 2_000, outcomes: vec![CallOutcome::Booked.into()], ..filter() },
            50,
        ),
        ("one platform", CallFilter { platform: "vapi".to_owned(), ..filter() }, 50),
        ("a platform without calls", CallFilter { platform: "other".to_owned(), ..filter() }, 50),
        ("one service", CallFilter { service_id: service, ..filter() }, 50),
        (
            "one month",
            CallFilter {
                first_date: "2025-09-01".to_owned(),
                last_date: "2025-09-30".to_owned(),
                ..filter()
            },
            50,
        ),
        ("common words", CallFilter { words: "please thanks".to_owned(), ..filter() }, 150),
        ("a rare word", CallFilter { words: "c4ca42".to_owned(), ..filter() }, 150),
        ("a beginning", CallFilter { words: "c4".to_owned(), ..filter() }, 150),
        ("no such word", CallFilter { words: "xyzzyx".to_owned(), ..filter() }, 150),
        (
            "a word of booked calls",
            CallFilter { words: "hello".to_owned(), outcomes: vec![CallOutcome::Booked.into()], ..filter() },
            150,
        ),
        (
            "a common word, no time",
            CallFilter {
                words: "hello".to_owned(),
                missed_reason: MissedReason::NoFreeTime.into(),
                ..filter()
            },
            150,
        ),
        (
            "a common word, failed tool",
            CallFilter { words: "please thanks".to_owned(), failed_tool: true, ..filter() },
            150,
        ),
    ];
    for (name, filter, most) in lists {
        let next = list(filter.clone(), "").await.next_page_token;
        for (page, token) in [("first page", ""), ("second page", next.as_str())] {
            let found = list(filter.clone(), token).await.calls;
            assert_eq!(found.is_empty(), NONE.contains(&name), "{name}");
            let took = timed(async || drop(list(filter.clone(), token).await)).await;
            println!("{name:>26}, {page:>11}: p50 {:?}, p95 {:?}, at most {most} ms", took[50], took[95]);
        }
    }
    let year = async || desk.figures("2025-06-01", "2026-06-01").await.unwrap().figures.unwrap().calls;
    assert_eq!(year().await, i64::from(CALLS));
    let took = timed(async || {
        year().await;
    })
    .await;
    println!("insights of a year: p50 {:?}, p95 {:?}, at most 300 ms", took[50], took[95]);
}
