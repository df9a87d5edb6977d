//! The service's schema.

use database::{installation_audit_sql, tenant_table};
use sea_orm_migration::prelude::*;

use crate::SERVICE;

const TENANT_TABLES: [&str; 5] = ["call", "delivery", "turn", "tool_call", "customer"];

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Initial), Box::new(LogIdentity), Box::new(Insights), Box::new(ProductEvents)]
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
        let sql = [
            include_str!("migration/m0001_initial.sql"),
            &tables,
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

struct Insights;

impl MigrationName for Insights {
    fn name(&self) -> &str {
        "m0003_insights"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Insights {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = ["call_quarter", "call_tally", "call_words", "call_view", "call_note"];
        let tables: String = tables.iter().map(|table| tenant_table(SERVICE, table)).collect();
        let sql = [include_str!("migration/m0003_insights.sql"), &tables].concat();
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the figures have no way back".to_owned()))
    }
}

struct ProductEvents;

impl MigrationName for ProductEvents {
    fn name(&self) -> &str {
        "m0004_product_events"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for ProductEvents {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql =
            [include_str!("migration/m0004_product_events.sql"), &tenant_table(SERVICE, "product_event")]
                .concat();
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the product events have no way back".to_owned()))
    }
}
