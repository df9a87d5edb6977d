//! A look at days that takes one way to Postgres.

use sea_orm_migration::prelude::*;

use crate::store::{LOOK_AT_DAYS, hot::DAYS};

#[derive(DeriveMigrationName)]
pub(super) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // By the caller's rights and policies. The columns of the answer hide none of the tables'.
        let sql = format!(
            "CREATE FUNCTION {LOOK_AT_DAYS}(uuid, date[], timestamptz[], timestamptz[], bigint[], timestamptz)
                RETURNS TABLE (part text, day date, versions bigint[], subject_ids uuid[],
                    starts_at timestamptz[], ends_at timestamptz[])
                LANGUAGE plpgsql SECURITY INVOKER AS $body$
                #variable_conflict use_column
                BEGIN
                    PERFORM set_config('app.business_id', $1::text, true);
                    RETURN QUERY {DAYS};
                END
                $body$"
        );
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }
}
