//! Transactions that change several entries of calendars lock them in the order of their ids, and not while others plan.

use calendar_sync::{
    FOLLOWER,
    domain::{AppointmentId, CalendarId, EmployeeId, event::EventId},
};
use caller::Role;
use demo_provider::TOKEN;
use jiff::SignedDuration;
use proto::frontdesk::calendarsync::v1::{
    RetryAppointmentSyncRequest, RotateProviderTokenRequest,
    appointment_sync_service_client::AppointmentSyncServiceClient,
};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, Statement, TransactionTrait,
};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    google::{ACCOUNT, World},
    provider::{client, connected, map, sync},
    salon::{CALENDAR, MIA, SALON, Salon, TOM, TOMS, visit},
};

const VISIT: u128 = 0xF1;
/// Entries by the order of their ids.
const LOWER: &str = "aaaaaaaa";
const HIGHER: &str = "bbbbbbbb";
/// An entry that waits for longer than a test takes.
const UNWRITTEN: &str = "1, 0, '2099-01-01'";
const WRITTEN: &str = "1, 1, '2026-06-01'";

/// A transaction that holds the lock of one entry.
async fn hold(superuser: &DatabaseConnection, event: &str) -> DatabaseTransaction {
    let held = superuser.begin().await.unwrap();
    assert_eq!(lockable(&held, event).await, 1);
    held
}

/// How many entries of an id no other transaction has locked.
async fn lockable(sql: &impl ConnectionTrait, event: &str) -> usize {
    let free =
        format!("SELECT event_id FROM calendar_write WHERE event_id = '{event}' FOR UPDATE SKIP LOCKED");
    sql.query_all_raw(Statement::from_string(DbBackend::Postgres, free)).await.unwrap().len()
}

/// Whether a statement that has `words` waits for a lock.
async fn waits(superuser: &DatabaseConnection, words: &str) -> bool {
    let waiting = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event_type = 'Lock' AND query LIKE '%{words}%'"
    );
    let waiting = Statement::from_string(DbBackend::Postgres, waiting);
    let row = superuser.query_one_raw(waiting).await.unwrap().unwrap();
    row.try_get_by_index::<i64>(0).unwrap() > 0
}

/// Holds the entry with the lower id until something waits for it, and says how many with the higher id are free then.
async fn free_while_waiting(
    salon: &Salon,
    lower: &str,
    higher: &str,
    change: impl Future<Output = ()>,
) -> usize {
    let superuser = salon.superuser().await;
    let held = hold(&superuser, lower).await;
    let watch = async {
        salon.until(async || waits(&superuser, "calendar_write").await).await;
        let free = lockable(&superuser, higher).await;
        held.rollback().await.unwrap();
        free
    };
    tokio::join!(change, watch).1
}

/// Adds two entries of the visit such that a statement without an order comes to the higher id first.
async fn add_entries(salon: &Salon, [first, second]: [Uuid; 2], state: &str) {
    for (calendar, event) in [(first, HIGHER), (second, LOWER)] {
        let visit = Uuid::from_u128(VISIT);
        salon
            .meddle(&format!(
                "INSERT INTO calendar_write (business_id, calendar_id, event_id, appointment_id, title, starts_at,
                    ends_at, wanted_at, wanted, written, due_at)
                VALUES ('{SALON}', '{calendar}', '{event}', '{visit}', 'Cut', '2026-06-01 09:00Z',
                    '2026-06-01 09:30Z', '2026-06-01', {state})"
            ))
            .await;
    }
}

async fn with_two_calendars() -> Salon {
    let salon = Salon::with_calendar().await;
    salon.connect(TOMS, TOM).await.unwrap();
    salon
}

#[tokio::test]
async fn a_cancelled_visits_entries_are_locked_by_id() {
    let salon = with_two_calendars().await;
    add_entries(&salon, [CALENDAR, TOMS], WRITTEN).await;
    let cancel = salon.publish_and_follow(visit(VISIT, 1, &[]));
    assert_eq!(free_while_waiting(&salon, LOWER, HIGHER, cancel).await, 1);
    salon.until(async || salon.count("SELECT count(*) FROM calendar_write").await == 0).await;
}

#[tokio::test]
async fn an_entry_that_stays_is_locked_before_one_with_a_higher_id_is_taken_away() {
    let salon = with_two_calendars().await;
    let ids = |id: u128| {
        let id = AppointmentId(Uuid::from_u128(id));
        let mias = EventId::of_part(CalendarId(CALENDAR), id, EmployeeId(MIA), 0);
        let toms = EventId::of_part(CalendarId(TOMS), id, EmployeeId(TOM), 0);
        (mias.0, toms.0)
    };
    let id = (VISIT..).find(|id| ids(*id).0 < ids(*id).1).unwrap();
    let (stays, goes) = ids(id);
    salon.publish(visit(id, 1, &[(MIA, "Cut", 9, 30), (TOM, "Colour", 10, 30)])).await;
    let change = salon.publish_and_follow(visit(id, 2, &[(MIA, "Cut", 14, 30)]));
    assert_eq!(free_while_waiting(&salon, &stays, &goes, change).await, 1);
    salon.until_written().await;
    assert!(salon.events(TOMS).await.is_empty());
}

#[tokio::test]
async fn entries_that_a_new_consent_makes_due_are_locked_by_id() {
    let (world, first) = World::connected().await;
    world.google.add_calendar(ACCOUNT, "work", "Work", google_fake::Role::Writer);
    let second = world.connect("work", TOM).await.unwrap();
    let mut calendars = [first, second].map(|calendar| calendar.id.parse::<Uuid>().unwrap());
    calendars.sort_unstable();
    // The order of the table, too, is that of the ids.
    let [_, last] = calendars;
    world.salon.meddle(&format!("UPDATE google_calendar SET account = account WHERE id = '{last}'")).await;
    add_entries(&world.salon, calendars, UNWRITTEN).await;
    assert_eq!(free_while_waiting(&world.salon, LOWER, HIGHER, world.allow()).await, 1);
    let early = "SELECT count(*) FROM calendar_write WHERE due_at = '2099-01-01'";
    assert_eq!(world.salon.count(early).await, 0);
}

#[tokio::test]
async fn entries_of_a_booking_systems_calendars_that_a_new_token_makes_due_are_locked_by_id() {
    let (salon, _system, connection_id) = connected().await;
    sync(&salon, &connection_id, false).await;
    map(&salon, &connection_id, "P1", Some(MIA)).await.unwrap();
    map(&salon, &connection_id, "P2", Some(TOM)).await.unwrap();
    let in_order = |n: u8| format!("SELECT id::text FROM provider_calendar ORDER BY id OFFSET {n} LIMIT 1");
    let superuser = salon.superuser().await;
    let mut calendars = [Uuid::nil(); 2];
    for (n, calendar) in (0..).zip(&mut calendars) {
        let sql = Statement::from_string(DbBackend::Postgres, in_order(n));
        let row = superuser.query_one_raw(sql).await.unwrap().unwrap();
        *calendar = row.try_get_by_index::<String>(0).unwrap().parse().unwrap();
    }
    add_entries(&salon, calendars, UNWRITTEN).await;
    let rotate = async {
        let message = RotateProviderTokenRequest {
            business_id: SALON.to_string(),
            connection_id: connection_id.clone(),
            token: TOKEN.to_owned(),
            ..Default::default()
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        client(&salon).rotate_provider_token(request).await.unwrap();
    };
    assert_eq!(free_while_waiting(&salon, LOWER, HIGHER, rotate).await, 1);
}

#[tokio::test]
async fn entries_of_a_visit_are_tried_again_once_nothing_is_planned_any_more() {
    let salon = with_two_calendars().await;
    add_entries(&salon, [CALENDAR, TOMS], UNWRITTEN).await;
    let superuser = salon.superuser().await;
    let planning = superuser.begin().await.unwrap();
    let plan = format!("SELECT pg_advisory_xact_lock(hashtextextended('plan of {SALON}', 0))");
    planning.execute_unprepared(&plan).await.unwrap();
    let retry = async {
        let message = RetryAppointmentSyncRequest {
            business_id: SALON.to_string(),
            appointment_id: Uuid::from_u128(VISIT).to_string(),
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        let mut client = AppointmentSyncServiceClient::new(salon.channel.clone());
        client.retry_appointment_sync(request).await.unwrap();
    };
    let watch = async {
        salon.until(async || waits(&superuser, "pg_advisory_xact_lock").await).await;
        let free = (lockable(&superuser, LOWER).await, lockable(&superuser, HIGHER).await);
        planning.rollback().await.unwrap();
        free
    };
    assert_eq!(tokio::join!(retry, watch).1, (1, 1));
    let early = "SELECT count(*) FROM calendar_write WHERE due_at = '2099-01-01'";
    assert_eq!(salon.count(early).await, 0);
}

#[tokio::test]
async fn an_entry_that_is_locked_keeps_no_other_calendars_from_being_written() {
    let salon = with_two_calendars().await;
    add_entries(&salon, [CALENDAR, CALENDAR], "1, 0, '2026-06-01 08:01Z'").await;
    let superuser = salon.superuser().await;
    let held = [hold(&superuser, LOWER).await, hold(&superuser, HIGHER).await];
    salon.time.advance(SignedDuration::from_mins(2));
    let position = salon.scheduling.publish(
        &salon.host,
        &SALON.to_string(),
        visit(VISIT + 1, 1, &[(TOM, "Cut", 9, 30)]),
    );
    salon
        .until(async || outbox::caught_up(&salon.app, FOLLOWER, "scheduling", position).await.unwrap())
        .await;
    salon.until(async || salon.events(TOMS).await.len() == 1).await;
    for transaction in held {
        transaction.rollback().await.unwrap();
    }
    salon
        .until(async || salon.count("SELECT count(*) FROM calendar_write WHERE written < wanted").await == 0)
        .await;
}
