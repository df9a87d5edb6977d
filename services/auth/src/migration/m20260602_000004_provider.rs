//! Proved addresses, identities at a provider, and the flows that lead to them.

use sea_orm_migration::prelude::*;

const TABLES: &str = r#"
    -- Whoever has an account already was given it by somebody who knew them.
    ALTER TABLE account ADD COLUMN email_verified_at timestamptz;
    UPDATE account SET email_verified_at = created_at;

    CREATE TABLE identity (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account,
        issuer text NOT NULL,
        subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
        email text NOT NULL,
        connected_at timestamptz NOT NULL,
        CONSTRAINT identity_subject UNIQUE (issuer, subject)
    );
    CREATE INDEX identity_account ON identity (account_id);

    CREATE TABLE provider_transaction (
        state_hash bytea PRIMARY KEY CHECK (length(state_hash) = 32),
        binding_hash bytea NOT NULL CHECK (length(binding_hash) = 32),
        sealed_verifier bytea NOT NULL,
        redirect_uri text NOT NULL,
        expires_at timestamptz NOT NULL
    );
    CREATE INDEX provider_transaction_expiry ON provider_transaction (expires_at);

    CREATE TABLE handoff (
        ticket_hash bytea PRIMARY KEY CHECK (length(ticket_hash) = 32),
        binding_hash bytea NOT NULL CHECK (length(binding_hash) = 32),
        account_id uuid NOT NULL REFERENCES account,
        expires_at timestamptz NOT NULL
    );
    CREATE INDEX handoff_expiry ON handoff (expires_at);

    GRANT SELECT, INSERT, UPDATE, DELETE ON identity TO auth_app;
    -- Locking a row while it is cleared away needs UPDATE.
    GRANT SELECT, INSERT, UPDATE, DELETE ON provider_transaction TO auth_app;
    GRANT SELECT, INSERT, DELETE ON handoff TO auth_app;
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
