//! Calls found by what came of them, when they were, and what was said.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::telemetry::{
        internal::v1::CallFacts,
        v1::{
            CallFilter, CallOutcome, CallState, ExportCallsRequest, ExportCallsResponse, MissedReason,
            Speaker,
        },
    },
    time::to_proto,
};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use testkit::{USER, as_user};
use uuid::Uuid;

use crate::{
    desk::{Desk, LINE, OTHER, SALON, at, book, ended, field, refused, said, search, started},
    following::{CUT, follow_visits, visit},
};

/// Four calls: one booked, one missed, one that hung up, one that goes on.
async fn desk() -> Desk {
    let desk = Desk::open().await;
    let call = |name: &str, start: &str, words: &str| CallFacts {
        started_at: Some(to_proto(at(start))),
        ended_at: Some(to_proto(at(start) + jiff::SignedDuration::from_secs(150))),
        turns: vec![said(Speaker::Agent, "Willow & Co"), said(Speaker::Caller, words)],
        ..ended(name)
    };
    desk.tool("booked", "s1", &search(CUT, 2), 80).await;
    desk.tool("booked", "b1", &book(Uuid::from_u128(0xa9)), 120).await;
    let booked = call("booked", "2026-06-01T07:10:00Z", "I'd like Zoë's balayage, please");
    desk.record("e1", CallFacts { platform: "vapi".to_owned(), ..booked }).await.unwrap();
    desk.tool("missed", "s2", &search(CUT, 0), 40).await;
    desk.tool("missed", "s3", &refused("search_availability", "UNAVAILABLE"), 40).await;
    let missed = call("missed", "2026-05-31T22:30:00Z", "A root tint on Friday");
    desk.record("e2", CallFacts { summary: "=cmd wanted a tint".to_owned(), ..missed }).await.unwrap();
    let silent = CallFacts { turns: vec![], ..call("silent", "2026-05-30T09:00:00Z", "") };
    desk.record("e3", silent).await.unwrap();
    desk.record("e4", started("live")).await.unwrap();
    desk
}

/// Of each call, when it started, newest first.
async fn found(desk: &Desk, filter: CallFilter) -> Vec<String> {
    let calls = desk.filtered(filter).await.unwrap();
    let started = |call: &proto::frontdesk::telemetry::v1::Call| {
        let at = call.started_at.unwrap();
        jiff::Timestamp::from_second(at.seconds).unwrap().strftime("%m-%d %H:%M").to_string()
    };
    calls.iter().map(started).collect()
}

const LIVE: &str = "06-01 07:59";
const BOOKED: &str = "06-01 07:10";
const MISSED: &str = "05-31 22:30";
const SILENT: &str = "05-30 09:00";

#[tokio::test]
async fn each_filter_wants_its_calls_and_together_they_want_fewer() {
    let desk = desk().await;
    let filter = CallFilter::default;
    assert_eq!(found(&desk, filter()).await, [LIVE, BOOKED, MISSED, SILENT]);
    let live = CallFilter { state: CallState::Live.into(), ..filter() };
    assert_eq!(found(&desk, live).await, [LIVE]);
    let over = CallFilter { state: CallState::Ended.into(), ..filter() };
    assert_eq!(found(&desk, over).await, [BOOKED, MISSED, SILENT]);
    let outcomes = vec![CallOutcome::Booked.into(), CallOutcome::Abandoned.into()];
    assert_eq!(found(&desk, CallFilter { outcomes, ..filter() }).await, [BOOKED, SILENT]);
    let vapi = CallFilter { platform: "vapi".to_owned(), ..filter() };
    assert_eq!(found(&desk, vapi).await, [BOOKED]);
    let fault = CallFilter { missed_reason: MissedReason::Fault.into(), ..filter() };
    assert_eq!(found(&desk, fault).await, [MISSED]);
    let wanted = CallFilter { wanted_booking: true, ..filter() };
    assert_eq!(found(&desk, wanted.clone()).await, [BOOKED, MISSED]);
    let failed = CallFilter { failed_tool: true, ..filter() };
    assert_eq!(found(&desk, failed).await, [MISSED]);
    let service = CallFilter { service_id: CUT.to_string(), ..filter() };
    assert_eq!(found(&desk, service).await, [BOOKED, MISSED]);
    let words = CallFilter { words: "tint".to_owned(), ..wanted };
    assert_eq!(found(&desk, words).await, [MISSED]);
}

#[tokio::test]
async fn the_calls_behind_a_booked_service_and_behind_slow_look_ups_are_found() {
    let desk = desk().await;
    let filter = CallFilter::default;
    let booked = CallFilter { service_id: CUT.to_string(), service_booked: true, ..filter() };
    assert_eq!(found(&desk, booked.clone()).await, [""; 0], "scheduling has told of no visit");
    let vapi = CallFilter { platform: "vapi".to_owned(), ..filter() };
    let call = desk.filtered(vapi).await.unwrap().remove(0).id;
    follow_visits(&desk, vec![visit(1, &call, Uuid::from_u128(0xa9), 1, (4500, "GBP"), false)]).await;
    assert_eq!(found(&desk, booked.clone()).await, [BOOKED]);
    let other = CallFilter { service_id: Uuid::from_u128(0x5e2).to_string(), ..booked.clone() };
    assert_eq!(found(&desk, other).await, [""; 0]);
    let slow = |lookup_ms| CallFilter { lookup_ms, ..filter() };
    assert_eq!(found(&desk, slow(1)).await, [BOOKED, MISSED]);
    assert_eq!(found(&desk, slow(120)).await, [BOOKED]);
    assert_eq!(found(&desk, slow(500)).await, [""; 0]);
    let all = CallFilter { words: "balayage".to_owned(), lookup_ms: 120, ..booked };
    assert_eq!(found(&desk, all).await, [BOOKED]);
}

#[tokio::test]
async fn dates_and_hours_are_those_of_the_business_s_clock() {
    let desk = desk().await;
    let on = |first: &str, last: &str| CallFilter {
        first_date: first.to_owned(),
        last_date: last.to_owned(),
        ..CallFilter::default()
    };
    // 22:30 in UTC is half past eleven in London, the same day, and the next one in Berlin.
    assert_eq!(found(&desk, on("2026-05-31", "2026-05-31")).await, [MISSED]);
    assert_eq!(found(&desk, on("2026-06-01", "")).await, [LIVE, BOOKED]);
    let at_eleven = CallFilter { hour: Some(23), ..CallFilter::default() };
    assert_eq!(found(&desk, at_eleven.clone()).await, [MISSED]);
    let at_midnight = CallFilter { hour: Some(0), ..CallFilter::default() };
    assert_eq!(found(&desk, at_midnight.clone()).await, [""; 0]);
    desk.tenancy.move_to("Europe/Berlin");
    assert_eq!(found(&desk, on("", "2026-05-31")).await, [SILENT]);
    assert_eq!(found(&desk, at_midnight).await, [MISSED]);
    desk.tenancy.leave();
    assert_eq!(reason_of(&desk.filtered(at_eleven).await.unwrap_err()), Some(Reason::Unavailable));
}

#[tokio::test]
async fn beginnings_of_words_find_what_was_said_and_summed_up_whatever_their_accents() {
    let desk = desk().await;
    let words = async |words: &str| {
        found(&desk, CallFilter { words: words.to_owned(), ..CallFilter::default() }).await
    };
    assert_eq!(words("ZOE bala").await, [BOOKED]);
    assert_eq!(words("willow").await, [BOOKED, MISSED]);
    assert_eq!(words("want, fri!").await, [MISSED], "of the summary and of what was said");
    assert_eq!(words("balayage tint").await, [""; 0]);
    assert_eq!(words("'; --").await, [""; 0]);
    assert_eq!(words("like%").await, [BOOKED]);
    // What is revised is found by its new words alone.
    let revised = CallFacts {
        turns: vec![
            said(Speaker::Agent, "Willow & Co"),
            said(Speaker::Caller, "Highlights for a long evening, please"),
        ],
        ..crate::desk::facts("booked")
    };
    desk.record("e5", revised).await.unwrap();
    assert_eq!((words("highl").await, words("balayage").await), (vec![BOOKED.to_owned()], vec![]));
}

#[tokio::test]
async fn a_filtered_list_is_paged_without_repeating_or_skipping_a_call() {
    let desk = desk().await;
    let request = |token: String| {
        let message = proto::frontdesk::telemetry::v1::ListCallsRequest {
            business_id: SALON.to_string(),
            page_size: 2,
            page_token: token,
            filter: Some(CallFilter { state: CallState::Ended.into(), ..CallFilter::default() }),
            ..Default::default()
        };
        as_user(&desk.host, Role::Employee, SALON, message)
    };
    let first = desk.calls().list_calls(request(String::new())).await.unwrap().into_inner();
    let second = desk.calls().list_calls(request(first.next_page_token)).await.unwrap().into_inner();
    assert_eq!((first.calls.len(), second.calls.len(), second.next_page_token.as_str()), (2, 1, ""));
}

#[tokio::test]
async fn another_business_s_calls_pass_no_filter() {
    let desk = desk().await;
    let mut facts = ended("theirs");
    facts.turns = vec![said(Speaker::Caller, "balayage")];
    desk.record_on(LINE, OTHER, desk.event(LINE, OTHER, "theirs", facts)).await.unwrap();
    let words = CallFilter { words: "balayage".to_owned(), ..CallFilter::default() };
    assert_eq!(found(&desk, words).await, [BOOKED]);
}

#[tokio::test]
async fn a_malformed_filter_is_named() {
    let desk = Desk::open().await;
    let wrong: [(&str, CallFilter); 11] = [
        ("filter.first_date", CallFilter { first_date: "1.6.2026".to_owned(), ..CallFilter::default() }),
        ("filter.last_date", CallFilter { last_date: "2026-02-30".to_owned(), ..CallFilter::default() }),
        (
            "filter.last_date",
            CallFilter {
                first_date: "2026-06-02".to_owned(),
                last_date: "2026-06-01".to_owned(),
                ..CallFilter::default()
            },
        ),
        ("filter.state", CallFilter { state: 9, ..CallFilter::default() }),
        ("filter.outcomes", CallFilter { outcomes: vec![0], ..CallFilter::default() }),
        ("filter.missed_reason", CallFilter { missed_reason: 99, ..CallFilter::default() }),
        ("filter.service_id", CallFilter { service_id: "cut".to_owned(), ..CallFilter::default() }),
        ("filter.service_booked", CallFilter { service_booked: true, ..CallFilter::default() }),
        ("filter.lookup_ms", CallFilter { lookup_ms: -1, ..CallFilter::default() }),
        ("filter.hour", CallFilter { hour: Some(24), ..CallFilter::default() }),
        ("filter.words", CallFilter { words: "x".repeat(201), ..CallFilter::default() }),
    ];
    for (name, filter) in wrong {
        assert_eq!(field(&desk.filtered(filter).await.unwrap_err()), name);
    }
}

/// A page of an export of all calls.
pub async fn export_all(desk: &Desk, token: &str) -> ExportCallsResponse {
    let message = ExportCallsRequest { page_token: token.to_owned(), ..export(CallFilter::default()) };
    let request = as_user(&desk.host, Role::Manager, SALON, message);
    desk.calls().export_calls(request).await.unwrap().into_inner()
}

/// What the list of changes says of exports: the days, and who.
async fn exports(desk: &Desk) -> Vec<(String, String)> {
    let superuser = sea_orm::Database::connect(&desk.database.superuser_url).await.unwrap();
    let sql = "SELECT (after - ARRAY['business_id', 'id', 'created_by', 'created_at'])::text AS days, actor
        FROM change_entry WHERE record_kind = 'call_export' ORDER BY at";
    let rows = superuser.query_all_raw(Statement::from_string(DbBackend::Postgres, sql)).await.unwrap();
    rows.iter().map(|row| (row.try_get("", "days").unwrap(), row.try_get("", "actor").unwrap())).collect()
}

fn export(filter: CallFilter) -> ExportCallsRequest {
    ExportCallsRequest { business_id: SALON.to_string(), filter: Some(filter), ..Default::default() }
}

#[tokio::test]
async fn an_export_has_a_line_a_call_and_no_formula() {
    let desk = desk().await;
    let wanted = CallFilter { state: CallState::Ended.into(), ..CallFilter::default() };
    let request = as_user(&desk.host, Role::Manager, SALON, export(wanted));
    let exported = desk.calls().export_calls(request).await.unwrap().into_inner();
    assert_eq!((exported.calls, exported.next_page_token.as_str()), (3, ""));
    let lines: Vec<&str> = exported.csv.split_terminator("\r\n").collect();
    assert!(lines[0].starts_with("\"Started\",\"Minutes\""));
    assert!(
        lines[1].starts_with("\"2026-06-01 08:10:00\",\"2.5\",\"ENDED\",\"BOOKED\",\"\",\"447700900001\"")
    );
    assert!(lines[2].contains("\"FAULT\"") && lines[2].contains("\"'=cmd wanted a tint\""), "{}", lines[2]);
    assert_eq!(lines.len(), 4);
    let week = CallFilter { first_date: "2026-06-01".to_owned(), ..CallFilter::default() };
    desk.calls().export_calls(as_user(&desk.host, Role::Manager, SALON, export(week))).await.unwrap();
    let noted: Vec<String> = exports(&desk).await.into_iter().map(|(days, _)| days).collect();
    assert!(noted.contains(&r#"{"first_date": "2026-06-01"}"#.to_owned()), "{noted:?}");
}

#[tokio::test]
async fn a_long_export_goes_on_where_it_ended() {
    let desk = Desk::open().await;
    let fill = format!(
        "INSERT INTO call (business_id, id, connection_id, platform_call_id, first_seen_at)
         SELECT '{SALON}', md5('call' || n)::uuid, '{LINE}', n::text, timestamptz '2026-06-01 08:00Z' + n * interval '1 s'
         FROM generate_series(1, 1500) n"
    );
    let superuser = sea_orm::Database::connect(&desk.database.superuser_url).await.unwrap();
    superuser.execute_unprepared(&fill).await.unwrap();
    let first = export_all(&desk, "").await;
    let second = export_all(&desk, &first.next_page_token).await;
    assert_eq!((first.calls, second.calls, second.next_page_token.as_str()), (1000, 500, ""));
    assert!(first.csv.starts_with("\"Started\"") && second.csv.starts_with("\"2026"));
    let lines = first.csv.lines().chain(second.csv.lines()).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(lines.len(), 1501);
    assert_eq!(exports(&desk).await, [("{}".to_owned(), format!("user:{USER}"))], "an export is noted once");

    desk.time.advance(SignedDuration::from_hours(2));
    export_all(&desk, &first.next_page_token).await;
    assert_eq!(exports(&desk).await.len(), 2, "also where it goes on with what an old page said");
}

#[tokio::test]
async fn exports_are_for_managers() {
    let desk = Desk::open().await;
    for (role, business, reason) in
        [(Role::Employee, SALON, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&desk.host, role, business, export(CallFilter::default()));
        let refused = desk.calls().export_calls(request).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(reason));
    }
}
