//! Changes of records are noted.

use database::{change_log_sql, noted_table};
use sea_orm_migration::prelude::*;

use crate::NAME;

/// Tables of records that people change, and what of each is no part of the record.
const NOTED: [(&str, &[&str]); 14] = [
    ("business", &["version"]),
    ("employee", &["version"]),
    ("customer", &["version", "folded_name", "search_text"]),
    ("customer_note", &["version"]),
    ("customer_merge", &["before", "after"]),
    ("customer_export", &[]),
    ("patch_test", &[]),
    ("formula", &[]),
    ("consent_change", &[]),
    ("follow_up", &["version"]),
    ("voice_connection", &["data_key_id", "sealed_secret", "sealed_api_key", "sealed_old_secret"]),
    ("supplier", &["version"]),
    // Movements are noted themselves.
    ("item", &["version", "revision", "search_text", "on_hand"]),
    ("stock_movement", &["number"]),
];

/// The migration.
pub(super) struct Audit;

impl MigrationName for Audit {
    fn name(&self) -> &str {
        "m0010_audit"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Audit {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables: String = NOTED.iter().map(|(table, aside)| noted_table(table, aside)).collect();
        let sql = [change_log_sql(NAME), tables];
        manager.get_connection().execute_unprepared(&sql.concat()).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("what was noted has no way back".to_owned()))
    }
}
