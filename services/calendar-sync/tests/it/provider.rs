//! The salon's own booking system: a real small server that knows nothing of this one.

use caller::{BusinessId, Role};
use demo_provider::{Book, Booking, DemoProvider, Fault, TOKEN};
use jiff::{SignedDuration, tz::TimeZone};
use proto::{
    error::{Reason, reason_of},
    frontdesk::{
        calendarsync::v1::{
            ConnectProviderRequest, ListProviderConnectionsRequest, ListProviderRecordsRequest,
            ListProviderRunsRequest, MapProviderRecordRequest, ProviderConnection, ProviderKind,
            ProviderRecord, ProviderRecordKind, ProviderRun, ProviderRunState, RotateProviderTokenRequest,
            SyncProviderRequest, TestProviderConnectionRequest,
            provider_connection_service_client::ProviderConnectionServiceClient,
        },
        scheduling::internal::v1::ImportBusyRequest,
    },
};
use testkit::as_user;
use tokio_util::sync::CancellationToken;
use tonic::{Status, transport::Channel};
use uuid::Uuid;

use crate::{
    calendars::field,
    desk::CUT,
    salon::{MIA, OTHER, SALON, Salon, TOM, at, visit},
};

/// A salon beside its booking system, which has an account of its own clock.
async fn beside() -> (Salon, DemoProvider) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let zone = TimeZone::get("Europe/London").unwrap();
    let book = Book::new("Willow", TOKEN, zone, &["Mia", "Tom"], &["Cut", "Wash"]);
    let salon = Salon::beside(&url).await;
    let system = DemoProvider::new(book, salon.host.clock.clone());
    tokio::spawn(system.clone().serve(listener, CancellationToken::new()));
    (salon, system)
}

pub fn client(salon: &Salon) -> ProviderConnectionServiceClient<Channel> {
    ProviderConnectionServiceClient::new(salon.channel.clone())
}

pub async fn connect_as(
    salon: &Salon,
    role: Role,
    business: BusinessId,
    token: &str,
) -> Result<ProviderConnection, Status> {
    let message = ConnectProviderRequest {
        business_id: SALON.to_string(),
        kind: ProviderKind::Demo.into(),
        label: "Front desk of before".to_owned(),
        token: token.to_owned(),
        ..ConnectProviderRequest::default()
    };
    let request = as_user(&salon.host, role, business, message);
    Ok(client(salon).connect_provider(request).await?.into_inner().connection.unwrap())
}

pub async fn connected() -> (Salon, DemoProvider, String) {
    let (salon, system) = beside().await;
    let id = connect_as(&salon, Role::Owner, SALON, TOKEN).await.unwrap().id;
    (salon, system, id)
}

pub async fn sync(salon: &Salon, connection: &str, dry_run: bool) -> ProviderRun {
    let message =
        SyncProviderRequest { business_id: SALON.to_string(), connection_id: connection.to_owned(), dry_run };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    client(salon).sync_provider(request).await.unwrap().into_inner().run.unwrap()
}

pub async fn map(
    salon: &Salon,
    connection: &str,
    external: &str,
    employee: Option<Uuid>,
) -> Result<(), Status> {
    map_as(salon, connection, (ProviderRecordKind::Employee, external), employee, false).await.map(drop)
}

/// Maps an employee to none, once what was written to come is taken out there.
pub async fn unmap(salon: &Salon, connection: &str, external: &str) -> Result<ProviderRecord, Status> {
    map_as(salon, connection, (ProviderRecordKind::Employee, external), None, true).await
}

async fn map_as(
    salon: &Salon,
    connection: &str,
    (kind, external): (ProviderRecordKind, &str),
    mapped: Option<Uuid>,
    take_out: bool,
) -> Result<ProviderRecord, Status> {
    let message = MapProviderRecordRequest {
        business_id: SALON.to_string(),
        connection_id: connection.to_owned(),
        kind: kind.into(),
        external_id: external.to_owned(),
        mapped_id: mapped.map(|id| id.to_string()).unwrap_or_default(),
        take_out,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    Ok(client(salon).map_provider_record(request).await?.into_inner().record.unwrap())
}

pub fn own(person: &str, hour: i64) -> Booking {
    Booking {
        employee_id: person.to_owned(),
        service_id: None,
        title: "Their own".to_owned(),
        starts_at: at(hour, 0),
        ends_at: at(hour, 30),
        reference: None,
    }
}

#[tokio::test]
async fn a_system_is_connected_once_with_a_token_that_it_takes() {
    let (salon, _) = beside().await;
    assert_eq!(field(&connect_as(&salon, Role::Owner, SALON, "wrong").await.unwrap_err()), "token");
    let connection = connect_as(&salon, Role::Owner, SALON, TOKEN).await.unwrap();
    assert!(!connection.needs_services, "it takes appointments without a service");
    let again = connect_as(&salon, Role::Owner, SALON, TOKEN).await.unwrap_err();
    assert_eq!(reason_of(&again), Some(Reason::AlreadyExists));
    for role in [Role::Guest, Role::Employee, Role::Manager] {
        let refused = connect_as(&salon, role, SALON, TOKEN).await.unwrap_err();
        assert_eq!(reason_of(&refused), Some(Reason::RoleTooLow));
    }
    let refused = connect_as(&salon, Role::Owner, OTHER, TOKEN).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::NotFound));
    let dump = salon.dump(&["provider_connection", "data_key"]).await;
    let hex: String = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(dump.contains(&connection.id) && !dump.contains(TOKEN) && !dump.contains(&hex));
}

#[tokio::test]
async fn a_token_is_tested_and_replaced_by_one_that_works() {
    let (salon, system, connection_id) = connected().await;
    let test = async || {
        let message = TestProviderConnectionRequest {
            business_id: SALON.to_string(),
            connection_id: connection_id.clone(),
        };
        let request = as_user(&salon.host, Role::Owner, SALON, message);
        client(&salon).test_provider_connection(request).await.unwrap().into_inner()
    };
    assert_eq!(test().await.account, "Willow");
    system.edit(|book| book.token = "another".to_owned());
    assert!(test().await.fault.contains("refuses the token"));
    let rotate = async |token: &str| {
        let message = RotateProviderTokenRequest {
            business_id: SALON.to_string(),
            connection_id: connection_id.clone(),
            token: token.to_owned(),
            ..RotateProviderTokenRequest::default()
        };
        client(&salon)
            .rotate_provider_token(as_user(&salon.host, Role::Owner, SALON, message))
            .await
            .map(drop)
    };
    assert_eq!(field(&rotate(TOKEN).await.unwrap_err()), "token");
    rotate("another").await.unwrap();
    assert_eq!(test().await.account, "Willow");
}

#[tokio::test]
async fn a_token_that_was_put_into_another_row_does_not_open() {
    let (salon, _, connection) = connected().await;
    let moved = Uuid::from_u128(0xC0);
    salon.meddle(&format!("UPDATE provider_connection SET id = '{moved}' WHERE id = '{connection}'")).await;
    let message =
        TestProviderConnectionRequest { business_id: SALON.to_string(), connection_id: moved.to_string() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let refused = client(&salon).test_provider_connection(request).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::Internal));
}

#[tokio::test]
async fn a_dry_run_counts_and_keeps_nothing_and_a_run_keeps_what_it_read() {
    let (salon, _, connection) = connected().await;
    let counted = |run: &ProviderRun| {
        let counts = run.counts.unwrap();
        (run.state(), counts.employees, counts.services, counts.added)
    };
    assert_eq!(counted(&sync(&salon, &connection, true).await), (ProviderRunState::Done, 2, 2, 4));
    assert_eq!(salon.count("SELECT count(*) FROM provider_record").await, 0);
    assert_eq!(counted(&sync(&salon, &connection, false).await), (ProviderRunState::Done, 2, 2, 4));
    assert_eq!(counted(&sync(&salon, &connection, false).await), (ProviderRunState::Done, 2, 2, 0));
    assert_eq!(salon.count("SELECT count(*) FROM provider_record WHERE NOT gone").await, 4);
    let message =
        ListProviderRunsRequest { business_id: SALON.to_string(), connection_id: connection.clone() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let runs = client(&salon).list_provider_runs(request).await.unwrap().into_inner().runs;
    assert_eq!(runs.len(), 3);
    assert!(runs.iter().all(|run| run.steps_done == run.step_count && run.finished_at.is_some()));
}

#[tokio::test]
async fn a_run_that_fails_says_why() {
    let (salon, system, connection) = connected().await;
    system.fail(Fault::Unavailable, 1);
    let run = sync(&salon, &connection, false).await;
    assert_eq!(run.state(), ProviderRunState::Failed);
    assert!(run.fault.contains("503"), "{}", run.fault);
}

#[tokio::test]
async fn a_mapped_employees_appointments_are_kept_in_step_both_ways() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    salon.publish(visit(0xF1, 1, &[(MIA, "Cut", 9, 30)])).await;
    let now = salon.time.now();
    system.edit(|book| book.put("A1", own("P1", 11), None, "Mia", now).map(drop)).unwrap();
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    // Theirs keeps her time free here, and ours is written there: and not read back.
    let told = salon.scheduling.until(|imported| imported.busy.len() == 1).await.requests;
    let is_of_system = |told: &ImportBusyRequest| told.calendar_id.is_empty();
    assert!(told.iter().all(is_of_system), "it is said to be a calendar: {told:?}");
    salon.until_written().await;
    let there = || {
        system.edit(|book| {
            book.appointments()
                .into_iter()
                .filter(|found| found.booking.reference.is_some())
                .cloned()
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(there().len(), 1);
    assert_eq!((there()[0].booking.title.as_str(), there()[0].booking.starts_at), ("Cut – Ana", at(9, 0)));
    // A lost answer doubles nothing.
    system.fail(Fault::LostAnswer, 1);
    salon.publish_and_wait_out(visit(0xF1, 2, &[(MIA, "Cut", 13, 30)])).await;
    assert_eq!(there().len(), 1);
    assert_eq!(there()[0].booking.starts_at, at(13, 0));
    // It forgets up to where it was read: what is gone meanwhile is found.
    let version = system.edit(|book| book.version("A1").unwrap().to_owned());
    system.edit(|book| book.delete("A1", &version, "Mia", now)).unwrap();
    system.fail(Fault::Forgotten, 1);
    salon.read_again().await;
    salon.scheduling.until(|imported| imported.busy.is_empty()).await;

    let taken = map(&salon, &connection, "P2", Some(MIA)).await.unwrap_err();
    assert_eq!(reason_of(&taken), Some(Reason::InUse));
    map(&salon, &connection, "P2", Some(TOM)).await.unwrap();
    map(&salon, &connection, "P1", None).await.unwrap();
    salon.until(async || salon.count("SELECT count(*) FROM calendar").await == 1).await;
}

#[tokio::test]
async fn what_the_system_refuses_is_parked_alone() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    system.fail(Fault::Refused, 1);
    for n in 0..3 {
        let hour = i64::try_from(10 + n).unwrap();
        salon.scheduling.publish(
            &salon.host,
            &SALON.to_string(),
            visit(0xF0 + n, 1, &[(MIA, "Cut", hour, 30)]),
        );
    }
    salon
        .until(async || salon.count("SELECT count(*) FROM calendar_write WHERE written = wanted").await == 2)
        .await;
    assert_eq!(salon.count("SELECT count(*) FROM calendar_write WHERE parked_at IS NOT NULL").await, 1);
}

#[tokio::test]
async fn names_are_suggested_and_a_mapped_service_is_written() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    let message =
        ListProviderRecordsRequest { business_id: SALON.to_string(), connection_id: connection.clone() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let listed = client(&salon).list_provider_records(request).await.unwrap().into_inner();
    let suggested: Vec<(&str, &str)> =
        listed.records.iter().map(|record| (record.name.as_str(), record.suggested_id.as_str())).collect();
    let (mia, tom, cut) = (MIA.to_string(), TOM.to_string(), CUT.to_string());
    assert_eq!(suggested, [("Mia", mia.as_str()), ("Tom", &tom), ("Cut", &cut), ("Wash", "")]);
    assert_eq!(listed.own.len(), 4);

    let unknown = map_as(&salon, &connection, (ProviderRecordKind::Service, "T1"), Some(MIA), false).await;
    assert_eq!(field(&unknown.unwrap_err()), "mapped_id");
    let service = (ProviderRecordKind::Service, "T1");
    let mapped = map_as(&salon, &connection, service, Some(CUT), false).await.unwrap();
    assert_eq!((mapped.mapped_id, mapped.suggested_id.as_str()), (cut.clone(), ""));
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();
    let mut booked = visit(0xF1, 1, &[(MIA, "Women's cut", 9, 30)]);
    booked.items[0].service_id = cut;
    salon.publish(booked).await;
    let service = system.edit(|book| book.appointments()[0].booking.service_id.clone());
    assert_eq!(service.as_deref(), Some("T1"));
}

#[tokio::test]
async fn one_run_at_a_time_reads_a_connection() {
    let (salon, _, connection) = connected().await;
    let insert = format!(
        "INSERT INTO provider_run (business_id, id, connection_id, dry_run, state, started_at, step_count)
         VALUES ('{SALON}', gen_random_uuid(), '{connection}', false, 'RUNNING', '{}', 3)",
        salon.time.now()
    );
    salon.meddle(&insert).await;
    let message = SyncProviderRequest {
        business_id: SALON.to_string(),
        connection_id: connection.clone(),
        dry_run: true,
    };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let refused = client(&salon).sync_provider(request).await.unwrap_err();
    assert_eq!(reason_of(&refused), Some(Reason::InUse));
    // One whose process died ends by itself.
    salon.time.advance(SignedDuration::from_mins(11));
    assert_eq!(sync(&salon, &connection, true).await.state(), ProviderRunState::Done);
}

#[tokio::test]
async fn only_what_is_reached_can_be_connected() {
    let salon = Salon::open().await;
    let message = ListProviderConnectionsRequest { business_id: SALON.to_string() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let listed = client(&salon).list_provider_connections(request).await.unwrap().into_inner();
    let kinds: Vec<ProviderKind> = listed.systems.iter().map(|system| system.kind()).collect();
    assert_eq!((listed.connections.len(), kinds), (0, vec![ProviderKind::Square, ProviderKind::Profile]));
    assert_eq!(field(&connect_as(&salon, Role::Owner, SALON, TOKEN).await.unwrap_err()), "kind");
}

#[tokio::test]
async fn employees_and_services_are_read_in_turn_and_soon_again_after_a_failure() {
    let (salon, system, connection) = connected().await;
    sync(&salon, &connection, false).await;
    let runs = "SELECT count(*) FROM provider_run";
    // A replica looks at what is due as it starts.
    salon.replica().await;
    salon
        .until(async || salon.count("SELECT count(*) FROM sync_state WHERE lease IS NOT NULL").await == 0)
        .await;
    assert_eq!(salon.count(runs).await, 1);
    system
        .edit(|book| book.people.push(demo_provider::Person { id: "P3".to_owned(), name: "Ann".to_owned() }));
    system.fail(Fault::Unavailable, 1);
    salon.time.advance(SignedDuration::from_hours(6));
    salon.replica().await;
    salon
        .until(async || salon.count("SELECT count(*) FROM provider_run WHERE state = 'FAILED'").await == 1)
        .await;
    salon.time.advance(SignedDuration::from_mins(10));
    salon.replica().await;
    salon
        .until(async || salon.count("SELECT count(*) FROM provider_record WHERE name = 'Ann'").await == 1)
        .await;
    assert_eq!(salon.count(runs).await, 3);
}
