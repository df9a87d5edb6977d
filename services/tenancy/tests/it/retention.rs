//! What is kept for a time only.

use jiff::SignedDuration;
use proto::frontdesk::tenancy::v1::{ImportKind, ImportState as State};
use tenancy::retention::KEPT;

use crate::{
    agent_chat::started,
    customer_export::begin,
    import::imports,
    stage::{LINDE, Stage, WILLOW},
};

async fn delete_old(stage: &Stage) -> Vec<u64> {
    let database = stage.database.connect(&stage.host).await;
    let mut deleted = vec![];
    for kept in KEPT {
        deleted.push(database.delete_old(kept).await.unwrap());
    }
    deleted
}

#[tokio::test]
async fn each_table_keeps_its_rows_for_its_own_time() {
    let stage = Stage::open().await;
    let imports = imports(&stage, WILLOW);
    let done = imports.checked(ImportKind::Customers, "name\nMia").await;
    imports.start(&done.id).await.unwrap();
    imports.until_state(&done.id, State::Done).await;
    imports.checked(ImportKind::Customers, "name\nTom").await;
    // No worker comes to expire it meanwhile.
    let undue = "UPDATE import SET due_at = NULL WHERE state = 'CHECKED'";
    sqlx::query(undue).execute(&mut stage.superuser().await).await.unwrap();
    begin(&stage, LINDE, "").await.unwrap();
    started(&stage, LINDE, false).await.unwrap();
    let lines = "SELECT count(*) FROM import_line";
    assert_eq!((delete_old(&stage).await, stage.count(lines).await), (vec![0; 7], 2));

    stage.time.advance(SignedDuration::from_hours(24 * 30 + 1));
    assert_eq!(delete_old(&stage).await, [0, 0, 1, 1, 0, 0, 0], "one that waits for a person stays");
    assert_eq!(stage.count(lines).await, 1);
    stage.time.advance(SignedDuration::from_hours(24 * 60));
    assert_eq!(delete_old(&stage).await, [0, 0, 0, 0, 1, 0, 0]);

    let entries = stage.count("SELECT count(*) FROM change_entry").await;
    assert!(entries > 0);
    // Since the last of them: that an import was deleted is noted as well.
    stage.time.advance(SignedDuration::from_hours(24 * 731));
    assert_eq!(delete_old(&stage).await, [entries.unsigned_abs(), 1, 0, 0, 0, 0, 0]);
    assert_eq!(stage.count("SELECT count(*) FROM customer").await, 1, "records stay");
}

#[tokio::test]
async fn old_rows_are_deleted_batch_after_batch() {
    let stage = Stage::open().await;
    let many = "INSERT INTO change_entry (business_id, id, at, actor, action, record_kind)
        SELECT '01900000-0000-7000-8000-000000000001', gen_random_uuid(), '2020-01-01', '', '', ''
        FROM generate_series(1, 12000)";
    sqlx::query(many).execute(&mut stage.superuser().await).await.unwrap();
    assert_eq!(delete_old(&stage).await[0], 12_000);
}
