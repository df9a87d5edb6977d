//! How services do, and unmet demand.

use core::time::Duration;

use jiff::Timestamp;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        Amount, AppointmentState, BookAppointmentRequest, GetServiceIntelligenceRequest,
        GetServiceIntelligenceResponse, MeasuredLength, PartOfDay, SearchAvailabilityRequest, ServiceReport,
        SetAppointmentStateRequest, VisitItem,
        service_intelligence_service_client::ServiceIntelligenceServiceClient,
    },
    time::to_proto,
};
use tonic::Status;
use uuid::Uuid;

use crate::salon::{
    ANA, BEN, COLOUR, CUT, MASSAGE, Salon, WILLOW, anyone, booking, by, field, local, reason,
};

const MIA: Uuid = Uuid::from_u128(0xd1);

fn window(first: &str, last: &str) -> GetServiceIntelligenceRequest {
    GetServiceIntelligenceRequest {
        business_id: WILLOW.to_string(),
        first_date: first.to_owned(),
        last_date: last.to_owned(),
        ..GetServiceIntelligenceRequest::default()
    }
}

async fn get(
    salon: &Salon,
    request: GetServiceIntelligenceRequest,
) -> Result<GetServiceIntelligenceResponse, Status> {
    Ok(salon.intelligence().get_service_intelligence(salon.manager(request)).await?.into_inner())
}

async fn report(salon: &Salon, service: Uuid, first: &str, last: &str) -> ServiceReport {
    let reports = get(salon, window(first, last)).await.unwrap().services;
    reports.into_iter().find(|report| report.service_id == service.to_string()).unwrap()
}

/// Books a visit and says in which state it is by now.
async fn visit(salon: &Salon, items: Vec<VisitItem>, start: Timestamp, state: &str) {
    let request = BookAppointmentRequest { customer_id: MIA.to_string(), ..booking(items, start) };
    let booked = salon.book_as(salon.service("local", request)).await.unwrap();
    if state == "CANCELLED" {
        salon.cancel(&booked.id).await.unwrap();
    } else {
        let sql = format!("UPDATE appointment SET state = '{state}' WHERE id = '{}'", booked.id);
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut salon.superuser().await).await.unwrap();
    }
}

#[tokio::test]
async fn visits_are_counted_by_what_came_of_them() {
    let salon = Salon::open().await;
    let june = |day: u8, time: &str| local(&format!("2026-06-{day:02}"), time);
    visit(&salon, vec![by(CUT, ANA), by(COLOUR, ANA)], june(2, "09:00"), "COMPLETED").await;
    visit(&salon, vec![by(CUT, ANA)], june(9, "09:00"), "COMPLETED").await;
    visit(&salon, vec![by(CUT, BEN)], june(9, "11:00"), "BOOKED").await;
    visit(&salon, vec![by(CUT, BEN)], june(10, "11:00"), "CANCELLED").await;
    visit(&salon, vec![by(CUT, ANA)], june(11, "11:00"), "NO_SHOW").await;
    // Outside.
    visit(&salon, vec![by(CUT, ANA)], june(1, "17:00"), "COMPLETED").await;
    visit(&salon, vec![by(CUT, ANA)], june(12, "09:00"), "COMPLETED").await;
    let cut = report(&salon, CUT, "2026-06-02", "2026-06-11").await;
    assert_eq!((cut.booked, cut.completed, cut.cancelled, cut.no_shows), (5, 2, 1, 1));
    assert_eq!(cut.planned_minutes, 4 * 30);
    assert_eq!(cut.value, [Amount { minor: 4 * 4500, currency: "GBP".to_owned() }]);
    let shares: Vec<_> =
        cut.employees.iter().map(|share| (share.employee_id.clone(), share.visits, share.share)).collect();
    assert_eq!(shares, [(ANA.to_string(), 3, 0.75), (BEN.to_string(), 1, 0.25)]);
    let colour = report(&salon, COLOUR, "2026-06-02", "2026-06-11").await;
    assert_eq!((colour.booked, colour.planned_minutes, colour.value[0].minor), (1, 75, 4500));
    let massage = report(&salon, MASSAGE, "2026-06-02", "2026-06-11").await;
    assert_eq!((massage.booked, massage.value, massage.service_name.as_str()), (0, vec![], "Massage"));
}

#[tokio::test]
async fn a_service_keeps_the_value_it_was_booked_for_when_the_list_changes() {
    let salon = Salon::open().await;
    visit(&salon, vec![by(CUT, ANA), by(COLOUR, ANA)], local("2026-06-02", "09:00"), "BOOKED").await;
    sqlx::query("UPDATE service SET price_minor = 1").execute(&mut salon.superuser().await).await.unwrap();
    for service in [CUT, COLOUR] {
        let report = report(&salon, service, "2026-06-02", "2026-06-02").await;
        assert_eq!(report.value, [Amount { minor: 4500, currency: "GBP".to_owned() }]);
    }
}

#[tokio::test]
async fn planned_length_stands_beside_the_actual_one_of_visits_that_say() {
    let salon = Salon::open().await;
    let at = |time: &str| local("2026-06-02", time);
    let enter = async |id: &str, state: AppointmentState, time: &str| {
        salon.time.set(at(time));
        let request = SetAppointmentStateRequest {
            business_id: WILLOW.to_string(),
            appointment_id: id.to_owned(),
            state: state.into(),
            version: 0,
        };
        salon.appointments().set_appointment_state(salon.employee(request)).await.unwrap();
    };
    let short = salon.book(vec![by(CUT, ANA)], at("09:00")).await.unwrap().id;
    let long = salon.book(vec![by(CUT, ANA)], at("10:00")).await.unwrap().id;
    let unsaid = salon.book(vec![by(CUT, ANA)], at("11:00")).await.unwrap().id;
    let two = salon.book(vec![by(CUT, ANA), by(COLOUR, ANA)], at("12:00")).await.unwrap().id;
    enter(&short, AppointmentState::InService, "09:02").await;
    enter(&short, AppointmentState::Completed, "09:24").await;
    enter(&long, AppointmentState::InService, "10:00").await;
    enter(&long, AppointmentState::Completed, "10:45").await;
    enter(&unsaid, AppointmentState::Completed, "11:30").await;
    enter(&two, AppointmentState::InService, "12:00").await;
    enter(&two, AppointmentState::Completed, "14:00").await;
    let cut = report(&salon, CUT, "2026-06-02", "2026-06-02").await.measured;
    assert_eq!(cut, Some(MeasuredLength { visits: 2, planned_minutes: 60, actual_minutes: 67 }));
    assert_eq!(report(&salon, COLOUR, "2026-06-02", "2026-06-02").await.measured, None);
}

#[tokio::test]
async fn rebooking_is_the_median_of_days_between_a_customers_visits() {
    let salon = Salon::open().await;
    let at = |date: &str| local(date, "09:00");
    for date in ["2026-05-05", "2026-06-02", "2026-06-12", "2026-07-14"] {
        visit(&salon, vec![by(CUT, ANA)], at(date), "BOOKED").await;
    }
    // Twice in a day is once; what was called off, and other services, are none.
    visit(&salon, vec![by(CUT, ANA)], local("2026-06-12", "15:00"), "BOOKED").await;
    visit(&salon, vec![by(CUT, ANA)], at("2026-06-20"), "CANCELLED").await;
    visit(&salon, vec![by(COLOUR, ANA)], at("2026-06-22"), "BOOKED").await;
    let cut = report(&salon, CUT, "2026-06-01", "2026-07-31").await;
    // 28 (from before the span), 10 and 32 days.
    assert_eq!((cut.rebooking_days, cut.rebookings), (Some(28.0), 3));
    let cut = report(&salon, CUT, "2026-06-12", "2026-07-31").await;
    assert_eq!((cut.rebooking_days, cut.rebookings), (Some(21.0), 2));
    assert_eq!(report(&salon, COLOUR, "2026-06-01", "2026-07-31").await.rebooking_days, None);
}

#[tokio::test]
async fn a_report_comes_a_page_at_a_time() {
    let salon = Salon::open().await;
    let first = GetServiceIntelligenceRequest { page_size: 2, ..window("2026-06-01", "2026-06-30") };
    let page = get(&salon, first.clone()).await.unwrap();
    let rest = GetServiceIntelligenceRequest { page_token: page.next_page_token, ..first };
    let rest = get(&salon, rest).await.unwrap();
    let ids: Vec<_> =
        page.services.iter().chain(&rest.services).map(|report| report.service_id.clone()).collect();
    assert_eq!(ids, [CUT, COLOUR, MASSAGE].map(|id| id.to_string()));
    assert_eq!((rest.next_page_token.as_str(), rest.time_zone.as_str()), ("", "Europe/London"));
}

#[tokio::test]
async fn a_refused_report_says_why() {
    let salon = Salon::open().await;
    assert!(get(&salon, window("2026-01-01", "2027-01-01")).await.is_ok());
    for (first, last, named) in [
        ("2026-01-01", "2027-01-02", "last_date"),
        ("2026-06-02", "2026-06-01", "last_date"),
        ("", "2026-06-01", "first_date"),
        ("2026-06-01", "soon", "last_date"),
    ] {
        assert_eq!(field(&get(&salon, window(first, last)).await.unwrap_err()), named, "{first} to {last}");
    }
    let foreign =
        GetServiceIntelligenceRequest { page_token: "bm9wZQ".into(), ..window("2026-06-01", "2026-06-01") };
    assert_eq!(field(&get(&salon, foreign).await.unwrap_err()), "page_token");
    let request = salon.employee(window("2026-06-01", "2026-06-01"));
    let refused = salon.intelligence().get_service_intelligence(request).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
}

/// Searches from one time up to another.
async fn search(salon: &Salon, items: Vec<VisitItem>, from: Timestamp, to: Timestamp) -> usize {
    let request = SearchAvailabilityRequest {
        business_id: WILLOW.to_string(),
        items,
        from: Some(to_proto(from)),
        to: Some(to_proto(to)),
        ..SearchAvailabilityRequest::default()
    };
    salon.search_as(salon.agent(request)).await.unwrap().offers.len()
}

#[tokio::test]
async fn searches_that_found_nothing_are_written_when_the_service_stops_at_latest() {
    let salon = Salon::open().await;
    let sunday = |time| local("2026-06-07", time);
    assert_eq!(search(&salon, vec![anyone(CUT)], sunday("09:00"), sunday("12:00")).await, 0);
    assert_eq!(search(&salon, vec![by(CUT, ANA)], sunday("10:00"), sunday("11:00")).await, 0);
    assert_eq!(search(&salon, vec![anyone(COLOUR), anyone(CUT)], sunday("09:00"), sunday("18:00")).await, 0);
    assert!(search(&salon, vec![anyone(MASSAGE)], sunday("09:00"), local("2026-06-09", "18:00")).await > 0);
    assert_eq!(salon.count("SELECT count(*) FROM unmet_demand").await, 0, "a search does not write");
    salon.host.shutdown.cancel();
    let written = async { while salon.count("SELECT count(*) FROM unmet_demand").await < 2 {} };
    tokio::time::timeout(Duration::from_secs(10), written).await.expect("the counts are lost");
    let host = testkit::host_on("scheduling", salon.host.clock.clone());
    let mut replica = ServiceIntelligenceServiceClient::new(salon.replica_on(&host).await);
    let request = salon.manager(window("2026-06-01", "2026-06-01"));
    let unmet = replica.get_service_intelligence(request).await.unwrap().into_inner().unmet_demand;
    let unmet: Vec<_> =
        unmet.iter().map(|unmet| (unmet.service_ids.clone(), unmet.part_of_day(), unmet.searches)).collect();
    assert_eq!(
        unmet,
        [
            (vec![CUT.to_string()], PartOfDay::Morning, 2),
            (vec![CUT.to_string(), COLOUR.to_string()], PartOfDay::Unspecified, 1),
        ]
    );
    host.shutdown.cancel();
}
