//! What one reading and one run may take: time, records, pages and bytes. What goes beyond it is refused with its
//! reason, and nothing is half told.

use caller::Role;
use demo_provider::{Fault, Person};
use jiff::SignedDuration;
use proto::error::{Reason, reason_of};
use proto::frontdesk::calendarsync::v1::{
    ProviderRun, ProviderRunState, RotateProviderTokenRequest, SyncProviderRequest,
};
use provider_fakes::{phorest::Phorest, square::Square};
use testkit::as_user;

use crate::{
    others::{Theirs, beside},
    provider::{client, connected, map, sync},
    salon::{CALENDAR, MIA, SALON, Salon, at},
};

/// `count` events of half an hour in Mia's calendar, behind the service's back.
async fn fill(salon: &Salon, count: u32) {
    let sql = format!(
        "UPDATE demo_calendar SET change = {count};
         INSERT INTO demo_event (business_id, calendar_id, id, title, starts_at, ends_at, change, changed_at)
         SELECT '{SALON}', '{CALENDAR}', 'own-' || n, 'Own', timestamptz '2026-06-02' + n * interval '1 minute',
             timestamptz '2026-06-02' + (n + 30) * interval '1 minute', n, '2026-06-01 08:00Z'
         FROM generate_series(1, {count}) n"
    );
    salon.meddle(&sql).await;
}

async fn until_stopped(salon: &Salon, why: &str) {
    salon.until(async || salon.calendar().await.last_error.contains(why)).await;
}

#[tokio::test]
async fn the_first_reading_says_how_many_entries_it_has_come_to() {
    let salon = Salon::with_calendar().await;
    salon.scheduling.gate.forget_permits(usize::MAX);
    fill(&salon, 750).await;
    salon.meddle("UPDATE sync_state SET token = NULL, synced_at = NULL").await;
    salon.read_again().await;
    salon.scheduling.until(|imported| imported.waiting() == 1).await;
    assert_eq!(salon.calendar().await.entries_read, 750);
    salon.scheduling.gate.add_permits(1_000);
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    assert_eq!(salon.calendar().await.entries_read, 0, "only the first reading is watched");
}

#[tokio::test]
async fn a_reading_that_could_outlast_its_turn_stops_and_the_next_one_tells_the_rest() {
    let salon = Salon::with_calendar().await;
    salon.scheduling.gate.forget_permits(usize::MAX);
    // More than are told in one call.
    fill(&salon, 750).await;
    salon.read_again().await;
    salon.scheduling.until(|imported| imported.waiting() == 1).await;
    // A turn lasts 30 s, and no call begins in its last 10.
    salon.time.advance(SignedDuration::from_secs(25));
    salon.scheduling.gate.add_permits(1_000);
    until_stopped(&salon, "reading took too long").await;
    assert_eq!(salon.scheduling.imported().busy.len(), 500);
    salon.time.advance(SignedDuration::from_secs(60));
    salon.scheduling.until(|imported| imported.busy.len() == 750).await;
}

#[tokio::test]
async fn a_calendar_with_more_than_fits_a_turn_is_refused_and_none_of_it_is_told() {
    let salon = Salon::with_calendar().await;
    fill(&salon, 50_251).await;
    salon.read_again().await;
    until_stopped(&salon, "it lists more than can be read in a turn").await;
    assert_eq!(salon.scheduling.imported().busy.len(), 0);
}

fn fault(run: &ProviderRun) -> &str {
    assert_eq!(run.state(), ProviderRunState::Failed);
    &run.fault
}

#[tokio::test]
async fn an_answer_of_too_many_bytes_or_records_ends_a_run_that_keeps_nothing() {
    let (salon, system, connection) = connected().await;
    let people = system.edit(|book| book.people.clone());
    let set = |people: Vec<Person>| system.edit(|book| book.people = people);
    let person = |n: usize| Person { id: format!("P{n}"), name: format!("Person {n}") };
    set(vec![Person { name: "x".repeat(3 << 20), ..person(1) }]);
    let run = sync(&salon, &connection, false).await;
    assert!(fault(&run).contains("too long"), "{}", run.fault);
    set((1..=5_001).map(person).collect());
    let run = sync(&salon, &connection, false).await;
    assert_eq!(fault(&run), "it has too many records");
    assert_eq!(salon.count("SELECT count(*) FROM provider_record").await, 0);
    set((1..=5_000).map(person).collect());
    assert_eq!(sync(&salon, &connection, true).await.counts.unwrap().employees, 5_000);
    set(people);
    assert_eq!(sync(&salon, &connection, false).await.state(), ProviderRunState::Done);
}

#[tokio::test]
async fn appointments_on_more_pages_than_are_read_are_not_counted_in_part() {
    let (salon, square, connection) = beside::<Square>().await;
    map(&salon, &connection, Square::mia(), Some(MIA)).await.unwrap();
    for n in 0..210 {
        square.enter(at(30, 5 * n));
    }
    square.page_of(1);
    let run = sync(&salon, &connection, true).await;
    assert_eq!(fault(&run), "an employee has too many appointments to count");
    square.page_of(100);
    assert_eq!(sync(&salon, &connection, true).await.counts.unwrap().appointments, 210);
}

#[tokio::test]
async fn a_run_that_was_cut_off_holds_up_others_for_ten_minutes_at_most() {
    let (salon, _, connection) = connected().await;
    sync(&salon, &connection, true).await;
    salon.meddle("UPDATE provider_run SET state = 'RUNNING', finished_at = NULL WHERE state = 'DONE'").await;
    let begin = async || {
        let message = SyncProviderRequest {
            business_id: SALON.to_string(),
            connection_id: connection.clone(),
            dry_run: true,
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        client(&salon).sync_provider(request).await
    };
    salon.time.advance(SignedDuration::from_secs(600));
    let refused = begin().await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::InUse), "{refused:?}");
    salon.time.advance(SignedDuration::from_secs(1));
    assert_eq!(begin().await.unwrap().into_inner().run.unwrap().state(), ProviderRunState::Done);
    let cut_off =
        "SELECT count(*) FROM provider_run WHERE state = 'FAILED' AND fault = 'it was cut off: try again'";
    assert_eq!(salon.count(cut_off).await, 1);
}

#[tokio::test]
async fn calls_with_one_token_that_fail_hold_up_no_calls_with_another() {
    let (salon, system, connection) = connected().await;
    system.fail(Fault::Unavailable, 4);
    for _ in 0..4 {
        sync(&salon, &connection, true).await;
    }
    // The token's calls rest now, although the system answers again.
    let run = sync(&salon, &connection, true).await;
    assert!(fault(&run).contains("did not answer lately"), "{}", run.fault);
    system.edit(|book| book.token = "another".to_owned());
    let message = RotateProviderTokenRequest {
        business_id: SALON.to_string(),
        connection_id: connection.clone(),
        token: "another".to_owned(),
        ..RotateProviderTokenRequest::default()
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    client(&salon).rotate_provider_token(request).await.unwrap();
    assert_eq!(sync(&salon, &connection, true).await.state(), ProviderRunState::Done);
}

#[tokio::test]
async fn an_appointment_whose_id_can_not_be_kept_is_put_aside_alone() {
    let (salon, phorest, connection) = beside::<Phorest>().await;
    let [odd, long] = ["odd\0id".to_owned(), "x".repeat(5_000)];
    for (hour, id) in [(30, &odd), (32, &long)] {
        let entered = phorest.enter(at(hour, 0));
        phorest.edit(|book, now| book.change(&entered, now, |found| found.id.clone_from(id)));
    }
    phorest.enter(at(34, 0));
    map(&salon, &connection, Phorest::mia(), Some(MIA)).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
    let aside = "SELECT count(*) FROM unread_entry WHERE reason = 'has an id that can''t be kept'";
    salon.until(async || salon.count(aside).await == 2).await;
    assert_eq!(salon.calendar().await.last_error, "");
}
