//! Tables whose columns or dates a person explains.

use proto::{
    error::Reason,
    frontdesk::tenancy::v1::{
        ColumnMapping, DateOrder, ImportKind, ImportLineState as Line, ImportState as State,
    },
};
use tonic::Status;
use tonic_types::StatusExt;

use crate::{
    import::imports,
    stage::{Stage, WILLOW, assert_field_refused, assert_refused},
};

const CLIENTS: &str = "Kunde;Ort;Handy\nMia;Bonn;020 7946 0018\nTom;Ulm;020 7946 0019\n";
const OPEN: &str = "Start;Employee;Service\n03/04/2026 09:00;Ana;Cut\n05/05/2026 09:00;Ana;Cut\n";

fn mapping(fields: &[&str]) -> Option<ColumnMapping> {
    let fields = fields.iter().map(|field| (*field).to_owned()).collect();
    Some(ColumnMapping { fields, no_headings: false })
}

/// The refused fields with what is said of each.
fn violations(refused: Result<impl core::fmt::Debug, Status>) -> Vec<(String, String)> {
    let details = refused.unwrap_err().get_details_bad_request().unwrap();
    details.field_violations.into_iter().map(|one| (one.field, one.description)).collect()
}

#[tokio::test]
async fn columns_that_no_heading_explains_are_assigned_by_a_person() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let (id, preview) = imports.previewed(ImportKind::Customers, CLIENTS, None).await;
    let preview = preview.unwrap();
    assert_eq!(preview.columns[1].examples, ["Bonn", "Ulm"]);
    assert_eq!(
        (preview.settled, preview.faults[0].fault.as_str()),
        (false, "has no column for “name” or “first name”")
    );
    assert!(preview.fields.contains(&"phone".to_owned()));

    let chosen = mapping(&["name", "", "phone"]);
    assert!(imports.preview(&id, chosen.clone()).await.unwrap().faults.is_empty());
    imports.check_as(&id, chosen, DateOrder::Unspecified).await.unwrap();
    let checked = imports.until_state(&id, State::Checked).await;
    assert_eq!((checked.line_count, checked.bad_count), (2, 0));
    let read: Vec<_> = imports.whole(&id).await.table_columns;
    let read: Vec<_> = read.iter().map(|column| (column.heading.as_str(), column.field.as_str())).collect();
    assert_eq!(read, [("Kunde", "name"), ("Ort", ""), ("Handy", "phone")], "the dry run shows it");
    let kept = "SELECT count(*) FROM import_line WHERE cells::text LIKE '%Bonn%'";
    assert_eq!(stage.count(kept).await, 0, "what is left out is not kept");
    imports.start(&id).await.unwrap();
    imports.until_state(&id, State::Done).await;
    let named = "SELECT count(*) FROM customer WHERE name IN ('Mia', 'Tom') AND phone LIKE '+44207946001_'";
    assert_eq!(stage.count(named).await, 2);
}

#[tokio::test]
async fn a_bad_mapping_is_refused_with_the_names_of_its_columns() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let (id, _) = imports.previewed(ImportKind::Customers, CLIENTS, None).await;
    for (fields, expected) in [
        (["name", "name", ""], "has “Kunde” and “Ort” both as “name”: leave one of them out"),
        (["name", "town", ""], "has “Ort” as “town”, which is no field"),
        (["", "", "phone"], "has no column for “name” or “first name”"),
    ] {
        let refused = imports.check_as(&id, mapping(&fields), DateOrder::Unspecified).await;
        assert_eq!(violations(refused), [("mapping".to_owned(), expected.to_owned())]);
        let preview = imports.preview(&id, mapping(&fields)).await.unwrap();
        assert_eq!(preview.faults[0].fault, expected, "a preview says the same");
    }
    let both = imports.check_as(&id, mapping(&["tags", "tags", ""]), DateOrder::Unspecified).await;
    assert_eq!(violations(both).len(), 2, "all at once");
    let short = imports.check_as(&id, mapping(&["name"]), DateOrder::Unspecified).await;
    assert_field_refused(short, "mapping");
    assert_eq!(imports.get(&id).await.state(), State::Receiving, "it can be checked otherwise");
}

#[tokio::test]
async fn two_headings_of_one_field_are_told_by_a_preview() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let (id, preview) = imports.previewed(ImportKind::Customers, "Name,Phone,Mobile\nMia,,\n", None).await;
    let preview = preview.unwrap();
    assert_eq!((preview.faults.len(), preview.faults[0].columns.as_slice()), (1, [1, 2].as_slice()));
    imports.check_as(&id, mapping(&["name", "", "phone"]), DateOrder::Unspecified).await.unwrap();
    assert_refused(imports.preview(&id, None).await, Reason::WrongState);
}

#[tokio::test]
async fn dates_that_may_be_read_both_ways_are_asked_about_and_read_as_said() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let (id, preview) = imports.previewed(ImportKind::Appointments, OPEN, None).await;
    let preview = preview.unwrap();
    let open = preview.open_date.unwrap();
    assert_eq!([open.text, open.day_first, open.month_first], ["03/04/2026", "2026-04-03", "2026-03-04"]);
    assert!(!preview.settled && preview.faults.is_empty());
    assert_field_refused(imports.check_as(&id, None, DateOrder::Unspecified).await, "date_order");
    imports.check_as(&id, None, DateOrder::MonthFirst).await.unwrap();
    imports.until_state(&id, State::Checked).await;
    imports.start(&id).await.unwrap();
    imports.until_state(&id, State::Done).await;
    assert_eq!(imports.whole(&id).await.date_order(), DateOrder::MonthFirst);
    let booked = stage.scheduling.imported();
    let starts: Vec<_> =
        booked.iter().map(|visit| visit.items[0].starts_at.as_ref().unwrap().local.as_str()).collect();
    assert_eq!(starts, ["2026-03-04T09:00:00", "2026-05-05T09:00:00"]);
}

#[tokio::test]
async fn one_date_tells_the_order_of_the_others_and_is_not_overruled() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let told = format!("{OPEN}13/04/2026 09:00;Ana;Cut\n");
    let (id, preview) = imports.previewed(ImportKind::Appointments, &told, None).await;
    let preview = preview.unwrap();
    assert!(preview.settled && preview.open_date.is_none());
    assert_eq!(preview.date_order(), DateOrder::DayFirst);
    assert_field_refused(imports.check_as(&id, None, DateOrder::MonthFirst).await, "date_order");
    imports.check_as(&id, None, DateOrder::Unspecified).await.unwrap();
    let checked = imports.until_state(&id, State::Checked).await;
    assert_eq!((checked.bad_count, imports.lines(&id, Line::Good).await.len()), (0, 3));

    let mixed = format!("{told}04/13/2026 09:00;Ana;Cut\n");
    let (id, preview) = imports.previewed(ImportKind::Appointments, &mixed, None).await;
    assert!(preview.unwrap().faults[0].fault.starts_with("has dates in two orders"));
    assert_field_refused(imports.check_as(&id, None, DateOrder::DayFirst).await, "text");
}
