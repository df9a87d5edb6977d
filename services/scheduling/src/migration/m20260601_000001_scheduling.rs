//! Settings, catalogue, ledger, appointments, log.

use database::{installation_audit_sql, tenant_table};
use sea_orm_migration::prelude::*;

const SERVICE: &str = "scheduling";

/// Tables that belong to a business.
const TENANT_TABLES: [&str; 18] = [
    "business_settings",
    "opening_hours",
    "weekly_schedule",
    "employee",
    "customer",
    "service",
    "service_segment",
    "service_employee",
    "business_day",
    "busy_fact",
    "ledger",
    "hold",
    "hold_item",
    "appointment",
    "appointment_item",
    "conflict",
    "idempotency_key",
    "audit",
];

/// What the app may not do, though it may on other tables.
const RESTRICTIONS: &str = "
    REVOKE UPDATE, DELETE ON ledger FROM scheduling_app, scheduling_installation;
    GRANT UPDATE (recorded) ON ledger TO scheduling_app, scheduling_installation;
    REVOKE UPDATE, DELETE ON audit FROM scheduling_app, scheduling_installation;
";

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(include_str!("m20260601_000001_scheduling.sql")).await?;
        let policies: String = TENANT_TABLES.iter().map(|table| tenant_table(SERVICE, table)).collect();
        connection.execute_unprepared(&policies).await?;
        connection.execute_unprepared(RESTRICTIONS).await?;
        connection.execute_unprepared(&installation_audit_sql(SERVICE)).await?;
        connection.execute_unprepared(&outbox::migration_sql(SERVICE)).await?;
        Ok(())
    }
}
