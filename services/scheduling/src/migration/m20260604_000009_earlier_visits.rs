//! Services that need an earlier visit.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = include_str!("m20260604_000009_earlier_visits.sql");
        manager.get_connection().execute_unprepared(sql).await.map(drop)
    }
}
