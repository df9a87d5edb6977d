//! Exports of customers get their table.

use database::tenant_table;
use sea_orm_migration::prelude::*;

use crate::NAME;

/// Who took what stays as it was.
const EXPORTS_STAY: &str = "REVOKE UPDATE ON customer_export FROM tenancy_app, tenancy_installation;";

/// The migration.
pub(super) struct CustomerExports;

impl MigrationName for CustomerExports {
    fn name(&self) -> &str {
        "m0009_customer_exports"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for CustomerExports {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = [
            include_str!("m0009_customer_exports.sql"),
            &tenant_table(NAME, "customer_export"),
            EXPORTS_STAY,
        ];
        manager.get_connection().execute_unprepared(&sql.concat()).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("exports have no way back".to_owned()))
    }
}
