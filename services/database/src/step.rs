//! One step of a schema.

use sea_orm_migration::prelude::*;

/// A migration of SQL alone. There is no way back: a later step corrects an earlier one.
struct Step {
    name: &'static str,
    sql: String,
}

/// The step called `name` (`m0003_what`), whose statements all take effect or none.
#[must_use]
pub fn step(name: &'static str, sql: impl Into<String>) -> Box<dyn MigrationTrait> {
    Box::new(Step { name, sql: sql.into() })
}

impl MigrationName for Step {
    fn name(&self) -> &str {
        self.name
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(&self.sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration(format!("{} has no way back", self.name)))
    }
}
