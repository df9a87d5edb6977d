//! A mailed link proves an address, and nothing else.

use sea_orm_migration::prelude::*;

const TABLES: &str = r#"
    -- Who is signed in to the account opens the link: it carries nobody's password.
    ALTER TABLE email_proof DROP COLUMN name, DROP COLUMN password_hash;
"#;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(TABLES).await.map(drop)
    }
}
