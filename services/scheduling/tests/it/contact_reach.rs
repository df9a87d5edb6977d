//! Whose telephone numbers employees see. Ana is the employee who calls.

use boot::peer::PeerChannel;
use caller::Role;
use proto::{
    contact::ContactReach,
    error::Reason,
    frontdesk::scheduling::{
        internal::v1::{FindContactReachRequest, contact_reach_service_client::ContactReachServiceClient},
        v1::{
            Appointment, CancelAppointmentRequest, ContactPolicy, GetAppointmentRequest,
            GetContactPolicyRequest, ListAppointmentsRequest, ListWaitlistRequest,
            UpdateContactPolicyRequest, contact_policy_service_client::ContactPolicyServiceClient,
        },
    },
    time::to_proto,
};
use sqlx::AssertSqlSafe;
use testkit::{USER, as_user};
use tonic::{Request, Status};
use uuid::Uuid;

use crate::{
    inbox::{open_lines, set_day},
    salon::{ANA, BEN, CUT, OTHER, Salon, WILLOW, booking, by, local, monday, reason, with_key},
    waitlist,
};

const MIA: Uuid = Uuid::from_u128(0xd1);
const NOA: Uuid = Uuid::from_u128(0xd2);
const MIAS: &str = "+447700900001";
const NOAS: &str = "+447700900002";
/// Of no customer of Willow.
const NOBODYS: &str = "+447700900003";
const TUESDAY: &str = "2026-06-02";

/// Willow, where Mia and Noa have numbers.
async fn salon() -> Salon {
    let salon = Salon::open().await;
    for (id, name, phone) in [(MIA, "Mia", MIAS), (NOA, "Noa", NOAS)] {
        let row = format!("INSERT INTO customer VALUES ('{WILLOW}', '{id}', '{name}', '{phone}')");
        sqlx::raw_sql(AssertSqlSafe(row)).execute(&mut salon.superuser().await).await.unwrap();
    }
    salon
}

async fn book(salon: &Salon, customer: Uuid, employee: Uuid, date: &str, time: &str) -> String {
    let mut request = booking(vec![by(CUT, employee)], local(date, time));
    request.customer_id = customer.to_string();
    salon.book_as(salon.agent(request)).await.unwrap().id
}

async fn get(salon: &Salon, request: Request<GetAppointmentRequest>) -> Appointment {
    salon.appointments().get_appointment(request).await.unwrap().into_inner().appointment.unwrap()
}

fn one(id: &str) -> GetAppointmentRequest {
    GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id: id.to_owned() }
}

/// The number that Ana is shown of a visit, and whether it says that one is hidden.
async fn shown(salon: &Salon, id: &str) -> (String, bool) {
    let visit = get(salon, salon.employee(one(id))).await;
    (visit.customer_phone, visit.contact_hidden)
}

fn policies(salon: &Salon) -> ContactPolicyServiceClient<PeerChannel> {
    ContactPolicyServiceClient::new(salon.channel())
}

fn policy(employees_see_all: bool) -> UpdateContactPolicyRequest {
    let policy = Some(ContactPolicy { employees_see_all });
    UpdateContactPolicyRequest { business_id: WILLOW.to_string(), policy }
}

async fn set(salon: &Salon, request: Request<UpdateContactPolicyRequest>) -> Result<bool, Status> {
    let answer = policies(salon).update_contact_policy(request).await?.into_inner();
    Ok(answer.policy.unwrap().employees_see_all)
}

async fn reach(salon: &Salon) -> ContactReach {
    let message = FindContactReachRequest {
        business_id: WILLOW.to_string(),
        user_id: USER.to_string(),
        phones: vec![],
    };
    let mut client = ContactReachServiceClient::new(salon.channel());
    let answer = client.find_contact_reach(salon.service("tenancy", message)).await.unwrap().into_inner();
    if answer.all {
        ContactReach::All
    } else {
        ContactReach::Customers(answer.customer_ids.into_iter().collect())
    }
}

#[tokio::test]
async fn an_employee_sees_the_numbers_of_their_own_customers_and_managers_and_agents_see_all() {
    let salon = salon().await;
    let own = book(&salon, MIA, ANA, TUESDAY, "10:00").await;
    let colleagues = book(&salon, NOA, BEN, TUESDAY, "10:00").await;
    assert_eq!(shown(&salon, &own).await, (MIAS.to_owned(), false));
    assert_eq!(shown(&salon, &colleagues).await, (String::new(), true));
    let visit = get(&salon, salon.manager(one(&colleagues))).await;
    assert_eq!((visit.customer_phone.as_str(), visit.contact_hidden), (NOAS, false));
    let list = || ListAppointmentsRequest {
        business_id: WILLOW.to_string(),
        from: Some(to_proto(monday("00:00"))),
        ..ListAppointmentsRequest::default()
    };
    let numbers = async |request| -> Vec<String> {
        let listed = salon.appointments().list_appointments(request).await.unwrap().into_inner();
        listed.appointments.into_iter().map(|visit| visit.customer_phone).collect()
    };
    let mut seen = numbers(salon.employee(list())).await;
    seen.sort();
    assert_eq!(seen, ["", MIAS]);
    let mut seen = numbers(salon.manager(list())).await;
    seen.sort();
    assert_eq!(seen, [MIAS, NOAS]);
    // A visit of Ana's own anywhere shows the customer's number everywhere.
    book(&salon, NOA, ANA, "2026-06-03", "10:00").await;
    assert_eq!(shown(&salon, &colleagues).await, (NOAS.to_owned(), false));
}

#[tokio::test]
async fn a_visit_counts_thirty_days_before_and_after_unless_it_was_cancelled() {
    let salon = salon().await;
    // It is nine on the first of June.
    let visit = book(&salon, MIA, ANA, "2026-07-02", "09:00").await;
    let hidden = (String::new(), true);
    assert_eq!(shown(&salon, &visit).await, hidden, "in 31 days");
    salon.time.advance(jiff::SignedDuration::from_hours(24));
    let seen = (MIAS.to_owned(), false);
    assert_eq!(shown(&salon, &visit).await, seen, "in 30 days");
    salon.time.advance(jiff::SignedDuration::from_hours(60 * 24));
    assert_eq!(shown(&salon, &visit).await, seen, "30 days ago");
    salon.time.advance(jiff::SignedDuration::from_secs(1));
    assert_eq!(shown(&salon, &visit).await, hidden, "more than 30 days ago");

    let next = book(&salon, NOA, ANA, "2026-08-05", "10:00").await;
    assert_eq!(shown(&salon, &next).await, (NOAS.to_owned(), false));
    let cancel = CancelAppointmentRequest {
        business_id: WILLOW.to_string(),
        appointment_id: next.clone(),
        reason: String::new(),
    };
    let cancelled = salon.appointments().cancel_appointment(salon.employee(cancel)).await.unwrap();
    assert!(cancelled.into_inner().appointment.unwrap().contact_hidden);
    assert_eq!(shown(&salon, &next).await, hidden);
}

#[tokio::test]
async fn managers_open_all_numbers_to_employees_and_close_them_again() {
    let salon = salon().await;
    let visit = book(&salon, NOA, BEN, TUESDAY, "10:00").await;
    let read = async |request| {
        policies(&salon)
            .get_contact_policy(request)
            .await
            .unwrap()
            .into_inner()
            .policy
            .unwrap()
            .employees_see_all
    };
    let ask = || GetContactPolicyRequest { business_id: WILLOW.to_string() };
    assert!(!read(salon.employee(ask())).await);
    let refused = set(&salon, salon.employee(policy(true))).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
    for _ in 0..2 {
        assert!(set(&salon, with_key(salon.manager(policy(true)), "k1")).await.unwrap());
    }
    assert!(read(salon.employee(ask())).await);
    assert_eq!(shown(&salon, &visit).await, (NOAS.to_owned(), false));
    assert_eq!(reach(&salon).await, ContactReach::All);
    assert!(!set(&salon, salon.manager(policy(false))).await.unwrap());
    assert_eq!(shown(&salon, &visit).await, (String::new(), true));
    let audited = salon.trail().await.into_iter().filter(|(action, _)| action == "UpdateContactPolicy");
    assert_eq!(audited.count(), 2);
    let bare = UpdateContactPolicyRequest { policy: None, ..policy(true) };
    let refused = set(&salon, salon.manager(bare)).await.unwrap_err();
    assert_eq!(crate::salon::field(&refused), "policy");
}

#[tokio::test]
async fn another_business_neither_opens_nor_sees_these() {
    let salon = salon().await;
    let visit = book(&salon, NOA, BEN, TUESDAY, "10:00").await;
    let foreign = as_user(&salon.host, Role::Owner, OTHER, policy(true));
    assert_eq!(reason(&set(&salon, foreign).await.unwrap_err()), Reason::NotFound);
    salon.set_hours(OTHER, crate::salon::weekdays(9, 18)).await;
    let own = UpdateContactPolicyRequest { business_id: OTHER.to_string(), ..policy(true) };
    set(&salon, as_user(&salon.host, Role::Owner, OTHER, own)).await.unwrap();
    assert_eq!(shown(&salon, &visit).await, (String::new(), true));
}

#[tokio::test]
async fn other_services_are_told_whose_an_employee_may_see() {
    let salon = salon().await;
    assert_eq!(reach(&salon).await, ContactReach::Customers([].into()));
    book(&salon, MIA, ANA, TUESDAY, "10:00").await;
    book(&salon, NOA, BEN, TUESDAY, "10:00").await;
    assert_eq!(reach(&salon).await, ContactReach::Customers([MIA.to_string()].into()));
    let message = FindContactReachRequest {
        business_id: WILLOW.to_string(),
        user_id: USER.to_string(),
        phones: vec![],
    };
    let mut client = ContactReachServiceClient::new(salon.channel());
    let refused = client.find_contact_reach(salon.service("auth", message)).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::RoleTooLow);
}

#[tokio::test]
async fn numbers_of_customers_beyond_an_employees_visits_are_named_and_those_of_no_customer_are_not() {
    let salon = salon().await;
    let shared = format!("INSERT INTO customer VALUES ('{OTHER}', '{NOA}', 'Noa', '{NOBODYS}')");
    sqlx::raw_sql(AssertSqlSafe(shared)).execute(&mut salon.superuser().await).await.unwrap();
    book(&salon, MIA, ANA, TUESDAY, "10:00").await;
    let hidden = async |phones: &[&str]| {
        let message = FindContactReachRequest {
            business_id: WILLOW.to_string(),
            user_id: USER.to_string(),
            phones: phones.iter().map(ToString::to_string).collect(),
        };
        let mut client = ContactReachServiceClient::new(salon.channel());
        let found = client.find_contact_reach(salon.service("telemetry", message)).await?;
        Ok::<_, Status>(found.into_inner().hidden_phones)
    };
    assert_eq!(hidden(&[MIAS, NOAS, NOBODYS, "", "Noa"]).await.unwrap(), [NOAS]);
    assert_eq!(hidden(&[]).await.unwrap(), [""; 0]);
    let refused = hidden(&[NOAS; 501]).await.unwrap_err();
    assert_eq!(reason(&refused), Reason::InvalidField);
    set(&salon, salon.manager(policy(true))).await.unwrap();
    assert_eq!(hidden(&[NOAS]).await.unwrap(), [""; 0], "all are shown");
}

#[tokio::test]
async fn the_waitlist_and_the_inbox_hide_the_same_numbers() {
    let salon = salon().await;
    waitlist::join(&salon, waitlist::request(vec![by(CUT, ANA)])).await.unwrap();
    let list = || ListWaitlistRequest { business_id: WILLOW.to_string(), ..ListWaitlistRequest::default() };
    let entry = async |request| {
        let listed = salon.waitlist().list_waitlist(request).await.unwrap().into_inner();
        listed.waiting[0].entry.clone().unwrap()
    };
    let hidden = entry(salon.employee(list())).await;
    assert_eq!((hidden.customer_phone.as_str(), hidden.contact_hidden), ("", true));
    assert_eq!(entry(salon.manager(list())).await.customer_phone, MIAS);

    book(&salon, NOA, BEN, TUESDAY, "10:00").await;
    set_day(&salon, BEN, TUESDAY, 12, 18).await;
    let lines = open_lines(&salon).await;
    assert_eq!((lines[0].customer_phone.as_str(), lines[0].contact_hidden), ("", true));
    assert_eq!(lines[0].customer_id, NOA.to_string());
}
