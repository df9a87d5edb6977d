//! Tables that people did not mean so, and imports that meet.

use core::time::Duration;

use caller::Role;
use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        CancelImportRequest, CheckImportRequest, ImportKind, ImportLineState as Line, ImportState as State,
        ListImportLinesRequest, PutImportPartRequest, StartImportRequest,
    },
};
use tenancy::NAME;
use testkit::{SESSION, as_person, as_user};
use tokio::time::timeout;
use tonic_types::StatusExt;

use crate::{
    import::imports,
    stage::{LINDE, Stage, WILLOW, assert_refused},
};

const WAITING: &str = "SELECT count(*) FROM pg_locks WHERE NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";

#[tokio::test]
async fn the_same_table_imported_twice_at_once_adds_each_customer_once() {
    let stage = Stage::open().await;
    let (host, time) = testkit::host(NAME);
    let replica = Stage::beside(stage.database.clone(), host, time).await;
    let table = "name,phone\nMia,020 7946 0018\nTom,020 7946 0019\nAnn,";
    let [one, other] = [imports(&stage, WILLOW), imports(&replica, WILLOW)];
    let first = one.checked(ImportKind::Customers, table).await;
    let second = one.checked(ImportKind::Customers, table).await;
    assert_eq!((first.bad_count, second.bad_count), (0, 0), "neither is in the book yet");
    // Until both workers have read whom the business knows, neither adds anyone.
    let mut holding = stage.superuser().await;
    let lock = "BEGIN; LOCK TABLE customer IN SHARE MODE";
    sqlx::raw_sql(lock).execute(&mut holding).await.unwrap();
    one.start(&first.id).await.unwrap();
    other.start(&second.id).await.unwrap();
    let both_wait = async {
        while stage.count(WAITING).await < 2 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(60), both_wait).await.expect("both workers wait");
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    let first = one.until_state(&first.id, State::Done).await;
    let second = one.until_state(&second.id, State::Done).await;
    let sums = (first.imported_count + second.imported_count, first.failed_count + second.failed_count);
    assert_eq!(sums, (3, 3), "{first:?} {second:?}");
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 3);
}

#[tokio::test]
async fn a_quotation_mark_that_is_never_closed_is_named_and_loses_no_line() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let id = imports.begin(ImportKind::Customers).await;
    // The notes are no field of a customer: without a word, Tom and Ann would be a part of them.
    imports.put(&id, 0, "name,notes\nMia,\"likes tea\nTom,\nAnn,\n").await.unwrap();
    let refused = imports.check(&id, 1).await.unwrap_err();
    let details = refused.get_details_bad_request().unwrap();
    let said = details.field_violations.iter().map(|of| (of.field.as_str(), of.description.as_str()));
    let expected = [("text", "has a quotation mark in line 2 that is never closed")];
    assert_eq!(said.collect::<Vec<_>>(), expected);
    imports.put(&id, 0, "name,notes\nMia,\"likes tea\"\nTom,\nAnn,\n").await.unwrap();
    imports.check(&id, 1).await.unwrap();
    assert_eq!(imports.until_state(&id, State::Checked).await.line_count, 3);
}

#[tokio::test]
async fn a_line_with_more_cells_than_columns_is_left_out_and_says_so() {
    let stage = Stage::open().await;
    for (kind, table) in [
        (ImportKind::Customers, "name,tags\nMia,VIP\nBerg, Tom,VIP\nAnn,,,\n"),
        (ImportKind::Items, "name,category\nSoap,Care\nWax, soft,Care\nGel,,,\n"),
        (ImportKind::Employees, "name,email\nMia,\nBerg, Tom,tom@example.com\nAnn,,,\n"),
        (ImportKind::Appointments, "start,service\n2026-06-02 9:00,Cut\n2026-06-02 9:00,Cut, long,x\n"),
    ] {
        let imports = imports(&stage, WILLOW);
        let checked = imports.checked(kind, table).await;
        let bad = imports.bad(&checked.id, Line::Bad).await;
        assert!(bad.contains(&(3, "line".to_owned())), "{kind:?}: {bad:?}");
        assert!(!bad.iter().any(|(line, field)| *line != 3 && field == "line"), "{kind:?}: {bad:?}");
    }
}

#[tokio::test]
async fn whatever_a_table_holds_each_of_its_lines_is_good_or_says_what_is_wrong() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let long = "x".repeat(10_000);
    let cells = [
        ("Mia", None),
        ("Mi\u{0}a", Some("name")),
        ("Mi\u{202e}a", Some("name")),
        ("M\u{fffd}a", Some("name")),
        ("=HYPERLINK(1)", Some("name")),
        ("'=Mia", None),
        (long.as_str(), Some("name")),
        ("\"Tom\nAsh\"", Some("name")),
        ("\u{feff}Zoe", None),
    ];
    // A hundred columns of which two mean something, lines that end as on old Macs, and a byte order mark.
    let more: Vec<String> = (0..98).map(|n| format!("h{n}")).collect();
    let more = more.join(";");
    let lines = cells.iter().map(|(cell, _)| format!("{cell};a|b;{more}"));
    let table: Vec<String> = core::iter::once(format!("\u{feff}name;tags;{more}")).chain(lines).collect();
    let table = table.join("\r");
    let checked = imports.checked(ImportKind::Customers, &table).await;
    let lines = imports.lines(&checked.id, Line::Unspecified).await;
    assert_eq!(lines.len(), cells.len());
    for (line, (cell, wrong)) in lines.iter().zip(cells) {
        assert_eq!(line.field, wrong.unwrap_or_default(), "{cell:.20}: {}", line.fault);
        assert_eq!(line.state() == Line::Good, wrong.is_none(), "{cell:.20}");
    }
}

#[tokio::test]
async fn an_import_is_gone_on_with_by_a_colleague_and_not_by_another_business() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let id = imports.begin(ImportKind::Customers).await;
    imports.put(&id, 0, "name\nMia").await.unwrap();
    let put = |business: caller::BusinessId| PutImportPartRequest {
        business_id: business.to_string(),
        import_id: id.clone(),
        part: 0,
        text: "name\nEve".to_owned(),
    };
    let check = |business: caller::BusinessId| CheckImportRequest {
        business_id: business.to_string(),
        import_id: id.clone(),
        part_count: 1,
        ..Default::default()
    };
    let start = |business: caller::BusinessId| StartImportRequest {
        business_id: business.to_string(),
        import_id: id.clone(),
    };
    let cancel = |business: caller::BusinessId| CancelImportRequest {
        business_id: business.to_string(),
        import_id: id.clone(),
    };
    let lines = |business: caller::BusinessId| ListImportLinesRequest {
        business_id: business.to_string(),
        import_id: id.clone(),
        ..Default::default()
    };
    let mut client = stage.imports();
    assert_refused(client.put_import_part(stage.owner_of(LINDE, put(LINDE))).await, Reason::NotFound);
    assert_refused(client.put_import_part(stage.owner_of(LINDE, put(WILLOW))).await, Reason::NotFound);
    assert_refused(client.put_import_part(stage.employee_of(WILLOW, put(WILLOW))).await, Reason::RoleTooLow);
    assert_refused(client.check_import(stage.owner_of(LINDE, check(LINDE))).await, Reason::NotFound);
    assert_refused(client.check_import(stage.employee_of(WILLOW, check(WILLOW))).await, Reason::RoleTooLow);
    let colleague = caller::UserId(uuid::Uuid::from_u128(0xC0));
    let (business, role) = (Some(WILLOW), Some(Role::Manager));
    let manager = as_person(&stage.host, colleague, SESSION, business, role, check(WILLOW));
    client.check_import(manager).await.unwrap();
    imports.until_state(&id, State::Checked).await;
    assert_refused(client.start_import(stage.owner_of(LINDE, start(LINDE))).await, Reason::NotFound);
    assert_refused(client.start_import(stage.employee_of(WILLOW, start(WILLOW))).await, Reason::RoleTooLow);
    assert_refused(client.cancel_import(stage.owner_of(LINDE, cancel(LINDE))).await, Reason::NotFound);
    assert_refused(client.list_import_lines(stage.owner_of(LINDE, lines(LINDE))).await, Reason::NotFound);
    let employee = as_user(&stage.host, Role::Employee, WILLOW, lines(WILLOW));
    assert_refused(client.list_import_lines(employee).await, Reason::RoleTooLow);
    client.start_import(stage.manager_of(WILLOW, start(WILLOW))).await.unwrap();
    imports.until_state(&id, State::Done).await;
    assert_eq!(stage.count("SELECT count(*) FROM customer WHERE name = 'Mia'").await, 1);
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 1);
}
