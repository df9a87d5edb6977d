//! Events whose time scheduling holds less of than they take.

#![expect(
    elided_lifetimes_in_paths,
    reason = "the migration trait elides it, and async_trait needs the same signature"
)]

use database::tenant_table;
use sea_orm_migration::prelude::*;

use crate::SERVICE;

#[derive(Debug, DeriveMigrationName)]
pub(super) struct Migration;

const SHORTFALLS: &str = "
-- Shown beside the calendar, and told again when it is time to: again_at.
CREATE TABLE event_shortfall (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    event_id text NOT NULL,
    title text NOT NULL,
    starts_at timestamptz NOT NULL,
    ends_at timestamptz NOT NULL,
    reason text NOT NULL CHECK (reason IN ('TOO_LONG', 'OUT_OF_RANGE', 'REFUSED')),
    held_until timestamptz,
    fault text,
    again_at timestamptz,
    PRIMARY KEY (business_id, calendar_id, event_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id),
    CHECK (starts_at < ends_at),
    CHECK ((held_until IS NOT NULL) = (reason = 'TOO_LONG')),
    CHECK ((fault IS NOT NULL) = (reason = 'REFUSED'))
);
";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = SHORTFALLS.to_owned() + &tenant_table(SERVICE, "event_shortfall");
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }
}
