//! Connecting calendars and seeing how they are.

use axum::http::StatusCode;
use caller::Role;
use jiff::{SignedDuration, Timestamp};
use proto::{
    error::{Reason, reason_of},
    frontdesk::calendarsync::v1::{
        CalendarKind, ConnectCalendarRequest, DisconnectCalendarRequest, ListCalendarsRequest,
        RetryCalendarRequest,
    },
};
use testkit::{as_agent, as_service, as_user};
use tonic::Status;
use tonic_types::StatusExt;
use uuid::Uuid;

use crate::{
    ics::{connect, until_failing},
    ics_fake::{Server, event},
    salon::{CALENDAR, MIA, OTHER, SALON, Salon, TOM, TOMS, connecting, visit},
};

/// The field a refusal names.
pub fn field(status: &Status) -> String {
    status.get_details_bad_request().expect("a refused field").field_violations[0].field.clone()
}

#[tokio::test]
async fn a_connected_calendar_is_read_and_says_when() {
    let salon = Salon::open().await;
    let connected = salon.connect(CALENDAR, MIA).await.unwrap();
    assert_eq!(
        (connected.id.as_str(), connected.kind()),
        (CALENDAR.to_string().as_str(), CalendarKind::Demo)
    );
    assert_eq!(
        (connected.employee_id.as_str(), connected.name.as_str()),
        (MIA.to_string().as_str(), "Private")
    );
    salon.until(async || salon.calendar().await.synced_at.is_some()).await;
    let listed = salon.calendar().await;
    assert_eq!(listed.synced_at, Some(proto::time::to_proto(salon.time.now())));
    assert_eq!(listed.last_error, "");
}

#[tokio::test]
async fn connecting_again_returns_the_same_calendar_and_another_under_its_id_is_refused() {
    let salon = Salon::open().await;
    salon.connect(CALENDAR, MIA).await.unwrap();
    salon.connect(CALENDAR, MIA).await.unwrap();
    let refused = salon.connect(CALENDAR, TOM).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::AlreadyExists));
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 1);
    let unnamed = ConnectCalendarRequest { calendar_id: String::new(), ..connecting(CALENDAR, MIA) };
    let request = as_service("local", &salon.host, Some(SALON), unnamed);
    let second = salon.calendars().connect_calendar(request).await.unwrap().into_inner().calendar.unwrap();
    assert_ne!(second.id, CALENDAR.to_string());
}

#[tokio::test]
async fn an_owner_connects_a_calendar_and_does_not_choose_its_id() {
    let salon = Salon::open().await;
    let connect = async |message| {
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        salon.calendars().connect_calendar(request).await
    };
    assert_eq!(field(&connect(connecting(CALENDAR, MIA)).await.unwrap_err()), "calendar_id");
    let unnamed = ConnectCalendarRequest { calendar_id: String::new(), ..connecting(CALENDAR, MIA) };
    let connected = connect(unnamed).await.unwrap().into_inner().calendar.unwrap();
    assert_eq!((connected.employee_id, connected.name.as_str()), (MIA.to_string(), "Private"));
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 1);
}

#[tokio::test]
async fn a_repeated_attempt_connects_once() {
    let salon = Salon::open().await;
    let connect = async |employee: Uuid| {
        let message = ConnectCalendarRequest { calendar_id: String::new(), ..connecting(CALENDAR, employee) };
        let mut request = as_user(&salon.host, Role::Owner, SALON, message);
        request.metadata_mut().insert(caller::IDEMPOTENCY_HEADER, "k1".parse().unwrap());
        Ok::<_, Status>(salon.calendars().connect_calendar(request).await?.into_inner())
    };
    let first = connect(MIA).await.unwrap();
    assert_eq!(connect(MIA).await.unwrap(), first);
    assert_eq!(reason_of(&connect(TOM).await.unwrap_err()), Some(Reason::IdempotencyKeyReused));
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 1);
}

#[tokio::test]
async fn calendars_are_listed_by_employee_page_by_page() {
    let salon = Salon::open().await;
    for (id, employee) in [(1, TOM), (2, MIA), (3, TOM), (4, MIA), (5, MIA)] {
        salon.connect(Uuid::from_u128(id), employee).await.unwrap();
    }
    let (mut listed, mut token) = (vec![], String::new());
    for size in [2, 2, 1] {
        let message =
            ListCalendarsRequest { business_id: SALON.to_string(), page_size: 2, page_token: token };
        let request = as_user(&salon.host, Role::Employee, SALON, message);
        let page = salon.calendars().list_calendars(request).await.unwrap().into_inner();
        assert_eq!(page.calendars.len(), size);
        listed.extend(page.calendars);
        token = page.next_page_token;
    }
    assert_eq!(token, "");
    let ids: Vec<u128> =
        listed.iter().map(|calendar| calendar.id.parse::<Uuid>().unwrap().as_u128()).collect();
    assert_eq!(ids, [2, 4, 5, 1, 3]);
}

#[tokio::test]
async fn owners_connect_anyone_and_others_themselves_alone() {
    let salon = Salon::open().await;
    let unnamed =
        |employee| ConnectCalendarRequest { calendar_id: String::new(), ..connecting(CALENDAR, employee) };
    for role in [Role::Employee, Role::Manager] {
        let host = &salon.host;
        let refused =
            salon.calendars().connect_calendar(as_user(host, role, SALON, unnamed(TOM))).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
        assert_eq!(refused.message(), "only an owner connects a calendar for someone else");
        let own = salon.calendars().connect_calendar(as_user(host, role, SALON, unnamed(MIA))).await.unwrap();
        assert_eq!(own.into_inner().calendar.unwrap().employee_id, MIA.to_string());
    }
    salon.calendars().connect_calendar(as_user(&salon.host, Role::Owner, SALON, unnamed(TOM))).await.unwrap();
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 3);
}

#[tokio::test]
async fn guests_strangers_and_agents_neither_connect_nor_look() {
    let salon = Salon::open().await;
    let connect = || connecting(CALENDAR, MIA);
    let list = || ListCalendarsRequest { business_id: SALON.to_string(), ..Default::default() };
    let host = &salon.host;
    let refusals = [
        salon.calendars().connect_calendar(as_user(host, Role::Guest, SALON, connect())).await.map(drop),
        salon
            .calendars()
            .connect_calendar(as_service("telemetry", host, Some(SALON), connect()))
            .await
            .map(drop),
        salon.calendars().connect_calendar(as_agent(host, MIA, SALON, connect())).await.map(drop),
        salon.calendars().list_calendars(as_user(host, Role::Guest, SALON, list())).await.map(drop),
    ];
    for refused in refusals {
        assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::RoleTooLow));
    }
    let strangers = [
        salon.calendars().connect_calendar(as_user(host, Role::Owner, OTHER, connect())).await.map(drop),
        salon.calendars().list_calendars(as_user(host, Role::Owner, OTHER, list())).await.map(drop),
    ];
    for refused in strangers {
        assert_eq!(reason_of(&refused.unwrap_err()), Some(Reason::NotFound));
    }
    assert_eq!(salon.count("SELECT count(*) FROM calendar").await, 0);
}

#[tokio::test]
async fn a_disconnected_calendar_frees_its_employee_and_is_forgotten() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    salon.put("dentist", 11).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.len() == 1).await;
    let disconnect = async |role, business, calendar: Uuid| {
        let message = DisconnectCalendarRequest {
            business_id: SALON.to_string(),
            calendar_id: calendar.to_string(),
            take_out: false,
        };
        salon.calendars().disconnect_calendar(as_user(&salon.host, role, business, message)).await.map(drop)
    };
    salon.connect(TOMS, TOM).await.unwrap();
    let refused = disconnect(Role::Employee, SALON, TOMS).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let refused = disconnect(Role::Guest, SALON, CALENDAR).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let refused = disconnect(Role::Owner, OTHER, CALENDAR).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    disconnect(Role::Employee, SALON, CALENDAR).await.unwrap();
    salon.scheduling.until(|imported| imported.busy.is_empty()).await;
    salon.until(async || salon.count("SELECT count(*) FROM calendar").await == 1).await;
    for table in ["calendar_write", "demo_event", "sync_history", "told_event"] {
        assert_eq!(salon.count(&format!("SELECT count(*) FROM {table}")).await, 0, "{table}");
    }
    let again = disconnect(Role::Owner, SALON, CALENDAR).await.unwrap_err();
    assert_eq!(reason_of(&again), Some(Reason::NotFound));
    salon.publish(visit(0xF1, 2, &[(MIA, "Cut", 10, 30)])).await;
}

type Spoil = fn(&mut ConnectCalendarRequest);

#[tokio::test]
async fn a_malformed_field_is_named() {
    let salon = Salon::open().await;
    let spoils: [(&str, Spoil); 6] = [
        ("calendar_id", |r| r.calendar_id = "mine".to_owned()),
        ("kind", |r| r.kind = 0),
        ("kind", |r| r.kind = 77),
        ("employee_id", |r| r.employee_id.clear()),
        ("name", |r| r.name = " ".to_owned()),
        ("name", |r| r.name = "n".repeat(256)),
    ];
    for (name, spoil) in spoils {
        let mut message = connecting(CALENDAR, MIA);
        spoil(&mut message);
        let request = as_service("local", &salon.host, Some(SALON), message);
        assert_eq!(field(&salon.calendars().connect_calendar(request).await.unwrap_err()), name);
    }
    let message =
        ListCalendarsRequest { business_id: SALON.to_string(), page_size: 0, page_token: "eA".to_owned() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    assert_eq!(field(&salon.calendars().list_calendars(request).await.unwrap_err()), "page_token");
}

#[tokio::test]
async fn a_calendar_of_an_unknown_employee_is_refused_by_its_field() {
    let salon = Salon::open().await;
    let refused = salon.connect(CALENDAR, uuid::Uuid::from_u128(0xbad)).await.unwrap_err();
    assert_eq!(field(&refused), "employee_id");
    let elsewhere = ConnectCalendarRequest {
        business_id: OTHER.to_string(),
        calendar_id: String::new(),
        ..connecting(CALENDAR, MIA)
    };
    let request = as_user(&salon.host, Role::Owner, OTHER, elsewhere);
    assert_eq!(field(&salon.calendars().connect_calendar(request).await.unwrap_err()), "employee_id");
    salon.connect(CALENDAR, MIA).await.unwrap();
}

#[tokio::test]
async fn a_calendar_that_failed_is_read_at_once_when_a_person_asks() {
    let salon = Salon::with_calendar().await;
    salon.meddle("UPDATE sync_state SET due_at = '2027-01-01', last_error = 'away', failures = 7").await;
    let retry = async |role, business, calendar: Uuid| {
        let message =
            RetryCalendarRequest { business_id: SALON.to_string(), calendar_id: calendar.to_string() };
        salon.calendars().retry_calendar(as_user(&salon.host, role, business, message)).await
    };
    let refused = retry(Role::Guest, SALON, CALENDAR).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    let refused = retry(Role::Employee, SALON, TOMS).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    assert_eq!(salon.calendar().await.last_error, "away", "its next turn is far away");
    retry(Role::Employee, SALON, CALENDAR).await.unwrap();
    salon.until(async || salon.calendar().await.last_error.is_empty()).await;
}

#[tokio::test]
async fn a_calendar_that_asked_to_wait_is_read_no_sooner_when_a_person_asks() {
    let server = Server::start(&event("Dentist", 10)).await;
    let salon = Salon::open().await;
    let calendar = connect(&salon, &server.address()).await;
    server.set(|served| {
        (served.status, served.retry_after) = (Some(StatusCode::SERVICE_UNAVAILABLE), Some(600));
    });
    let asked = salon.time.now() + SignedDuration::from_secs(600);
    until_failing(&salon).await;
    server.set(|served| served.status = None);
    let due = |at: Timestamp| {
        format!("SELECT count(*) FROM sync_state WHERE lease IS NULL AND failures = 1 AND due_at = '{at}'")
    };
    let retry = async || {
        let message =
            RetryCalendarRequest { business_id: SALON.to_string(), calendar_id: calendar.id.clone() };
        salon.calendars().retry_calendar(as_user(&salon.host, Role::Employee, SALON, message)).await.unwrap();
    };
    retry().await;
    assert_eq!(salon.count(&due(asked)).await, 1);
    // As after more failures, which rest longer than the server asked for.
    salon.meddle("UPDATE sync_state SET due_at = '2026-12-01 00:00Z'").await;
    retry().await;
    assert_eq!(salon.count(&due(asked)).await, 1);
    salon.let_pass(SignedDuration::from_secs(600)).await;
    salon.until(async || salon.calendar().await.last_error.is_empty()).await;
    assert_eq!(salon.count("SELECT count(*) FROM sync_state WHERE asked_until IS NOT NULL").await, 0);
}

#[tokio::test]
async fn a_calendar_that_asked_to_wait_is_written_no_sooner_when_a_person_asks() {
    let salon = Salon::with_calendar().await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let retry = async || {
        let message =
            RetryCalendarRequest { business_id: SALON.to_string(), calendar_id: CALENDAR.to_string() };
        salon.calendars().retry_calendar(as_user(&salon.host, Role::Employee, SALON, message)).await
    };
    salon.meddle("UPDATE calendar_write SET wanted = wanted + 1, due_at = '2027-01-01 00:00Z'").await;
    retry().await.unwrap();
    let waiting = "SELECT count(*) FROM calendar_write WHERE written < wanted AND due_at > '2026-12-01'";
    assert_eq!(salon.count(waiting).await, 1);
    salon.meddle("UPDATE calendar_write SET failures = 1, last_error = 'away'").await;
    retry().await.unwrap();
    salon.until_written().await;
}
