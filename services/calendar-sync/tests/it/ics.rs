//! Calendars that are published under an address: Radicale's, and those of a strict fake.

use axum::http::StatusCode;
use calendar_sync::{
    Reach,
    domain::{AppointmentId, CalendarId, EmployeeId, event::EventId},
};
use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        calendarsync::v1::{
            Calendar, CalendarKind, ChangeIcsAddressRequest, ConnectIcsCalendarRequest,
            DisconnectCalendarRequest, ListAppointmentSyncRequest, MakeCalendarFeedRequest,
            RepairDifferenceRequest, appointment_sync_service_client::AppointmentSyncServiceClient,
            calendar_feed_service_client::CalendarFeedServiceClient,
            consistency_service_client::ConsistencyServiceClient,
        },
        scheduling::v1::BusySourceKind,
    },
};
use testkit::as_user;
use tonic::Status;
use uuid::Uuid;

use crate::{
    caldav::{DENTIST, held as held_by, until_held},
    calendars::field,
    consistency::check,
    ics_fake::{Server, event, held},
    radicale::Account,
    salon::{CALENDAR, MIA, OTHER, PUBLIC, SALON, Salon, TOM, visit},
};

async fn connect_as(salon: &Salon, role: Role, address: &str, employee: Uuid) -> Result<Calendar, Status> {
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
async fn connect(salon: &Salon, address: &str) -> Calendar {
    let calendar = connect_as(salon, Role::Owner, address, MIA).await.unwrap();
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    calendar
}

/// Lets the calendar fall due, and waits until it was read once more.
async fn read_once_more(salon: &Salon) {
    salon.time.advance(SignedDuration::from_secs(61));
    let now = proto::time::to_proto(salon.time.now());
    salon.read_again().await;
    salon.until(async || salon.calendar().await.synced_at == Some(now)).await;
}

/// Waits until the calendar's own turn came, once.
async fn read_in_turn(salon: &Salon) {
    salon.time.advance(SignedDuration::from_secs(61));
    let now = proto::time::to_proto(salon.time.now());
    salon.until(async || salon.calendar().await.synced_at == Some(now)).await;
}

/// Lets the calendar fall due, and waits until it can't be read; why.
async fn until_failing(salon: &Salon) -> String {
    salon.read_again().await;
    salon.until(async || !salon.calendar().await.last_error.is_empty()).await;
    salon.calendar().await.last_error
}

#[tokio::test]
async fn a_published_calendar_keeps_its_employee_busy_with_all_that_a_calendar_says() {
    let (salon, account) = (Salon::open().await, Account::open().await);
    account.put("dentist", DENTIST).await;
    let connected = connect(&salon, &account.published()).await;
    assert_eq!((connected.kind(), connected.name.as_str()), (CalendarKind::Ics, "Work"));
    assert!(connected.is_read_only && !connected.own_account);
    assert_eq!(connected.shown_address, "127.0.0.1/…");
    let dentist = "Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z";
    until_held(&salon, &[dentist]).await;

    let series = "BEGIN:VEVENT\r\nUID:yoga\r\nDTSTAMP:20260501T000000Z\r\nDTSTART;TZID=Europe/Berlin:20260602T180000\r\nDTEND;TZID=Europe/Berlin:20260602T190000\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEXDATE;TZID=Europe/Berlin:20260609T180000\r\nSUMMARY:Yoga\r\nEND:VEVENT\r\n\
        BEGIN:VEVENT\r\nUID:yoga\r\nDTSTAMP:20260501T000000Z\r\nRECURRENCE-ID;TZID=Europe/Berlin:20260616T180000\r\nDTSTART;TZID=Europe/Berlin:20260617T180000\r\nDTEND;TZID=Europe/Berlin:20260617T190000\r\nSUMMARY:Yoga\r\nEND:VEVENT";
    account.put_events("yoga", series).await;
    account.put("away", "DTSTART;VALUE=DATE:20260620\r\nDTEND;VALUE=DATE:20260622\r\nSUMMARY:Away").await;
    account.put("floats", "DTSTART:20260603T090000\r\nDURATION:PT45M\r\nSUMMARY:Floats").await;
    account.put("lunch", &format!("{DENTIST}\r\nTRANSP:TRANSPARENT")).await;
    let away = "Away 2026-06-19T23:00:00Z 2026-06-21T23:00:00Z";
    let floats = "Floats 2026-06-03T08:00:00Z 2026-06-03T08:45:00Z";
    let yoga = "Yoga 2026-06-02T16:00:00Z 2026-06-02T17:00:00Z";
    let moved = "Yoga 2026-06-17T16:00:00Z 2026-06-17T17:00:00Z";
    until_held(&salon, &[away, dentist, floats, yoga, moved]).await;

    account.delete("dentist").await;
    account.delete("yoga").await;
    until_held(&salon, &[away, floats]).await;
    assert_eq!(salon.scheduling.imported().violations, Vec::<String>::new());

    account.withdraw().await;
    let reason = until_failing(&salon).await;
    assert!(reason.contains("nothing is published at this address"), "{reason}");
    assert_eq!(held_by(&salon), [away, floats], "what was read last still holds");
}

#[tokio::test]
async fn an_entry_that_can_not_be_read_is_put_aside_alone_until_it_can() {
    let (salon, account) = (Salon::open().await, Account::open().await);
    account.put("pill", &format!("{DENTIST}\r\nRRULE:FREQ=HOURLY")).await;
    account.put("dentist", DENTIST).await;
    connect(&salon, &account.published()).await;
    let dentist = "Dentist 2026-06-01T10:00:00Z 2026-06-01T11:00:00Z";
    until_held(&salon, &[dentist]).await;
    let calendar = salon.calendar().await;
    assert_eq!((calendar.unread_count, calendar.last_error.as_str()), (1, ""));
    assert_eq!(calendar.unread[0].id, "pill");
    assert!(calendar.unread[0].reason.contains("FREQ=HOURLY"), "{}", calendar.unread[0].reason);
    account.put("pill", "DTSTART:20260604T100000Z\r\nDTEND:20260604T101000Z\r\nSUMMARY:Pill").await;
    until_held(&salon, &[dentist, "Pill 2026-06-04T10:00:00Z 2026-06-04T10:10:00Z"]).await;
    salon.until(async || salon.calendar().await.unread_count == 0).await;
}

#[tokio::test]
async fn poison_between_two_events_costs_neither() {
    let poison = "BEGIN:VEVENT\r\nUID:po\0ison\r\nno property\r\nDTSTART:\0\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:open\r\n";
    let server = Server::start(&format!("{}{poison}{}", event("Dentist", 10), event("Bank", 14))).await;
    let salon = Salon::open().await;
    connect(&salon, &server.address()).await;
    until_held(&salon, &[&held("Bank", 14), &held("Dentist", 10)]).await;
    let unread = salon.calendar().await.unread;
    let said: Vec<_> = unread.iter().map(|entry| (entry.id.as_str(), entry.reason.as_str())).collect();
    assert_eq!(said, [("open", "has no end"), ("poison", "has a line that is no property")]);
}

#[tokio::test]
async fn a_calendar_that_did_not_change_is_neither_sent_nor_told_again() {
    let server = Server::start(&event("Dentist", 10)).await;
    server.set(|served| {
        (served.etag, served.last_modified) = (Some("\"1\""), Some("Mon, 01 Jun 2026 08:00:00 GMT"))
    });
    let salon = Salon::open().await;
    connect(&salon, &server.address()).await;
    until_held(&salon, &[&held("Dentist", 10)]).await;
    let (told, sent) = (salon.scheduling.imported().requests.len(), server.served().sent);
    for _ in 0..3 {
        read_once_more(&salon).await;
    }
    assert!(server.served().unchanged >= 3);
    assert_eq!((salon.scheduling.imported().requests.len(), server.served().sent), (told, sent));

    server.publish(&event("Dentist", 11));
    server.set(|served| served.etag = Some("\"2\""));
    until_held(&salon, &[&held("Dentist", 11)]).await;

    // By its time alone, and then by neither: some write a new stamp whenever they are asked.
    server.set(|served| served.etag = None);
    read_once_more(&salon).await;
    let unchanged = server.served().unchanged;
    read_once_more(&salon).await;
    // A turn that began before may end now.
    salon.until(async || server.served().unchanged > unchanged).await;
    server.set(|served| served.last_modified = None);
    let told = salon.scheduling.imported().requests.len();
    server.publish(&event("Dentist", 11).replace("DTSTAMP:20260501", "DTSTAMP:20260601"));
    read_once_more(&salon).await;
    read_once_more(&salon).await;
    assert_eq!(salon.scheduling.imported().requests.len(), told);
    assert_eq!(server.served().violations, Vec::<String>::new());
}

#[tokio::test]
async fn a_file_without_any_event_is_believed_when_it_is_read_twice_in_a_row() {
    let server = Server::start(&event("Dentist", 10)).await;
    server.set(|served| served.etag = Some("\"1\""));
    let salon = Salon::open().await;
    connect(&salon, &server.address()).await;
    let dentist = held("Dentist", 10);
    for (events, etag) in [("", "\"2\""), (event("Dentist", 10).as_str(), "\"1\""), ("", "\"2\"")] {
        server.publish(events);
        server.set(|served| served.etag = Some(etag));
        read_in_turn(&salon).await;
        assert_eq!(held_by(&salon), [dentist.as_str()]);
    }
    read_in_turn(&salon).await;
    assert_eq!(held_by(&salon), Vec::<String>::new());
    let unchanged = server.served().unchanged;
    read_in_turn(&salon).await;
    assert_eq!(server.served().unchanged, unchanged + 1);
}

#[tokio::test]
async fn a_series_goes_on_though_its_calendar_never_changes() {
    let yearly = event("Close", 20).replace("SUMMARY", "RRULE:FREQ=YEARLY\r\nSUMMARY");
    let server = Server::start(&yearly).await;
    server.set(|served| served.etag = Some("\"1\""));
    let salon = Salon::open().await;
    connect(&salon, &server.address()).await;
    let [this, next, after] = ["2026", "2027", "2028"].map(|year| held("Close", 20).replace("2026", year));
    until_held(&salon, &[&this, &next]).await;
    salon.time.advance(SignedDuration::from_hours(370 * 24));
    until_held(&salon, &[&next, &after]).await;
}

#[tokio::test]
async fn why_it_cannot_be_read_is_said_and_what_was_read_still_holds() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::open().await;
    let id: Uuid = connect(&salon, &server.address()).await.id.parse().unwrap();
    let dentist = held("Dentist", 10);
    until_held(&salon, &[&dentist]).await;
    let whole = server.served().text;
    let too_long = format!("{}{}", "x".repeat((8 << 20) + 1), whole);
    type Spoil = Box<dyn FnOnce(&mut crate::ics_fake::Served)>;
    let status = |status| -> Spoil { Box::new(move |served| served.status = Some(status)) };
    let text = |text: &str| -> Spoil {
        let text = text.to_owned();
        Box::new(move |served| (served.status, served.text) = (None, text))
    };
    let spoils = [
        (status(StatusCode::NOT_FOUND), "nothing is published at this address"),
        (status(StatusCode::GONE), "was withdrawn"),
        (status(StatusCode::UNAUTHORIZED), "wants a name and a password"),
        (status(StatusCode::FORBIDDEN), "wants a name and a password"),
        (text("<!doctype html>"), "what is at this address is no calendar"),
        (text(&whole[..whole.len() - 20]), "breaks off before its end"),
        (text(&too_long), "the server's answer is too long"),
        (text(&whole.replace("VEVENT", "VFREEBUSY")), "free and busy times alone"),
        (status(StatusCode::SERVICE_UNAVAILABLE), "asks to come back later"),
        (status(StatusCode::INTERNAL_SERVER_ERROR), "the server answers 500"),
    ];
    for (spoil, expected) in spoils {
        server.set(spoil);
        // Beyond the rest of what fails.
        salon.time.advance(SignedDuration::from_secs(600));
        salon.read_again().await;
        salon.until(async || salon.calendar().await.last_error.contains(expected)).await;
        assert_eq!(held_by(&salon), [dentist.as_str()]);
    }
    let told = salon.scheduling.until_reported(|told| {
        told.of(id).is_some_and(|report| report.reason.contains("500") && report.failing_since.is_some())
    });
    let told = told.await;
    let report = told.of(id).unwrap();
    assert_eq!((report.kind(), report.employee_id.as_str()), (BusySourceKind::Ics, MIA.to_string().as_str()));
    assert!(report.read_at.is_some());

    server.set(|served| served.status = None);
    server.publish("");
    salon.time.advance(SignedDuration::from_secs(600));
    read_in_turn(&salon).await;
    read_in_turn(&salon).await;
    assert_eq!(held_by(&salon), Vec::<String>::new());
    salon.until(async || salon.calendar().await.last_error.is_empty()).await;
}

#[tokio::test]
async fn an_address_that_fails_is_asked_no_sooner_than_a_healthy_one_and_than_its_server_wants() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::open().await;
    connect(&salon, &server.address()).await;
    let answers = [
        (StatusCode::NOT_FOUND, None, 60),
        (StatusCode::SERVICE_UNAVAILABLE, Some(600), 600),
        (StatusCode::TOO_MANY_REQUESTS, Some(86_400), 3_600),
    ];
    for (failures, (status, retry_after, seconds)) in (1..).zip(answers) {
        server.set(|served| (served.status, served.retry_after) = (Some(status), retry_after));
        salon.time.advance(SignedDuration::from_hours(2));
        let due_at = salon.time.now() + SignedDuration::from_secs(seconds);
        let rests = format!(
            "SELECT count(*) FROM sync_state WHERE failures = {failures} AND lease IS NULL AND due_at = '{due_at}'"
        );
        salon.until(async || salon.count(&rests).await == 1).await;
    }
}

#[tokio::test]
async fn appointments_are_not_written_to_it_and_nothing_calls_that_a_failure() {
    let server = Server::start(&event("Dentist", 20)).await;
    let salon = Salon::open().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let calendar = connect(&salon, &server.address()).await;
    salon.publish(visit(0xF2, 1, &[(MIA, "Cut", 11, 30)])).await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.publish(visit(0xF3, 1, &[(MIA, "Cut", 13, 30)])).await;
    salon.until_written().await;
    assert_eq!(salon.events(CALENDAR).await.len(), 3, "another calendar of hers has them all");
    let planned = format!("SELECT count(*) FROM calendar_write WHERE calendar_id = '{}'", calendar.id);
    assert_eq!(salon.count(&planned).await, 0);

    let message = ListAppointmentSyncRequest { business_id: SALON.to_string(), ..Default::default() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let listed =
        AppointmentSyncServiceClient::new(salon.channel.clone()).list_appointment_sync(request).await;
    let listed = listed.unwrap().into_inner().appointments;
    assert_eq!(listed.len(), 3);
    assert!(listed.iter().flat_map(|listed| &listed.events).all(|event| event.calendar_id != calendar.id));

    let found = check(&salon).await;
    assert_eq!((found.differences.len(), found.check.unwrap().unread_side_count), (0, 0));
    let sides = found.sides.iter().map(|side| (side.is_read_only, side.event_count, side.fault.as_str()));
    let mut sides: Vec<_> = sides.collect();
    sides.sort_unstable();
    assert_eq!(sides, [(false, 3, ""), (true, 0, "")]);
    let (own, first) = (CalendarId(calendar.id.parse().unwrap()), AppointmentId(Uuid::from_u128(0xF1)));
    let repair = RepairDifferenceRequest {
        business_id: SALON.to_string(),
        calendar_id: calendar.id.clone(),
        event_id: EventId::of_part(own, first, EmployeeId(MIA), 0).to_string(),
        appointment_id: first.to_string(),
    };
    let request = as_user(&salon.host, Role::Owner, SALON, repair);
    let refused = ConsistencyServiceClient::new(salon.channel.clone()).repair_difference(request).await;
    assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::NotFound));
    assert_eq!(salon.count(&planned).await, 0);
}

#[tokio::test]
async fn appointments_in_the_published_view_of_a_calendar_that_has_them_take_no_time_again() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let written = salon.events(CALENDAR).await.remove(0).id;
    let (ours, own) = (format!("{written}@google.com"), format!("{}@google.com", "f".repeat(32)));
    let server =
        Server::start(&format!("{}{}{}", event(&ours, 9), event(&own, 12), event(&written, 9))).await;
    connect_as(&salon, Role::Owner, &server.address(), MIA).await.unwrap();
    until_held(&salon, &[&held(&own, 12)]).await;
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
        (at("file.ics"), "only https addresses are called"),
        ("ftp://example.com/a.ics".to_owned(), "only https addresses are called"),
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
    let message =
        DisconnectCalendarRequest { business_id: SALON.to_string(), calendar_id: salon.calendar().await.id };
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
    let message = DisconnectCalendarRequest { business_id: SALON.to_string(), calendar_id: calendar.id };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    salon.calendars().disconnect_calendar(request).await.unwrap();
    salon.until(async || salon.count("SELECT count(*) FROM ics_calendar").await == 0).await;
    assert_eq!(held_by(&salon), Vec::<String>::new());
    connect(&salon, &server.address()).await;
    until_held(&salon, &[&held("Dentist", 10)]).await;
}
