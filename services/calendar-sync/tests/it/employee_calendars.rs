//! Calendars of employees who are added from a table, for tenancy.

use boot::environment::Environment;
use caller::Role;
use proto::{
    error::{FieldFault, Reason, reason_of},
    frontdesk::calendarsync::{
        internal::v1::{
            CheckEmployeeCalendarsRequest, ConnectEmployeeCalendarRequest,
            employee_calendar_service_client::EmployeeCalendarServiceClient,
        },
        v1::CalendarKind,
    },
};
use testkit::{USER, as_service, as_user};
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::{
    google::{ACCOUNT, World},
    ics_fake::{Server, event},
    salon::{MIA, SALON, Salon, TOM},
};

fn client(salon: &Salon) -> EmployeeCalendarServiceClient<Channel> {
    EmployeeCalendarServiceClient::new(salon.channel.clone())
}

async fn check(salon: &Salon, calendars: &[&str]) -> Vec<String> {
    let message = CheckEmployeeCalendarsRequest {
        business_id: SALON.to_string(),
        user_id: USER.to_string(),
        calendars: calendars.iter().map(|&calendar| calendar.to_owned()).collect(),
    };
    let request = as_service("tenancy", &salon.host, Some(SALON), message);
    client(salon).check_employee_calendars(request).await.unwrap().into_inner().faults
}

fn connecting(employee: Uuid, calendar: &str) -> ConnectEmployeeCalendarRequest {
    ConnectEmployeeCalendarRequest {
        business_id: SALON.to_string(),
        user_id: USER.to_string(),
        calendar: calendar.to_owned(),
        employee_id: employee.to_string(),
        calendar_id: employee.to_string(),
    }
}

async fn connect(salon: &Salon, employee: Uuid, calendar: &str) -> Result<(), Status> {
    let request = as_service("tenancy", &salon.host, Some(SALON), connecting(employee, calendar));
    client(salon).connect_employee_calendar(request).await.map(drop)
}

/// What a refusal says of the calendar.
fn fault(refused: Result<(), Status>) -> String {
    FieldFault::of(&refused.unwrap_err()).description
}

#[tokio::test]
async fn a_published_calendar_is_connected_once_however_often_it_is_asked_for() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::open().await;
    assert_eq!(check(&salon, &[&server.address(), "webcal://example.com/a"]).await, ["", ""]);
    assert_eq!(server.served().sent, 0, "a check reads nothing");
    for _ in 0..2 {
        connect(&salon, MIA, &server.address()).await.unwrap();
    }
    let calendar = salon.calendar().await;
    assert_eq!(
        (calendar.kind(), calendar.employee_id.as_str()),
        (CalendarKind::Ics, MIA.to_string().as_str())
    );
    assert!(calendar.is_read_only);
    assert_eq!(check(&salon, &[&server.address()]).await, ["is connected already"]);
    let refused = connect(&salon, TOM, &server.address()).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::AlreadyExists));
}

#[tokio::test]
async fn two_attempts_at_once_connect_a_calendar_and_are_both_done() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::open().await;
    let address = server.address();
    let (one, other) = tokio::join!(connect(&salon, MIA, &address), connect(&salon, MIA, &address));
    one.unwrap();
    other.unwrap();
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 1);
}

#[tokio::test]
async fn an_address_that_does_not_answer_is_refused_for_good() {
    let salon = Salon::open().await;
    let said = fault(connect(&salon, MIA, "http://127.0.0.1:1/mia.ics").await);
    assert!(said.contains("connect it once its server answers"), "{said}");
    let server = Server::start("").await;
    let said = fault(connect(&salon, MIA, &format!("{}/login.ics", server.url)).await);
    assert!(said.contains("wants a name and a password"), "{said}");
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 0);
}

#[tokio::test]
async fn a_calendar_of_the_importers_account_is_found_by_name_or_id() {
    let world = World::open().await;
    let salon = &world.salon;
    let before = check(salon, &[ACCOUNT]).await;
    assert!(before[0].ends_with("connect that account first"), "{before:?}");
    world.allow().await;
    let [good, bad]: [String; 2] = check(salon, &[ACCOUNT, "Mia at work"]).await.try_into().unwrap();
    assert_eq!(good, "");
    assert!(bad.contains("the name or id of a calendar that your account at Google may change"), "{bad}");
    for _ in 0..2 {
        connect(salon, TOM, ACCOUNT).await.unwrap();
    }
    let calendar = salon.calendar().await;
    assert_eq!(
        (calendar.kind(), calendar.employee_id.as_str()),
        (CalendarKind::Google, TOM.to_string().as_str())
    );
    assert!(!calendar.authorization_required);
}

#[tokio::test]
async fn without_an_account_only_an_address_will_do_and_a_name_connects_nothing() {
    let salon = Salon::open().await;
    let faults = check(&salon, &["Ana at work", "demo", "https://"]).await;
    assert_eq!(
        faults[0],
        "must be the address that the calendar is published at (https:// or webcal://), or demo, which is a simulated calendar"
    );
    assert_eq!(faults[1], "");
    assert_ne!(faults[2], "");
    assert_eq!(fault(connect(&salon, MIA, "Ana at work").await), faults[0]);
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 0);
    connect(&salon, MIA, "demo").await.unwrap();
    assert_eq!(salon.calendar().await.kind(), CalendarKind::Demo);
}

#[tokio::test]
async fn production_has_no_simulated_calendar() {
    let salon = Salon::open_in(Environment::Production).await;
    let [demo, named]: [String; 2] = check(&salon, &["demo", "Ana at work"]).await.try_into().unwrap();
    assert_eq!(demo, "must be the address that the calendar is published at (https:// or webcal://)");
    assert_eq!(named, demo);
    assert_eq!(fault(connect(&salon, MIA, "demo").await), demo);
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 0);
}

#[tokio::test]
async fn only_tenancy_asks() {
    let salon = Salon::open().await;
    let requests = [
        as_user(&salon.host, Role::Owner, SALON, connecting(MIA, "demo")),
        as_service("local", &salon.host, Some(SALON), connecting(MIA, "demo")),
    ];
    for request in requests {
        let refused = client(&salon).connect_employee_calendar(request).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    }
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 0);
}
