//! Who changed what, from what to what.

use caller::Role;
use proto::frontdesk::{
    changes::internal::v1::{
        ListChangesRequest, NameRecordsRequest, RecordsOfKind,
        change_log_service_client::ChangeLogServiceClient,
    },
    scheduling::v1::{
        ListServicesRequest, Service, SetOpeningHoursRequest, UpdateServiceRequest, WeeklySpan,
    },
    tenancy::v1::AuditEntry,
};
use testkit::{USER, as_service, as_user};
use tonic::Code;
use uuid::Uuid;

use crate::{
    moving,
    salon::{ANA, CUT, OTHER, Salon, WILLOW, booking, by, local},
};

async fn entries(salon: &Salon, record: &str, limit: i32) -> Vec<AuditEntry> {
    let request = ListChangesRequest {
        business_id: WILLOW.to_string(),
        record_id: record.to_owned(),
        limit,
        ..Default::default()
    };
    let mut client = ChangeLogServiceClient::new(salon.channel());
    client.list_changes(salon.service("tenancy", request)).await.unwrap().into_inner().entries
}

/// The changes of an entry, each as "field: before → after".
fn told(entry: &AuditEntry) -> Vec<String> {
    entry.changes.iter().map(|one| format!("{}: {} → {}", one.field, one.before, one.after)).collect()
}

#[tokio::test]
async fn a_changed_service_is_told_of_field_by_field() {
    let salon = Salon::open().await;
    let list = ListServicesRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let services = salon.catalogue().list_services(salon.manager(list)).await.unwrap().into_inner().services;
    let service = services.into_iter().find(|service| service.id == CUT.to_string()).unwrap();
    salon.time.advance(jiff::SignedDuration::from_secs(1));
    let request = UpdateServiceRequest {
        business_id: WILLOW.to_string(),
        service_id: CUT.to_string(),
        service: Some(Service {
            id: String::new(),
            price_minor: service.price_minor + 500,
            ..service.clone()
        }),
    };
    salon.catalogue().update_service(salon.manager(request)).await.unwrap();
    let latest = entries(&salon, &CUT.to_string(), 10).await.remove(0);
    let expected = format!("price_minor: {} → {}", service.price_minor, service.price_minor + 500);
    assert_eq!(told(&latest), [expected], "its steps and employees stay");
    assert_eq!(
        (latest.actor.as_str(), latest.action.as_str()),
        (format!("user:{USER}").as_str(), "UpdateService")
    );
    assert_eq!(latest.at, Some(proto::time::to_proto(salon.host.clock.now())));
}

#[tokio::test]
async fn hours_that_are_replaced_are_one_change_and_the_same_hours_none() {
    let salon = Salon::open().await;
    let before = entries(&salon, &WILLOW.to_string(), 50).await.len();
    let span = |weekday| WeeklySpan { weekday, from_minute: 600, to_minute: 900 };
    let set = async |weekdays: &[i32]| {
        salon.time.advance(jiff::SignedDuration::from_secs(1));
        let request = SetOpeningHoursRequest {
            business_id: WILLOW.to_string(),
            time_zone: "Europe/London".to_owned(),
            spans: weekdays.iter().copied().map(span).collect(),
            ..Default::default()
        };
        salon.schedules().set_opening_hours(salon.manager(request)).await.unwrap();
        entries(&salon, &WILLOW.to_string(), 50).await
    };
    set(&[1, 2]).await;
    let changed = set(&[2]).await;
    assert_eq!(changed.len(), before + 2);
    let line = |weekday| format!(r#"{{"from_minute":600,"to_minute":900,"weekday":{weekday}}}"#);
    let expected = format!("opening_hours: [{},{}] → [{}]", line(1), line(2), line(2));
    assert_eq!(told(&changed[0]), [expected]);
    assert_eq!(set(&[2]).await.len(), before + 2, "nothing was changed");
    let closed = set(&[]).await;
    assert_eq!(told(&closed[0]), [format!("opening_hours: [{}] → null", line(2))]);
}

#[tokio::test]
async fn a_visit_says_when_it_was_booked_and_moved_and_whose_words_stay_out() {
    let salon = Salon::open().await;
    let tuesday = |time| local("2026-06-02", time);
    let mut request = booking(vec![by(CUT, ANA)], tuesday("09:00"));
    request.notes = "Allergic to quokkas".to_owned();
    let booked = salon.book_as(salon.agent(request)).await.unwrap();
    salon.time.advance(jiff::SignedDuration::from_secs(1));
    moving::send(&salon, moving::request(&booked.id, tuesday("10:00"))).await.unwrap();
    let of_visit = entries(&salon, &booked.id, 10).await;
    let actions: Vec<_> = of_visit.iter().map(|entry| entry.action.as_str()).collect();
    assert!(actions.contains(&"BookAppointment") && actions.contains(&"MoveAppointment"), "{actions:?}");
    let moved = of_visit.iter().flat_map(told).find(|change| change.starts_with("starts_at: \"")).unwrap();
    assert!(moved.contains("2026-06-02T08:00") && moved.contains("2026-06-02T09:00"), "{moved}");
    let place = of_visit.iter().flat_map(told).filter(|change| change.contains("employee_ids"));
    let by_ana = |field: &str| format!("{field}:  → [\"{ANA}\"]");
    assert_eq!(place.collect::<Vec<_>>(), [by_ana("employee_ids"), by_ana("next_employee_ids")]);
    assert!(!of_visit.iter().flat_map(told).any(|change| change.contains("quokka")));
}

#[tokio::test]
async fn a_refused_change_is_noted_and_entries_are_tenancys_to_read() {
    let salon = Salon::open().await;
    let request = UpdateServiceRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let employee = as_user(&salon.host, Role::Employee, WILLOW, request);
    salon.catalogue().update_service(employee).await.unwrap_err();
    let refused = loop {
        if let Some(entry) = entries(&salon, "", 50).await.into_iter().find(|entry| !entry.refusal.is_empty())
        {
            break entry;
        }
    };
    assert_eq!((refused.action.as_str(), refused.refusal.as_str()), ("UpdateService", "ROLE_TOO_LOW"));

    let request = || ListChangesRequest { business_id: OTHER.to_string(), limit: 50, ..Default::default() };
    let mut client = ChangeLogServiceClient::new(salon.channel());
    let theirs =
        client.list_changes(as_service("tenancy", &salon.host, Some(OTHER), request())).await.unwrap();
    let ours: Vec<_> = entries(&salon, "", 50).await.into_iter().map(|entry| entry.id).collect();
    assert!(theirs.into_inner().entries.iter().all(|entry| !ours.contains(&entry.id)));
    let foreign = as_service("telemetry", &salon.host, Some(OTHER), request());
    assert_eq!(client.list_changes(foreign).await.unwrap_err().code(), Code::PermissionDenied);
    let before = ListChangesRequest { before_id: Uuid::nil().to_string(), limit: 0, ..request() };
    let refused = client.list_changes(as_service("tenancy", &salon.host, Some(OTHER), before)).await;
    assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test]
async fn records_are_named_to_tenancy_and_what_is_not_there_is_gone() {
    let salon = Salon::open().await;
    let booked = salon.book_as(salon.agent(booking(vec![by(CUT, ANA)], local("2026-06-02", "09:00")))).await;
    let booked = booked.unwrap();
    let of_kind = |kind: &str, ids: &[&str]| RecordsOfKind {
        kind: kind.to_owned(),
        ids: ids.iter().map(|id| (*id).to_owned()).collect(),
    };
    let missing = Uuid::from_u128(77).to_string();
    let request = |business: &str, records| NameRecordsRequest { business_id: business.to_owned(), records };
    let mut client = ChangeLogServiceClient::new(salon.channel());
    let wanted =
        || vec![of_kind("appointment", &[&booked.id]), of_kind("service", &[&CUT.to_string(), &missing])];
    let named = client.name_records(salon.service("tenancy", request(&WILLOW.to_string(), wanted()))).await;
    let named = named.unwrap().into_inner().names;
    let told: Vec<_> = named.iter().map(|one| (one.kind.as_str(), one.name.as_str(), one.gone)).collect();
    assert_eq!(told[0].0, "appointment");
    assert_eq!(named[0].at, booked.starts_at);
    assert!(told.contains(&("service", "Cut", false)) && told.contains(&("service", "", true)), "{told:?}");

    let theirs = as_service("tenancy", &salon.host, Some(OTHER), request(&OTHER.to_string(), wanted()));
    let theirs = client.name_records(theirs).await.unwrap().into_inner().names;
    assert!(theirs.iter().all(|one| one.gone && one.name.is_empty()), "{theirs:?}");
    let too_many: Vec<_> = (0..2_001).map(|n| Uuid::from_u128(n).to_string()).collect();
    let too_many: Vec<_> = too_many.iter().map(String::as_str).collect();
    for records in [vec![of_kind("customer", &[&missing])], vec![of_kind("service", &too_many)]] {
        let refused = client.name_records(salon.service("tenancy", request(&WILLOW.to_string(), records)));
        assert_eq!(refused.await.unwrap_err().code(), Code::InvalidArgument);
    }
}
