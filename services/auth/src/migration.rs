//! The service's schema, and the minimum it keeps of each account's record.

use boot::security::Retention;
use database::{PartOf, change_log_sql, idempotency_sql, named, noted_part, noted_table, statement, step};
use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectOptions, Database},
};

use crate::NAME;

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            step(
                "m0001_initial",
                [include_str!("migration/m0001_initial.sql"), &outbox::migration_sql(NAME)].concat(),
            ),
            step("m0002_log_identity", outbox::identity_sql(NAME)),
            step("m0003_invited_employee", include_str!("migration/m0003_invited_employee.sql")),
            step("m0004_change_log", change_log()),
            step("m0005_business_mark", include_str!("migration/m0005_business_mark.sql")),
            step("m0006_marks_to_ask", include_str!("migration/m0006_marks_to_ask.sql")),
            step("m0007_idempotency_keys", idempotency_sql(NAME)),
        ]
    }
}

/// What belongs to people is changed in transactions without a business, some of it of several businesses at once: the
/// entries are written as the owner, who may do no more with them.
const NOTED_AS_OWNER: &str = "
    ALTER FUNCTION note_change() SECURITY DEFINER;
    CREATE POLICY noting ON change_entry FOR INSERT TO auth_owner WITH CHECK (true);
";

fn change_log() -> String {
    let members = noted_part("membership", PartOf { record: "account_id", kind: "member" }, &["version"]);
    let invitations = noted_table("invitation", &["hash", "invited_by", "invited_at", "expires_at"]);
    [change_log_sql(NAME).as_str(), NOTED_AS_OWNER, &members, &invitations].concat()
}

const FLOOR: &str = "UPDATE security_event_floor SET most = :most, age = make_interval(secs => :seconds)";

/// Sets the least that is kept of each account's record, as the tables' owner: the app can't.
pub async fn keep_at_least(migration_url: &str, kept: Retention) -> Result<(), DbErr> {
    let mut options = ConnectOptions::new(migration_url);
    options.max_connections(1).sqlx_logging(false);
    let database = Database::connect(options).await?;
    let most: i32 = kept.most.try_into().unwrap_or(i32::MAX);
    let values = named! { most, seconds: kept.age.as_secs_f64() };
    let set = database.execute_raw(statement(FLOOR, values)).await;
    database.close().await?;
    set.map(drop)
}
