//! Employees of one connection to a booking system are read together: as many calls as for one, and what is wrong with one
//! of them, or with their list, stops no other.

use std::{collections::BTreeMap, sync::Arc};

use jiff::SignedDuration;
use serde_json::json;

use crate::{
    many_square::{ManySquare, booking, calendar, connect, member},
    salon::{SALON, Salon, at},
};

const EMPLOYEES: usize = 10;
/// Lists that make a year.
const WINDOWS: usize = 16;
/// Calendars that were not read since they fell due.
const UNREAD: &str = "SELECT count(*) FROM sync_state WHERE synced_at IS NULL OR lease IS NOT NULL";
const FAULTS: &str = "SELECT count(*) FROM sync_state WHERE failures > 0 OR last_error IS NOT NULL";

/// A salon whose employees were read once each.
async fn read_once() -> (Salon, Arc<ManySquare>) {
    let salon = Salon::open().await;
    let (square, url) = ManySquare::start(EMPLOYEES).await;
    connect(&salon, SALON, &url, EMPLOYEES).await;
    salon.until(async || salon.count(UNREAD).await == 0).await;
    let (of_all, of_one) = square.take_counts();
    assert!(
        of_all == 0 && of_one == EMPLOYEES * WINDOWS,
        "the first time for each alone: {of_all}, {of_one}"
    );
    (salon, square)
}

/// Has all fall due at once, and waits until each was read.
async fn read_again(salon: &Salon) {
    until_reported(salon).await;
    salon.meddle("UPDATE sync_state SET synced_at = NULL").await;
    salon.read_again().await;
    salon.until(async || salon.count(UNREAD).await == 0).await;
}

/// Waits until scheduling was told how reading goes: one whose report is just being taken is left to the next turn.
async fn until_reported(salon: &Salon) {
    // A report that was taken is due again ten seconds later, until it was told.
    let taken = salon.time.now() + SignedDuration::from_secs(10);
    let due = format!("SELECT count(*) FROM sync_state WHERE report_due_at <= '{taken}'");
    salon.until(async || salon.count(&due).await == 0).await;
}

/// The facts that scheduling holds, by employee: when each starts.
fn held(salon: &Salon) -> BTreeMap<usize, Vec<i64>> {
    let imported = salon.scheduling.imported();
    let hour = |seconds: i64| (seconds - at(0, 0).as_second()) / 3600;
    let of = |n: usize| {
        let id = calendar(SALON, n).to_string();
        let own = imported.busy.iter().filter(|((calendar, _), _)| *calendar == id);
        own.map(|(_, fact)| hour(fact.starts_at.unwrap().seconds)).collect()
    };
    (0..EMPLOYEES).map(|n| (n, of(n))).collect()
}

#[tokio::test]
async fn a_year_of_ten_employees_is_read_in_as_many_calls_as_of_one() {
    let (salon, square) = read_once().await;
    *square.bookings.lock().unwrap() = vec![booking("both", &["M1", "M2"], at(60, 0))];
    read_again(&salon).await;
    assert_eq!(square.take_counts(), (WINDOWS, 0));
    // Each has their own, and of what they share the part that they do.
    let own: BTreeMap<usize, Vec<i64>> =
        (0..EMPLOYEES).map(|n| (n, if [1, 2].contains(&n) { vec![60, 35] } else { vec![35] })).collect();
    assert_eq!(held(&salon), own);
    let lasts = |n: usize| {
        let imported = salon.scheduling.imported();
        let fact = &imported.busy[&(calendar(SALON, n).to_string(), "both".to_owned())];
        (fact.starts_at.unwrap().seconds, fact.ends_at.unwrap().seconds)
    };
    assert_eq!(lasts(1), (at(60, 0).as_second(), at(60, 30).as_second()));
    assert_eq!(lasts(2), (at(60, 30).as_second(), at(61, 0).as_second()));

    // What vanished is found for each of them.
    square.bookings.lock().unwrap().clear();
    read_again(&salon).await;
    assert_eq!(square.take_counts(), (WINDOWS, 0));
    assert!(held(&salon).values().all(|held| *held == [35]), "{:?}", held(&salon));
    assert_eq!(salon.count(FAULTS).await, 0);
}

#[tokio::test]
async fn one_who_falls_due_has_the_others_read_as_well_so_that_they_fall_due_together() {
    let (salon, square) = read_once().await;
    let first = calendar(SALON, 0);
    salon.let_pass(SignedDuration::from_secs(30)).await;
    until_reported(&salon).await;
    salon
        .meddle(&format!(
            "UPDATE sync_state SET synced_at = NULL;
            UPDATE sync_state SET due_at = '{}' WHERE calendar_id = '{first}'",
            salon.time.now()
        ))
        .await;
    salon.until(async || salon.count(UNREAD).await == 0).await;
    assert_eq!(square.take_counts(), (WINDOWS, 0));
    assert_eq!(salon.count("SELECT count(DISTINCT due_at) FROM sync_state").await, 1);
}

#[tokio::test]
async fn a_booking_that_makes_no_sense_is_put_aside_for_its_employee_and_the_others_are_read() {
    let (salon, square) = read_once().await;
    let mut garbled = booking("garbled", &["M1"], at(40, 0));
    garbled["start_at"] = json!("soon");
    *square.bookings.lock().unwrap() = vec![garbled, booking("new", &["M2"], at(50, 0))];
    read_again(&salon).await;
    assert_eq!(square.take_counts(), (WINDOWS, 0));
    let first = calendar(SALON, 1);
    let aside =
        format!("SELECT count(*) FILTER (WHERE calendar_id = '{first}') * 100 + count(*) FROM unread_entry");
    assert_eq!(salon.count(&aside).await, 101, "it is hers alone");
    assert_eq!(held(&salon)[&1], [35]);
    assert_eq!(held(&salon)[&2], [50, 35]);
    assert_eq!(salon.count(FAULTS).await, 0);
}

#[tokio::test]
async fn a_list_of_all_that_can_t_be_had_fails_no_one_and_each_is_read_alone() {
    let (salon, square) = read_once().await;
    square.lacks_a_window.store(true, std::sync::atomic::Ordering::SeqCst);
    *square.bookings.lock().unwrap() = vec![booking("new", &["M2"], at(50, 0))];
    read_again(&salon).await;
    let (of_all, of_one) = square.take_counts();
    assert!((1..WINDOWS).contains(&of_all), "it is asked for once: {of_all}");
    assert_eq!(of_one, EMPLOYEES * WINDOWS);
    assert_eq!(held(&salon)[&2], [50, 35]);
    assert_eq!(salon.count(FAULTS).await, 0);

    // And together again after some time.
    square.lacks_a_window.store(false, std::sync::atomic::Ordering::SeqCst);
    salon.let_pass(SignedDuration::from_secs(31)).await;
    read_again(&salon).await;
    assert_eq!(square.take_counts(), (WINDOWS, 0));
}

#[tokio::test]
async fn while_the_system_is_down_no_one_counts_as_read_and_each_says_why() {
    let (salon, square) = read_once().await;
    square.is_down.store(true, std::sync::atomic::Ordering::SeqCst);
    salon.meddle("UPDATE sync_state SET synced_at = '2026-01-01'").await;
    salon.read_again().await;
    let failed =
        "SELECT count(*) FROM sync_state WHERE failures = 1 AND last_error LIKE 'the booking system %'
        AND synced_at = '2026-01-01'";
    salon.until(async || salon.count(failed).await == i64::try_from(EMPLOYEES).unwrap()).await;
    assert!(held(&salon).values().all(|held| *held == [35]), "nothing is taken back");
}

#[tokio::test]
async fn one_who_failed_before_is_read_alone_and_the_others_together() {
    let (salon, square) = read_once().await;
    let first = calendar(SALON, 1);
    salon.meddle(&format!("UPDATE sync_state SET failures = 1 WHERE calendar_id = '{first}'")).await;
    read_again(&salon).await;
    let (of_all, of_one) = square.take_counts();
    assert!(of_all >= WINDOWS && of_one >= WINDOWS, "{of_all}, {of_one}");
    assert_eq!(salon.count(FAULTS).await, 0);
    read_again(&salon).await;
    assert_eq!(square.take_counts(), (WINDOWS, 0), "{} is well again", member(1));
}
