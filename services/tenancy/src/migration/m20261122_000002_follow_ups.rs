//! Follow-ups, and names of customers as they are looked for.

use boot::postgres::tenant_table;
use sea_orm_migration::prelude::*;

use crate::NAME;

#[derive(Debug)]
pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m20261122_000002_follow_ups"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sql = format!("{FOLDED}{FOLLOW_UP}{}", tenant_table(NAME, "follow_up"));
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("follow-ups would be lost".to_owned()))
    }
}

/// Words of a name, each behind a space, without case and accents: written once, here, for what is
/// kept and for what is looked for.
const FOLDED: &str = r#"
CREATE FUNCTION folded(name text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS $$
    SELECT ' ' || lower(regexp_replace(
        regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'), '[[:space:]-]+', ' ', 'g'))
$$;
ALTER TABLE customer ADD COLUMN folded_name text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED;
"#;

/// What is due at no time is due on the last day there is, after everything else. Calls are another service's.
const FOLLOW_UP: &str = r#"
CREATE TABLE follow_up (
    id uuid PRIMARY KEY,
    business_id uuid NOT NULL CONSTRAINT follow_up_business REFERENCES business (business_id),
    text text NOT NULL CHECK (text <> ''),
    customer_id uuid,
    phone text CHECK (phone ~ '^\+[0-9]{5,15}$'),
    call_id uuid,
    employee_id uuid,
    due_at timestamptz NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    done_by text,
    done_at timestamptz,
    version bigint NOT NULL CHECK (version > 0),
    UNIQUE (business_id, id),
    CHECK ((done_by IS NULL) = (done_at IS NULL)),
    CONSTRAINT follow_up_customer FOREIGN KEY (business_id, customer_id) REFERENCES customer (business_id, id),
    CONSTRAINT follow_up_employee FOREIGN KEY (business_id, employee_id) REFERENCES employee (business_id, id)
);
CREATE INDEX follow_up_open ON follow_up (business_id, due_at, id) WHERE done_at IS NULL;
CREATE INDEX follow_up_done ON follow_up (business_id, due_at, id) WHERE done_at IS NOT NULL;
"#;
