//! The service's schema.

use database::{
    PartOf, audit_sql, change_log_sql, idempotency_sql, installation_acts_end_sql, installation_audit_sql,
    noted_part, noted_set, noted_table, step, tenant_table, tenant_tables,
};
use sea_orm_migration::prelude::*;

use crate::NAME;

const TENANT_TABLES: [&str; 36] = [
    "business_settings",
    "schedule_version",
    "employee",
    "customer",
    "opening_hours",
    "opening_exception",
    "weekly_pattern",
    "weekly_schedule",
    "day_hours",
    "time_off",
    "resource",
    "service",
    "service_segment",
    "service_employee",
    "dependency",
    "pairing",
    "unmatched_phrase",
    "hold",
    "hold_item",
    "series",
    "appointment",
    "appointment_item",
    "state_change",
    "place_change",
    "business_day",
    "busy_fact",
    "block",
    "ledger",
    "conflict",
    "unmet_demand",
    "waitlist_entry",
    "waitlist_item",
    "proposal",
    "proposal_line",
    "undoable_change",
    "audit",
];

/// A row of the ledger is only ever closed; a row of the audit trail never changes.
const RESTRICTIONS: &str = "
    REVOKE UPDATE, DELETE ON ledger FROM scheduling_app, scheduling_installation;
    GRANT UPDATE (recorded) ON ledger TO scheduling_app, scheduling_installation;
    REVOKE UPDATE, DELETE ON audit FROM scheduling_app, scheduling_installation;
";

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            step("m0001_initial", initial()),
            step("m0002_log_identity", outbox::identity_sql(NAME)),
            step(
                "m0003_stranded_contact",
                [
                    include_str!("migration/m0003_stranded_contact.sql"),
                    &tenant_table(NAME, "stranded_contact"),
                ]
                .concat(),
            ),
            step(
                "m0004_visit_edit",
                [include_str!("migration/m0004_visit_edit.sql"), &tenant_table(NAME, "visit_edit")].concat(),
            ),
            step("m0005_change_log", change_log()),
            step(
                "m0006_busy_source",
                [include_str!("migration/m0006_busy_source.sql"), &tenant_table(NAME, "busy_source")]
                    .concat(),
            ),
            step("m0007_employee_last_day", include_str!("migration/m0007_employee_last_day.sql")),
            step("m0008_told_freshness", include_str!("migration/m0008_told_freshness.sql")),
            step("m0009_ics_source", include_str!("migration/m0009_ics_source.sql")),
            step("m0010_appointment_export", appointment_export()),
            step("m0011_waitlist_of_customer", include_str!("migration/m0011_waitlist_of_customer.sql")),
            step("m0012_place_next_employees", include_str!("migration/m0012_place_next_employees.sql")),
            step("m0013_customer_of_phone", include_str!("migration/m0013_customer_of_phone.sql")),
        ]
    }
}

/// Tables of records that people change, and what of each is no part of the record: who changed it and when the entry
/// says itself, and words about customers stand in one place, where they can be erased.
const NOTED: [(&str, &[&str]); 12] = [
    ("business_settings", &["schedule_version"]),
    ("opening_exception", &[]),
    ("time_off", &["version", "requested_by", "requested_at", "decided_by", "decided_at"]),
    ("resource", &[]),
    ("service", &["version"]),
    ("dependency", &[]),
    ("pairing", &["created_at"]),
    ("series", &["booked_at", "booked_by"]),
    ("appointment", &["version", "notes", "created_at", "cancelled_at", "cancelled_by", "cancel_reason"]),
    ("block", &["blocked_by", "blocked_at", "unblocked_by"]),
    ("waitlist_entry", &["version", "note", "reason", "joined_at", "ended_at", "ended_by"]),
    (
        "proposal",
        &["version", "input", "input_hash", "seed", "created_by", "created_at", "closed_by", "closed_at"],
    ),
];

const HOURS: PartOf = PartOf { record: "employee_id", kind: "working_hours" };
const OF_SERVICE: PartOf = PartOf { record: "service_id", kind: "service" };
const OF_VISIT: PartOf = PartOf { record: "visit_id", kind: "appointment" };

/// The installation role alone deletes rows of the audit trail, when they are old.
const AUDIT_ENDS: &str = "
    CREATE INDEX audit_age ON audit (at);
    GRANT DELETE ON audit TO scheduling_installation;
";

fn change_log() -> String {
    let tables: String = NOTED.iter().map(|(table, aside)| noted_table(table, aside)).collect();
    [
        change_log_sql(NAME),
        installation_acts_end_sql(NAME),
        AUDIT_ENDS.to_owned(),
        tables,
        noted_part("weekly_pattern", HOURS, &[]),
        noted_part("day_hours", HOURS, &[]),
        noted_part("place_change", OF_VISIT, &["version", "left_at", "left_by"]),
        noted_part("visit_edit", OF_VISIT, &["version", "position", "edited_at", "edited_by"]),
        noted_set("opening_hours", PartOf { record: "business_id", kind: "opening_hours" }),
        noted_set("weekly_schedule", HOURS),
        noted_set("service_segment", OF_SERVICE),
        noted_set("service_employee", OF_SERVICE),
    ]
    .concat()
}

/// What people took away stays as it was written down.
fn appointment_export() -> String {
    [
        include_str!("migration/m0010_appointment_export.sql"),
        &tenant_table(NAME, "appointment_export"),
        "REVOKE UPDATE ON appointment_export FROM scheduling_app, scheduling_installation;",
        &noted_table("appointment_export", &[]),
    ]
    .concat()
}

fn initial() -> String {
    [
        include_str!("migration/m0001_initial/schedule.sql"),
        include_str!("migration/m0001_initial/catalogue.sql"),
        include_str!("migration/m0001_initial/bookings.sql"),
        include_str!("migration/m0001_initial/ledger.sql"),
        include_str!("migration/m0001_initial/demand.sql"),
        include_str!("migration/m0001_initial/proposals.sql"),
        audit_sql(),
        &tenant_tables(NAME, &TENANT_TABLES),
        RESTRICTIONS,
        &idempotency_sql(NAME),
        &installation_audit_sql(NAME),
        &outbox::migration_sql(NAME),
    ]
    .concat()
}
