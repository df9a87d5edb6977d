//! Employees and customers whom requests name: those of other businesses, or of none, are refused.

use std::sync::atomic::Ordering;

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        BookAppointmentRequest, BookSeriesRequest, BookWalkInRequest, Cadence, CreateHoldRequest,
        CreateServiceRequest, ExplainAvailabilityRequest, JoinWaitlistRequest, ListBlocksRequest,
        ListCustomerAppointmentsRequest, ListDayHoursRequest, ListServicesRequest, ListTimeOffRequest,
        ListWeeklySchedulesRequest, MoveAppointmentRequest, MoveRestOfSeriesRequest, PlanSeriesRequest,
        Recurrence, RemoveDayHoursRequest, RemoveWeeklyScheduleRequest, SearchAvailabilityRequest,
        SetDayHoursRequest, SetWeeklyScheduleRequest, UpdateServiceRequest, VisitItem,
    },
    time::to_proto,
};
use testkit::as_user;
use tonic::{Response, Status};
use uuid::Uuid;

use crate::{
    absence, blocks,
    salon::{
        ANA, CUT, STRANGER, Salon, WILLOW, anyone, booking, by, field, hours, local, reason, service,
        weekdays,
    },
    time_off,
};

fn named<T>(answer: Result<Response<T>, Status>) -> String {
    field(&answer.map(drop).expect_err("a stranger is refused"))
}

fn nine() -> jiff::Timestamp {
    local("2026-06-02", "09:00")
}

fn preferred() -> VisitItem {
    VisitItem { preferred_employee_id: STRANGER.to_string(), ..anyone(CUT) }
}

fn weekly() -> Option<Recurrence> {
    Some(Recurrence { cadence: Cadence::Weekly.into(), every: 1, count: 2 })
}

#[tokio::test]
async fn an_unknown_customer_is_named_by_every_request_that_takes_one() {
    let salon = Salon::open().await;
    let business_id = WILLOW.to_string();
    let customer_id = STRANGER.to_string();
    let (items, starts_at) = (vec![anyone(CUT)], Some(to_proto(nine())));
    let book = BookAppointmentRequest { customer_id: customer_id.clone(), ..booking(items.clone(), nine()) };
    let hold = CreateHoldRequest {
        business_id: business_id.clone(),
        items: items.clone(),
        starts_at,
        customer_id: customer_id.clone(),
        ..Default::default()
    };
    let search = SearchAvailabilityRequest {
        business_id: business_id.clone(),
        items: items.clone(),
        customer_id: customer_id.clone(),
        ..Default::default()
    };
    let explain = ExplainAvailabilityRequest {
        business_id: business_id.clone(),
        items: items.clone(),
        starts_at,
        customer_id: customer_id.clone(),
        ..Default::default()
    };
    let walk_in = BookWalkInRequest {
        business_id: business_id.clone(),
        items: items.clone(),
        customer_id: customer_id.clone(),
        ..Default::default()
    };
    let join = JoinWaitlistRequest {
        business_id: business_id.clone(),
        customer_id: customer_id.clone(),
        items: items.clone(),
        first_date: "2026-06-02".to_owned(),
        last_date: "2026-06-02".to_owned(),
        ..Default::default()
    };
    let visits = ListCustomerAppointmentsRequest { business_id, customer_id, ..Default::default() };
    let mut availability = salon.availability();
    for refused in [
        named(salon.appointments().book_appointment(salon.agent(book)).await),
        named(salon.appointments().list_customer_appointments(salon.employee(visits)).await),
        named(availability.create_hold(salon.agent(hold)).await),
        named(availability.search_availability(salon.agent(search)).await),
        named(availability.explain_availability(salon.employee(explain)).await),
        named(salon.appointments().book_walk_in(salon.employee(walk_in)).await),
        named(salon.waitlist().join_waitlist(salon.agent(join)).await),
    ] {
        assert_eq!(refused, "customer_id");
    }
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 0);
    assert_eq!(salon.count("SELECT count(*) FROM waitlist_entry").await, 0);
}

#[tokio::test]
async fn an_unknown_employee_is_named_by_every_request_that_takes_one() {
    let salon = Salon::open().await;
    let business_id = || WILLOW.to_string();
    let employee_id = || STRANGER.to_string();
    let mut schedules = salon.schedules();
    let week = SetWeeklyScheduleRequest {
        business_id: business_id(),
        employee_id: employee_id(),
        spans: weekdays(9, 18),
        ..Default::default()
    };
    let weeks = ListWeeklySchedulesRequest {
        business_id: business_id(),
        employee_id: employee_id(),
        ..Default::default()
    };
    let no_week = RemoveWeeklyScheduleRequest {
        business_id: business_id(),
        employee_id: employee_id(),
        ..Default::default()
    };
    let day = SetDayHoursRequest {
        business_id: business_id(),
        employee_id: employee_id(),
        date: "2026-06-02".to_owned(),
        spans: hours(9, 12),
        ..Default::default()
    };
    let no_day = RemoveDayHoursRequest {
        business_id: business_id(),
        employee_id: employee_id(),
        date: "2026-06-02".to_owned(),
        ..Default::default()
    };
    let days =
        ListDayHoursRequest { business_id: business_id(), employee_id: employee_id(), ..Default::default() };
    let blocks =
        ListBlocksRequest { business_id: business_id(), employee_id: employee_id(), ..Default::default() };
    let list =
        ListTimeOffRequest { business_id: business_id(), employee_id: employee_id(), ..Default::default() };
    let asked = proto::frontdesk::scheduling::v1::RequestTimeOffRequest {
        employee_id: employee_id(),
        ..time_off::days("2026-06-02", "2026-06-02")
    };
    let block = blocks::request(STRANGER, nine(), local("2026-06-02", "10:00"));
    for refused in [
        named(schedules.set_weekly_schedule(salon.manager(week)).await),
        named(schedules.list_weekly_schedules(salon.manager(weeks)).await),
        named(schedules.remove_weekly_schedule(salon.manager(no_week)).await),
        named(schedules.set_day_hours(salon.manager(day)).await),
        named(schedules.remove_day_hours(salon.manager(no_day)).await),
        named(schedules.list_day_hours(salon.manager(days)).await),
        named(salon.blocks().block_time(salon.manager(block)).await),
        named(salon.blocks().list_blocks(salon.manager(blocks)).await),
        named(salon.time_off().request_time_off(salon.manager(asked)).await),
        named(salon.time_off().list_time_off(salon.manager(list)).await),
        named(salon.proposals().report_absence(salon.manager(absence::sick(STRANGER))).await),
    ] {
        assert_eq!(refused, "employee_id");
    }
    let request = booking(vec![anyone(CUT), by(CUT, STRANGER)], nine());
    assert_eq!(
        named(salon.appointments().book_appointment(salon.agent(request)).await),
        "items[1].employee_id"
    );
    let request = booking(vec![preferred()], nine());
    let refused = named(salon.appointments().book_appointment(salon.agent(request)).await);
    assert_eq!(refused, "items[0].preferred_employee_id");
    for ids in [vec![STRANGER], vec![ANA, STRANGER]] {
        let wanted = service(Uuid::from_u128(7), "Wash", &[30], &ids);
        let update = UpdateServiceRequest {
            business_id: business_id(),
            service_id: CUT.to_string(),
            service: Some(proto::frontdesk::scheduling::v1::Service {
                id: String::new(),
                version: 1,
                ..wanted.clone()
            }),
        };
        let create = CreateServiceRequest { business_id: business_id(), service: Some(wanted) };
        let expected = format!("service.employee_ids[{}]", ids.len() - 1);
        assert_eq!(named(salon.catalogue().create_service(salon.service("local", create)).await), expected);
        let update = salon.catalogue().update_service(salon.manager(update)).await;
        assert_eq!(named(update), expected);
    }
    let booked = salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let employee_ids = vec![STRANGER.to_string()];
    let to_stranger = MoveAppointmentRequest {
        business_id: business_id(),
        appointment_id: booked.id.clone(),
        employee_ids: employee_ids.clone(),
        ..Default::default()
    };
    assert_eq!(
        named(salon.appointments().move_appointment(salon.employee(to_stranger)).await),
        "employee_ids[0]"
    );
    let rest = MoveRestOfSeriesRequest {
        business_id: business_id(),
        series_id: booked.id.clone(),
        from_appointment_id: booked.id,
        starts_at: Some(to_proto(nine())),
        employee_ids,
        ..Default::default()
    };
    assert_eq!(named(salon.series().move_rest_of_series(salon.employee(rest)).await), "employee_ids[0]");
}

#[tokio::test]
async fn a_person_made_a_moment_ago_is_taken_and_asked_for_once() {
    let salon = Salon::open().await;
    let before = salon.tenancy.asked.load(Ordering::SeqCst);
    let mia = Uuid::from_u128(0x71a);
    let book = |time| BookAppointmentRequest {
        customer_id: mia.to_string(),
        ..booking(vec![by(CUT, ANA)], local("2026-06-02", time))
    };
    salon.book_as(salon.agent(book("09:00"))).await.unwrap();
    salon.book_as(salon.agent(book("10:00"))).await.unwrap();
    // What another replica has learnt is in the database.
    let mut replica =
        proto::frontdesk::scheduling::v1::appointment_service_client::AppointmentServiceClient::new(
            salon.replica().await,
        );
    replica.book_appointment(salon.agent(book("11:00"))).await.unwrap();
    assert_eq!(salon.tenancy.asked.load(Ordering::SeqCst), before + 1);
}

#[tokio::test]
async fn without_tenancy_known_people_are_booked_and_others_wait() {
    let salon = Salon::open().await;
    salon.tenancy.away.store(true, Ordering::SeqCst);
    salon.book(vec![by(CUT, ANA)], nine()).await.unwrap();
    let unknown = booking(vec![by(CUT, Uuid::from_u128(0x71a))], local("2026-06-02", "10:00"));
    let refused = salon.book_as(salon.agent(unknown)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::Unavailable);
}

#[tokio::test]
async fn a_guest_sees_what_is_sold_and_not_who_does_it() {
    let salon = Salon::open().await;
    let list = || ListServicesRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let listed = async |role| {
        let request = as_user(&salon.host, role, WILLOW, list());
        salon.catalogue().list_services(request).await.unwrap().into_inner().services
    };
    // The employees' answer is kept: the guest's is not made of it as it stands, nor the other way round.
    let seen_by_employee = listed(Role::Employee).await;
    let seen_by_guest = listed(Role::Guest).await;
    assert!(seen_by_employee.iter().all(|service| !service.employee_ids.is_empty()));
    assert!(
        seen_by_guest.iter().all(|service| service.employee_ids.is_empty() && service.overrides.is_empty())
    );
    let names = |services: &[proto::frontdesk::scheduling::v1::Service]| -> Vec<_> {
        services.iter().map(|service| (service.name.clone(), service.price_minor)).collect()
    };
    assert_eq!(names(&seen_by_guest), names(&seen_by_employee));
    assert_eq!(listed(Role::Employee).await, seen_by_employee);
}

#[tokio::test]
async fn an_unknown_person_in_a_series_is_named() {
    let salon = Salon::open().await;
    let (business_id, customer_id) = (WILLOW.to_string(), STRANGER.to_string());
    let (items, starts_at, recurrence) = (vec![anyone(CUT)], Some(to_proto(nine())), weekly());
    let plan = PlanSeriesRequest {
        business_id: business_id.clone(),
        items: items.clone(),
        starts_at,
        recurrence,
        customer_id: customer_id.clone(),
    };
    let book =
        BookSeriesRequest { business_id, items, starts_at, recurrence, customer_id, ..Default::default() };
    assert_eq!(named(salon.series().plan_series(salon.employee(plan)).await), "customer_id");
    assert_eq!(named(salon.series().book_series(salon.employee(book)).await), "customer_id");
}
