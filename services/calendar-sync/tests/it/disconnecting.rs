//! Calendars and booking systems that are disconnected once the appointments to come were taken out of them.

use caller::{Role, UserId};
use demo_provider::Fault;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        calendarsync::v1::{
            DisconnectCalendarRequest, DisconnectProviderRequest, EndingCalendar, KeepCalendarRequest,
            KeepProviderRequest, ListCalendarsRequest, ListCalendarsResponse, ListProviderConnectionsRequest,
            ProviderConnection,
        },
        tenancy::v1::Employee,
    },
};
use testkit::{USER, as_user};
use tonic::Status;
use uuid::Uuid;

use crate::{
    caldav::{self, DENTIST, connected, until_held},
    google::{ACCOUNT, World},
    others::write_out,
    provider::{self, client, map, own, sync},
    salon::{CALENDAR, MIA, SALON, Salon, TOM, TOMS, visit},
};

async fn listed(salon: &Salon) -> ListCalendarsResponse {
    let message = ListCalendarsRequest { business_id: SALON.to_string(), ..Default::default() };
    let request = as_user(&salon.host, Role::Employee, SALON, message);
    salon.calendars().list_calendars(request).await.unwrap().into_inner()
}

pub async fn ending(salon: &Salon) -> Vec<EndingCalendar> {
    listed(salon).await.ending
}

pub async fn disconnect(salon: &Salon, calendar: &str, take_out: bool) -> Result<(), Status> {
    let message = DisconnectCalendarRequest {
        business_id: SALON.to_string(),
        calendar_id: calendar.to_owned(),
        take_out,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().disconnect_calendar(request).await.map(drop)
}

pub async fn keep(salon: &Salon, calendar: &str) -> Result<(), Status> {
    let message = KeepCalendarRequest { business_id: SALON.to_string(), calendar_id: calendar.to_owned() };
    salon.calendars().keep_calendar(as_user(&salon.host, Role::Owner, SALON, message)).await.map(drop)
}

/// Waits until no calendar is left.
async fn until_forgotten(salon: &Salon) {
    salon.until(async || salon.count("SELECT count(*) FROM calendar").await == 0).await;
}

/// Lets no worker write to a calendar from now on, as if one were busy with it.
pub async fn hold_writes(salon: &Salon) {
    salon.meddle("UPDATE sync_state SET writer = gen_random_uuid(), writing_until = '2100-01-01'").await;
}

pub async fn let_write(salon: &Salon) {
    salon.meddle("UPDATE sync_state SET writer = NULL, writing_until = NULL").await;
}

#[tokio::test]
async fn what_is_ahead_is_taken_out_of_a_calendar_before_it_is_forgotten_and_what_is_over_stays() {
    let (salon, account, calendar) = connected().await;
    account.put("dentist", DENTIST).await;
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z"]).await;
    for hour in 9..13 {
        let id = 0xF0 + u128::try_from(hour).unwrap();
        salon.publish(visit(id, 1, &[(MIA, "Cut", hour, 30)])).await;
    }
    assert_eq!(account.names().await.len(), 5);
    salon.time.advance(SignedDuration::from_hours(2));
    let [before] = &listed(&salon).await.calendars[..] else { panic!("one calendar") };
    let ahead = usize::try_from(before.written_count).unwrap();
    assert!((1..4).contains(&ahead), "some of four are over: {ahead}");

    disconnect(&salon, &calendar.id, true).await.unwrap();
    until_forgotten(&salon).await;
    assert_eq!(account.names().await.len(), 5 - ahead, "the dentist and what is over stay");
    assert!(account.get("dentist").await.is_some());
    assert!(salon.scheduling.imported().busy.is_empty());
    for table in ["caldav_calendar", "calendar_write", "calendar_cleanup", "sync_state", "told_event"] {
        assert_eq!(salon.count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}

#[tokio::test]
async fn one_that_is_left_as_it_is_keeps_all_that_was_written() {
    let (salon, account, calendar) = connected().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 11, 30)])).await;
    disconnect(&salon, &calendar.id, false).await.unwrap();
    until_forgotten(&salon).await;
    assert_eq!(account.names().await.len(), 1);
}

#[tokio::test]
async fn time_is_free_at_once_and_how_far_it_is_shows_until_the_last_is_out() {
    let (salon, account, calendar) = connected().await;
    account.put("dentist", DENTIST).await;
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z"]).await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 11, 30), (MIA, "Wash", 12, 30)])).await;
    let written = account.names().await.len() - 1;
    hold_writes(&salon).await;
    disconnect(&salon, &calendar.id, true).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.is_empty()).await;
    let all = listed(&salon).await;
    assert!(all.calendars.is_empty(), "it is none of those that are kept in step");
    let [left] = &all.ending[..] else { panic!("{:?}", all.ending) };
    let cleanup = left.cleanup.as_ref().unwrap();
    assert_eq!(usize::try_from(cleanup.event_count).unwrap(), written);
    assert_eq!((cleanup.left_count, cleanup.fault.as_str()), (cleanup.event_count, ""));
    assert_eq!(account.names().await.len(), written + 1, "its password is kept for that");
    assert_eq!(salon.count("SELECT count(*) FROM caldav_calendar").await, 1);
    // What changes in the book meanwhile is written there no more.
    salon.publish_and_follow(visit(0xF2, 1, &[(MIA, "Cut", 14, 30)])).await;
    salon.publish_and_follow(visit(0xF1, 2, &[(MIA, "Cut", 15, 30)])).await;
    assert_eq!(ending(&salon).await[0].cleanup.as_ref().unwrap().left_count, cleanup.left_count);
    let_write(&salon).await;
    until_forgotten(&salon).await;
    assert_eq!(account.names().await, ["dentist"]);
}

#[tokio::test]
async fn one_that_is_kept_after_all_is_written_and_read_again_and_nothing_is_there_twice() {
    let (salon, account, calendar) = connected().await;
    account.put("dentist", DENTIST).await;
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z"]).await;
    for hour in 11..14 {
        let id = 0xF0 + u128::try_from(hour).unwrap();
        salon.publish(visit(id, 1, &[(MIA, "Cut", hour, 30)])).await;
    }
    let mut before = account.names().await;
    before.sort();
    // One of them is out, two are still there.
    let two_wait = "UPDATE calendar_write SET due_at = '2100-01-01' WHERE event_id <> (
        SELECT min(event_id) FROM calendar_write)";
    hold_writes(&salon).await;
    disconnect(&salon, &calendar.id, true).await.unwrap();
    salon.meddle(two_wait).await;
    let_write(&salon).await;
    salon.until(async || salon.count("SELECT count(*) FROM calendar_write").await == 2).await;
    assert_eq!(account.names().await.len(), before.len() - 1);
    keep(&salon, &calendar.id).await.unwrap();
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z"]).await;
    salon.until_written().await;
    let mut after = account.names().await;
    after.sort();
    assert_eq!(after, before);
    assert_eq!(salon.calendar().await.id, calendar.id);
}

#[tokio::test]
async fn one_that_is_connected_again_in_the_middle_is_the_same_calendar_or_refused_for_another_employee() {
    let (salon, account, calendar) = connected().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 11, 30)])).await;
    let before = account.names().await;
    hold_writes(&salon).await;
    disconnect(&salon, &calendar.id, true).await.unwrap();
    let refused = caldav::try_connect(&salon, &account, TOM).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::InUse));
    assert!(refused.message().contains("still taken out"), "{refused:?}");
    let again = caldav::try_connect(&salon, &account, MIA).await.unwrap();
    assert_eq!(again.id, calendar.id);
    assert!(ending(&salon).await.is_empty());
    let_write(&salon).await;
    salon.until_written().await;
    assert_eq!(account.names().await, before);
    // Once it is gone, it is another one.
    disconnect(&salon, &calendar.id, true).await.unwrap();
    until_forgotten(&salon).await;
    let other = caldav::try_connect(&salon, &account, TOM).await.unwrap();
    assert_ne!(other.id, calendar.id);
}

#[tokio::test]
async fn a_calendar_that_can_not_be_written_says_why_holds_up_no_other_and_can_be_left_as_it_is() {
    let (world, calendar) = World::connected().await;
    let salon = &world.salon;
    salon.connect(TOMS, TOM).await.unwrap();
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 11, 30), (TOM, "Wash", 11, 20)])).await;
    world.google.revoke(ACCOUNT);
    disconnect(salon, &calendar.id, true).await.unwrap();
    salon.until(async || ending(salon).await.iter().any(|one| one.authorization_required)).await;
    salon.publish_and_follow(visit(0xF2, 1, &[(TOM, "Wash", 12, 20)])).await;
    let toms =
        format!("SELECT count(*) FROM calendar_write WHERE calendar_id = '{TOMS}' AND written = wanted");
    salon.until(async || salon.count(&toms).await == 2).await;
    salon.until(async || !ending(salon).await[0].cleanup.as_ref().unwrap().fault.is_empty()).await;
    let left = &ending(salon).await[0];
    assert!(!left.cleanup.as_ref().unwrap().fault.is_empty(), "{left:?}");
    // Trying again is no error, though it fails again.
    disconnect(salon, &calendar.id, true).await.unwrap();
    assert_eq!(ending(salon).await.len(), 1);
    disconnect(salon, &calendar.id, false).await.unwrap();
    salon.until(async || salon.count("SELECT count(*) FROM google_calendar").await == 0).await;
    assert!(ending(salon).await.is_empty());
    let again = disconnect(salon, &calendar.id, false).await.unwrap_err();
    assert_eq!(reason_of(&again), Some(Reason::NotFound));
}

#[tokio::test]
async fn what_is_ahead_is_taken_out_of_google_and_an_answer_that_is_lost_leaves_nothing_there() {
    let (world, calendar) = World::connected().await;
    let salon = &world.salon;
    for hour in 11..14 {
        let id = 0xF0 + u128::try_from(hour).unwrap();
        salon.publish(visit(id, 1, &[(MIA, "Cut", hour, 30)])).await;
    }
    world.google.fail(google_fake::Fault::LostAnswer, 1);
    disconnect(salon, &calendar.id, true).await.unwrap();
    salon
        .until(async || {
            salon.meddle("UPDATE calendar_write SET due_at = '2026-06-01' WHERE written < wanted").await;
            salon.count("SELECT count(*) FROM google_calendar").await == 0
        })
        .await;
    let left = world.google.events(ACCOUNT, ACCOUNT);
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn what_was_never_tried_is_not_waited_for() {
    let salon = Salon::with_calendar().await;
    hold_writes(&salon).await;
    salon.publish_and_follow(visit(0xF1, 1, &[(MIA, "Cut", 11, 30)])).await;
    assert_eq!(salon.calendar().await.written_count, 0);
    disconnect(&salon, &CALENDAR.to_string(), true).await.unwrap();
    assert!(ending(&salon).await.is_empty());
    until_forgotten(&salon).await;
}

#[tokio::test]
async fn two_replicas_take_out_each_appointment_once_and_a_killed_one_costs_none() {
    let (salon, account, calendar) = connected().await;
    for hour in 11..17 {
        let id = 0xF0 + u128::try_from(hour).unwrap();
        salon.publish(visit(id, 1, &[(MIA, "Cut", hour, 30)])).await;
    }
    salon.replica().await;
    // A worker took one and did not live to end its turn.
    let taken = "UPDATE calendar_write SET lease = gen_random_uuid(), leased_until = '2026-06-01T08:00:00Z'
        WHERE event_id = (SELECT min(event_id) FROM calendar_write)";
    salon.meddle(taken).await;
    salon.time.advance(SignedDuration::from_mins(1));
    disconnect(&salon, &calendar.id, true).await.unwrap();
    until_forgotten(&salon).await;
    assert!(account.names().await.is_empty());
}

async fn connections(salon: &Salon) -> Vec<ProviderConnection> {
    let message = ListProviderConnectionsRequest { business_id: SALON.to_string() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    client(salon).list_provider_connections(request).await.unwrap().into_inner().connections
}

pub async fn end_system(salon: &Salon, connection: &str, take_out: bool) {
    let message = DisconnectProviderRequest {
        business_id: SALON.to_string(),
        connection_id: connection.to_owned(),
        take_out,
    };
    client(salon).disconnect_provider(as_user(&salon.host, Role::Owner, SALON, message)).await.unwrap();
}

/// A booking system with an appointment of its own, and one of ours for each of Mia and Tom.
pub async fn mapped() -> (Salon, demo_provider::DemoProvider, String) {
    let (salon, system, connection) = provider::connected().await;
    sync(&salon, &connection, false).await;
    let now = salon.time.now();
    system.edit(|book| book.put("A1", own("P1", 15), None, "Mia", now).map(drop)).unwrap();
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    map(&salon, &connection, "P2", Some(TOM)).await.unwrap();
    salon.publish_and_follow(visit(0xF1, 1, &[(MIA, "Cut", 11, 30), (TOM, "Wash", 11, 20)])).await;
    write_out(&salon).await;
    assert_eq!(there(&system), 3);
    (salon, system, connection)
}

pub fn there(system: &demo_provider::DemoProvider) -> usize {
    system.edit(|book| book.appointments().len())
}

#[tokio::test]
async fn a_system_is_forgotten_with_its_token_once_all_its_employees_appointments_are_cancelled_there() {
    let (salon, system, connection) = mapped().await;
    assert_eq!(connections(&salon).await[0].written_count, 2);
    hold_writes(&salon).await;
    end_system(&salon, &connection, true).await;
    let [ending] = &connections(&salon).await[..] else { panic!("one connection") };
    assert_eq!(ending.cleanup.as_ref().map(|cleanup| cleanup.left_count), Some(2));
    let refused = map(&salon, &connection, "P1", Some(MIA)).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::InUse));
    assert_eq!(salon.count("SELECT count(*) FROM provider_connection").await, 1, "its token is needed");
    let_write(&salon).await;
    salon
        .until(async || {
            salon.meddle("UPDATE sync_state SET due_at = '2026-06-01'").await;
            salon.count("SELECT count(*) FROM provider_connection").await == 0
        })
        .await;
    assert_eq!(there(&system), 1, "what is the system's own stays");
    for table in ["calendar", "provider_calendar", "provider_record", "provider_appointment"] {
        assert_eq!(salon.count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
}

#[tokio::test]
async fn a_system_that_is_kept_after_all_has_its_employees_and_appointments_again() {
    let (salon, system, connection) = mapped().await;
    hold_writes(&salon).await;
    end_system(&salon, &connection, true).await;
    let message = KeepProviderRequest { business_id: SALON.to_string(), connection_id: connection.clone() };
    client(&salon).keep_provider(as_user(&salon.host, Role::Owner, SALON, message)).await.unwrap();
    assert!(connections(&salon).await[0].cleanup.is_none());
    let_write(&salon).await;
    write_out(&salon).await;
    assert_eq!(there(&system), 3);
    let mapped = "SELECT count(*) FROM provider_record WHERE kind = 'EMPLOYEE' AND mapped_id IS NOT NULL";
    assert_eq!(salon.count(mapped).await, 2);
    assert_eq!(listed(&salon).await.calendars.len(), 2);
}

#[tokio::test]
async fn a_system_that_is_away_can_be_left_as_it_is() {
    let (salon, system, connection) = mapped().await;
    system.fail(Fault::Unavailable, 1_000);
    end_system(&salon, &connection, true).await;
    let failed =
        async || connections(&salon).await[0].cleanup.as_ref().is_some_and(|one| !one.fault.is_empty());
    salon.until(failed).await;
    end_system(&salon, &connection, false).await;
    assert!(connections(&salon).await.is_empty(), "its token is gone at once");
    until_forgotten(&salon).await;
    assert_eq!(there(&system), 3);
}

fn employee(id: Uuid, account: &str) -> Employee {
    Employee { id: id.to_string(), user_id: account.to_owned(), ..Employee::default() }
}

#[tokio::test]
async fn calendars_of_a_person_who_leaves_by_themselves_are_disconnected_and_those_of_no_other() {
    let (salon, account, _) = connected().await;
    salon.connect(TOMS, TOM).await.unwrap();
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 11, 30), (TOM, "Wash", 11, 20)])).await;
    salon.tell(employee(MIA, &USER.to_string())).await;
    // Removed by an owner, who decides what becomes of the calendars.
    salon.tell_that_account_left(USER).await;
    assert_eq!(listed(&salon).await.calendars.len(), 2);
    salon.tell_that_account_left_by_itself(USER).await;
    salon.until(async || salon.count("SELECT count(*) FROM calendar").await == 1).await;
    assert!(account.names().await.is_empty(), "her calendar has no customer's name any more");
    assert_eq!(salon.count("SELECT count(*) FROM caldav_calendar").await, 0, "nor is her password kept");
    let [toms] = &listed(&salon).await.calendars[..] else { panic!("Tom's stays") };
    assert_eq!(toms.id, TOMS.to_string());
    // Invited and connected again, it is hers as before.
    caldav::try_connect(&salon, &account, MIA).await.unwrap();
    salon.until_written().await;
    assert_eq!(account.names().await.len(), 1);
}

#[tokio::test]
async fn a_calendar_at_google_ends_with_the_person_by_whose_leave_it_is_used() {
    let (world, _) = World::connected().await;
    let salon = &world.salon;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 11, 30)])).await;
    salon.tell_that_account_left_by_itself(UserId(Uuid::from_u128(0xE7))).await;
    assert_eq!(listed(salon).await.calendars.len(), 1);
    salon.tell_that_account_left_by_itself(USER).await;
    salon.until(async || salon.count("SELECT count(*) FROM google_calendar").await == 0).await;
    assert!(world.google.events(ACCOUNT, ACCOUNT).is_empty());
}

/// The id of no calendar.
const NONE: Uuid = Uuid::from_u128(0xDEAD);

#[tokio::test]
async fn only_what_is_being_disconnected_can_be_kept() {
    let salon = Salon::with_calendar().await;
    keep(&salon, &CALENDAR.to_string()).await.unwrap();
    assert_eq!(reason_of(&keep(&salon, &NONE.to_string()).await.unwrap_err()), Some(Reason::NotFound));
}
