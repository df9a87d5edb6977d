//! What else keeps employees busy.

use caller::Role;
use proto::{
    error::{Reason, refuse},
    frontdesk::calendarsync::v1::PutDemoEventRequest,
    time::to_proto,
};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    salon::{CALENDAR, INTERVAL, MIA, SALON, Salon, TOM, TOMS, at, putting, visit},
    scheduling::Imported,
};

fn busy(imported: &Imported) -> Vec<(&str, i64)> {
    let hour = |seconds: i64| (seconds - at(0, 0).as_second()) / 3600;
    let facts = imported.busy.iter();
    facts.map(|((_, id), fact)| (id.as_str(), hour(fact.starts_at.unwrap().seconds))).collect()
}

#[tokio::test]
async fn an_event_in_the_calendar_keeps_the_employee_busy_until_it_is_deleted() {
    let salon = Salon::with_calendar().await;
    salon.put("dentist", 9).await.unwrap();
    let imported = salon.scheduling.until(|imported| busy(imported) == [("dentist", 9)]).await;
    let request = imported.requests.last().unwrap();
    assert_eq!((&request.employee_id, &request.calendar_id), (&MIA.to_string(), &CALENDAR.to_string()));
    let fact = &request.facts[0];
    assert_eq!((fact.title.as_str(), fact.ends_at), ("Dentist", Some(to_proto(at(10, 0)))));
    salon.put("dentist", 15).await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 15)]).await;
    salon.delete("dentist").await.unwrap();
    salon.scheduling.until(|imported| busy(imported).is_empty()).await;
}

#[tokio::test]
async fn our_own_events_are_never_imported_even_when_their_owner_moves_them() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let id = salon.events(CALENDAR).await.remove(0).id;
    salon.put(&id, 20).await.unwrap();
    salon.put("dentist", 15).await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 15)]).await;
    salon.delete(&id).await.unwrap();
    salon.delete("dentist").await.unwrap();
    let imported = salon.scheduling.until(|imported| busy(imported).is_empty()).await;
    let mut told = imported.requests.iter().flat_map(|request| &request.facts);
    assert!(told.all(|fact| fact.external_id == "dentist"));
}

#[tokio::test]
async fn a_change_whose_hint_was_lost_is_found_by_the_periodic_run() {
    let salon = Salon::with_calendar().await;
    let quiet = format!(
        "UPDATE demo_calendar SET change = change + 1;
         INSERT INTO demo_event (business_id, calendar_id, id, title, starts_at, ends_at, change, changed_at)
         VALUES ('{SALON}', '{CALENDAR}', 'quiet', 'School', '2026-06-01 09:00Z', '2026-06-01 10:00Z', 1,
                 '2026-06-01 08:00Z')"
    );
    salon.meddle(&quiet).await;
    salon.time.advance(INTERVAL.try_into().unwrap());
    salon.scheduling.until(|imported| busy(imported) == [("quiet", 9)]).await;
}

#[tokio::test]
async fn what_scheduling_did_not_take_is_shown_and_told_again() {
    let salon = Salon::with_calendar().await;
    let synced = salon.calendar().await.synced_at;
    salon.scheduling.refuse_next(refuse(Reason::Unavailable, "down for a moment"));
    salon.time.advance(jiff::SignedDuration::from_secs(60));
    salon.put("dentist", 9).await.unwrap();
    salon.until(async || !salon.calendar().await.last_error.is_empty()).await;
    let failed = salon.calendar().await;
    assert_eq!(failed.last_error, "scheduling did not take what was read: down for a moment");
    assert_eq!(failed.synced_at, synced);
    assert_eq!((salon.scheduling.imported().refused, busy(&salon.scheduling.imported()).len()), (1, 0));
    // Longer than one pause with its jitter.
    salon.time.advance((INTERVAL * 2).try_into().unwrap());
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 9)]).await;
    salon.until(async || salon.calendar().await.last_error.is_empty()).await;
    assert_eq!(salon.calendar().await.synced_at, Some(to_proto(salon.time.now())));
}

#[tokio::test]
async fn a_calendar_that_keeps_failing_is_left_alone_for_longer_and_longer() {
    let salon = Salon::with_calendar().await;
    for failures in 1..=8 {
        salon.scheduling.refuse_next(refuse(Reason::Unavailable, "down"));
        // Each change is a hint, and a hint is never put off.
        salon.put("dentist", 8 + failures).await.unwrap();
        salon.scheduling.until(|imported| imported.refused == usize::try_from(failures).unwrap()).await;
        let failed = format!("SELECT count(*) FROM sync_state WHERE failures = {failures} AND lease IS NULL");
        salon.until(async || salon.count(&failed).await == 1).await;
    }
    // 100 ms doubled seven times is 12.8 s, and jitter takes away half at most.
    let due = "SELECT count(*) FROM sync_state WHERE due_at >= timestamptz '2026-06-01 08:00:06.4Z'
               AND due_at <= timestamptz '2026-06-01 08:00:19.2Z'";
    assert_eq!(salon.count(due).await, 1);
    salon.time.advance(jiff::SignedDuration::from_secs(20));
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 16)]).await;
}

#[tokio::test]
async fn facts_taken_before_a_crash_are_told_again_and_nothing_of_them_is_forgotten() {
    let salon = Salon::with_calendar().await;
    salon.put("dentist", 9).await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 9)]).await;
    salon.until(async || salon.count("SELECT token::bigint FROM sync_state").await == 1).await;
    // As after a crash between scheduling's answer and the saved token.
    salon.meddle("UPDATE sync_state SET token = '0'").await;
    salon.put("school", 11).await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 9), ("school", 11)]).await;
    salon.until(async || salon.count("SELECT token::bigint FROM sync_state").await == 2).await;
    salon.meddle("UPDATE sync_state SET token = '0'").await;
    salon.delete("dentist").await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("school", 11)]).await;
}

#[tokio::test]
async fn an_event_told_of_in_a_turn_that_was_lost_is_not_forgotten() {
    let salon = Salon::with_calendar().await;
    salon.scheduling.gate.forget_permits(usize::MAX);
    salon.put("dentist", 9).await.unwrap();
    salon.scheduling.until(|imported| imported.waiting() == 1).await;
    // The turn ends before scheduling answers: its outcome is not kept.
    salon.meddle("UPDATE sync_state SET lease = NULL, leased_until = NULL").await;
    salon.scheduling.gate.add_permits(1000);
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 9)]).await;
    assert_eq!(salon.count("SELECT token::bigint FROM sync_state").await, 0);
    salon.delete("dentist").await.unwrap();
    salon.scheduling.until(|imported| busy(imported).is_empty()).await;
}

#[tokio::test]
async fn an_invalid_token_makes_a_whole_reading_that_frees_what_is_gone() {
    let salon = Salon::with_calendar().await;
    for (id, hour) in [("gone", 9), ("kept", 11), ("moved", 13)] {
        salon.put(id, hour).await.unwrap();
    }
    let all = [("gone", 9), ("kept", 11), ("moved", 13)];
    salon.scheduling.until(|imported| busy(imported) == all).await;
    salon.until(async || salon.count("SELECT token::bigint FROM sync_state").await == 3).await;
    // The calendar forgot the deletion, and with it every token from before.
    salon
        .meddle("DELETE FROM demo_event WHERE id = 'gone'; UPDATE demo_calendar SET change = 9, floor = 9")
        .await;
    salon.put("moved", 17).await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("kept", 11), ("moved", 17)]).await;
    salon.until(async || salon.count("SELECT token::bigint FROM sync_state").await == 10).await;
    salon.delete("kept").await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("moved", 17)]).await;
}

#[tokio::test]
async fn tombstones_end_after_thirty_days_and_a_calendar_not_read_since_is_read_whole() {
    let salon = Salon::with_calendar().await;
    salon.put("old", 9).await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("old", 9)]).await;
    salon.until(async || salon.count("SELECT token::bigint FROM sync_state").await == 1).await;
    salon.meddle("UPDATE sync_state SET due_at = '2030-01-01'").await;
    salon
        .meddle("UPDATE demo_event SET deleted = true, change = 2; UPDATE demo_calendar SET change = 2")
        .await;
    salon.time.advance(jiff::SignedDuration::from_hours(31 * 24));
    salon.put("new", 11).await.unwrap();
    assert_eq!(salon.count("SELECT floor FROM demo_calendar").await, 2);
    assert_eq!(salon.count("SELECT count(*) FROM demo_event").await, 1);
    salon.scheduling.until(|imported| busy(imported) == [("new", 11)]).await;
}

#[tokio::test]
async fn a_full_calendar_is_told_in_portions() {
    let salon = Salon::with_calendar().await;
    let fill = format!(
        "INSERT INTO demo_event (business_id, calendar_id, id, title, starts_at, ends_at, change, changed_at)
         SELECT '{SALON}', '{CALENDAR}', 'event-' || n, 'School', '2026-06-01 09:00Z', '2026-06-01 10:00Z', n,
                '2026-06-01 08:00Z' FROM generate_series(1, 1100) n;
         UPDATE demo_calendar SET change = 1100"
    );
    salon.meddle(&fill).await;
    salon.put("last", 9).await.unwrap();
    let imported = salon.scheduling.until(|imported| imported.busy.len() == 1101).await;
    let sizes: Vec<usize> = imported.requests.iter().map(|request| request.facts.len()).collect();
    assert_eq!(sizes, [500, 500, 101]);
}

#[tokio::test]
async fn two_replicas_never_read_one_calendar_at_once() {
    let salon = Salon::with_calendar().await;
    salon.connect(TOMS, TOM).await.unwrap();
    let second = salon.replica().await;
    salon.scheduling.gate.forget_permits(usize::MAX);
    salon.put("first", 9).await.unwrap();
    salon.scheduling.until(|imported| imported.waiting() == 1).await;
    // While the first turn waits for its answer the calendar falls due again, before another one: a
    // replica that takes the other would take it too.
    let salon = Salon { channel: second, ..salon };
    salon.put("second", 11).await.unwrap();
    let toms = PutDemoEventRequest { calendar_id: TOMS.to_string(), ..putting("toms", 13) };
    salon.demo().put_demo_event(as_user(&salon.host, Role::Manager, SALON, toms)).await.unwrap();
    salon.scheduling.until(|imported| imported.waiting() == 2).await;
    salon.scheduling.gate.add_permits(1000);
    salon.scheduling.until(|imported| busy(imported) == [("first", 9), ("second", 11), ("toms", 13)]).await;
}

#[tokio::test]
async fn a_turn_that_never_ended_is_taken_over_when_its_lease_has() {
    let salon = Salon::with_calendar().await;
    let dead = Uuid::from_u128(0xDEAD);
    let sql = format!("UPDATE sync_state SET lease = '{dead}', leased_until = '2026-06-01 08:00:30Z'");
    salon.meddle(&sql).await;
    salon.put("dentist", 9).await.unwrap();
    salon.connect(TOMS, TOM).await.unwrap();
    salon
        .until(async || salon.count("SELECT count(*) FROM sync_state WHERE token IS NOT NULL").await == 2)
        .await;
    assert!(busy(&salon.scheduling.imported()).is_empty());
    salon.time.advance(jiff::SignedDuration::from_secs(30));
    salon.put("school", 11).await.unwrap();
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 9), ("school", 11)]).await;
}

#[tokio::test]
async fn a_calendar_whose_turns_end_with_their_processes_rests_longer_each_time() {
    let salon = Salon::with_calendar().await;
    salon.scheduling.gate.forget_permits(usize::MAX);
    let dead = Uuid::from_u128(0xDEAD);
    let sql = format!(
        "UPDATE sync_state SET lease = '{dead}', leased_until = '2026-06-01 08:00:30Z', failures = 2"
    );
    salon.meddle(&sql).await;
    salon.put("dentist", 9).await.unwrap();
    salon.time.advance(jiff::SignedDuration::from_secs(30));
    salon.scheduling.until(|imported| imported.waiting() == 1).await;
    assert_eq!(salon.count("SELECT failures::bigint FROM sync_state").await, 3, "counted before it is read");
    // The lease is half a minute.
    let rest = salon.count("SELECT extract(epoch FROM due_at - leased_until)::bigint FROM sync_state").await;
    assert_eq!(rest, 90 - 30);
    salon.scheduling.gate.add_permits(1000);
    salon.scheduling.until(|imported| busy(imported) == [("dentist", 9)]).await;
    salon.until(async || salon.count("SELECT failures::bigint FROM sync_state").await == 0).await;
    let rested = "SELECT count(*) FROM sync_state WHERE lease IS NULL AND last_error IS NULL";
    salon.until(async || salon.count(rested).await == 1).await;
}
