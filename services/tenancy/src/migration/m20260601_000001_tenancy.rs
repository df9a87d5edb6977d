//! Businesses, employees, customers, voice connections, their keys, idempotency.

use boot::postgres::{installation_audit_sql, tenant_table};
use sea_orm_migration::prelude::*;

use crate::NAME;

#[derive(Debug)]
pub(super) struct Migration;

impl MigrationName for Migration {
    fn name(&self) -> &str {
        "m20260601_000001_tenancy"
    }
}

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = ["business", "employee", "customer", "data_key", "voice_connection", "idempotency"];
        let policies: String = tables.iter().map(|table| tenant_table(NAME, table)).collect();
        let sql = format!(
            "{TABLES}{policies}{}{}{OUTBOX}",
            installation_audit_sql(NAME),
            outbox::migration_sql(NAME)
        );
        manager.get_connection().execute_unprepared(&sql).await.map(drop)
    }

    async fn down(&self, _manager: &SchemaManager) -> Result<(), DbErr> {
        Err(DbErr::Migration("the first migration has no way back".to_owned()))
    }
}

/// Names sort as people expect, alike on every server: the database's own collation is
/// the machine's. Ids are unique in the installation, since events and webhooks name
/// them without a business.
const TABLES: &str = r#"
CREATE TABLE business (
    business_id uuid PRIMARY KEY,
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    address text,
    phone text CHECK (phone ~ '^\+[0-9]{5,15}$'),
    time_zone text NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL
);
CREATE INDEX business_by_name ON business (name, business_id);

CREATE TABLE employee (
    id uuid PRIMARY KEY,
    business_id uuid NOT NULL CONSTRAINT employee_business REFERENCES business (business_id),
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    user_id uuid,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    UNIQUE (business_id, id),
    CONSTRAINT employee_user UNIQUE (business_id, user_id)
);
CREATE INDEX employee_by_name ON employee (business_id, name, id);

CREATE TABLE customer (
    id uuid PRIMARY KEY,
    business_id uuid NOT NULL CONSTRAINT customer_business REFERENCES business (business_id),
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    phone text CHECK (phone ~ '^\+[0-9]{5,15}$'),
    email text,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    UNIQUE (business_id, id)
);
CREATE INDEX customer_by_name ON customer (business_id, name, id);
CREATE INDEX customer_by_phone ON customer (business_id, phone, name, id) WHERE phone IS NOT NULL;

CREATE TABLE data_key (
    id uuid PRIMARY KEY,
    business_id uuid NOT NULL CONSTRAINT data_key_business REFERENCES business (business_id),
    master_key text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (business_id, id),
    CONSTRAINT data_key_one UNIQUE (business_id)
);
CREATE INDEX data_key_by_master ON data_key (master_key, id);

CREATE TABLE voice_connection (
    id uuid PRIMARY KEY,
    business_id uuid NOT NULL CONSTRAINT voice_connection_business REFERENCES business (business_id),
    platform text NOT NULL CHECK (platform IN ('RETELL')),
    label text COLLATE "und-x-icu" NOT NULL CHECK (label <> ''),
    data_key_id uuid NOT NULL,
    sealed_secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (business_id, id),
    CONSTRAINT voice_connection_data_key
        FOREIGN KEY (business_id, data_key_id) REFERENCES data_key (business_id, id)
);
CREATE INDEX voice_connection_by_label ON voice_connection (business_id, label, id);

CREATE TABLE idempotency (
    business_id uuid NOT NULL CONSTRAINT idempotency_business REFERENCES business (business_id),
    actor text NOT NULL,
    method text NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    response bytea,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, actor, method, key)
);
CREATE INDEX idempotency_by_expiry ON idempotency (business_id, expires_at);
"#;

/// A business is created across businesses, and announced in the same transaction.
const OUTBOX: &str = r#"
GRANT INSERT ON outbox TO tenancy_installation;
GRANT USAGE ON SEQUENCE outbox_sequence TO tenancy_installation;
"#;
