//! Visits that repeat.

use database::tenant_table;
use sea_orm_migration::prelude::*;

const SERVICE: &str = "scheduling";

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(include_str!("m20260604_000008_series.sql")).await?;
        connection.execute_unprepared(&tenant_table(SERVICE, "series")).await.map(drop)
    }
}
