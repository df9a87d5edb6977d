//! Items get their tables.

use database::tenant_table;
use sea_orm_migration::prelude::*;

use crate::NAME;

/// A movement is never changed or deleted.
const MOVEMENTS_STAY: &str =
    "REVOKE UPDATE, DELETE ON stock_movement FROM tenancy_app, tenancy_installation;";

/// The migration.
pub(super) struct Items;

impl MigrationName for Items {
    fn name(&self) -> &str {
        "m0007_items"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Items {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = [
            include_str!("m0007_items.sql"),
            &tenant_table(NAME, "supplier"),
            &tenant_table(NAME, "item"),
            &tenant_table(NAME, "stock_movement"),
            MOVEMENTS_STAY,
        ];
        manager.get_connection().execute_unprepared(&sql.concat()).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("items have no way back".to_owned()))
    }
}
