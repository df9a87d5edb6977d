//! Imports of appointments, which scheduling books.

use caller::{Role, UserId};
use proto::frontdesk::tenancy::v1::{
    ImportKind, ImportLineState as Line, ImportState as State, StartImportRequest,
};
use testkit::{SESSION, as_person};
use uuid::Uuid;

use crate::{
    import::{Imports, imports},
    stage::{Stage, WILLOW, created, new_customer},
};

const TABLE: &str = "Booking reference,Status,Start,Employee,Service,Client,Mobile\n\
    1,,2026-06-02 09:00,Ana,Cut,Mia,\n\
    2,CONFIRMED,2026-06-02 10:00,Ana,Cut,,\n\
    2,CONFIRMED,2026-06-02 10:30,Ana,Colour,,\n\
    3,,2026-06-02 09:15,Ana,Cut,,\n\
    4,,2026-06-02 11:00,Ana,Cut,,\n\
    4,,2026-06-02 11:30,Ana,Shave,,\n\
    5,CANCELLED,2026-06-02 12:00,Ana,Cut,,\n\
    6,,02/06/26 12:00,Ana,Cut,,\n\
    7,,2026-06-02 13:00,Ana,Cut,Tom,\n\
    8,,2026-06-02 13:00,Ana,Cut,Zoe,\n\
    9,,2026-06-02 13:00,Ana,Cut,Zoe,020 7946 0018\n\
    10,,2026-06-02 14:00,Ana,=cmd(),,\n\
    1,,2026-06-02 15:00,Ana,Cut,Mia,\n";

async fn salon() -> Stage {
    let stage = Stage::open().await;
    let zoe = [("Mia", ""), ("Zoe", "020 7946 0018"), ("Zoe", "020 7946 0019")];
    for (name, phone) in zoe {
        let request = stage.owner_of(WILLOW, new_customer(WILLOW, name, phone, ""));
        created(stage.customers().create_customer(request).await.unwrap());
    }
    stage
}

async fn done(imports: &Imports<'_>, id: &str) -> proto::frontdesk::tenancy::v1::Import {
    imports.start(id).await.unwrap();
    imports.until_state(id, State::Done).await
}

#[tokio::test]
async fn appointments_are_checked_line_by_line_and_booked_whole() {
    let stage = salon().await;
    let imports = imports(&stage, WILLOW);
    let checked = imports.checked(ImportKind::Appointments, TABLE).await;
    let bad: Vec<_> = imports.bad(&checked.id, Line::Bad).await;
    let expected = [
        (5, "start"),
        (6, "appointment"),
        (7, "service"),
        (8, "state"),
        (9, "start"),
        (10, "customer"),
        (11, "customer"),
        (13, "service"),
        (14, "appointment"),
    ];
    let told: Vec<_> = bad.iter().map(|(line, field)| (*line, field.as_str())).collect();
    assert_eq!(told, expected);
    let faults = imports.lines(&checked.id, Line::Bad).await;
    assert_eq!(faults[0].fault, "is taken by line 2");
    assert_eq!(faults[1].fault, "can’t be imported without line 7");
    assert_eq!(faults[8].fault, "is that of line 2 as well");
    assert!(stage.scheduling.imported().is_empty(), "a check books nothing");

    let done = done(&imports, &checked.id).await;
    assert_eq!((done.imported_count, done.failed_count), (4, 0));
    let booked = stage.scheduling.imported();
    let told: Vec<_> =
        booked.iter().map(|visit| (visit.reference.as_str(), visit.items.len(), visit.confirmed)).collect();
    assert_eq!(told, [("1", 1, false), ("2", 2, true), ("9", 1, false)]);
    assert!(!booked[0].customer_id.is_empty() && booked[1].customer_id.is_empty());
    let lines = imports.lines(&done.id, Line::Imported).await;
    assert_eq!(lines[1].record_id, lines[2].record_id, "two services are one appointment");
    assert_eq!(stage.count("SELECT count(*) FROM import_key").await, 0);
}

#[tokio::test]
async fn the_same_table_again_books_nothing_twice() {
    let stage = salon().await;
    let imports = imports(&stage, WILLOW);
    let table = "reference,start,employee,service\n1,2026-06-02 09:00,Ana,Cut\n2,2026-06-02 10:00,Ana,Cut\n";
    let first = imports.checked(ImportKind::Appointments, table).await;
    done(&imports, &first.id).await;
    let again = imports.checked(ImportKind::Appointments, table).await;
    assert_eq!((again.bad_count, again.line_count), (2, 2));
    assert_eq!(imports.lines(&again.id, Line::Bad).await[0].fault, "is in the book already");
    assert_eq!(stage.scheduling.imported().len(), 2);
}

#[tokio::test]
async fn appointments_are_booked_by_the_person_who_started_their_import() {
    let stage = salon().await;
    let imports = imports(&stage, WILLOW);
    let table = "reference,start,employee,service\n1,2026-06-02 09:00,Ana,Cut\n";
    let checked = imports.checked(ImportKind::Appointments, table).await;
    let starter = UserId(Uuid::from_u128(7));
    let message = StartImportRequest { business_id: WILLOW.to_string(), import_id: checked.id.clone() };
    let request = as_person(&stage.host, starter, SESSION, Some(WILLOW), Some(Role::Manager), message);
    stage.imports().start_import(request).await.unwrap();
    imports.until_state(&checked.id, State::Done).await;
    assert_eq!(stage.scheduling.importers(), [starter.to_string()]);
}

#[tokio::test]
async fn while_scheduling_is_away_an_import_waits_says_so_and_goes_on() {
    let stage = salon().await;
    let imports = imports(&stage, WILLOW);
    let table = "reference,start,employee,service\n1,2026-06-02 09:00,Ana,Cut\n";
    let checked = imports.checked(ImportKind::Appointments, table).await;
    stage.scheduling.leave();
    imports.start(&checked.id).await.unwrap();
    let waiting = imports.until(&checked.id, |import| !import.waiting_for.is_empty()).await;
    assert_eq!((waiting.state(), waiting.waiting_for.as_str()), (State::Importing, "scheduling"));
    stage.scheduling.come_back();
    stage.time.advance(jiff::SignedDuration::from_secs(6));
    let done = imports.until_state(&checked.id, State::Done).await;
    assert_eq!((done.imported_count, done.waiting_for.as_str()), (1, ""));
}

#[tokio::test]
async fn appointments_of_many_services_are_never_cut_in_two() {
    let stage = salon().await;
    let imports = imports(&stage, WILLOW);
    let mut table = "reference,start,employee,service\n".to_owned();
    // Steps end within appointments, and one appointment has more services than any may have.
    for visit in 0..70 {
        let services = if visit == 40 { 60 } else { 3 };
        for service in 0..services {
            let minute = 5 * service;
            let time = format!("{:02}:{:02}", 8 + minute / 60, minute % 60);
            table += &format!("V{visit},2026-06-02 {time},Person {visit}-{service},Cut\n");
        }
    }
    let checked = imports.checked(ImportKind::Appointments, &table).await;
    assert_eq!((checked.line_count, checked.bad_count), (69 * 3 + 60, 60));
    let done = done(&imports, &checked.id).await;
    assert_eq!((done.imported_count, done.failed_count), (69 * 3, 0));
    let booked = stage.scheduling.imported();
    assert_eq!((booked.len(), booked.iter().all(|visit| visit.items.len() == 3)), (69, true));
}
