//! Searching for free time.

use caller::Role;
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        CreateHoldRequest, SearchAvailabilityRequest, availability_service_client::AvailabilityServiceClient,
    },
    time::to_proto,
};
use testkit::as_user;
use uuid::Uuid;

use crate::salon::{
    ANA, BEN, COLOUR, CUT, MASSAGE, OTHER, Salon, WILLOW, anyone, booking, by, fact, field, local, monday,
    reason, service, shown, starts, weekdays,
};

pub fn request(items: Vec<proto::frontdesk::scheduling::v1::VisitItem>) -> SearchAvailabilityRequest {
    SearchAvailabilityRequest { business_id: WILLOW.to_string(), items, ..Default::default() }
}

pub fn between(from: Timestamp, to: Timestamp) -> SearchAvailabilityRequest {
    SearchAvailabilityRequest {
        from: Some(to_proto(from)),
        to: Some(to_proto(to)),
        page_size: 200,
        ..request(vec![anyone(CUT)])
    }
}

#[tokio::test]
async fn a_free_day_is_offered_every_quarter_of_an_hour_within_the_hours() {
    let salon = Salon::open().await;
    let found = salon.search(vec![anyone(CUT)], "2026-06-02").await.unwrap();
    assert_eq!(found.time_zone, "Europe/London");
    assert_eq!(found.offers.len(), 35);
    assert_eq!(shown(found.offers[0].starts_at.as_ref()), "09:00");
    let last = found.offers.last().unwrap();
    assert_eq!(
        (shown(last.starts_at.as_ref()), shown(last.ends_at.as_ref())),
        ("17:30".into(), "18:00".into())
    );
    assert_eq!((last.price_minor, last.currency.as_str()), (4500, "GBP"));
    assert_eq!(last.items[0].service_name, "Cut");
}

#[tokio::test]
async fn nothing_is_offered_that_has_begun_already() {
    let salon = Salon::open().await;
    // The clock shows 09:00 in London.
    salon.time.advance(SignedDuration::from_mins(7));
    let found = salon.search(vec![anyone(CUT)], "2026-06-01").await.unwrap();
    assert_eq!(starts(&found.offers)[..2], ["09:15", "09:30"]);
}

#[tokio::test]
async fn another_customer_fits_into_the_processing_time() {
    let salon = Salon::open().await;
    salon.book(vec![by(COLOUR, ANA)], local("2026-06-02", "10:00")).await.unwrap();
    let offered = salon.offered_on_tuesday(vec![by(CUT, ANA)]).await;
    // At work 10:00 to 10:30 and 11:00 to 11:15, and ten minutes are kept free after.
    let around: Vec<_> = offered.iter().filter(|at| ("09:15".."12:00").contains(&at.as_str())).collect();
    assert_eq!(around, ["09:15", "09:30", "10:30", "11:30", "11:45"]);
}

#[tokio::test]
async fn a_chain_of_services_goes_to_one_employee_where_that_is_possible() {
    let salon = Salon::open().await;
    let found = salon.search(vec![anyone(CUT), anyone(MASSAGE)], "2026-06-02").await.unwrap();
    let first = &found.offers[0];
    let people: Vec<_> = first.items.iter().map(|item| item.employee_id.clone()).collect();
    assert_eq!(people, [BEN.to_string(), BEN.to_string()]);
    assert_eq!(first.items[0].ends_at, first.items[1].starts_at);
    assert_eq!(first.price_minor, 9000);
}

#[tokio::test]
async fn a_chain_goes_to_several_employees_where_one_can_not_do_it() {
    let salon = Salon::open().await;
    salon.book(vec![by(CUT, BEN)], local("2026-06-02", "09:00")).await.unwrap();
    let found = salon.search(vec![anyone(CUT), anyone(CUT)], "2026-06-02").await.unwrap();
    assert_eq!(starts(&found.offers)[0], "09:00");
    salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:30")).await.unwrap();
    let found = salon.search(vec![anyone(CUT), anyone(CUT)], "2026-06-02").await.unwrap();
    let people: Vec<_> = found.offers[0].items.iter().map(|item| item.employee_id.clone()).collect();
    assert_eq!(
        (starts(&found.offers)[0].as_str(), people),
        ("09:00", vec![ANA.to_string(), BEN.to_string()])
    );
}

#[tokio::test]
async fn pages_of_offers_follow_on_each_other() {
    let salon = Salon::open().await;
    let whole = salon.offered_on_tuesday(vec![anyone(CUT)]).await;
    let (mut paged, mut token) = (vec![], String::new());
    loop {
        let request = SearchAvailabilityRequest {
            page_size: 0,
            page_token: token,
            ..between(local("2026-06-02", "00:00"), local("2026-06-03", "00:00"))
        };
        let page = salon.search_as(salon.agent(request)).await.unwrap();
        assert!(page.offers.len() <= 20);
        paged.extend(starts(&page.offers));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(paged, whole);
}

#[tokio::test]
async fn what_one_replica_books_the_other_no_longer_offers() {
    let salon = Salon::open().await;
    let mut replica = AvailabilityServiceClient::new(salon.replica().await);
    let tuesday = || between(local("2026-06-02", "09:00"), local("2026-06-02", "10:00"));
    let mut ask = async || {
        let found = replica.search_availability(salon.agent(tuesday())).await.unwrap();
        starts(&found.into_inner().offers)
    };
    assert_eq!(ask().await, ["09:00", "09:15", "09:30", "09:45"]);
    let first = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
    salon.book(vec![by(CUT, BEN)], local("2026-06-02", "09:15")).await.unwrap();
    assert_eq!(ask().await, ["09:30", "09:45"]);
    salon.cancel(&first.id).await.unwrap();
    assert_eq!(ask().await, ["09:00", "09:15", "09:30", "09:45"]);
    salon.set_hours(WILLOW, weekdays(9, 10)).await;
    assert_eq!(ask().await, ["09:00", "09:15", "09:30"]);
}

#[tokio::test]
async fn a_service_that_was_just_added_is_found_by_every_replica() {
    let salon = Salon::open().await;
    let mut replica = AvailabilityServiceClient::new(salon.replica().await);
    replica.search_availability(salon.agent(request(vec![anyone(CUT)]))).await.unwrap();
    let fringe = Uuid::from_u128(0xf1);
    salon.create_service(service(fringe, "Fringe", &[10], &[ANA])).await.unwrap();
    let found = replica.search_availability(salon.agent(request(vec![anyone(fringe)]))).await.unwrap();
    assert_eq!(found.into_inner().offers.len(), 20);
}

#[tokio::test]
async fn held_time_is_not_offered_to_others_until_the_hold_expires() {
    let salon = Salon::open().await;
    salon.hold(vec![by(CUT, ANA)], local("2026-06-02", "09:00")).await.unwrap();
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[0], "09:30");
    salon.time.advance(SignedDuration::from_mins(5));
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[0], "09:00");
}

#[tokio::test]
async fn busy_time_from_a_calendar_is_not_offered() {
    let salon = Salon::open().await;
    let dentist = fact("dentist", local("2026-06-02", "09:20"), local("2026-06-02", "10:07"));
    assert_eq!(salon.import(vec![dentist]).await.unwrap(), 0);
    assert_eq!(salon.offered_on_tuesday(vec![by(CUT, ANA)]).await[0], "10:15");
    assert_eq!(salon.offered_on_tuesday(vec![anyone(CUT)]).await[0], "09:00");
}

#[tokio::test]
async fn a_buffer_may_lie_outside_the_hours_but_not_over_something_else() {
    let salon = Salon::open().await;
    assert_eq!(salon.offered_on_tuesday(vec![anyone(MASSAGE)]).await[0], "09:00");
    salon.book(vec![by(CUT, BEN)], local("2026-06-02", "09:00")).await.unwrap();
    // 09:30 would leave nothing of the five minutes before.
    assert_eq!(salon.offered_on_tuesday(vec![anyone(MASSAGE)]).await[0], "09:45");
}

#[tokio::test]
async fn a_visit_may_run_over_midnight() {
    let salon = Salon::open().await;
    let mut late = weekdays(20, 24);
    late.extend(weekdays(0, 2));
    salon.set_hours(WILLOW, late.clone()).await;
    salon.set_week(ANA, late).await;
    let booked = salon.book(vec![by(CUT, ANA)], local("2026-06-02", "23:45")).await.unwrap();
    assert_eq!(shown(booked.ends_at.as_ref()), "00:15");
    let request = between(local("2026-06-02", "23:00"), local("2026-06-03", "01:00"));
    let request = SearchAvailabilityRequest { items: vec![by(CUT, ANA)], ..request };
    let found = salon.search_as(salon.agent(request)).await.unwrap();
    assert_eq!(starts(&found.offers), ["23:00", "23:15", "00:15", "00:30", "00:45"]);
}

#[tokio::test]
async fn lead_time_increment_and_horizon_of_the_business_are_kept() {
    let salon = Salon::open().await;
    let mut owner = salon.superuser().await;
    sqlx::query(
        "UPDATE business_settings SET lead_minutes = 90, increment_minutes = 20, horizon_days = 1,
         schedule_version = schedule_version + 1",
    )
    .execute(&mut owner)
    .await
    .unwrap();
    let request = between(monday("00:00"), local("2026-06-05", "00:00"));
    let found = salon.search_as(salon.agent(request)).await.unwrap();
    assert_eq!(starts(&found.offers)[..3], ["10:40", "11:00", "11:20"]);
    // The horizon of a day ends at nine on Tuesday.
    assert_eq!(starts(&found.offers).last().unwrap(), "17:20");
}

#[tokio::test]
async fn the_desk_is_offered_held_and_booked_what_customers_need_more_notice_for() {
    let salon = Salon::open().await;
    sqlx::query("UPDATE business_settings SET lead_minutes = 120, schedule_version = schedule_version + 1")
        .execute(&mut salon.superuser().await)
        .await
        .unwrap();
    let today = || between(monday("00:00"), local("2026-06-02", "00:00"));
    let by_agent = salon.search_as(salon.agent(today())).await.unwrap();
    assert_eq!(starts(&by_agent.offers)[0], "11:00");
    let by_desk = salon.search_as(salon.employee(today())).await.unwrap();
    assert_eq!(starts(&by_desk.offers)[0], "09:00", "it is nine");
    let for_customer = SearchAvailabilityRequest { for_customer: true, ..today() };
    let for_customer = salon.search_as(salon.employee(for_customer)).await.unwrap();
    assert_eq!(starts(&for_customer.offers), starts(&by_agent.offers));
    let hold = CreateHoldRequest {
        business_id: WILLOW.to_string(),
        items: vec![by(CUT, ANA)],
        starts_at: Some(to_proto(monday("09:15"))),
        ..Default::default()
    };
    let agents = salon.availability().create_hold(salon.agent(hold.clone())).await.unwrap_err();
    assert_eq!(reason(&agents), Reason::TooSoon);
    salon.availability().create_hold(salon.employee(hold)).await.unwrap();
    let soon = || booking(vec![by(CUT, BEN)], monday("09:15"));
    assert_eq!(reason(&salon.book_as(salon.agent(soon())).await.unwrap_err()), Reason::TooSoon);
    salon.book_as(salon.employee(soon())).await.unwrap();
}

#[tokio::test]
async fn a_malformed_search_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |change: &dyn Fn(&mut SearchAvailabilityRequest)| {
        let mut request = between(monday("09:00"), monday("18:00"));
        change(&mut request);
        field(&salon.search_as(salon.agent(request)).await.unwrap_err())
    };
    assert_eq!(refused(&|request| request.items.clear()).await, "items");
    assert_eq!(refused(&|request| request.items = vec![anyone(CUT); 7]).await, "items");
    assert_eq!(refused(&|request| request.items[0].service_id.clear()).await, "items[0].service_id");
    assert_eq!(refused(&|request| request.items[0].employee_id = "Ana".into()).await, "items[0].employee_id");
    assert_eq!(refused(&|request| request.to = request.from).await, "to");
    let late = Some(to_proto(monday("09:00") + SignedDuration::from_hours(63 * 24)));
    assert_eq!(refused(&|request| request.to = late).await, "to");
    assert_eq!(refused(&|request| request.page_size = 201).await, "page_size");
    assert_eq!(refused(&|request| request.page_token = "bm9wZQ".into()).await, "page_token");
    let end_of_time = Some(pbjson_types::Timestamp { seconds: i64::MAX, nanos: 0 });
    assert_eq!(refused(&|request| request.from = end_of_time).await, "from");
}

#[tokio::test]
async fn far_away_times_are_searched_without_a_fault() {
    let salon = Salon::open().await;
    for year in ["0001", "1969", "9999"] {
        let from: Timestamp = format!("{year}-12-29T00:00:00Z").parse().unwrap();
        let request =
            SearchAvailabilityRequest { from: Some(to_proto(from)), to: None, ..request(vec![anyone(CUT)]) };
        assert_eq!(salon.search_as(salon.agent(request)).await.unwrap().offers, []);
    }
}

#[tokio::test]
async fn a_search_is_refused_to_whom_it_does_not_concern() {
    let salon = Salon::open().await;
    let guest = as_user(&salon.host, Role::Guest, WILLOW, request(vec![anyone(CUT)]));
    assert_eq!(reason(&salon.search_as(guest).await.unwrap_err()), Reason::RoleTooLow);
    let stranger = as_user(&salon.host, Role::Owner, OTHER, request(vec![anyone(CUT)]));
    assert_eq!(reason(&salon.search_as(stranger).await.unwrap_err()), Reason::NotFound);
    let unknown = salon.agent(request(vec![anyone(Uuid::from_u128(404))]));
    assert_eq!(reason(&salon.search_as(unknown).await.unwrap_err()), Reason::NotFound);
    let unskilled = salon.agent(request(vec![by(MASSAGE, ANA)]));
    assert_eq!(reason(&salon.search_as(unskilled).await.unwrap_err()), Reason::NotSkilled);
}

#[tokio::test]
async fn a_business_that_has_not_arrived_is_asked_for_later() {
    let salon = Salon::empty().await;
    let status = salon.search_as(salon.agent(request(vec![anyone(CUT)]))).await.unwrap_err();
    assert_eq!(reason(&status), Reason::Unavailable);
}
