//! What is kept for a time only.

use boot::retention::CHANGES;
use jiff::SignedDuration;
use scheduling::retention::KEPT;
use sqlx::AssertSqlSafe;

use crate::salon::{Salon, WILLOW};

async fn delete_old(salon: &Salon) {
    for kept in KEPT {
        salon.pool.delete_old(kept).await.unwrap();
    }
}

/// Rows of each table. That an export is gone is noted, too, and younger.
async fn rows(salon: &Salon) -> [bool; 4] {
    let some = async |table: &str| salon.count(&format!("SELECT count(*) FROM {table}")).await > 0;
    [
        some("change_entry WHERE record_kind <> 'appointment_export'").await,
        some("audit").await,
        some("installation_audit").await,
        some("appointment_export").await,
    ]
}

#[tokio::test]
async fn trails_and_exports_are_deleted_after_two_years_and_the_book_stays() {
    let salon = Salon::open().await;
    let now = salon.host.clock.now();
    let entries = format!(
        "INSERT INTO audit VALUES ('{WILLOW}', gen_random_uuid(), '{now}', 'user:1', 'Book', gen_random_uuid());
         INSERT INTO installation_audit VALUES (gen_random_uuid(), '{now}', 'user:1', 'FindEmployee');
         INSERT INTO appointment_export VALUES
             ('{WILLOW}', gen_random_uuid(), '2026-06-01', '2026-06-02', 'user:1', '{now}', '{now}')"
    );
    sqlx::raw_sql(AssertSqlSafe(entries)).execute(&mut salon.superuser().await).await.unwrap();
    let services = salon.count("SELECT count(*) FROM service").await;

    salon.time.advance(CHANGES);
    delete_old(&salon).await;
    assert_eq!(rows(&salon).await, [true; 4], "nothing is too old");
    salon.time.advance(SignedDuration::from_secs(1));
    delete_old(&salon).await;
    assert_eq!(rows(&salon).await, [false; 4]);
    assert_eq!(salon.count("SELECT count(*) FROM service").await, services);
}
