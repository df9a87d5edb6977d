//! The service's schema.

use database::{
    PartOf, change_log_sql, idempotency_sql, installation_acts_end_sql, installation_audit_sql, noted_part,
    noted_table, step, tenant_tables, untenanted_table,
};
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
            step("m0007_change_log", change_log()),
            step("m0008_google", google()),
            adding("m0009_provider_ids", &provider_ids(), &["provider_appointment"]),
            step("m0010_source_report", include_str!("migration/m0010_source_report.sql")),
            adding(
                "m0011_calendar_feed",
                include_str!("migration/m0011_calendar_feed.sql"),
                &["calendar_feed"],
            ),
            step("m0012_employee_last_day", include_str!("migration/m0012_employee_last_day.sql")),
            step("m0013_feed_log", feed_log(&["token_hash", "read_at"])),
            adding("m0014_ics", &ics(), &["ics_calendar"]),
            step("m0015_feed_maker", feed_maker()),
            step("m0016_idempotency_keys", idempotency_sql(SERVICE)),
            step("m0017_employee_account", include_str!("migration/m0017_employee_account.sql")),
            step("m0018_sync", include_str!("migration/m0018_sync.sql")),
            step("m0019_services", include_str!("migration/m0019_services.sql")),
            step("m0020_asked_until", include_str!("migration/m0020_asked_until.sql")),
            step("m0021_wanted_by", include_str!("migration/m0021_wanted_by.sql")),
            adding(
                "m0022_calendar_cleanup",
                include_str!("migration/m0022_calendar_cleanup.sql"),
                &["calendar_cleanup"],
            ),
            step("m0023_withdrawal", include_str!("migration/m0023_withdrawal.sql")),
            step("m0024_server", include_str!("migration/m0024_server.sql")),
            step("m0025_sealed_verifier", include_str!("migration/m0025_sealed_verifier.sql")),
        ]
    }
}

/// What people connect and map. Secrets, and how far a calendar was read, are no part of a record.
fn change_log() -> String {
    let mapped = PartOf { record: "connection_id", kind: "provider_connection" };
    [
        change_log_sql(SERVICE),
        installation_acts_end_sql(SERVICE),
        "CREATE INDEX provider_run_age ON provider_run (finished_at);".to_owned(),
        noted_table("calendar", &["connected_at"]),
        noted_table("caldav_calendar", &["data_key_id", "sealed_password"]),
        noted_table("provider_connection", &ASIDE),
        noted_part("provider_record", mapped, &[]),
    ]
    .concat()
}

/// What of a connection to a booking system is no part of its record.
const ASIDE: [&str; 7] =
    ["data_key_id", "sealed_token", "connected_at", "read_at", "called_up_to", "worker", "working_until"];

/// The turn to read records is none either.
fn provider_ids() -> String {
    let aside = [&ASIDE[..], &["records_due_at"]].concat();
    [include_str!("migration/m0009_provider_ids.sql"), &noted_table("provider_connection", &aside)].concat()
}

/// An employee's address, which another one with another secret replaces: that shows by when it was made.
fn feed_log(aside: &[&str]) -> String {
    let feed = PartOf { record: "employee_id", kind: "calendar_feed" };
    noted_part("calendar_feed", feed, aside)
}

fn feed_maker() -> String {
    let noted = feed_log(&["token_hash", "read_at", "made_by"]);
    [include_str!("migration/m0015_feed_maker.sql"), &noted].concat()
}

/// That an address was replaced shows by when it was.
fn ics() -> String {
    [
        include_str!("migration/m0014_ics.sql"),
        &noted_table("ics_calendar", &["data_key_id", "sealed_address"]),
    ]
    .concat()
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
