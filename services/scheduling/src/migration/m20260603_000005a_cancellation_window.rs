//! Notice of cancellations.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = include_str!("m20260603_000005a_cancellation_window.sql");
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }
}
