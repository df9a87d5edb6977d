//! What happens here when tenancy changes something.

use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::{
        events::v1::{Event, event::Payload},
        scheduling::v1::{
            BookAppointmentRequest, GetAppointmentRequest, GetDayRequest, GetOpeningHoursRequest,
            ListCustomerAppointmentsRequest, SearchAvailabilityRequest,
        },
        tenancy::v1::{Business, Customer, Employee},
    },
    time::to_proto,
};
use testkit::event_log;
use uuid::Uuid;

use crate::{
    absence,
    events::{events, schedule_versions},
    inbox::{open_ids, open_lines},
    salon::{ANA, CUT, OTHER, Salon, WILLOW, booking, by, local, reason, weekdays},
};

pub const MIA: Uuid = Uuid::from_u128(0x71a);

fn event(position: i64, aggregate: Uuid, version: i64, payload: Payload) -> Event {
    event_log::event(position, WILLOW, aggregate, version, payload)
}

fn business(position: i64, zone: &str) -> Event {
    let business = Business { id: WILLOW.to_string(), time_zone: zone.to_owned(), ..Default::default() };
    event(position, WILLOW.0, position, Payload::Business(business))
}

fn employee(position: i64, name: &str) -> Event {
    let employee = Employee { id: ANA.to_string(), name: name.to_owned(), ..Default::default() };
    event(position, ANA, position, Payload::Employee(employee))
}

/// Mia, as of a version.
pub fn customer(position: i64, name: &str, phone: &str) -> Event {
    let customer = Customer {
        id: MIA.to_string(),
        name: name.to_owned(),
        phone: phone.to_owned(),
        ..Default::default()
    };
    event(position, MIA, position, Payload::Customer(customer))
}

fn with_account(position: i64, user_id: &str) -> Event {
    let user_id = user_id.to_owned();
    let employee = Employee { id: ANA.to_string(), name: "Ana".to_owned(), user_id, ..Default::default() };
    event(position, ANA, position, Payload::Employee(employee))
}

/// Has the salon follow a log of these events to its end.
pub async fn follow(salon: &Salon, events: Vec<Event>) {
    let last = events.last().unwrap().position;
    let tenancy = event_log::service("tenancy", &event_log::Events::new(events), &salon.host).await;
    scheduling::follow(tenancy, &salon.pool, &salon.host);
    while !outbox::caught_up(&salon.pool, "scheduling", "tenancy", last).await.unwrap() {
        tokio::task::yield_now().await;
    }
}

async fn zone(salon: &Salon) -> (String, usize) {
    let request = GetOpeningHoursRequest { business_id: WILLOW.to_string() };
    let hours = salon.schedules().get_opening_hours(salon.agent(request)).await.unwrap().into_inner();
    (hours.time_zone, hours.spans.len())
}

#[tokio::test]
async fn a_new_business_is_closed_until_its_hours_are_set() {
    let salon = Salon::empty().await;
    follow(&salon, vec![business(1, "Europe/Berlin")]).await;
    assert_eq!(zone(&salon).await, ("Europe/Berlin".to_owned(), 0));
}

#[tokio::test]
async fn the_zone_that_was_set_here_stays() {
    let salon = Salon::empty().await;
    salon.set_hours(WILLOW, weekdays(9, 18)).await;
    follow(&salon, vec![business(1, "Europe/Berlin"), business(2, "Europe/Paris")]).await;
    assert_eq!(zone(&salon).await, ("Europe/London".to_owned(), 6));
}

/// An employee who stays until a day, if any is said.
pub fn leaving(position: i64, id: Uuid, last_day: &str) -> Event {
    let (name, last_day) = ("Ana".to_owned(), last_day.to_owned());
    let employee = Employee { id: id.to_string(), name, last_day, ..Default::default() };
    event(position, id, position, Payload::Employee(employee))
}

/// Whether Ana is offered on a date, and whether she has a column on it.
async fn works_on(salon: &Salon, date: &str) -> (bool, bool) {
    let offers = salon.search(vec![by(CUT, ANA)], date).await.unwrap().offers;
    let request =
        GetDayRequest { business_id: WILLOW.to_string(), first_date: date.to_owned(), ..Default::default() };
    let day = salon.days().get_day(salon.manager(request)).await.unwrap().into_inner();
    (!offers.is_empty(), day.columns.iter().any(|column| column.employee_id == ANA.to_string()))
}

#[tokio::test]
async fn after_their_last_day_an_employee_is_not_offered_and_their_visits_wait_in_the_inbox() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "10:00")).await.unwrap();
    let visit = salon.book(vec![by(CUT, ANA)], local("2026-06-03", "10:00")).await.unwrap();
    follow(&salon, vec![leaving(1, ANA, ""), leaving(2, ANA, "2026-06-02")]).await;
    assert_eq!(works_on(&salon, "2026-06-02").await, (true, true));
    // An employee with a visit left has a column: it can be moved from there.
    assert_eq!(works_on(&salon, "2026-06-03").await, (false, true));
    assert_eq!(works_on(&salon, "2026-06-04").await, (false, false));
    assert_eq!(open_ids(&salon).await, [visit.id]);
    assert_eq!(open_lines(&salon).await[0].employee_name, "Ana");

    follow(&salon, vec![leaving(3, ANA, "")]).await;
    assert_eq!(works_on(&salon, "2026-06-04").await, (true, true));
    assert_eq!(open_ids(&salon).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_search_as_of_after_an_employee_left_offers_what_it_offered_then() {
    let salon = Salon::open().await;
    let offered_as_of = async |at: Option<Timestamp>| {
        let from = local("2026-06-03", "00:00");
        let request = SearchAvailabilityRequest {
            business_id: WILLOW.to_string(),
            items: vec![by(CUT, ANA)],
            from: Some(to_proto(from)),
            to: Some(to_proto(from + SignedDuration::from_hours(24))),
            page_size: 200,
            as_of: at.map(to_proto),
            ..Default::default()
        };
        !salon.search_as(salon.agent(request)).await.unwrap().offers.is_empty()
    };
    let before = salon.time.now();
    salon.time.advance(SignedDuration::from_secs(60));
    follow(&salon, vec![leaving(1, ANA, "2026-06-02")]).await;
    let after = salon.time.now();
    salon.time.advance(SignedDuration::from_secs(60));
    assert!(offered_as_of(Some(before)).await);
    assert!(!offered_as_of(Some(after)).await && !offered_as_of(None).await);
    // What is kept of the schedule afterwards is whole.
    salon.set_hours(WILLOW, weekdays(9, 17)).await;
    assert!(!offered_as_of(None).await && offered_as_of(Some(before)).await);
}

#[tokio::test]
async fn followers_are_told_of_another_name_or_last_day_and_of_nothing_else() {
    let salon = Salon::open().await;
    let mut told = vec![with_account(1, "")];
    follow(&salon, told.clone()).await;
    let before = schedule_versions(&salon).await.len();
    for (event, more) in [
        (with_account(2, &testkit::USER.to_string()), 0),
        (employee(3, "Ana Lopez"), 1),
        (leaving(4, ANA, "2026-06-02"), 2),
        (leaving(5, ANA, "2026-06-03"), 3),
        (leaving(6, ANA, "2026-06-03"), 3),
    ] {
        told.push(event);
        follow(&salon, told.clone()).await;
        assert_eq!(schedule_versions(&salon).await.len(), before + more);
    }
}

#[tokio::test]
async fn an_employee_reports_an_absence_while_the_account_is_theirs() {
    let salon = Salon::open().await;
    let report = async || {
        let request = salon.employee(absence::sick(ANA));
        salon.proposals().report_absence(request).await.map(drop).map_err(|status| reason(&status))
    };
    follow(&salon, vec![with_account(1, &testkit::USER.to_string()), with_account(2, "")]).await;
    assert_eq!(report().await, Err(Reason::RoleTooLow));
    let events = [(1, ""), (2, ""), (3, &*testkit::USER.to_string())];
    follow(&salon, events.map(|(position, account)| with_account(position, account)).to_vec()).await;
    assert_eq!(report().await, Ok(()));
}

#[tokio::test]
async fn names_show_once_their_events_have_arrived() {
    let salon = Salon::open().await;
    let request = BookAppointmentRequest {
        customer_id: MIA.to_string(),
        ..booking(vec![by(CUT, ANA)], local("2026-06-02", "09:00"))
    };
    let booked = salon.book_as(salon.agent(request)).await.unwrap();
    assert_eq!((booked.customer_name.as_str(), booked.items[0].employee_name.as_str()), ("", ""));
    let before = salon.search(vec![by(CUT, ANA)], "2026-06-02").await.unwrap();
    assert_eq!(before.offers[0].items[0].employee_name, "");
    let events = vec![
        business(1, "Europe/London"),
        employee(2, "Ana"),
        customer(3, "Mia", "+442079460018"),
        employee(4, "Ana Lopez"),
    ];
    follow(&salon, events).await;
    let request = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: booked.id };
    let read = salon.appointments().get_appointment(salon.manager(request)).await.unwrap();
    let read = read.into_inner().appointment.unwrap();
    assert_eq!((read.customer_name.as_str(), read.customer_phone.as_str()), ("Mia", "+442079460018"));
    assert_eq!(read.items[0].employee_name, "Ana Lopez");
    let after = salon.search(vec![by(CUT, ANA)], "2026-06-02").await.unwrap();
    assert_eq!(after.offers[0].items[0].employee_name, "Ana Lopez");
}

#[tokio::test]
async fn an_unreadable_event_is_parked_and_later_ones_are_processed() {
    let salon = Salon::empty().await;
    let mars = Uuid::from_u128(0x3a5);
    let unknown =
        Business { id: mars.to_string(), time_zone: "Mars/Olympus".to_owned(), ..Default::default() };
    let unknown = event(1, mars, 1, Payload::Business(unknown));
    follow(&salon, vec![unknown, business(2, "Europe/London")]).await;
    assert_eq!(salon.count("SELECT count(*) FROM outbox_parked").await, 1);
    assert_eq!(zone(&salon).await.0, "Europe/London");
}

/// An employee of another business gave a customer the id that Willow gets later.
#[tokio::test]
async fn a_customer_elsewhere_with_the_id_of_a_business_does_not_keep_it_from_arriving() {
    let salon = Salon::empty().await;
    let squatter = Customer { id: WILLOW.to_string(), name: "Mallory".to_owned(), ..Default::default() };
    let squatter = event(1, WILLOW.0, 1, Payload::Customer(squatter));
    let squatter = Event { business_id: OTHER.to_string(), ..squatter };
    let willow =
        Business { id: WILLOW.to_string(), time_zone: "Europe/London".to_owned(), ..Default::default() };
    follow(&salon, vec![squatter, event(2, WILLOW.0, 1, Payload::Business(willow))]).await;
    assert_eq!(zone(&salon).await.0, "Europe/London");
}

/// A customer, perhaps as part of another.
pub fn part(position: i64, id: Uuid, version: i64, name: &str, whole: Option<Uuid>) -> Event {
    let customer = Customer {
        id: id.to_string(),
        name: name.to_owned(),
        phone: format!("+4477009000{version:02}"),
        merged_into: whole.map(|whole| whole.to_string()).unwrap_or_default(),
        ..Default::default()
    };
    event(position, id, version, Payload::Customer(customer))
}

/// The visits to come of a customer: whose they are said to be.
async fn coming(salon: &Salon, customer: Uuid) -> Vec<(String, String)> {
    let request = ListCustomerAppointmentsRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_string(),
        upcoming: true,
        ..Default::default()
    };
    let listed = salon.appointments().list_customer_appointments(salon.manager(request)).await.unwrap();
    listed
        .into_inner()
        .appointments
        .into_iter()
        .map(|visit| (visit.customer_id, visit.customer_name))
        .collect()
}

/// What followers were told of visits that go by another name: the name, and which visits.
async fn renamed(salon: &Salon) -> Vec<(String, Vec<String>)> {
    let renamed = |event: Event| match event.payload {
        Some(Payload::CustomerRenamed(renamed)) => Some((renamed.customer_name, renamed.appointment_ids)),
        _ => None,
    };
    events(salon).await.into_iter().filter_map(renamed).collect()
}

/// Books a visit of a customer; says which.
async fn booked(salon: &Salon, customer: Uuid, date: &str, time: &str) -> String {
    let mut request = booking(vec![by(CUT, ANA)], local(date, time));
    request.customer_id = customer.to_string();
    salon.book_as(salon.agent(request)).await.unwrap().id
}

#[tokio::test]
async fn another_name_is_told_as_a_change_of_the_person_who_made_it() {
    let salon = Salon::open().await;
    booked(&salon, MIA, "2026-06-04", "10:00").await;
    let actor = "user:01900000-0000-7000-8000-000000000a02".to_owned();
    let told = Event { actor: actor.clone(), ..customer(1, "Mia", "+442079460018") };
    follow(&salon, vec![told]).await;
    let told = events(&salon).await;
    let renamed = told.iter().find(|event| matches!(event.payload, Some(Payload::CustomerRenamed(_))));
    assert_eq!(renamed.unwrap().actor, actor);
}

#[tokio::test]
async fn followers_are_told_of_visits_to_come_that_go_by_another_name_and_of_no_others() {
    let salon = Salon::open().await;
    let was = booked(&salon, MIA, "2026-06-02", "10:00").await;
    let coming = booked(&salon, MIA, "2026-06-04", "10:00").await;
    let cancelled = booked(&salon, MIA, "2026-06-05", "10:00").await;
    salon.cancel(&cancelled).await.unwrap();
    booked(&salon, Uuid::from_u128(0x71c), "2026-06-04", "12:00").await;

    let mut told = vec![customer(1, "Mia", "+442079460018")];
    follow(&salon, told.clone()).await;
    let mut expected = vec![("Mia".to_owned(), vec![was, coming.clone()])];
    assert_eq!(renamed(&salon).await, expected, "visits that were booked before the name arrived");

    salon.time.advance(local("2026-06-03", "09:00").duration_since(salon.time.now()));
    told.push(customer(2, "Mia Wong", "+442079460018"));
    follow(&salon, told.clone()).await;
    expected.push(("Mia Wong".to_owned(), vec![coming]));
    assert_eq!(renamed(&salon).await, expected);

    told.push(customer(3, "Mia Wong", "+442079460019"));
    follow(&salon, told).await;
    assert_eq!(renamed(&salon).await, expected, "another number changes no name");
}

#[tokio::test]
async fn followers_are_told_of_a_visit_under_way_that_began_days_ago() {
    let salon = Salon::open().await;
    let long = booked(&salon, MIA, "2026-06-02", "10:00").await;
    let sql =
        format!("UPDATE appointment SET starts_at = ends_at - interval '270 hours' WHERE id = '{long}'");
    sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut salon.superuser().await).await.unwrap();
    follow(&salon, vec![customer(1, "Mia", "")]).await;
    assert_eq!(renamed(&salon).await, [("Mia".to_owned(), vec![long])]);
}

#[tokio::test]
async fn visits_follow_a_customer_who_becomes_part_of_another_and_back() {
    const TWIN: Uuid = Uuid::from_u128(0x71b);
    let salon = Salon::open().await;
    let mut told = vec![part(1, MIA, 1, "Mia", None), part(2, TWIN, 1, "M. Wong", None)];
    follow(&salon, told.clone()).await;
    let mias = booked(&salon, MIA, "2026-06-02", "10:00").await;
    let twins = booked(&salon, TWIN, "2026-06-02", "11:00").await;
    let own = |id: Uuid, name: &str| (id.to_string(), name.to_owned());
    assert_eq!(coming(&salon, MIA).await, [own(MIA, "Mia")]);

    told.push(part(3, TWIN, 2, "M. Wong", Some(MIA)));
    follow(&salon, told.clone()).await;
    assert_eq!(coming(&salon, MIA).await, [own(MIA, "Mia"), own(MIA, "Mia")]);
    told.push(part(4, MIA, 2, "Mia Wong", None));
    follow(&salon, told.clone()).await;
    assert_eq!(coming(&salon, MIA).await, [own(MIA, "Mia Wong"), own(MIA, "Mia Wong")]);

    told.push(part(5, TWIN, 3, "M. Wong", None));
    follow(&salon, told).await;
    assert_eq!(coming(&salon, MIA).await, [own(MIA, "Mia Wong")]);
    assert_eq!(coming(&salon, TWIN).await, [own(TWIN, "M. Wong")]);
    let expected = [
        ("Mia".to_owned(), vec![twins.clone()]),
        ("Mia Wong".to_owned(), vec![mias, twins.clone()]),
        ("M. Wong".to_owned(), vec![twins]),
    ];
    assert_eq!(renamed(&salon).await, expected, "followers were told each time");
}
