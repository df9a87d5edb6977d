//! Secret addresses under which other calendars read what employees have to do.

use caller::{BusinessId, Role, UserId};
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        calendarsync::{
            internal::v1::{
                ReadCalendarFeedRequest, ReadCalendarFeedResponse,
                calendar_feed_read_service_client::CalendarFeedReadServiceClient,
            },
            v1::{
                CalendarFeed, ListCalendarFeedsRequest, MakeCalendarFeedRequest, MakeCalendarFeedResponse,
                RevokeCalendarFeedRequest, calendar_feed_service_client::CalendarFeedServiceClient,
            },
        },
        tenancy::v1::Employee,
    },
    time::to_proto,
};
use testkit::{SESSION, USER, as_person, as_service, as_user};
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::salon::{MIA, OTHER, PUBLIC, SALON, Salon, TOM, visit};

/// An owner besides the person who calls in tests.
const OTHER_OWNER: UserId = UserId(Uuid::from_u128(0xE8));

fn client(salon: &Salon) -> CalendarFeedServiceClient<Channel> {
    CalendarFeedServiceClient::new(salon.channel.clone())
}

fn making(employee: Uuid, names_customers: bool) -> MakeCalendarFeedRequest {
    MakeCalendarFeedRequest {
        business_id: SALON.to_string(),
        employee_id: employee.to_string(),
        names_customers,
    }
}

async fn make_as(
    salon: &Salon,
    role: Role,
    employee: Uuid,
    names_customers: bool,
) -> Result<MakeCalendarFeedResponse, Status> {
    let request = as_user(&salon.host, role, SALON, making(employee, names_customers));
    Ok(client(salon).make_calendar_feed(request).await?.into_inner())
}

/// Has another owner make an employee's address; says its secret.
async fn make_as_other(salon: &Salon, employee: Uuid) -> String {
    let message = making(employee, false);
    let request = as_person(&salon.host, OTHER_OWNER, SESSION, Some(SALON), Some(Role::Owner), message);
    secret(&client(salon).make_calendar_feed(request).await.unwrap().into_inner())
}

/// Makes Mia's address; says its secret.
async fn make(salon: &Salon, names_customers: bool) -> String {
    secret(&make_as(salon, Role::Owner, MIA, names_customers).await.unwrap())
}

fn secret(made: &MakeCalendarFeedResponse) -> String {
    let below = format!("{PUBLIC}api/calendar-feeds/");
    let secret = made.address.strip_prefix(&below).unwrap().strip_suffix(".ics").unwrap();
    secret.to_owned()
}

async fn revoke_as(salon: &Salon, role: Role, employee: Uuid) -> Result<(), Status> {
    let message =
        RevokeCalendarFeedRequest { business_id: SALON.to_string(), employee_id: employee.to_string() };
    client(salon).revoke_calendar_feed(as_user(&salon.host, role, SALON, message)).await.map(drop)
}

async fn read(salon: &Salon, token: &str) -> Result<ReadCalendarFeedResponse, Status> {
    let request = as_service("bff", &salon.host, None, ReadCalendarFeedRequest { token: token.to_owned() });
    let mut client = CalendarFeedReadServiceClient::new(salon.channel.clone());
    Ok(client.read_calendar_feed(request).await?.into_inner())
}

async fn list(salon: &Salon, business: BusinessId) -> Result<Vec<CalendarFeed>, Status> {
    let message = ListCalendarFeedsRequest { business_id: SALON.to_string(), ..Default::default() };
    let request = as_user(&salon.host, Role::Employee, business, message);
    Ok(client(salon).list_calendar_feeds(request).await?.into_inner().feeds)
}

/// A salon in which Mia cuts Ana's hair tomorrow, and Tom washes it.
async fn booked() -> Salon {
    let salon = Salon::open().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 33, 30), (TOM, "Wash", 34, 20)])).await;
    salon
}

#[tokio::test]
async fn an_employees_work_is_read_without_customers_unless_they_were_asked_for() {
    let salon = booked().await;
    let token = make(&salon, false).await;
    assert!(token.len() == 43);
    let found = read(&salon, &token).await.unwrap();
    let expected = ["SUMMARY:Cut\r\n", "DTSTART:20260602T090000Z\r\n", "DTEND:20260602T093000Z\r\n"];
    assert!(expected.iter().all(|line| found.calendar.contains(line)), "{}", found.calendar);
    // Nothing of the customer, nor of what others do.
    assert!(!found.calendar.contains("Ana") && !found.calendar.contains("Wash"));
    let named = make(&salon, true).await;
    assert!(read(&salon, &named).await.unwrap().calendar.contains("SUMMARY:Cut – Ana\r\n"));
}

#[tokio::test]
async fn the_same_work_has_the_same_version_and_another_one_once_it_changes() {
    let salon = booked().await;
    let token = make(&salon, false).await;
    let first = read(&salon, &token).await.unwrap();
    salon.time.advance(SignedDuration::from_secs(3_600));
    assert_eq!(read(&salon, &token).await.unwrap(), first);
    // A visit that moves keeps its identity.
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 35, 30)])).await;
    let moved = read(&salon, &token).await.unwrap();
    assert_ne!(moved.etag, first.etag);
    let uid = |feed: &ReadCalendarFeedResponse| {
        feed.calendar.lines().find(|line| line.starts_with("UID:")).map(str::to_owned).unwrap()
    };
    assert_eq!(uid(&moved), uid(&first));
    salon.publish(visit(0xF1, 3, &[])).await;
    assert!(!read(&salon, &token).await.unwrap().calendar.contains("BEGIN:VEVENT"));
}

#[tokio::test]
async fn a_feed_goes_two_weeks_back_and_half_a_year_ahead() {
    let salon = booked().await;
    for (n, days) in [(2, 179), (3, 181)] {
        salon.publish(visit(0xF0 + n, 1, &[(MIA, "Cut", 24 * days, 30)])).await;
    }
    let token = make(&salon, false).await;
    let starts = |feed: ReadCalendarFeedResponse| feed.calendar.matches("BEGIN:VEVENT").count();
    assert_eq!(starts(read(&salon, &token).await.unwrap()), 2);
    salon.time.advance(SignedDuration::from_hours(16 * 24));
    // The first is long over, and the last has come near.
    assert_eq!(starts(read(&salon, &token).await.unwrap()), 2);
}

#[tokio::test]
async fn an_address_counts_until_it_is_revoked_or_another_one_is_made() {
    let salon = booked().await;
    let first = make(&salon, false).await;
    let second = make(&salon, false).await;
    let spoilt = first.replacen(&first[..1], "\0", 1);
    for gone in [first.as_str(), "", "c2VjcmV0", "\0", &spoilt, &"x".repeat(300)] {
        let refused = read(&salon, gone).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::NotFound), "{gone:?}");
    }
    read(&salon, &second).await.unwrap();
    revoke_as(&salon, Role::Owner, MIA).await.unwrap();
    assert_eq!(reason_of(&read(&salon, &second).await.unwrap_err()), Some(Reason::NotFound));
    let again = revoke_as(&salon, Role::Owner, MIA).await.unwrap_err();
    assert_eq!(reason_of(&again), Some(Reason::NotFound));
}

#[tokio::test]
async fn who_made_replaced_and_revoked_an_address_is_noted_without_its_secret() {
    let salon = booked().await;
    let noted = "SELECT count(*) FROM change_entry WHERE record_kind = 'calendar_feed'";
    let first = make(&salon, false).await;
    read(&salon, &first).await.unwrap();
    assert_eq!(salon.count(noted).await, 1, "reading is no change");
    salon.time.advance(SignedDuration::from_secs(1));
    make(&salon, false).await;
    revoke_as(&salon, Role::Owner, MIA).await.unwrap();
    let by_owner = format!("{noted} AND record_id = '{MIA}' AND actor = 'user:{USER}'");
    assert_eq!(salon.count(&by_owner).await, 3);
    let dump = salon.dump(&["change_entry"]).await;
    assert!(dump.contains("made_at") && !dump.contains("token_hash") && !dump.contains("made_by"));
}

/// Mia, as tenancy tells of her.
fn mia(user_id: &str, last_day: &str) -> Employee {
    Employee {
        id: MIA.to_string(),
        user_id: user_id.to_owned(),
        last_day: last_day.to_owned(),
        ..Default::default()
    }
}

#[tokio::test]
async fn an_address_counts_until_the_last_day_is_over_or_the_account_is_taken_away() {
    let salon = booked().await;
    let account = USER.to_string();
    salon.tell(mia(&account, "2026-06-01")).await;
    let token = make(&salon, false).await;
    salon.time.advance(SignedDuration::from_mins(14 * 60 + 30));
    read(&salon, &token).await.unwrap();
    // It is half past ten in UTC, and past midnight in Madrid.
    salon.meddle(&format!("INSERT INTO business VALUES ('{SALON}', 'Europe/Madrid')")).await;
    assert_eq!(reason_of(&read(&salon, &token).await.unwrap_err()), Some(Reason::NotFound));
    salon.tell(mia(&account, "")).await;
    read(&salon, &token).await.unwrap();
    salon.tell(mia("", "")).await;
    assert_eq!(reason_of(&read(&salon, &token).await.unwrap_err()), Some(Reason::NotFound));
    assert!(list(&salon, SALON).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_address_ends_with_the_membership_of_its_person_and_of_no_other() {
    let salon = booked().await;
    salon.tell(mia(&USER.to_string(), "")).await;
    let token = make_as_other(&salon, MIA).await;
    let toms = make_as_other(&salon, TOM).await;
    salon.tell_that_account_left(UserId(Uuid::from_u128(0xE7))).await;
    read(&salon, &token).await.unwrap();
    salon.tell_that_account_left(USER).await;
    assert_eq!(reason_of(&read(&salon, &token).await.unwrap_err()), Some(Reason::NotFound));
    read(&salon, &toms).await.unwrap();
    // Invited again, the person makes a new address: the old one stays revoked.
    let renewed = make_as(&salon, Role::Employee, MIA, false).await.unwrap();
    read(&salon, &secret(&renewed)).await.unwrap();
    assert_eq!(reason_of(&read(&salon, &token).await.unwrap_err()), Some(Reason::NotFound));
}

#[tokio::test]
async fn an_address_ends_with_the_membership_of_the_person_who_made_it() {
    let salon = booked().await;
    // The other owner is no employee.
    let (mias, toms) = (make(&salon, false).await, make_as_other(&salon, TOM).await);
    salon.tell_that_account_left(OTHER_OWNER).await;
    assert_eq!(reason_of(&read(&salon, &toms).await.unwrap_err()), Some(Reason::NotFound));
    read(&salon, &mias).await.unwrap();
    // Made again, an address is the new maker's alone.
    make_as_other(&salon, MIA).await;
    let renewed = make(&salon, false).await;
    salon.tell_that_account_left(OTHER_OWNER).await;
    read(&salon, &renewed).await.unwrap();
    salon.tell_that_account_left(USER).await;
    assert_eq!(reason_of(&read(&salon, &renewed).await.unwrap_err()), Some(Reason::NotFound));
}

#[tokio::test]
async fn an_owner_who_becomes_a_manager_keeps_the_own_address_and_none_of_others() {
    let salon = booked().await;
    salon.tell(mia(&USER.to_string(), "")).await;
    let own = make(&salon, false).await;
    let toms = secret(&make_as(&salon, Role::Owner, TOM, false).await.unwrap());
    salon.tell_that_account_is_below_owner(OTHER_OWNER).await;
    read(&salon, &toms).await.unwrap();
    salon.tell_that_account_is_below_owner(USER).await;
    assert_eq!(reason_of(&read(&salon, &toms).await.unwrap_err()), Some(Reason::NotFound));
    read(&salon, &own).await.unwrap();
    // What another owner made for the one who is a manager now stays as well.
    let made = make_as_other(&salon, MIA).await;
    salon.tell_that_account_is_below_owner(USER).await;
    read(&salon, &made).await.unwrap();
}

#[tokio::test]
async fn the_list_says_when_an_address_was_read_and_never_its_secret() {
    let salon = booked().await;
    let made = make_as(&salon, Role::Owner, MIA, true).await.unwrap();
    let at = to_proto(salon.time.now());
    assert_eq!(list(&salon, SALON).await.unwrap(), [made.feed.clone().unwrap()]);
    read(&salon, &secret(&made)).await.unwrap();
    let read_at = list(&salon, SALON).await.unwrap()[0].read_at;
    assert_eq!(read_at, Some(at));
    let dump = salon.dump(&["calendar_feed"]).await;
    assert!(dump.contains(&MIA.to_string()) && !dump.contains(&secret(&made)));
    let refused = list(&salon, OTHER).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
}

#[tokio::test]
async fn below_the_owner_people_make_and_revoke_their_own_alone() {
    let salon = booked().await;
    for role in [Role::Employee, Role::Manager] {
        make_as(&salon, role, MIA, false).await.unwrap();
        revoke_as(&salon, role, MIA).await.unwrap();
        let refused = make_as(&salon, role, TOM, false).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    }
    make_as(&salon, Role::Owner, TOM, false).await.unwrap();
    let refused = revoke_as(&salon, Role::Employee, TOM).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    assert_eq!(list(&salon, SALON).await.unwrap().len(), 1);
    let stranger = make_as(&salon, Role::Owner, Uuid::from_u128(0xE9), false).await.unwrap_err();
    assert!(reason_of(&stranger).is_some());
}
