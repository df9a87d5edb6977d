//! What is read under an address: from Radicale, and from a strict fake.

use axum::http::StatusCode;
use calendar_sync::domain::{AppointmentId, CalendarId, EmployeeId, event::EventId};
use caller::Role;
use jiff::SignedDuration;
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        calendarsync::v1::{
            CalendarKind, ListAppointmentSyncRequest, RepairDifferenceRequest,
            appointment_sync_service_client::AppointmentSyncServiceClient,
            consistency_service_client::ConsistencyServiceClient,
        },
        scheduling::v1::BusySourceKind,
    },
};
use testkit::as_user;
use uuid::Uuid;

use crate::{
    caldav::{DENTIST, held as held_by, until_held},
    consistency::check,
    ics::{connect, connect_as, until_failing},
    ics_fake::{Server, event, held},
    radicale::Account,
    salon::{CALENDAR, MIA, SALON, Salon, visit},
};

/// Waits until the calendar's own turn came, once.
async fn read_in_turn(salon: &Salon) {
    salon.let_pass(SignedDuration::from_secs(61)).await;
    let now = proto::time::to_proto(salon.time.now());
    salon.until(async || salon.calendar().await.synced_at == Some(now)).await;
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
        read_in_turn(&salon).await;
    }
    assert!(server.served().unchanged >= 3);
    assert_eq!((salon.scheduling.imported().requests.len(), server.served().sent), (told, sent));

    server.publish(&event("Dentist", 11));
    server.set(|served| served.etag = Some("\"2\""));
    until_held(&salon, &[&held("Dentist", 11)]).await;

    // By its time alone, and then by neither: some write a new stamp whenever they are asked.
    server.set(|served| served.etag = None);
    read_in_turn(&salon).await;
    let unchanged = server.served().unchanged;
    read_in_turn(&salon).await;
    assert!(server.served().unchanged > unchanged);
    server.set(|served| served.last_modified = None);
    let told = salon.scheduling.imported().requests.len();
    server.publish(&event("Dentist", 11).replace("DTSTAMP:20260501", "DTSTAMP:20260601"));
    read_in_turn(&salon).await;
    read_in_turn(&salon).await;
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
    salon.let_pass(SignedDuration::from_hours(370 * 24)).await;
    // Its own turn is due by now. One that is made due earlier may be begun by the clock of before.
    salon.until(async || held_by(&salon) == [next.as_str(), after.as_str()]).await;
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
        salon.let_pass(SignedDuration::from_secs(600)).await;
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
    salon.let_pass(SignedDuration::from_secs(600)).await;
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
        salon.let_pass(SignedDuration::from_hours(2)).await;
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
