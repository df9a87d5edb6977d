//! The service's schema.

use database::{installation_audit_sql, step, tenant_tables, untenanted_table};
use sea_orm_migration::prelude::*;

use crate::SERVICE;

const TENANT_TABLES: [&str; 9] = [
    "employee",
    "calendar",
    "sync_state",
    "told_event",
    "event_shortfall",
    "booked_part",
    "calendar_write",
    "demo_calendar",
    "demo_event",
];

/// People's, of no business.
const UNTENANTED_TABLES: [&str; 2] = ["consent", "consent_request"];

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            step("m0001_initial", initial()),
            step("m0002_log_identity", outbox::identity_sql(SERVICE)),
            adding(
                "m0003_caldav",
                include_str!("migration/m0003_caldav.sql"),
                &["business", "data_key", "caldav_calendar", "unread_entry"],
            ),
            adding("m0004_write_queue", include_str!("migration/m0004_write_queue.sql"), &["sync_history"]),
            adding(
                "m0005_consistency",
                include_str!("migration/m0005_consistency.sql"),
                &["consistency_check"],
            ),
            adding(
                "m0006_provider",
                include_str!("migration/m0006_provider.sql"),
                &["provider_connection", "provider_record", "provider_calendar", "provider_run"],
            ),
            step("m0008_google", google()),
        ]
    }
}

/// A step that adds tenant tables.
fn adding(name: &'static str, sql: &str, tables: &[&str]) -> Box<dyn MigrationTrait> {
    step(name, [sql, &tenant_tables(SERVICE, tables)].concat())
}

fn google() -> String {
    [
        include_str!("migration/m0008_google.sql"),
        &tenant_tables(SERVICE, &["google_calendar", "google_channel"]),
        &untenanted_table(SERVICE, "google_grant"),
    ]
    .concat()
}

fn initial() -> String {
    let untenanted: String = UNTENANTED_TABLES.iter().map(|table| untenanted_table(SERVICE, table)).collect();
    [
        include_str!("migration/m0001_initial.sql"),
        &tenant_tables(SERVICE, &TENANT_TABLES),
        &untenanted,
        &installation_audit_sql(SERVICE),
        &outbox::migration_sql(SERVICE),
    ]
    .concat()
}
