//! Imports get their tables.

use database::tenant_table;
use sea_orm_migration::prelude::*;

use crate::NAME;

/// The migration.
pub(super) struct Imports;

impl MigrationName for Imports {
    fn name(&self) -> &str {
        "m0008_imports"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Imports {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = ["import", "import_part", "import_line", "import_key"];
        let tables: String = tables.iter().map(|table| tenant_table(NAME, table)).collect();
        let sql = [include_str!("m0008_imports.sql"), &tables];
        manager.get_connection().execute_unprepared(&sql.concat()).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("imports have no way back".to_owned()))
    }
}
