//! What people do with imports, in the audit trail.

use boot::retention::IMPORTS;
use jiff::SignedDuration;
use proto::frontdesk::tenancy::v1::{
    AuditEntry, CancelImportRequest, ImportKind, ImportState as State, ListAuditEntriesRequest,
    audit_service_client::AuditServiceClient,
};
use tenancy::retention::KEPT;
use testkit::USER;

use crate::{
    audit::{entries, told},
    import::{Imports, imports},
    stage::{Stage, WILLOW},
};

/// Each entry of an import as "action: field before → after …", the earliest first.
async fn trail(stage: &Stage, id: &str) -> Vec<String> {
    let mut entries = entries(stage, WILLOW, id).await;
    assert!(entries.iter().all(|entry| entry.record_kind == "import"), "{entries:?}");
    entries.reverse();
    entries.iter().map(line).collect()
}

fn line(entry: &AuditEntry) -> String {
    let (action, changes) = told(entry);
    let changes = changes.iter().map(|(field, before, after)| format!(" {field} {before}>{after}"));
    format!("{action}:{}", changes.collect::<String>())
}

/// A later moment, so that what comes next is told after what came before.
fn later(stage: &Stage) {
    stage.time.advance(SignedDuration::from_secs(1));
}

/// A table that is checked, with a moment between what was done.
async fn checked(imports: &Imports<'_>, text: &str) -> String {
    let id = imports.begin(ImportKind::Customers).await;
    imports.put(&id, 0, text).await.unwrap();
    later(imports.stage);
    imports.check(&id, 1).await.unwrap();
    imports.until_state(&id, State::Checked).await;
    later(imports.stage);
    id
}

const BEGUN: [&str; 2] = [
    "CreateImport: kind >\"CUSTOMERS\" state >\"RECEIVING\"",
    "CheckImport: line_count 0>2 state \"RECEIVING\">\"CHECKING\"",
];

#[tokio::test]
async fn what_a_person_does_with_an_import_and_its_end_are_noted_and_no_progress() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let id = checked(&imports, "name,email\nMia,\nTom,\nIda,no address").await;
    imports.start(&id).await.unwrap();
    imports.until_state(&id, State::Done).await;
    let mut noted = trail(&stage, &id).await;
    // The worker may end it at the moment at which it was started.
    noted[2..].sort_unstable();
    let expected = [
        BEGUN[0],
        "CheckImport: line_count 0>3 state \"RECEIVING\">\"CHECKING\"",
        "StartImport: state \"CHECKED\">\"IMPORTING\"",
        "worker: added null>2 left_out null>1 state \"IMPORTING\">\"DONE\"",
    ];
    assert_eq!(noted, expected);
    let by = entries(&stage, WILLOW, &id).await;
    assert!(by.iter().all(|entry| entry.actor == format!("user:{USER}")), "{by:?}");
}

#[tokio::test]
async fn an_import_is_named_by_its_file_which_no_entry_keeps() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let id = imports.begin(ImportKind::Customers).await;
    let request = ListAuditEntriesRequest {
        business_id: WILLOW.to_string(),
        record_id: id.clone(),
        ..Default::default()
    };
    let mut client = AuditServiceClient::new(stage.channel.clone());
    let page = client.list_audit_entries(stage.owner_of(WILLOW, request)).await.unwrap().into_inner();
    let named = page.names.iter().find(|name| name.kind == "import").unwrap();
    assert_eq!((named.id.as_str(), named.name.as_str()), (id.as_str(), "table.csv"));
    let kept = "SELECT count(*) FROM change_entry WHERE concat(before, after) LIKE '%table.csv%'";
    assert_eq!(stage.count(kept).await, 0);
}

#[tokio::test]
async fn an_import_that_is_cancelled_expires_or_is_deleted_is_noted() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let [cancelled, left] =
        [checked(&imports, "name\nMia\nTom").await, checked(&imports, "name\nIda\nTom").await];
    for _ in 0..2 {
        // Once more changes nothing.
        let message = CancelImportRequest { business_id: WILLOW.to_string(), import_id: cancelled.clone() };
        stage.imports().cancel_import(stage.owner_of(WILLOW, message)).await.unwrap();
    }
    let cancel = "CancelImport: state \"CHECKED\">\"CANCELLED\"";
    assert_eq!(trail(&stage, &cancelled).await, [BEGUN[0], BEGUN[1], cancel]);

    stage.time.advance(SignedDuration::from_hours(25));
    imports.until_state(&left, State::Expired).await;
    let expire = "worker: state \"CHECKED\">\"EXPIRED\"";
    assert_eq!(trail(&stage, &left).await, [BEGUN[0], BEGUN[1], expire]);

    stage.time.advance(IMPORTS + SignedDuration::from_hours(1));
    let database = stage.database.connect(&stage.host).await;
    for kept in KEPT {
        database.delete_old(kept).await.unwrap();
    }
    let deleted = entries(&stage, WILLOW, &cancelled).await.remove(0);
    assert_eq!(line(&deleted), "worker: kind \"CUSTOMERS\"> state \"CANCELLED\">");
    assert_eq!(deleted.actor, "service:retention");
}

#[tokio::test]
async fn having_a_waiting_import_tried_again_is_noted_and_that_it_waits_is_not() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    stage.onboarding.leave(true);
    let id = imports.begun(ImportKind::Employees, "name,calendar\nAna,demo").await;
    imports.until(&id, |import| !import.waiting_for.is_empty()).await;
    assert_eq!(entries(&stage, WILLOW, &id).await.len(), 2, "begun, and sent to be checked");
    stage.onboarding.leave(false);
    later(&stage);
    imports.start(&id).await.unwrap();
    imports.until_state(&id, State::Checked).await;
    let noted = trail(&stage, &id).await;
    assert_eq!(noted[2..], ["StartImport: waiting_for \"calendar-sync\">null"]);
}
