//! The service's schema.

use database::{installation_audit_sql, tenant_table, untenanted_table};
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
            Box::new(Initial),
            Box::new(LogIdentity),
            Box::new(Step {
                name: "m0003_caldav",
                sql: include_str!("migration/m0003_caldav.sql"),
                tenant_tables: &["business", "data_key", "caldav_calendar", "unread_entry"],
            }),
            Box::new(Step {
                name: "m0004_write_queue",
                sql: include_str!("migration/m0004_write_queue.sql"),
                tenant_tables: &["sync_history"],
            }),
            Box::new(Step {
                name: "m0005_consistency",
                sql: include_str!("migration/m0005_consistency.sql"),
                tenant_tables: &["consistency_check"],
            }),
        ]
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
        let tables: String = TENANT_TABLES.iter().map(|table| tenant_table(SERVICE, table)).collect();
        let untenanted: String =
            UNTENANTED_TABLES.iter().map(|table| untenanted_table(SERVICE, table)).collect();
        let sql = [
            include_str!("migration/m0001_initial.sql"),
            &tables,
            &untenanted,
            &installation_audit_sql(SERVICE),
            &outbox::migration_sql(SERVICE),
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
        manager.get_connection().execute_unprepared(&outbox::identity_sql(SERVICE)).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the identity of a log has no way back".to_owned()))
    }
}

/// One file of SQL, and the tenant tables that it adds.
struct Step {
    name: &'static str,
    sql: &'static str,
    tenant_tables: &'static [&'static str],
}

impl MigrationName for Step {
    fn name(&self) -> &str {
        self.name
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables: String = self.tenant_tables.iter().map(|table| tenant_table(SERVICE, table)).collect();
        manager.get_connection().execute_unprepared(&[self.sql, &tables].concat()).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("migrations have no way back".to_owned()))
    }
}
