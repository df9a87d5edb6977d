//! Proposals, and whose account an employee is.

use database::tenant_table;
use sea_orm_migration::prelude::*;

const SERVICE: &str = "scheduling";

const TENANT_TABLES: [&str; 2] = ["proposal", "proposal_line"];

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(include_str!("m20260604_000009_proposals.sql")).await?;
        let policies: String = TENANT_TABLES.iter().map(|table| tenant_table(SERVICE, table)).collect();
        connection.execute_unprepared(&policies).await.map(drop)
    }
}
