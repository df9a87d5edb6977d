//! The service's schema.

use database::{audit_sql, idempotency_sql, installation_audit_sql, tenant_table};
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
        vec![Box::new(Initial), Box::new(LogIdentity), Box::new(StrandedContact), Box::new(VisitEdit)]
    }
}

struct Initial;

impl MigrationName for Initial {
    fn name(&self) -> &str {
        "m0001_initial"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Initial {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables: String = TENANT_TABLES.iter().map(|table| tenant_table(NAME, table)).collect();
        let sql = [
            include_str!("migration/m0001_initial/schedule.sql"),
            include_str!("migration/m0001_initial/catalogue.sql"),
            include_str!("migration/m0001_initial/bookings.sql"),
            include_str!("migration/m0001_initial/ledger.sql"),
            include_str!("migration/m0001_initial/demand.sql"),
            include_str!("migration/m0001_initial/proposals.sql"),
            audit_sql(),
            &tables,
            RESTRICTIONS,
            &idempotency_sql(NAME),
            &installation_audit_sql(NAME),
            &outbox::migration_sql(NAME),
        ]
        .concat();
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the initial schema has no way back".to_owned()))
    }
}

struct LogIdentity;

impl MigrationName for LogIdentity {
    fn name(&self) -> &str {
        "m0002_log_identity"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for LogIdentity {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(&outbox::identity_sql(NAME)).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the identity of a log has no way back".to_owned()))
    }
}

struct StrandedContact;

impl MigrationName for StrandedContact {
    fn name(&self) -> &str {
        "m0003_stranded_contact"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for StrandedContact {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = include_str!("migration/m0003_stranded_contact.sql");
        let sql = [table, &tenant_table(NAME, "stranded_contact")].concat();
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("calls to customers have no way back".to_owned()))
    }
}

struct VisitEdit;

impl MigrationName for VisitEdit {
    fn name(&self) -> &str {
        "m0004_visit_edit"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for VisitEdit {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = include_str!("migration/m0004_visit_edit.sql");
        let sql = [table, &tenant_table(NAME, "visit_edit")].concat();
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("changes of visits have no way back".to_owned()))
    }
}
