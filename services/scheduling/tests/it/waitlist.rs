//! Customers who want a time that was not free.

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::event::Payload,
        scheduling::v1::{
            BookFromWaitlistRequest, BookFromWaitlistResponse, EmployeeWish, JoinWaitlistRequest,
            LeaveWaitlistRequest, ListWaitlistRequest, VisitItem, WaitingCustomer, WaitlistEntry,
            WaitlistState,
        },
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    events::events,
    salon::{
        ANA, BEN, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, anyone, by, field, local, reason, shown,
        weekdays, with_key,
    },
};

const MIA: Uuid = Uuid::from_u128(0xd1);
const TUESDAY: &str = "2026-06-02";

/// Mia waits for `items` on Tuesday.
pub fn request(items: Vec<VisitItem>) -> JoinWaitlistRequest {
    JoinWaitlistRequest {
        business_id: WILLOW.to_string(),
        customer_id: MIA.to_string(),
        items,
        first_date: TUESDAY.to_owned(),
        last_date: TUESDAY.to_owned(),
        note: "any day with sun".to_owned(),
        ..JoinWaitlistRequest::default()
    }
}

/// Joins a minute after the entry before.
pub async fn join(salon: &Salon, request: JoinWaitlistRequest) -> Result<WaitlistEntry, Status> {
    salon.time.advance(jiff::SignedDuration::from_mins(1));
    Ok(salon.waitlist().join_waitlist(salon.agent(request)).await?.into_inner().entry.unwrap())
}

fn list() -> ListWaitlistRequest {
    ListWaitlistRequest { business_id: WILLOW.to_string(), ..ListWaitlistRequest::default() }
}

async fn waiting(salon: &Salon) -> Vec<WaitingCustomer> {
    salon.waitlist().list_waitlist(salon.manager(list())).await.unwrap().into_inner().waiting
}

/// When the first offer of each entry starts, by London's clock.
async fn offered(salon: &Salon) -> Vec<Option<String>> {
    let start =
        |waiting: &WaitingCustomer| waiting.offer.as_ref().map(|offer| shown(offer.starts_at.as_ref()));
    waiting(salon).await.iter().map(start).collect()
}

fn leaving(entry: &str) -> LeaveWaitlistRequest {
    LeaveWaitlistRequest {
        business_id: WILLOW.to_string(),
        entry_id: entry.to_owned(),
        reason: "moved away".to_owned(),
    }
}

async fn leave(salon: &Salon, entry: &str) -> Result<WaitlistEntry, Status> {
    Ok(salon.waitlist().leave_waitlist(salon.employee(leaving(entry))).await?.into_inner().entry.unwrap())
}

fn taking(entry: &str, time: &str) -> BookFromWaitlistRequest {
    BookFromWaitlistRequest {
        business_id: WILLOW.to_string(),
        entry_id: entry.to_owned(),
        starts_at: Some(to_proto(local(TUESDAY, time))),
        call_id: String::new(),
    }
}

async fn book(salon: &Salon, entry: &str, time: &str) -> Result<BookFromWaitlistResponse, Status> {
    Ok(salon.waitlist().book_from_waitlist(salon.employee(taking(entry, time))).await?.into_inner())
}

/// Entries named by each event that time was freed, and the visit whose time it was.
async fn matches(salon: &Salon) -> Vec<(String, Vec<String>)> {
    let matched = events(salon).await.into_iter().filter_map(|event| match event.payload {
        Some(Payload::WaitlistMatched(matched)) => Some((matched.appointment_id, matched.entry_ids)),
        _ => None,
    });
    matched.collect()
}

#[tokio::test]
async fn the_longest_waiting_is_listed_first_with_the_first_suitable_time() {
    let salon = Salon::open().await;
    let first = join(&salon, request(vec![by(CUT, ANA)])).await.unwrap();
    let afternoon =
        JoinWaitlistRequest { from_minute: 13 * 60, to_minute: 17 * 60, ..request(vec![anyone(COLOUR)]) };
    let second = join(&salon, afternoon).await.unwrap();
    salon.book(vec![by(COLOUR, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let rows = waiting(&salon).await;
    assert_eq!(rows.iter().filter_map(|row| row.entry.clone()).collect::<Vec<_>>(), [first.clone(), second]);
    // Ana is free while her colour takes.
    assert_eq!(offered(&salon).await, [Some("09:30".to_owned()), Some("13:00".to_owned())]);
    // What is found is not booked yet: only an entry has a wish.
    let mut expected = salon.search(vec![by(CUT, ANA)], TUESDAY).await.unwrap().offers[0].clone();
    expected.items[0].employee_wish = EmployeeWish::Only.into();
    expected.items[0].wished_employee_id = ANA.to_string();
    assert_eq!(rows[0].offer, Some(expected));
    assert_eq!(
        (first.state(), first.note.as_str(), first.version),
        (WaitlistState::Waiting, "any day with sun", 1)
    );
    assert_eq!((first.from_minute, first.to_minute), (0, 1440));
}

#[tokio::test]
async fn a_time_outside_the_minutes_or_dates_asked_for_does_not_suit() {
    let salon = Salon::open().await;
    let late =
        JoinWaitlistRequest { from_minute: 17 * 60 + 35, to_minute: 1440, ..request(vec![by(CUT, ANA)]) };
    join(&salon, late).await.unwrap();
    let sunday = JoinWaitlistRequest {
        first_date: "2026-06-07".into(),
        last_date: "2026-06-07".into(),
        ..request(vec![anyone(CUT)])
    };
    join(&salon, sunday.clone()).await.unwrap();
    let or_monday =
        JoinWaitlistRequest { last_date: "2026-06-08".into(), from_minute: 600, to_minute: 605, ..sunday };
    join(&salon, or_monday).await.unwrap();
    assert_eq!(offered(&salon).await, [None, None, Some("10:00".to_owned())]);
}

#[tokio::test]
async fn a_held_time_does_not_suit_and_one_that_was_cancelled_does() {
    let salon = Salon::open().await;
    let early = JoinWaitlistRequest { from_minute: 540, to_minute: 545, ..request(vec![by(CUT, ANA)]) };
    join(&salon, early).await.unwrap();
    let held = salon.hold(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    assert_eq!(offered(&salon).await, [None]);
    salon.release(&held.id).await.unwrap();
    assert_eq!(offered(&salon).await, [Some("09:00".to_owned())]);
    let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    assert_eq!(offered(&salon).await, [None]);
    salon.cancel(&booked.id).await.unwrap();
    assert_eq!(offered(&salon).await, [Some("09:00".to_owned())]);
}

#[tokio::test]
async fn entries_whose_dates_have_passed_are_left_out() {
    let salon = Salon::open().await;
    join(&salon, request(vec![anyone(CUT)])).await.unwrap();
    salon.time.advance(jiff::SignedDuration::from_hours(24));
    assert_eq!(waiting(&salon).await.len(), 1);
    salon.time.advance(jiff::SignedDuration::from_hours(24));
    assert_eq!(waiting(&salon).await, []);
}

#[tokio::test]
async fn of_one_customer_every_entry_is_listed_however_it_ended() {
    let salon = Salon::open().await;
    let past = join(&salon, request(vec![anyone(CUT)])).await.unwrap();
    let left = join(&salon, request(vec![anyone(CUT)])).await.unwrap();
    leave(&salon, &left.id).await.unwrap();
    let other = JoinWaitlistRequest { customer_id: ANA.to_string(), ..request(vec![anyone(CUT)]) };
    join(&salon, other).await.unwrap();
    salon.time.advance(jiff::SignedDuration::from_hours(48));
    assert_eq!(waiting(&salon).await, []);
    let of = |customer_id: &str| ListWaitlistRequest { customer_id: customer_id.to_owned(), ..list() };
    let listed = salon.waitlist().list_waitlist(salon.manager(of(&MIA.to_string()))).await.unwrap();
    let listed = listed.into_inner().waiting;
    let told: Vec<_> = listed
        .iter()
        .map(|one| (one.entry.as_ref().unwrap().id.as_str(), one.entry.as_ref().unwrap().state()))
        .collect();
    let expected = [(past.id.as_str(), WaitlistState::Waiting), (left.id.as_str(), WaitlistState::Left)];
    assert_eq!(told, expected);
    assert!(listed.iter().all(|one| one.offer.is_none()));
    let wrong = salon.waitlist().list_waitlist(salon.manager(of("mia"))).await.unwrap_err();
    assert_eq!(field(&wrong), "customer_id");
}

#[tokio::test]
async fn the_list_comes_a_page_at_a_time() {
    let salon = Salon::open().await;
    let mut joined = vec![];
    for _ in 0..3 {
        joined.push(join(&salon, request(vec![anyone(CUT)])).await.unwrap().id);
    }
    let page = async |page_token: String| {
        let request = ListWaitlistRequest { page_size: 2, page_token, ..list() };
        salon.waitlist().list_waitlist(salon.employee(request)).await.unwrap().into_inner()
    };
    let first = page(String::new()).await;
    let rest = page(first.next_page_token).await;
    let ids = first.waiting.iter().chain(&rest.waiting).map(|row| row.entry.as_ref().unwrap().id.clone());
    assert_eq!(ids.collect::<Vec<_>>(), joined);
    assert_eq!((rest.next_page_token.as_str(), rest.time_zone.as_str()), ("", "Europe/London"));
}

#[tokio::test]
async fn booking_ends_the_waiting_in_one_step() {
    let salon = Salon::open().await;
    let entry = join(&salon, request(vec![by(COLOUR, ANA), anyone(CUT)])).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let offer = waiting(&salon).await.remove(0).offer.unwrap();
    let booked = book(&salon, &entry.id, &shown(offer.starts_at.as_ref())).await.unwrap();
    let (appointment, ended) = (booked.appointment.unwrap(), booked.entry.unwrap());
    assert_eq!(
        (appointment.customer_id.as_str(), appointment.notes.as_str()),
        (&*MIA.to_string(), "any day with sun")
    );
    assert_eq!((ended.state(), ended.version), (WaitlistState::Booked, 2));
    assert_eq!(ended.appointment_id, appointment.id);
    assert_eq!(waiting(&salon).await, []);
    assert_eq!(appointment.items, offer.items);
    assert!(salon.booked().await.contains(&appointment));
    let again = book(&salon, &entry.id, "14:00").await.unwrap_err();
    assert_eq!(reason(&again), Reason::WrongState);
    let told: Vec<_> =
        events(&salon).await.into_iter().filter(|event| event.aggregate_id == entry.id).collect();
    assert_eq!(told.iter().map(|event| event.version).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(salon.trail().await.last().unwrap().0, "BookFromWaitlist");
}

#[tokio::test]
async fn a_time_that_is_taken_is_not_booked_and_the_waiting_goes_on() {
    let salon = Salon::open().await;
    let entry = join(&salon, request(vec![by(CUT, ANA)])).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    assert_eq!(reason(&book(&salon, &entry.id, "10:00").await.unwrap_err()), Reason::SlotTaken);
    assert_eq!(reason(&book(&salon, &entry.id, "20:00").await.unwrap_err()), Reason::NotWorking);
    assert_eq!(waiting(&salon).await.len(), 1);
    assert_eq!(salon.booked().await.len(), 1);
}

#[tokio::test]
async fn of_many_who_book_or_end_an_entry_at_once_one_does() {
    let salon = Salon::open().await;
    let entry = join(&salon, request(vec![anyone(CUT)])).await.unwrap();
    let cancelled = salon.book(vec![by(MASSAGE, BEN)], local(TUESDAY, "16:00")).await.unwrap();
    let times: Vec<String> =
        (0..12).map(|number| format!("{:02}:{:02}", 9 + number / 2, number % 2 * 30)).collect();
    let books = futures::future::join_all(times.iter().map(|time| book(&salon, &entry.id, time)));
    let leaves = futures::future::join_all((0..4).map(|_| leave(&salon, &entry.id)));
    let (booked, left, freed) = tokio::join!(books, leaves, salon.cancel(&cancelled.id));
    freed.unwrap();
    let booked = booked.into_iter().filter(Result::is_ok).count();
    assert_eq!(booked + left.into_iter().filter(Result::is_ok).count(), 1);
    assert_eq!(salon.count("SELECT count(*) FROM appointment WHERE state = 'BOOKED'").await, booked as i64);
    assert_eq!(salon.deadlocks().await, 0);
}

#[tokio::test]
async fn an_entry_that_left_is_no_longer_listed_but_on_record() {
    let salon = Salon::open().await;
    let entry = join(&salon, request(vec![anyone(CUT)])).await.unwrap();
    let left = leave(&salon, &entry.id).await.unwrap();
    assert_eq!((left.state(), left.reason.as_str(), left.version), (WaitlistState::Left, "moved away", 2));
    assert_eq!(waiting(&salon).await, []);
    assert_eq!(reason(&leave(&salon, &entry.id).await.unwrap_err()), Reason::WrongState);
    assert_eq!(reason(&book(&salon, &entry.id, "10:00").await.unwrap_err()), Reason::WrongState);
    let record = "SELECT count(*) FROM waitlist_entry WHERE state = 'LEFT' AND ended_by LIKE 'user:%'";
    assert_eq!(salon.count(record).await, 1);
}

#[tokio::test]
async fn a_cancellation_tells_of_those_who_could_use_its_time() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let morning = |items| JoinWaitlistRequest { from_minute: 540, to_minute: 570, ..request(items) };
    let suits = join(&salon, morning(vec![by(CUT, ANA)])).await.unwrap();
    // Too late in the day, with another employee, on another day, too long, and one that has left.
    let afternoon = JoinWaitlistRequest { from_minute: 780, to_minute: 1440, ..request(vec![by(CUT, ANA)]) };
    join(&salon, afternoon).await.unwrap();
    join(&salon, morning(vec![by(CUT, BEN)])).await.unwrap();
    let wednesday = || "2026-06-03".to_owned();
    let elsewhen = JoinWaitlistRequest {
        first_date: wednesday(),
        last_date: wednesday(),
        ..request(vec![by(CUT, ANA)])
    };
    join(&salon, elsewhen).await.unwrap();
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:30")).await.unwrap();
    join(&salon, morning(vec![by(CUT, ANA), by(CUT, ANA)])).await.unwrap();
    let left = join(&salon, morning(vec![by(CUT, ANA)])).await.unwrap();
    leave(&salon, &left.id).await.unwrap();
    let second = join(&salon, JoinWaitlistRequest { last_date: wednesday(), ..request(vec![by(CUT, ANA)]) })
        .await
        .unwrap();
    salon.cancel(&booked.id).await.unwrap();
    assert_eq!(matches(&salon).await, [(booked.id, vec![suits.id, second.id])]);
}

#[tokio::test]
async fn a_cancellation_without_matching_entries_announces_none() {
    let salon = Salon::open().await;
    let booked = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "09:00")).await.unwrap();
    let over = salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    salon.cancel(&booked.id).await.unwrap();
    join(&salon, request(vec![by(CUT, ANA)])).await.unwrap();
    // A time that has passed suits no entry.
    salon.time.set(local(TUESDAY, "17:45"));
    salon.cancel(&over.id).await.unwrap();
    assert_eq!(matches(&salon).await, []);
}

#[tokio::test]
async fn a_repeated_request_has_one_effect_and_one_answer() {
    let salon = Salon::open().await;
    let joining = || with_key(salon.agent(request(vec![anyone(CUT)])), "k1");
    let first = salon.waitlist().join_waitlist(joining()).await.unwrap().into_inner();
    assert_eq!(salon.waitlist().join_waitlist(joining()).await.unwrap().into_inner(), first);
    let entry = first.entry.unwrap().id;
    let booking = || with_key(salon.employee(taking(&entry, "10:00")), "k2");
    let first = salon.waitlist().book_from_waitlist(booking()).await.unwrap().into_inner();
    assert_eq!(salon.waitlist().book_from_waitlist(booking()).await.unwrap().into_inner(), first);
    let other = join(&salon, request(vec![anyone(CUT)])).await.unwrap().id;
    let ending = || with_key(salon.employee(leaving(&other)), "k3");
    let first = salon.waitlist().leave_waitlist(ending()).await.unwrap().into_inner();
    assert_eq!(salon.waitlist().leave_waitlist(ending()).await.unwrap().into_inner(), first);
    assert_eq!(salon.count("SELECT count(*) FROM waitlist_entry").await, 2);
}

#[tokio::test]
async fn a_refused_wish_says_why() {
    let salon = Salon::open().await;
    let refused = async |change: &dyn Fn(&mut JoinWaitlistRequest)| {
        let mut request = request(vec![anyone(CUT)]);
        change(&mut request);
        join(&salon, request).await.unwrap_err()
    };
    assert_eq!(field(&refused(&|request| request.customer_id.clear()).await), "customer_id");
    assert_eq!(field(&refused(&|request| request.items.clear()).await), "items");
    assert_eq!(field(&refused(&|request| request.first_date.clear()).await), "first_date");
    assert_eq!(field(&refused(&|request| request.last_date = "2026-06-01".into()).await), "last_date");
    assert_eq!(field(&refused(&|request| request.last_date = "2026-08-03".into()).await), "last_date");
    let past = |request: &mut JoinWaitlistRequest| {
        request.first_date = "2026-05-30".into();
        request.last_date = "2026-05-31".into();
    };
    assert_eq!(field(&refused(&past).await), "last_date");
    assert_eq!(field(&refused(&|request| request.from_minute = 600).await), "to_minute");
    assert_eq!(field(&refused(&|request| request.to_minute = 1441).await), "to_minute");
    assert_eq!(field(&refused(&|request| request.note = "x".repeat(501)).await), "note");
    assert_eq!(reason(&refused(&|request| request.items = vec![anyone(ANA)]).await), Reason::NotFound);
    assert_eq!(reason(&refused(&|request| request.items = vec![by(MASSAGE, ANA)]).await), Reason::NotSkilled);
    assert_eq!(salon.count("SELECT count(*) FROM waitlist_entry").await, 0);
    let greedy = ListWaitlistRequest { page_size: 51, ..list() };
    let greedy = salon.waitlist().list_waitlist(salon.employee(greedy)).await.unwrap_err();
    assert_eq!(field(&greedy), "page_size");
    assert_eq!(field(&book(&salon, "7", "10:00").await.unwrap_err()), "entry_id");
    assert_eq!(reason(&leave(&salon, &ANA.to_string()).await.unwrap_err()), Reason::NotFound);
}

#[tokio::test]
async fn the_waitlist_of_another_business_is_out_of_reach() {
    let salon = Salon::open().await;
    salon.set_hours(OTHER, weekdays(9, 18)).await;
    let entry = join(&salon, request(vec![anyone(CUT)])).await.unwrap();
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, leaving(&entry.id));
        let refused = salon.waitlist().leave_waitlist(request).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
    }
    let theirs = LeaveWaitlistRequest { business_id: OTHER.to_string(), ..leaving(&entry.id) };
    let theirs = as_user(&salon.host, Role::Owner, OTHER, theirs);
    assert_eq!(reason(&salon.waitlist().leave_waitlist(theirs).await.unwrap_err()), Reason::NotFound);
    let list = ListWaitlistRequest { business_id: OTHER.to_string(), ..list() };
    let list = as_user(&salon.host, Role::Owner, OTHER, list);
    assert_eq!(salon.waitlist().list_waitlist(list).await.unwrap().into_inner().waiting, []);
}
