//! Calendars that are published under an address, as people connect them, change their address and disconnect them.

use calendar_sync::Reach;
use caller::Role;
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{
        Calendar, ChangeIcsAddressRequest, ConnectIcsCalendarRequest, DisconnectCalendarRequest,
        MakeCalendarFeedRequest, calendar_feed_service_client::CalendarFeedServiceClient,
    },
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    caldav::{held as held_by, until_held},
    calendars::field,
    ics_fake::{Server, event, held},
    salon::{CALENDAR, MIA, OTHER, PUBLIC, SALON, Salon, TOM},
};

pub async fn connect_as(
    salon: &Salon,
    role: Role,
    address: &str,
    employee: Uuid,
) -> Result<Calendar, Status> {
    let message = ConnectIcsCalendarRequest {
        business_id: SALON.to_string(),
        address: address.to_owned(),
        employee_id: employee.to_string(),
    };
    let request = as_user(&salon.host, role, SALON, message);
    Ok(salon.calendars().connect_ics_calendar(request).await?.into_inner().calendar.unwrap())
}

async fn change(salon: &Salon, calendar: &str, address: &str) -> Result<(), Status> {
    change_as(salon, Role::Owner, calendar, address).await
}

async fn change_as(salon: &Salon, role: Role, calendar: &str, address: &str) -> Result<(), Status> {
    let message = ChangeIcsAddressRequest {
        business_id: SALON.to_string(),
        calendar_id: calendar.to_owned(),
        address: address.to_owned(),
    };
    let request = as_user(&salon.host, role, SALON, message);
    salon.calendars().change_ics_address(request).await.map(drop)
}

/// Connects Mia to the calendar at an address, and waits until it was read.
pub async fn connect(salon: &Salon, address: &str) -> Calendar {
    let calendar = connect_as(salon, Role::Owner, address, MIA).await.unwrap();
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    calendar
}

/// Lets the calendar fall due, and waits until it can't be read; why.
pub async fn until_failing(salon: &Salon) -> String {
    salon.read_again().await;
    salon.until(async || !salon.calendar().await.last_error.is_empty()).await;
    salon.calendar().await.last_error
}

#[tokio::test]
async fn an_address_without_a_calendar_is_refused_with_its_reason() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::open().await;
    let at = |file: &str| format!("{}/{file}", server.url);
    for (address, expected) in [
        (at("missing.ics"), "nothing is published"),
        (at("gone.ics"), "withdrawn"),
        (at("login.ics"), "a name and a password"),
        (at("page.ics"), "is no calendar"),
        (at("cut.ics"), "breaks off"),
        (at("times.ics"), "free and busy times alone"),
        (at("file.ics"), "must begin with https://"),
        ("ftp://example.com/a.ics".to_owned(), "must begin with https://"),
        ("https://mia:secret@example.com/a.ics".to_owned(), "must not have a name or a password"),
        ("https://nobody.invalid/a.ics".to_owned(), "not found"),
        ("not an address".to_owned(), "no web address"),
        (format!("{}{}", at(""), "x".repeat(2048)), "longer than 2048"),
        (String::new(), "required"),
    ] {
        let refused = connect_as(&salon, Role::Owner, &address, MIA).await.unwrap_err();
        assert_eq!(field(&refused), "address", "{address}: {refused:?}");
        assert!(format!("{refused:?}").contains(expected), "{address}: {refused:?}");
    }
    for address in [at("round.ics"), server.address().replace("http://", "webcal://")] {
        let refused = connect_as(&salon, Role::Owner, &address, MIA).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::Unavailable), "{address}");
    }
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 0);
    assert_eq!(salon.count("SELECT count(*) FROM data_key").await, 0);
    connect_as(&salon, Role::Owner, &at("moved.ics"), MIA).await.unwrap();
}

#[tokio::test]
async fn what_lies_inside_a_private_network_is_not_called() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::reaching(Reach::Public).await;
    let port = server.url.rsplit(':').next().unwrap().to_owned();
    for address in [
        format!("https://127.0.0.1:{port}/mia.ics"),
        format!("webcal://[::1]:{port}/mia.ics"),
        format!("https://localhost:{port}/mia.ics"),
        "https://169.254.169.254/latest".to_owned(),
        "https://10.0.0.1/mia.ics".to_owned(),
        server.address(),
    ] {
        let refused = connect_as(&salon, Role::Owner, &address, MIA).await.unwrap_err();
        assert_eq!(field(&refused), "address", "{address}");
    }
    assert_eq!(server.served().sent, 0);
}

/// Addresses of private networks; a listener waits at the first two, to which no one may come.
fn inside(port: u16) -> Vec<String> {
    vec![
        format!("http://127.0.0.2:{port}/mia.ics"),
        format!("http://[::ffff:127.0.0.2]:{port}/mia.ics"),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "http://10.0.0.1/mia.ics".to_owned(),
        "http://192.168.0.1/mia.ics".to_owned(),
        "http://[fd00::1]/mia.ics".to_owned(),
        "http://[::1]/mia.ics".to_owned(),
    ]
}

#[tokio::test]
async fn a_redirect_into_a_private_network_is_not_followed() {
    let server = Server::start(&event("Dentist", 10)).await;
    let within = tokio::net::TcpListener::bind("127.0.0.2:0").await.unwrap();
    let port = within.local_addr().unwrap().port();
    // The server is on this machine and stands in for one on the Internet.
    let salon = Salon::reaching(Reach::PublicWith([127, 0, 0, 1].into())).await;
    let address = format!("{}/leads.ics", server.url);
    for location in inside(port) {
        server.set(|served| served.leads_to = Some(location.clone()));
        let refused = connect_as(&salon, Role::Owner, &address, MIA).await.unwrap_err();
        assert_eq!(field(&refused), "address", "{location}");
        assert!(format!("{refused:?}").contains("inside a private network"), "{location}: {refused:?}");
    }
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 0);
    // One that leads there after it was connected is not followed, and what was read still holds.
    server.set(|served| served.leads_to = Some("/mia.ics".to_owned()));
    connect(&salon, &address).await;
    let dentist = held("Dentist", 10);
    until_held(&salon, &[&dentist]).await;
    server.set(|served| served.leads_to = inside(port).into_iter().next());
    assert!(until_failing(&salon).await.contains("inside a private network"));
    assert_eq!(held_by(&salon), [dentist.as_str()]);
    let came = tokio::time::timeout(core::time::Duration::ZERO, within.accept()).await;
    assert!(came.is_err(), "a call came into the private network");
}

#[tokio::test]
async fn owners_connect_anyone_once_and_others_themselves_alone() {
    let server = Server::start("").await;
    let salon = Salon::open().await;
    for (role, employee) in [(Role::Employee, TOM), (Role::Guest, MIA)] {
        let refused = connect_as(&salon, role, &server.address(), employee).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    }
    let nobody = connect_as(&salon, Role::Owner, &server.address(), Uuid::from_u128(9)).await.unwrap_err();
    assert_eq!(field(&nobody), "employee_id");
    let calendar = connect_as(&salon, Role::Employee, &server.address(), MIA).await.unwrap();
    let again = connect_as(&salon, Role::Owner, &server.address(), TOM).await.unwrap_err();
    assert_eq!(reason_of(&again), Some(Reason::AlreadyExists));

    let [toms, next] = ["toms", "next"].map(|query| format!("{}?{query}", server.address()));
    let toms = connect_as(&salon, Role::Owner, &toms, TOM).await.unwrap();
    let refused = change_as(&salon, Role::Employee, &toms.id, &next).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    change_as(&salon, Role::Employee, &calendar.id, &next).await.unwrap();

    let message = ChangeIcsAddressRequest {
        business_id: OTHER.to_string(),
        calendar_id: calendar.id.clone(),
        address: server.address(),
    };
    let request = as_user(&salon.host, Role::Owner, OTHER, message);
    let refused = salon.calendars().change_ics_address(request).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
}

#[tokio::test]
async fn an_employee_has_ten_published_calendars_at_most() {
    let server = Server::start("").await;
    let salon = Salon::open().await;
    let address = |n: u8| format!("{}?n={n}", server.address());
    for n in 0..10 {
        connect_as(&salon, Role::Owner, &address(n), MIA).await.unwrap();
    }
    let refused = connect_as(&salon, Role::Owner, &address(10), MIA).await.unwrap_err();
    assert_eq!(field(&refused), "employee_id");
    connect_as(&salon, Role::Owner, &address(10), TOM).await.unwrap();
    let message = DisconnectCalendarRequest {
        business_id: SALON.to_string(),
        calendar_id: salon.calendar().await.id,
        take_out: false,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().disconnect_calendar(request).await.unwrap();
    connect_as(&salon, Role::Owner, &address(11), MIA).await.unwrap();
}

#[tokio::test]
async fn a_new_address_is_kept_once_a_calendar_is_there_and_what_the_old_one_had_goes() {
    let (before, after) =
        (Server::start(&event("Dentist", 10)).await, Server::start(&event("Bank", 14)).await);
    for server in [&before, &after] {
        server.set(|served| served.etag = Some("\"1\""));
    }
    let salon = Salon::open().await;
    let calendar = connect(&salon, &before.address()).await;
    until_held(&salon, &[&held("Dentist", 10)]).await;
    let missing = format!("{}/missing.ics", after.url);
    assert_eq!(field(&change(&salon, &calendar.id, &missing).await.unwrap_err()), "address");
    change(&salon, &calendar.id, &before.address()).await.unwrap();
    // Both have a version of the same name, and each is its own.
    change(&salon, &calendar.id, &after.address()).await.unwrap();
    until_held(&salon, &[&held("Bank", 14)]).await;

    salon.connect(CALENDAR, MIA).await.unwrap();
    let of_another_kind = change(&salon, &CALENDAR.to_string(), &before.address()).await.unwrap_err();
    assert_eq!(reason_of(&of_another_kind), Some(Reason::NotFound));
    connect_as(&salon, Role::Owner, &before.address(), TOM).await.unwrap();
    let taken = change(&salon, &calendar.id, &before.address()).await.unwrap_err();
    assert_eq!(reason_of(&taken), Some(Reason::AlreadyExists));
}

#[tokio::test]
async fn a_feed_of_the_salon_is_not_read_back() {
    let salon = Salon::open().await;
    let message = MakeCalendarFeedRequest {
        business_id: SALON.to_string(),
        employee_id: MIA.to_string(),
        names_customers: false,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let made = CalendarFeedServiceClient::new(salon.channel.clone()).make_calendar_feed(request).await;
    let address = made.unwrap().into_inner().address;
    let refused = connect_as(&salon, Role::Owner, &address, MIA).await.unwrap_err();
    assert_eq!(field(&refused), "address");
    assert!(format!("{refused:?}").contains("of the salon itself"), "{refused:?}");
    let of_another = format!("{PUBLIC}api/calendar-feeds/{}.ics", "A".repeat(43));
    let refused = connect_as(&salon, Role::Owner, &of_another, MIA).await.unwrap_err();
    assert!(!format!("{refused:?}").contains("of the salon itself"), "{refused:?}");
}

#[tokio::test]
async fn an_address_is_unreadable_at_rest_and_opens_in_its_own_row_alone() {
    let (server, second) = (Server::start(&event("Dentist", 10)).await, Server::start("").await);
    let salon = Salon::open().await;
    let secret = format!("{}?key=9f8e7d6c5b", server.address());
    connect(&salon, &secret).await;
    let dump = salon.dump(&["calendar", "ics_calendar", "data_key", "sync_state", "change_entry"]).await;
    let hex = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert!(dump.contains("127.0.0.1"), "the dump has the row");
    for part in ["9f8e7d6c5b", "mia.ics"] {
        assert!(!dump.contains(part) && !dump.contains(&hex(part)), "{part}");
    }
    assert!(!format!("{:?}", salon.calendar().await).contains("9f8e7d6c5b"));
    connect_as(&salon, Role::Owner, &second.address(), TOM).await.unwrap();
    salon
        .meddle(
            "UPDATE ics_calendar c SET sealed_address = o.sealed_address FROM ics_calendar o
             WHERE o.business_id = c.business_id AND o.id <> c.id",
        )
        .await;
    salon.read_again().await;
    let failing = "SELECT count(*) FROM sync_state WHERE last_error LIKE '%secret%'";
    salon.until(async || salon.count(failing).await == 2).await;
}

#[tokio::test]
async fn one_that_is_disconnected_frees_its_time_and_leaves_nothing() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::open().await;
    let calendar = connect(&salon, &server.address()).await;
    until_held(&salon, &[&held("Dentist", 10)]).await;
    let message = DisconnectCalendarRequest {
        business_id: SALON.to_string(),
        calendar_id: calendar.id,
        take_out: false,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().disconnect_calendar(request).await.unwrap();
    salon.until(async || salon.count("SELECT count(*) FROM ics_calendar").await == 0).await;
    assert_eq!(held_by(&salon), Vec::<String>::new());
    connect(&salon, &server.address()).await;
    until_held(&salon, &[&held("Dentist", 10)]).await;
}
