//! What calls add up to, as managers read it.

use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        scheduling::v1::Amount,
        telemetry::{
            internal::v1::CallFacts,
            v1::{CallOutcome, GetInsightsRequest, MissedReason, Speaker},
        },
    },
    time::to_proto,
};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    desk::{Desk, OTHER, SALON, at, book, ended, facts, field, refused, said, search, started},
    following::{CUT, follow_visits, visit},
};

const TINT: Uuid = Uuid::from_u128(0x5e2);

fn ended_at(call: &str, start: &str) -> CallFacts {
    let start = at(start);
    CallFacts {
        started_at: Some(to_proto(start)),
        ended_at: Some(to_proto(start + jiff::SignedDuration::from_mins(3))),
        turns: vec![said(Speaker::Caller, "I'd like a haircut")],
        ..ended(call)
    }
}

fn amount(minor: i64, currency: &str) -> Amount {
    Amount { minor, currency: currency.to_owned() }
}

#[tokio::test]
async fn calls_are_counted_by_what_came_of_them_and_what_they_were_worth() {
    let desk = Desk::open().await;
    desk.scheduling.offer(CUT, "Haircut", 4500, "GBP");
    desk.scheduling.offer(TINT, "Root tint", 6200, "GBP");
    // One is booked, one finds no time for a tint, one hangs up, one goes on.
    desk.tool("booked", "s1", &search(CUT, 2), 80).await;
    let appointment = Uuid::from_u128(0xa9);
    desk.tool("booked", "b1", &book(appointment), 120).await;
    let booked = desk.record("e1", ended_at("booked", "2026-06-01T08:00:00Z")).await.unwrap().call_id;
    desk.tool("missed", "s2", &search(TINT, 0), 40).await;
    desk.record("e2", ended_at("missed", "2026-06-01T09:00:00Z")).await.unwrap();
    let silent = CallFacts { started_at: Some(to_proto(at("2026-06-02T09:00:00Z"))), ..ended("silent") };
    desk.record("e3", silent).await.unwrap();
    desk.record("e4", started("live")).await.unwrap();
    follow_visits(&desk, vec![visit(1, &booked, appointment, 1, (4500, "GBP"), false)]).await;

    let told = desk.figures("2026-06-01", "2026-06-02").await.unwrap();
    assert_eq!((told.time_zone.as_str(), told.prices_unknown), ("Europe/London", false));
    let figures = told.figures.unwrap();
    assert_eq!((figures.calls, figures.ended, figures.answered), (4, 3, 2));
    let outcomes: Vec<_> = figures.outcomes.iter().map(|count| (count.outcome(), count.calls)).collect();
    let expected = [(CallOutcome::Abandoned, 1), (CallOutcome::Answered, 1), (CallOutcome::Booked, 1)];
    assert_eq!(outcomes, expected);
    assert_eq!((figures.wanted_booking, figures.booked), (2, 1));
    assert_eq!(figures.missed[0].reason(), MissedReason::NoFreeTime);
    assert_eq!(figures.booked_value, [amount(4500, "GBP")]);
    assert_eq!(figures.lost_value, [amount(6200, "GBP")]);
    let latency = figures.latency.unwrap();
    assert_eq!((latency.lookups, latency.median_ms >= 80, latency.p99_ms >= 120), (3, true, true));
    let days: Vec<_> = told.days.iter().map(|day| (day.date.as_str(), day.figures.unwrap().calls)).collect();
    assert_eq!(days, [("2026-06-01", 3), ("2026-06-02", 1)]);
    assert_eq!(told.hours.len(), 24);
    assert_eq!(told.hours[10].figures.unwrap().calls, 2, "ten o'clock in London");
    let demand: Vec<_> = told
        .services
        .iter()
        .map(|service| (service.service_name.as_str(), service.asked, service.booked, service.missed))
        .collect();
    assert_eq!(demand.len(), 2);
    assert!(demand.contains(&("Haircut", 1, 1, 0)) && demand.contains(&("Root tint", 1, 0, 1)));

    let next = desk.figures("2026-06-03", "2026-06-04").await.unwrap();
    assert_eq!(next.figures.unwrap().calls, 0);
    assert_eq!(next.previous.unwrap().calls, 4, "as many dates before");
}

#[tokio::test]
async fn a_visit_that_is_cancelled_later_is_worth_nothing_and_currencies_are_not_added() {
    let desk = Desk::open().await;
    desk.tool("one", "b1", &book(Uuid::from_u128(1)), 20).await;
    let call = desk.record("e1", ended_at("one", "2026-06-01T08:00:00Z")).await.unwrap().call_id;
    let of = |position, n, version, price, cancelled| {
        visit(position, &call, Uuid::from_u128(n), version, price, cancelled)
    };
    let mut told = vec![
        of(1, 1, 1, (4500, "GBP"), false),
        of(2, 2, 1, (900, "EUR"), false),
        // Another's: there is no such call here.
        visit(3, &Uuid::from_u128(9).to_string(), Uuid::from_u128(3), 1, (100, "GBP"), false),
    ];
    follow_visits(&desk, told.clone()).await;
    let value =
        async || desk.figures("2026-06-01", "2026-06-01").await.unwrap().figures.unwrap().booked_value;
    assert_eq!(value().await, [amount(900, "EUR"), amount(4500, "GBP")]);
    told.push(of(4, 1, 2, (4500, "GBP"), true));
    follow_visits(&desk, told).await;
    assert_eq!(value().await, [amount(900, "EUR")]);
}

#[tokio::test]
async fn a_call_whose_start_is_told_later_moves_to_its_day() {
    let desk = Desk::open().await;
    desk.record("seen", facts("late")).await.unwrap();
    let calls = async |day: &str| desk.figures(day, day).await.unwrap().figures.unwrap().calls;
    assert_eq!((calls("2026-06-01").await, calls("2026-05-30").await), (1, 0));
    desk.record("told", ended_at("late", "2026-05-30T22:30:00Z")).await.unwrap();
    assert_eq!((calls("2026-06-01").await, calls("2026-05-30").await), (0, 1));
    assert_eq!(desk.count("SELECT sum(calls)::bigint FROM call_quarter").await, 1);
}

#[tokio::test]
async fn changes_are_counted_once_however_many_bring_the_figures_up_to_date() {
    let desk = Desk::open().await;
    let calls = 40_u32;
    let told = async {
        for call in 0..calls {
            desk.record(&format!("e{call}"), ended_at(&format!("c{call}"), "2026-06-01T08:00:00Z"))
                .await
                .unwrap();
        }
    };
    let read = async || desk.figures("2026-06-01", "2026-06-01").await.unwrap().figures.unwrap().calls;
    let updated = async || {
        while read().await < i64::from(calls) {
            telemetry::update_figures(&desk.app).await.unwrap();
        }
    };
    tokio::join!(told, updated(), updated());
    assert_eq!(desk.count("SELECT sum(calls)::bigint FROM call_quarter").await, i64::from(calls));
    assert_eq!(desk.count("SELECT count(*) FROM figure_change").await, 0);
}

#[tokio::test]
async fn without_scheduling_prices_are_left_out_and_without_tenancy_nothing_is_said() {
    let desk = Desk::open().await;
    desk.tool("one", "s1", &search(CUT, 0), 20).await;
    desk.time.advance(jiff::SignedDuration::from_secs(1));
    desk.tool("one", "s2", &refused("hold_slot", "SLOT_TAKEN"), 20).await;
    desk.record("e1", ended_at("one", "2026-06-01T08:00:00Z")).await.unwrap();
    desk.scheduling.leave();
    let told = desk.figures("2026-06-01", "2026-06-01").await.unwrap();
    let figures = told.figures.unwrap();
    assert!(told.prices_unknown && figures.lost_value.is_empty());
    assert_eq!(
        (figures.missed.len(), figures.missed[0].reason()),
        (1, MissedReason::TimeTaken),
        "the latest"
    );
    assert_eq!(
        (figures.with_failed_tool, told.services[0].service_name.as_str()),
        (0, ""),
        "a taken time is no fault"
    );
    desk.tenancy.leave();
    let unread = desk.figures("2026-06-01", "2026-06-01").await.unwrap_err();
    assert_eq!(reason_of(&unread), Some(Reason::Unavailable));
}

#[tokio::test]
async fn calls_of_the_release_before_are_counted_when_the_service_starts() {
    let desk = Desk::open().await;
    desk.tool("old", "s1", &search(CUT, 0), 20).await;
    desk.record("e1", ended_at("old", "2026-06-01T08:00:00Z")).await.unwrap();
    let before = desk.figures("2026-06-01", "2026-06-01").await.unwrap();
    let forget =
        "TRUNCATE call_quarter, call_tally, call_words; UPDATE call SET runs = NULL, missed_reason = NULL,
        wanted_booking = false, failed_runs = 0, asked_services = '{}'";
    let superuser = sea_orm::Database::connect(&desk.database.superuser_url).await.unwrap();
    sea_orm::ConnectionTrait::execute_unprepared(&superuser, forget).await.unwrap();
    assert_eq!(desk.figures("2026-06-01", "2026-06-01").await.unwrap().figures.unwrap().calls, 0);
    telemetry::count_what_is_not(desk.app.clone()).await;
    assert_eq!(desk.figures("2026-06-01", "2026-06-01").await.unwrap(), before);
    telemetry::count_what_is_not(desk.app.clone()).await;
    assert_eq!(desk.figures("2026-06-01", "2026-06-01").await.unwrap(), before, "once");
    assert_eq!(desk.count("SELECT count(*) FROM call_words").await, 1);
}

#[tokio::test]
async fn insights_are_for_managers_of_the_business_about_a_year_at_most() {
    let desk = Desk::open().await;
    let ask = |first: &str, last: &str| GetInsightsRequest {
        business_id: SALON.to_string(),
        first_date: first.to_owned(),
        last_date: last.to_owned(),
    };
    let wanted = || ask("2026-06-01", "2026-06-01");
    for (role, business, reason) in
        [(Role::Employee, SALON, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let read = desk.insights().get_insights(as_user(&desk.host, role, business, wanted())).await;
        assert_eq!(reason_of(&read.unwrap_err()), Some(reason));
    }
    for (first, last, name) in [
        ("", "2026-06-01", "first_date"),
        ("2026-06-01", "", "last_date"),
        ("1999-12-31", "2026-06-01", "first_date"),
        ("2026-6-1", "2026-06-01", "first_date"),
        ("2026-06-02", "2026-06-01", "last_date"),
        ("2026-06-01", "2027-06-02", "last_date"),
    ] {
        assert_eq!(field(&desk.figures(first, last).await.unwrap_err()), name, "{first} {last}");
    }
    assert_eq!(desk.figures("2026-06-01", "2027-06-01").await.unwrap().days.len(), 366);
}
