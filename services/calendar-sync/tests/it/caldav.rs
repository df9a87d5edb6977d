//! Calendars on a real CalDAV server.

use calendar_sync::Reach;
use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        calendarsync::v1::{
            CaldavAccount, Calendar, CalendarKind, ChangeCaldavPasswordRequest, ConnectCaldavCalendarRequest,
            FindCaldavCalendarsRequest, FindCaldavCalendarsResponse,
        },
        scheduling::v1::AppointmentState,
    },
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    calendars::field,
    radicale::Account,
    salon::{FIRST_KEY, MIA, OTHER, SALON, Salon, TOM, visit},
    scheduling::PATIENCE,
};

fn wire(account: &Account) -> CaldavAccount {
    CaldavAccount {
        server: account.server.clone(),
        username: account.username.clone(),
        password: account.password.clone(),
    }
}

async fn find(salon: &Salon, account: CaldavAccount) -> Result<FindCaldavCalendarsResponse, Status> {
    let message = FindCaldavCalendarsRequest { business_id: SALON.to_string(), account: Some(account) };
    let request = as_user(&salon.host, Role::Employee, SALON, message);
    Ok(salon.calendars().find_caldav_calendars(request).await?.into_inner())
}

fn connecting(account: &Account, employee: Uuid) -> ConnectCaldavCalendarRequest {
    ConnectCaldavCalendarRequest {
        business_id: SALON.to_string(),
        account: Some(wire(account)),
        url: account.calendar(),
        employee_id: employee.to_string(),
    }
}

async fn connect(salon: &Salon, account: &Account) -> Calendar {
    try_connect(salon, account, MIA).await.unwrap()
}

pub async fn try_connect(salon: &Salon, account: &Account, employee: Uuid) -> Result<Calendar, Status> {
    let request = as_user(&salon.host, Role::Owner, SALON, connecting(account, employee));
    Ok(salon.calendars().connect_caldav_calendar(request).await?.into_inner().calendar.unwrap())
}

/// A salon whose Mia has a calendar on the server, read once.
pub async fn connected() -> (Salon, Account, Calendar) {
    let (salon, account) = (Salon::open().await, Account::open().await);
    let calendar = connect(&salon, &account).await;
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    (salon, account, calendar)
}

/// What scheduling holds of the calendar: "title from to" of each, in UTC.
pub fn held(salon: &Salon) -> Vec<String> {
    let imported = salon.scheduling.imported();
    let shown = |fact: &proto::frontdesk::scheduling::internal::v1::BusyFact| {
        let [from, to] = [fact.starts_at.as_ref(), fact.ends_at.as_ref()]
            .map(|at| proto::time::required("at", at).unwrap().to_string());
        format!("{} {from} {to}", fact.title)
    };
    let mut held: Vec<String> = imported.busy.values().map(shown).collect();
    held.sort();
    held
}

/// Lets the calendar fall due and waits until scheduling holds `expected`.
pub async fn until_held(salon: &Salon, expected: &[&str]) {
    salon.read_again().await;
    let waiting = async {
        while held(salon) != expected {
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, waiting).await;
    assert!(waited.is_ok(), "held {:?}, not {expected:?}: {:?}", held(salon), salon.calendar().await);
}

const SECOND_KEY: &str = "second:FjZ6rLZ6SgF8jairlWgsyzkIY3gPcRTdoKDgxVZEx8Q";
pub const DENTIST: &str = "DTSTART:20260601T100000Z\r\nDTEND:20260601T110000Z\r\nSUMMARY:Dentist";

#[tokio::test]
async fn calendars_are_found_from_the_servers_address_and_a_fault_names_its_field() {
    let (salon, account) = (Salon::open().await, Account::open().await);
    let found = find(&salon, wire(&account)).await.unwrap().calendars;
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].url.as_str(), found[0].name.as_str()), (account.calendar().as_str(), "Work"));
    assert!(found[0].is_writable);
    let by_address = CaldavAccount { server: account.calendar(), ..wire(&account) };
    assert_eq!(find(&salon, by_address).await.unwrap().calendars, found, "a calendar's own address will do");

    let wrong = CaldavAccount { password: "no".to_owned(), ..wire(&account) };
    assert_eq!(field(&find(&salon, wrong).await.unwrap_err()), "account.password");
    for server in ["not an address", "ftp://example.com", "https://mia:secret@example.com", "nobody.invalid"]
    {
        let wrong = CaldavAccount { server: server.to_owned(), ..wire(&account) };
        assert_eq!(field(&find(&salon, wrong).await.unwrap_err()), "account.server", "{server}");
    }
    let nothing = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let away = CaldavAccount { server: format!("http://{nothing}"), ..wire(&account) };
    assert_eq!(reason_of(&find(&salon, away).await.unwrap_err()), Some(Reason::Unavailable));
    assert_eq!(salon.count("SELECT count(*) FROM data_key").await, 0, "nothing is kept of a search");
}

#[tokio::test]
async fn what_is_entered_there_keeps_the_employee_busy_and_what_goes_frees_them() {
    let (salon, account, calendar) = connected().await;
    assert_eq!((calendar.kind(), calendar.name.as_str()), (CalendarKind::Caldav, "Work"));
    account.put("dentist", DENTIST).await;
    account
        .put("school", "DTSTART;TZID=Europe/Berlin:20260602T090000\r\nDURATION:PT30M\r\nSUMMARY:School")
        .await;
    account.put("lunch", &format!("{DENTIST}\r\nTRANSP:TRANSPARENT")).await;
    let (dentist, school) = (
        "Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z",
        "School 2026-06-02T07:00:00Z 2026-06-02T07:30:00Z",
    );
    until_held(&salon, &[dentist, school]).await;
    account.put("dentist", "DTSTART:20260601T120000Z\r\nDTEND:20260601T130000Z\r\nSUMMARY:Dentist").await;
    until_held(&salon, &["Dentist 2026-06-01T12:00:00Z 2026-06-01T13:00:00Z", school]).await;
    account.delete("dentist").await;
    until_held(&salon, &[school]).await;
    assert_eq!(salon.scheduling.imported().violations, Vec::<String>::new());
}

#[tokio::test]
async fn series_with_exceptions_and_whole_days_are_in_the_salons_zone() {
    let (salon, account, _) = connected().await;
    let series = "BEGIN:VEVENT\r\nUID:yoga\r\nDTSTAMP:20260501T000000Z\r\nDTSTART:20260601T180000\r\nDTEND:20260601T190000\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nSUMMARY:Yoga\r\nEND:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:yoga\r\nDTSTAMP:20260501T000000Z\r\nRECURRENCE-ID:20260608T180000\r\nDTSTART:20260609T180000\r\nDTEND:20260609T190000\r\nSUMMARY:Yoga\r\nEND:VEVENT";
    account.put_events("yoga", series).await;
    account.put("away", "DTSTART;VALUE=DATE:20260620\r\nDTEND;VALUE=DATE:20260622\r\nSUMMARY:Away").await;
    let away = "Away 2026-06-19T23:00:00Z 2026-06-21T23:00:00Z";
    until_held(
        &salon,
        &[
            away,
            "Yoga 2026-06-01T17:00:00Z 2026-06-01T18:00:00Z",
            "Yoga 2026-06-09T17:00:00Z 2026-06-09T18:00:00Z",
            "Yoga 2026-06-15T17:00:00Z 2026-06-15T18:00:00Z",
        ],
    )
    .await;
    account
        .put(
            "yoga",
            "DTSTART:20260601T180000\r\nDTEND:20260601T190000\r\nRRULE:FREQ=WEEKLY;COUNT=1\r\nSUMMARY:Yoga",
        )
        .await;
    until_held(&salon, &[away, "Yoga 2026-06-01T17:00:00Z 2026-06-01T18:00:00Z"]).await;
}

#[tokio::test]
async fn a_series_goes_on_as_time_does() {
    let (salon, account, _) = connected().await;
    account
        .put(
            "close",
            "DTSTART:20260601T200000Z\r\nDTEND:20260601T203000Z\r\nRRULE:FREQ=YEARLY\r\nSUMMARY:Close",
        )
        .await;
    let (this, next, after) = (
        "Close 2026-06-01T20:00:00Z 2026-06-01T20:30:00Z",
        "Close 2027-06-01T20:00:00Z 2027-06-01T20:30:00Z",
        "Close 2028-06-01T20:00:00Z 2028-06-01T20:30:00Z",
    );
    until_held(&salon, &[this, next]).await;
    salon.let_pass(SignedDuration::from_hours(370 * 24)).await;
    // What is long over is let go of, and what has come near is taken in, though nothing was changed.
    until_held(&salon, &[next, after]).await;
}

#[tokio::test]
async fn a_forgotten_token_costs_no_deletion() {
    let (salon, account, _) = connected().await;
    account.put("dentist", DENTIST).await;
    account.put("stays", "DTSTART:20260603T100000Z\r\nDTEND:20260603T110000Z\r\nSUMMARY:Stays").await;
    let stays = "Stays 2026-06-03T10:00:00Z 2026-06-03T11:00:00Z";
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z", stays]).await;
    account.delete("dentist").await;
    account.forget_tokens();
    until_held(&salon, &[stays]).await;
    assert_eq!(salon.calendar().await.last_error, "");
}

#[tokio::test]
async fn an_entry_that_can_not_be_read_is_put_aside_alone() {
    let (salon, account, _) = connected().await;
    account.put("pill", &format!("{DENTIST}\r\nRRULE:FREQ=HOURLY")).await;
    account.put("dentist", DENTIST).await;
    let dentist = "Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z";
    until_held(&salon, &[dentist]).await;
    salon.until(async || salon.calendar().await.unread_count == 1).await;
    let unread = salon.calendar().await.unread.remove(0);
    assert_eq!(unread.id, "pill.ics");
    assert!(unread.reason.contains("FREQ=HOURLY"), "{}", unread.reason);
    assert_eq!(salon.calendar().await.last_error, "", "the calendar itself is in step");
    account.put("pill", "DTSTART:20260604T100000Z\r\nDTEND:20260604T101000Z\r\nSUMMARY:Pill").await;
    until_held(&salon, &[dentist, "Pill 2026-06-04T10:00:00Z 2026-06-04T10:10:00Z"]).await;
    salon.until(async || salon.calendar().await.unread_count == 0).await;
}

#[tokio::test]
async fn appointments_are_written_once_moved_and_taken_out_and_do_not_come_back_as_busy() {
    let (salon, account, _) = connected().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let names = account.names().await;
    let [name] = names.as_slice() else { panic!("one event, not {names:?}") };
    let written = account.get(name).await.unwrap();
    assert!(
        written.contains("SUMMARY:Cut – Ana") && written.contains("DTSTART:20260601T090000Z"),
        "{written}"
    );
    assert!(written.replace("\r\n ", "").contains(&Uuid::from_u128(0xF1).to_string()), "{written}");

    // Its owner drags it; the book is what counts.
    account.replace(name, &written.replace("T090000Z", "T080000Z")).await;
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 11, 30)])).await;
    assert!(account.get(name).await.unwrap().contains("DTSTART:20260601T110000Z"));
    assert_eq!(account.names().await.len(), 1);
    until_held(&salon, &[]).await;

    let mut cancelled = visit(0xF1, 3, &[(MIA, "Cut", 11, 30)]);
    cancelled.state = AppointmentState::Cancelled.into();
    salon.publish(cancelled).await;
    assert_eq!(account.names().await, Vec::<String>::new());
}

#[tokio::test]
async fn an_event_that_was_written_before_a_crash_is_not_written_twice() {
    let (salon, account, _) = connected().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    // As if the worker had died between the server's answer and the commit.
    salon.meddle("UPDATE calendar_write SET written = 0, etag = NULL").await;
    salon.until_written().await;
    assert_eq!(account.names().await.len(), 1);
    assert_eq!(salon.count("SELECT count(*) FROM calendar_write WHERE etag IS NOT NULL").await, 1);
    // An event that its owner has deleted is written anew.
    account.delete(&account.names().await[0]).await;
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 10, 30)])).await;
    assert_eq!(account.names().await.len(), 1);
}

#[tokio::test]
async fn owners_connect_anyone_once_and_others_themselves_alone() {
    let (salon, account) = (Salon::open().await, Account::open().await);
    let connect = async |role, business, message| {
        let request = as_user(&salon.host, role, business, message);
        salon.calendars().connect_caldav_calendar(request).await.map(drop)
    };
    let refused = connect(Role::Employee, SALON, connecting(&account, TOM)).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let refused = connect(Role::Guest, SALON, connecting(&account, MIA)).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let refused = connect(Role::Owner, OTHER, connecting(&account, MIA)).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    let elsewhere =
        ConnectCaldavCalendarRequest { url: format!("{}else/", account.server), ..connecting(&account, MIA) };
    assert_eq!(field(&connect(Role::Owner, SALON, elsewhere).await.unwrap_err()), "url");
    connect(Role::Employee, SALON, connecting(&account, MIA)).await.unwrap();
    let again = connect(Role::Owner, SALON, connecting(&account, TOM)).await.unwrap_err();
    assert_eq!(reason_of(&again), Some(Reason::AlreadyExists));
}

#[tokio::test]
async fn a_malformed_account_names_its_field() {
    let (salon, account) = (Salon::open().await, Account::open().await);
    type Spoil = fn(&mut CaldavAccount);
    let spoils: [(&str, Spoil); 4] = [
        ("account.server", |account| account.server.clear()),
        ("account.username", |account| account.username.clear()),
        ("account.password", |account| account.password.clear()),
        ("account.password", |account| account.password = "x".repeat(1025)),
    ];
    for (name, spoil) in spoils {
        let mut spoiled = wire(&account);
        spoil(&mut spoiled);
        assert_eq!(field(&find(&salon, spoiled).await.unwrap_err()), name);
    }
    let request = FindCaldavCalendarsRequest { business_id: SALON.to_string(), account: None };
    let request = as_user(&salon.host, Role::Employee, SALON, request);
    assert_eq!(field(&salon.calendars().find_caldav_calendars(request).await.unwrap_err()), "account");
}

#[tokio::test]
async fn a_new_password_is_kept_once_the_server_takes_it() {
    let (salon, account, calendar) = connected().await;
    let change = async |role, password: &str| {
        let message = ChangeCaldavPasswordRequest {
            business_id: SALON.to_string(),
            calendar_id: calendar.id.clone(),
            password: password.to_owned(),
        };
        let request = as_user(&salon.host, role, SALON, message);
        salon.calendars().change_caldav_password(request).await.map(drop)
    };
    let sealed = "SELECT ('x' || left(encode(sealed_password, 'hex'), 8))::bit(32)::int FROM caldav_calendar";
    let before = salon.count(&format!("SELECT ({sealed})::bigint")).await;
    assert_eq!(field(&change(Role::Owner, "wrong").await.unwrap_err()), "account.password");
    assert_eq!(
        salon.count(&format!("SELECT ({sealed})::bigint")).await,
        before,
        "a wrong one changes nothing"
    );
    change(Role::Owner, &account.password).await.unwrap();
    assert_ne!(salon.count(&format!("SELECT ({sealed})::bigint")).await, before);
    account.put("dentist", DENTIST).await;
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z"]).await;
}

#[tokio::test]
async fn a_password_is_unreadable_at_rest_and_opens_in_its_own_row_alone() {
    let (salon, account, _) = connected().await;
    let dump = salon.dump(&["calendar", "caldav_calendar", "data_key", "sync_state"]).await;
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert!(dump.contains(&account.username), "the dump has the row");
    assert!(!dump.contains(&account.password) && !dump.contains(&hex(&account.password)));
    let second = Account::open().await;
    connect(&salon, &second).await;
    salon
        .meddle(
            "UPDATE caldav_calendar c SET sealed_password = o.sealed_password FROM caldav_calendar o
             WHERE o.business_id = c.business_id AND o.id <> c.id",
        )
        .await;
    let failing = "SELECT count(*) FROM sync_state WHERE last_error LIKE '%secret%'";
    salon.read_again().await;
    salon.until(async || salon.count(failing).await == 2).await;
}

#[tokio::test]
async fn data_keys_are_wrapped_anew_as_the_service_starts_with_another_master_key() {
    // The new key is known everywhere before it is the first anywhere.
    let salon = Salon::with_keys(&format!("{FIRST_KEY},{SECOND_KEY}"), Reach::Anywhere).await;
    let account = Account::open().await;
    connect(&salon, &account).await;
    assert_eq!(salon.count("SELECT count(*) FROM data_key WHERE master_key = 'first'").await, 1);
    let _second = salon.replica_with(&format!("{SECOND_KEY},{FIRST_KEY}")).await;
    assert_eq!(salon.count("SELECT count(*) FROM data_key WHERE master_key = 'second'").await, 1);
    account.put("dentist", DENTIST).await;
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z"]).await;
}

#[tokio::test]
async fn a_data_key_that_was_changed_holds_up_no_other_and_a_missing_master_key_is_named() {
    let salon = Salon::with_keys(&format!("{FIRST_KEY},{SECOND_KEY}"), Reach::Anywhere).await;
    let account = Account::open().await;
    connect(&salon, &account).await;
    // Other businesses have a copy of the salon's: more than are wrapped at a time before it, and one behind it.
    let copies = format!(
        "INSERT INTO data_key SELECT (jsonb_populate_record(data_key, jsonb_build_object('id', copy, 'business_id', copy))).*
            FROM data_key, (SELECT lpad(to_hex(n), 32, '0') FROM generate_series(0, 149) n
                UNION ALL SELECT '{}') copies (copy)",
        Uuid::max()
    );
    salon.meddle(&copies).await;
    salon.start_with(&format!("{SECOND_KEY},{FIRST_KEY}")).await.unwrap();
    let keys = salon.dump(&["data_key"]).await;
    let under = |master: &str| keys.matches(&format!(",{master},")).count();
    assert_eq!((under("first"), under("second")), (151, 1), "{keys}");
    account.put("dentist", DENTIST).await;
    until_held(&salon, &["Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z"]).await;
    // Half done, it does not start where it would open only the half.
    let refused = salon.start_with(SECOND_KEY).await.unwrap_err();
    assert!(format!("{refused:#}").contains("\"first\" is not configured"), "{refused:#}");
    assert!(!format!("{refused:?}").contains(SECOND_KEY.trim_start_matches("second:")));
}
