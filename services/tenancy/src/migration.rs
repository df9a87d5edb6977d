//! The service's schema.

mod audit;
mod customer_exports;
mod imports;
mod items;

use database::{idempotency_sql, installation_audit_sql, tenant_table};
use sea_orm_migration::prelude::*;

use crate::NAME;

const TENANT_TABLES: [&str; 6] =
    ["business", "employee", "customer", "data_key", "voice_connection", "follow_up"];

/// A business is created across businesses, and published in the same transaction.
const OUTBOX: &str = "
    GRANT INSERT ON outbox TO tenancy_installation;
    GRANT USAGE ON SEQUENCE outbox_sequence TO tenancy_installation;
";

/// Brings a database up to date.
#[derive(Debug)]
pub struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(Initial),
            Box::new(LogIdentity),
            Box::new(CustomerProfile),
            Box::new(BusinessDetails),
            Box::new(VoicePlatforms),
            Box::new(FollowUpsOfCall),
            Box::new(items::Items),
            Box::new(imports::Imports),
            Box::new(customer_exports::CustomerExports),
            Box::new(audit::Audit),
            Box::new(AgentSettings),
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
        let tables: String = TENANT_TABLES.iter().map(|table| tenant_table(NAME, table)).collect();
        let sql = [
            include_str!("migration/m0001_initial.sql"),
            &tables,
            &idempotency_sql(NAME),
            &installation_audit_sql(NAME),
            &outbox::migration_sql(NAME),
            OUTBOX,
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

struct CustomerProfile;

impl MigrationName for CustomerProfile {
    fn name(&self) -> &str {
        "m0003_customer_profile"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for CustomerProfile {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = [
            include_str!("migration/m0003_customer_profile.sql"),
            &tenant_table(NAME, "customer_note"),
            &tenant_table(NAME, "customer_merge"),
            &tenant_table(NAME, "patch_test"),
            &tenant_table(NAME, "formula"),
            &tenant_table(NAME, "consent_change"),
        ];
        manager.get_connection().execute_unprepared(&sql.concat()).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the profiles of customers have no way back".to_owned()))
    }
}

struct BusinessDetails;

impl MigrationName for BusinessDetails {
    fn name(&self) -> &str {
        "m0004_business_details"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for BusinessDetails {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = include_str!("migration/m0004_business_details.sql");
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the details of businesses have no way back".to_owned()))
    }
}

struct VoicePlatforms;

impl MigrationName for VoicePlatforms {
    fn name(&self) -> &str {
        "m0005_voice_platforms"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for VoicePlatforms {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = include_str!("migration/m0005_voice_platforms.sql");
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the voice platforms have no way back".to_owned()))
    }
}

struct FollowUpsOfCall;

impl MigrationName for FollowUpsOfCall {
    fn name(&self) -> &str {
        "m0006_follow_ups_of_call"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for FollowUpsOfCall {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = include_str!("migration/m0006_follow_ups_of_call.sql");
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the follow-ups of calls have no way back".to_owned()))
    }
}

struct AgentSettings;

impl MigrationName for AgentSettings {
    fn name(&self) -> &str {
        "m0011_agent_settings"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for AgentSettings {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = [
            include_str!("migration/m0011_agent_settings.sql"),
            &tenant_table(NAME, "agent_draft"),
            &tenant_table(NAME, "agent_version"),
        ];
        manager.get_connection().execute_unprepared(&sql.concat()).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the settings of agents have no way back".to_owned()))
    }
}
