//! Employees and services of a booking system whose records are not as one would like them.

use std::sync::{Arc, Mutex};

use axum::{Json, Router, routing::get};
use caller::Role;
use demo_provider::TOKEN;
use proto::frontdesk::calendarsync::v1::{
    ListProviderRecordsRequest, ProviderRecord, ProviderRecordKind, ProviderRunState,
};
use serde_json::{Value, json};
use testkit::as_user;

use crate::{
    others::serve,
    provider::{client, connect_as, map, sync},
    salon::{MIA, SALON, Salon},
};

/// A booking system that lists these employees.
async fn listing(employees: &Arc<Mutex<Value>>) -> String {
    let employees = employees.clone();
    let employees = async move || Json(json!({ "employees": *employees.lock().unwrap() }));
    let services =
        json!({ "services": [{ "id": "T1", "name": "Cut\0" }, { "id": "T2", "name": "W\u{202E}ash" }] });
    let appointments = json!({ "appointments": [], "next": 0, "more": false });
    let router = Router::new()
        .route("/api/account", get(async || Json(json!({ "name": "Willow" }))))
        .route("/api/employees", get(employees))
        .route("/api/services", get(async move || Json(services)))
        .route("/api/appointments", get(async move || Json(appointments)));
    serve(router).await
}

async fn records(salon: &Salon, connection: &str, kind: ProviderRecordKind) -> Vec<ProviderRecord> {
    let message =
        ListProviderRecordsRequest { business_id: SALON.to_string(), connection_id: connection.to_owned() };
    let request = as_user(&salon.host, Role::Owner, SALON, message);
    let listed = client(salon).list_provider_records(request).await.unwrap().into_inner();
    listed.records.into_iter().filter(|record| record.kind() == kind).collect()
}

fn named(records: &[ProviderRecord]) -> Vec<(&str, &str)> {
    records.iter().map(|record| (record.external_id.as_str(), record.name.as_str())).collect()
}

#[tokio::test]
async fn names_that_no_row_or_page_takes_are_cleaned_and_stop_no_other_record() {
    let long = "z".repeat(100_000);
    let employees = json!([
        { "id": "P1", "name": "A\0nn" },
        { "id": "P2", "name": "\u{202E}Ben\u{2066}" },
        { "id": "P3", "name": "\u{202E}\0" },
        { "id": "P4", "name": long },
        { "id": "P5", "name": null },
        { "id": 6, "name": "Mia" },
    ]);
    let salon = Salon::beside(&listing(&Arc::new(Mutex::new(employees))).await).await;
    let connection = connect_as(&salon, Role::Owner, SALON, TOKEN).await.unwrap().id;
    let run = sync(&salon, &connection, false).await;
    assert_eq!((run.state(), run.fault.as_str()), (ProviderRunState::Done, ""));
    let people = records(&salon, &connection, ProviderRecordKind::Employee).await;
    let kept = [
        ("P1", "Ann"),
        ("P2", "Ben"),
        ("6", "Mia"),
        ("P3", "Without a name"),
        ("P5", "Without a name"),
        ("P4", &long[..200]),
    ];
    assert_eq!(named(&people), kept);
    let services = records(&salon, &connection, ProviderRecordKind::Service).await;
    assert_eq!(named(&services), [("T1", "Cut"), ("T2", "Wash")]);
    let again = sync(&salon, &connection, true).await.counts.unwrap();
    assert_eq!((again.added, again.changed, again.removed), (0, 0, 0), "the same is read as the same");
}

#[tokio::test]
async fn records_without_a_usable_id_are_left_out_with_their_reason_and_all_others_are_read() {
    let long = "P".repeat(3_000);
    let odd = json!([
        { "id": "P1", "name": "Mia" },
        { "name": "Ann" },
        { "id": long, "name": "Ben" },
        { "id": "P\0", "name": "Cat" },
        { "id": "P1", "name": "Mia again" },
        "Dan",
        { "id": "P2", "name": "Tom" },
    ]);
    let employees = Arc::new(Mutex::new(odd));
    let salon = Salon::beside(&listing(&employees).await).await;
    let connection = connect_as(&salon, Role::Owner, SALON, TOKEN).await.unwrap().id;
    let run = sync(&salon, &connection, false).await;
    assert_eq!(run.state(), ProviderRunState::Failed);
    let told =
        "5 records of the booking system were left out, the first because it has no id; all others were read";
    assert_eq!(run.fault, told);
    let counts = run.counts.unwrap();
    assert_eq!((counts.employees, counts.services), (2, 2));
    let people = records(&salon, &connection, ProviderRecordKind::Employee).await;
    assert_eq!(named(&people), [("P1", "Mia"), ("P2", "Tom")]);
    map(&salon, &connection, "P1", Some(MIA)).await.unwrap();

    *employees.lock().unwrap() = json!([{ "id": "P1", "name": "Mia" }]);
    let run = sync(&salon, &connection, false).await;
    assert_eq!((run.state(), run.fault.as_str()), (ProviderRunState::Done, ""));
    let people = records(&salon, &connection, ProviderRecordKind::Employee).await;
    let gone: Vec<_> = people.iter().map(|record| (record.external_id.as_str(), record.is_gone)).collect();
    assert_eq!(gone, [("P1", false), ("P2", true)]);
}
