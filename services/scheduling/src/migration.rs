//! The service's schema.

use database::{audit_sql, idempotency_sql, installation_audit_sql, step, tenant_table, tenant_tables};
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
        ]
    }
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
