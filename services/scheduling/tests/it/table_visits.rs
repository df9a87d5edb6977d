//! Visits of tables that other systems wrote.

use proto::{
    error::Reason,
    frontdesk::scheduling::{
        internal::v1::{
            ImportAppointmentsRequest, TableItem, TableTime, TableVisit, TableVisitOutcome,
            appointment_import_service_client::AppointmentImportServiceClient,
        },
        v1::GetAppointmentRequest,
    },
    time::to_proto,
};
use tonic::Status;
use uuid::Uuid;

use crate::salon::{
    ANA, BEN, COLOUR, CUT, MASSAGE, OVERLAPS, STRANGER, Salon, WILLOW, by, local, reason, shown,
};

const TUESDAY: &str = "2026-06-02";

fn at(time: &str) -> TableTime {
    TableTime { local: format!("{TUESDAY}T{time}"), at: None }
}

fn item(service: &str, employee: Uuid, from: &str, to: &str) -> TableItem {
    TableItem {
        service_name: service.to_owned(),
        employee_id: employee.to_string(),
        starts_at: Some(at(from)),
        ends_at: (!to.is_empty()).then(|| at(to)),
        ..TableItem::default()
    }
}

fn visit(reference: &str, items: Vec<TableItem>) -> TableVisit {
    TableVisit { reference: reference.to_owned(), items, ..TableVisit::default() }
}

async fn ask(
    salon: &Salon,
    visits: Vec<TableVisit>,
    check_only: bool,
) -> Result<Vec<TableVisitOutcome>, Status> {
    ask_for(salon, "", visits, check_only).await
}

/// Asks in the name of a person.
async fn ask_for(
    salon: &Salon,
    person: &str,
    visits: Vec<TableVisit>,
    check_only: bool,
) -> Result<Vec<TableVisitOutcome>, Status> {
    let (business_id, on_behalf_of) = (WILLOW.to_string(), person.to_owned());
    let request = ImportAppointmentsRequest { business_id, visits, check_only, on_behalf_of };
    let mut client = AppointmentImportServiceClient::new(salon.channel());
    Ok(client.import_appointments(salon.service("tenancy", request)).await?.into_inner().outcomes)
}

async fn import(salon: &Salon, visits: Vec<TableVisit>) -> Vec<TableVisitOutcome> {
    ask(salon, visits, false).await.unwrap()
}

/// The column that is wrong in each visit, with its item.
fn faults(outcomes: &[TableVisitOutcome]) -> Vec<Option<(i32, &str)>> {
    outcomes
        .iter()
        .map(|outcome| outcome.fault.as_ref().map(|fault| (fault.item, fault.field.as_str())))
        .collect()
}

/// The salon, with what its people are called.
async fn salon() -> Salon {
    let salon = Salon::open().await;
    let names = format!(
        "INSERT INTO employee (business_id, id, name) VALUES ('{WILLOW}', '{ANA}', 'Ana'), ('{WILLOW}', '{BEN}', 'Ben')
            ON CONFLICT (business_id, id) DO UPDATE SET name = excluded.name"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(names)).execute(&mut salon.superuser().await).await.unwrap();
    salon
}

#[tokio::test]
async fn a_check_books_nothing_and_an_import_books_each_visit_once() {
    let salon = salon().await;
    let visits = || {
        vec![
            visit("A-1", vec![item("cut", ANA, "09:00", "")]),
            visit("", vec![item("Cut", BEN, "09:00", "09:45")]),
        ]
    };
    let checked = ask(&salon, visits(), true).await.unwrap();
    assert_eq!(faults(&checked), [None, None]);
    let taken: Vec<_> = checked[1].taken.iter().map(|one| shown(one.ends_at.as_ref())).collect();
    assert_eq!((checked[0].taken.len(), taken), (1, vec!["09:45".to_owned()]));
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 0, "a check books nothing");

    let booked = import(&salon, visits()).await;
    assert_eq!(faults(&booked), [None, None]);
    assert!(!booked[0].known && booked[0].appointment_id == checked[0].appointment_id);
    let stored = "SELECT count(*) FROM appointment a JOIN appointment_item i ON i.visit_id = a.id
        WHERE a.state = 'BOOKED' AND i.extra_minutes = CASE i.employee_id WHEN '00000000-0000-0000-0000-0000000000b1'
            THEN 15 ELSE 0 END";
    assert_eq!(salon.count(stored).await, 2);
    let told =
        "SELECT count(DISTINCT aggregate_id) FROM outbox o JOIN appointment a ON a.id = o.aggregate_id";
    assert_eq!(salon.count(told).await, 2, "each is told to other services");

    let again = import(&salon, visits()).await;
    assert!(again.iter().all(|outcome| outcome.known && outcome.fault.is_none()), "{again:?}");
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 2);
}

#[tokio::test]
async fn a_visit_is_booked_by_the_person_who_has_the_table_imported() {
    let salon = salon().await;
    let person = Uuid::from_u128(7).to_string();
    let visits = |reference: &str, time: &str| vec![visit(reference, vec![item("Cut", ANA, time, "")])];
    let theirs = ask_for(&salon, &person, visits("A-1", "09:00"), false).await.unwrap();
    let nobodys = import(&salon, visits("A-2", "10:00")).await;
    for (booked, expected) in [(theirs, format!("user:{person}")), (nobodys, "service:tenancy".to_owned())] {
        let appointment_id = booked[0].appointment_id.clone();
        let request = GetAppointmentRequest { business_id: WILLOW.to_string(), appointment_id };
        let read = salon.appointments().get_appointment(salon.manager(request)).await.unwrap().into_inner();
        let by: Vec<_> = read.state_changes.iter().map(|change| change.entered_by.as_str()).collect();
        assert_eq!(by, [expected]);
    }
    let audited = format!("SELECT count(*) FROM audit WHERE actor = 'user:{person}'");
    assert_eq!(salon.count(&audited).await, 1, "the audit trail says the same");
    let malformed = ask_for(&salon, "me", visits("A-3", "11:00"), false).await.unwrap_err();
    assert_eq!(crate::salon::field(&malformed), "on_behalf_of");
}

#[tokio::test]
async fn a_taken_time_is_refused_and_stops_no_other_visit() {
    let salon = salon().await;
    salon.book(vec![by(CUT, ANA)], local(TUESDAY, "10:00")).await.unwrap();
    let outcomes = import(
        &salon,
        vec![
            visit("1", vec![item("Cut", ANA, "10:15", "")]),
            visit("2", vec![item("Cut", ANA, "10:30", "")]),
            visit("3", vec![item("Cut", ANA, "10:45", "")]),
        ],
    )
    .await;
    assert_eq!(faults(&outcomes), [Some((0, "start")), None, Some((0, "start"))]);
    assert_eq!(salon.count("SELECT count(*) FROM appointment").await, 2);
    assert_eq!(salon.count(OVERLAPS).await, 0);
}

#[tokio::test]
async fn what_is_wrong_is_said_of_its_item_and_column() {
    let salon = salon().await;
    let mut both = item("Cut", ANA, "09:00", "");
    both.starts_at = Some(TableTime { at: Some(to_proto(local(TUESDAY, "10:00"))), ..at("09:00") });
    let mut skipped = item("Cut", ANA, "09:00", "");
    skipped.starts_at = Some(TableTime { local: "2027-03-28T01:30:00".to_owned(), at: None });
    let mut past = item("Cut", ANA, "09:00", "");
    past.starts_at = Some(TableTime { local: "2026-05-04T09:00:00".to_owned(), at: None });
    let mut named = item("Cut", STRANGER, "09:00", "");
    named.employee_name = "Cleo".to_owned();
    let stranger =
        TableVisit { customer_id: STRANGER.to_string(), ..visit("", vec![item("Cut", ANA, "09:00", "")]) };
    let cases = vec![
        (visit("", vec![item("Shave", ANA, "09:00", "")]), 0, "service"),
        (visit("", vec![item("Cut", STRANGER, "09:00", "")]), 0, "employee"),
        (visit("", vec![named]), 0, "employee"),
        (visit("", vec![item("Cut", ANA, "09:00", ""), item("Massage", ANA, "09:30", "")]), 1, "employee"),
        (visit("", vec![item("Cut", ANA, "09:02", "")]), 0, "start"),
        (visit("", vec![item("Cut", ANA, "07:00", "")]), 0, "start"),
        (visit("", vec![past]), 0, "start"),
        (visit("", vec![both]), 0, "start"),
        (visit("", vec![skipped]), 0, "start"),
        (visit("", vec![item("Cut", ANA, "09:00", "09:07")]), 0, "end"),
        (visit("", vec![item("Cut", ANA, "09:00", "08:00")]), 0, "end"),
        (visit("", vec![item("Cut", ANA, "09:00", ""), item("Colour", ANA, "11:00", "")]), 1, "start"),
        (stranger, 0, "customer"),
    ];
    for (visit, item, field) in cases {
        let outcomes = ask(&salon, vec![visit.clone()], true).await.unwrap();
        assert_eq!(faults(&outcomes), [Some((item, field))], "{visit:?}\n{outcomes:?}");
    }
}

#[tokio::test]
async fn services_of_one_visit_stay_together_and_ids_win_over_names() {
    let salon = salon().await;
    let mut colour = item("", ANA, "09:00", "");
    colour.service_id = COLOUR.to_string();
    let mut massage = item("Cut", BEN, "10:15", "11:00");
    massage.service_id = MASSAGE.to_string();
    let together = TableVisit {
        confirmed: true,
        notes: "By the window".to_owned(),
        ..visit("V", vec![colour, massage])
    };
    let outcomes = import(&salon, vec![together]).await;
    assert_eq!(faults(&outcomes), [None], "{outcomes:?}");
    let kept = "SELECT count(*) FROM appointment a JOIN appointment_item i ON i.visit_id = a.id
        WHERE a.state = 'CONFIRMED' AND a.notes = 'By the window'";
    assert_eq!(salon.count(kept).await, 2);
}

#[tokio::test]
async fn two_imports_at_once_book_a_visit_once() {
    let salon = salon().await;
    let visits = || vec![visit("A-1", vec![item("Cut", ANA, "09:00", "")])];
    let (one, other) = tokio::join!(ask(&salon, visits(), false), ask(&salon, visits(), false));
    let outcomes = [one.unwrap(), other.unwrap()].concat();
    assert!(outcomes.iter().all(|outcome| outcome.fault.is_none()), "{outcomes:?}");
    let booked = outcomes.iter().filter(|outcome| !outcome.known).count();
    assert_eq!((booked, salon.count("SELECT count(*) FROM appointment").await), (1, 1), "{outcomes:?}");
}

#[tokio::test]
async fn tables_come_from_tenancy_and_are_bounded() {
    let salon = salon().await;
    let request = ImportAppointmentsRequest { business_id: WILLOW.to_string(), ..Default::default() };
    let mut client = AppointmentImportServiceClient::new(salon.channel());
    let refused = client.import_appointments(salon.manager(request)).await.unwrap_err();
    assert_ne!(reason(&refused), Reason::Internal);
    let many = vec![visit("1", vec![item("Cut", ANA, "09:00", "")]); 51];
    assert_eq!(crate::salon::field(&ask(&salon, many, true).await.unwrap_err()), "visits");
    let empty = ask(&salon, vec![visit("1", vec![])], true).await.unwrap_err();
    assert_eq!(crate::salon::field(&empty), "visits.items");
}
