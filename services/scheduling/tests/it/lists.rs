//! Appointments and conflicts a page at a time.

use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::Reason,
    frontdesk::scheduling::v1::{
        BookAppointmentRequest, ListAppointmentsRequest, ListConflictsRequest,
        ListCustomerAppointmentsRequest,
    },
    time::to_proto,
};
use testkit::as_user;
use uuid::Uuid;

use crate::salon::{
    ANA, BEN, COLOUR, CUT, OTHER, Salon, WILLOW, booking, by, fact, field, local, monday, reason, shown,
};

const ZOE: Uuid = Uuid::from_u128(901);
const YAN: Uuid = Uuid::from_u128(902);

fn list() -> ListAppointmentsRequest {
    ListAppointmentsRequest { business_id: WILLOW.to_string(), ..Default::default() }
}

/// Two at nine, and one at each full hour until five.
async fn full() -> Salon {
    let salon = Salon::open().await;
    salon.book(vec![by(COLOUR, BEN), by(CUT, BEN)], local("2026-06-02", "09:00")).await.unwrap();
    for hour in 9..17 {
        let start = local("2026-06-02", &format!("{hour:02}:00"));
        salon.book(vec![by(CUT, ANA)], start).await.unwrap();
    }
    salon
}

#[tokio::test]
async fn appointments_are_listed_by_start_a_page_at_a_time() {
    let salon = full().await;
    let (mut seen, mut token) = (vec![], String::new());
    loop {
        let request = ListAppointmentsRequest { page_size: 4, page_token: token, ..list() };
        let page =
            salon.appointments().list_appointments(salon.employee(request)).await.unwrap().into_inner();
        assert!(page.appointments.len() <= 4);
        assert_eq!(page.time_zone, "Europe/London");
        seen.extend(page.appointments);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let starts: Vec<_> = seen.iter().map(|visit| shown(visit.starts_at.as_ref())).collect();
    let expected =
        ["09:00", "09:00", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "16:00"].map(str::to_owned);
    assert_eq!(starts, expected);
    let long = seen.iter().find(|visit| visit.items.len() == 2).unwrap();
    let services: Vec<_> = long.items.iter().map(|item| item.service_name.as_str()).collect();
    assert_eq!(services, ["Colour", "Cut"]);
}

#[tokio::test]
async fn a_span_is_from_its_start_up_to_its_end() {
    let salon = full().await;
    let listed = async |from: &str, to: &str| {
        let (from, to) = (local("2026-06-02", from), local("2026-06-02", to));
        let request =
            ListAppointmentsRequest { from: Some(to_proto(from)), to: Some(to_proto(to)), ..list() };
        salon
            .appointments()
            .list_appointments(salon.employee(request))
            .await
            .unwrap()
            .into_inner()
            .appointments
            .len()
    };
    assert_eq!(listed("10:00", "12:00").await, 2);
    assert_eq!(listed("10:05", "12:05").await, 2);
    // Unless told, the seven days from now.
    salon.time.set(local("2026-06-02", "15:30"));
    let rest = salon.appointments().list_appointments(salon.employee(list())).await.unwrap();
    assert_eq!(rest.into_inner().appointments.len(), 1);
}

#[tokio::test]
async fn a_customers_visits_are_listed_from_now_on_and_back() {
    let salon = Salon::open().await;
    let mut booked = vec![];
    for (customer, time) in [(ZOE, "09:00"), (ZOE, "10:00"), (YAN, "11:00"), (ZOE, "14:00"), (ZOE, "15:00")] {
        let request = BookAppointmentRequest {
            customer_id: customer.to_string(),
            ..booking(vec![by(CUT, ANA)], local("2026-06-02", time))
        };
        booked.push(salon.book_as(salon.employee(request)).await.unwrap().id);
    }
    salon.cancel(&booked[4]).await.unwrap();
    salon.time.set(local("2026-06-02", "13:00"));
    let listed = async |upcoming: bool, include_cancelled: bool| {
        let (mut starts, mut page_token) = (vec![], String::new());
        loop {
            let request = ListCustomerAppointmentsRequest {
                upcoming,
                include_cancelled,
                page_size: 1,
                page_token,
                ..of_customer(ZOE)
            };
            let page = salon.appointments().list_customer_appointments(salon.employee(request)).await;
            let page = page.unwrap().into_inner();
            assert_eq!(page.time_zone, "Europe/London");
            starts.extend(page.appointments.iter().map(|visit| shown(visit.starts_at.as_ref())));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                return starts;
            }
        }
    };
    assert_eq!(listed(true, false).await, ["14:00"]);
    assert_eq!(listed(true, true).await, ["14:00", "15:00"]);
    assert_eq!(listed(false, false).await, ["10:00", "09:00"]);
    let mut appointments = salon.appointments();
    let stranger = of_customer(Uuid::from_u128(903));
    let none = appointments.list_customer_appointments(salon.employee(stranger)).await.unwrap();
    assert_eq!(none.into_inner().appointments, []);
    let malformed = ListCustomerAppointmentsRequest { customer_id: "7".into(), ..of_customer(ZOE) };
    let refused = appointments.list_customer_appointments(salon.employee(malformed)).await;
    assert_eq!(field(&refused.unwrap_err()), "customer_id");
}

fn of_customer(customer: Uuid) -> ListCustomerAppointmentsRequest {
    ListCustomerAppointmentsRequest {
        business_id: WILLOW.to_string(),
        customer_id: customer.to_string(),
        ..Default::default()
    }
}

#[tokio::test]
async fn conflicts_are_listed_by_start_a_page_at_a_time() {
    let salon = full().await;
    let facts = (9..14).map(|hour| {
        let at = |minute: &str| local("2026-06-02", &format!("{hour:02}:{minute}"));
        fact(&format!("f{hour}"), at("10"), at("20"))
    });
    assert_eq!(salon.import(facts.collect()).await.unwrap(), 5);
    let (mut starts, mut token) = (vec![], String::new());
    loop {
        let request =
            ListConflictsRequest { business_id: WILLOW.to_string(), page_size: 2, page_token: token };
        let page = salon.appointments().list_conflicts(salon.employee(request)).await.unwrap().into_inner();
        starts.extend(page.conflicts.iter().map(|conflict| shown(conflict.starts_at.as_ref())));
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(starts, ["09:10", "10:10", "11:10", "12:10", "13:10"]);
}

#[tokio::test]
async fn a_malformed_list_names_its_field() {
    let salon = Salon::open().await;
    let refused = async |request| {
        field(&salon.appointments().list_appointments(salon.employee(request)).await.unwrap_err())
    };
    assert_eq!(refused(ListAppointmentsRequest { page_size: 201, ..list() }).await, "page_size");
    assert_eq!(
        refused(ListAppointmentsRequest { page_token: "bm9wZQ".into(), ..list() }).await,
        "page_token"
    );
    let late = Some(to_proto(monday("09:00") + SignedDuration::from_hours(24 * 63)));
    assert_eq!(refused(ListAppointmentsRequest { to: late, ..list() }).await, "to");
    let request = ListConflictsRequest {
        business_id: WILLOW.to_string(),
        page_size: 0,
        page_token: "bm9wZQ".to_owned(),
    };
    let refused = salon.appointments().list_conflicts(salon.employee(request)).await.unwrap_err();
    assert_eq!(field(&refused), "page_token");
}

#[tokio::test]
async fn lists_are_the_businesss_own() {
    let salon = full().await;
    salon.set_hours(OTHER, vec![]).await;
    for (role, business, expected) in
        [(Role::Guest, WILLOW, Reason::RoleTooLow), (Role::Owner, OTHER, Reason::NotFound)]
    {
        let request = as_user(&salon.host, role, business, list());
        let refused = salon.appointments().list_appointments(request).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
        let request = ListConflictsRequest { business_id: WILLOW.to_string(), ..Default::default() };
        let request = as_user(&salon.host, role, business, request);
        assert_eq!(reason(&salon.appointments().list_conflicts(request).await.unwrap_err()), expected);
    }
    let theirs = ListAppointmentsRequest { business_id: OTHER.to_string(), ..list() };
    let theirs = as_user(&salon.host, Role::Owner, OTHER, theirs);
    let theirs = salon.appointments().list_appointments(theirs).await.unwrap().into_inner();
    assert_eq!(theirs.appointments, []);
}
