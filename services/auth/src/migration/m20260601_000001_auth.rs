//! Accounts, memberships, sessions, one-time tokens, signing keys, the log.

use sea_orm_migration::prelude::*;

// People belong to no business, so none of these is a tenant table: a membership is
// read for the person who has it. The log alone is under row-level security.
//
// Names sort as people expect, alike on every server: the database's own collation is
// the machine's.
const TABLES: &str = r#"
    CREATE TABLE account (
        id uuid PRIMARY KEY,
        email text NOT NULL CONSTRAINT account_email UNIQUE,
        name text NOT NULL,
        admin boolean NOT NULL,
        password_hash text,
        created_at timestamptz NOT NULL
    );

    -- A removed membership keeps its row, so that its version never starts again.
    CREATE TABLE membership (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL CONSTRAINT membership_account REFERENCES account,
        business_id uuid NOT NULL,
        role text CHECK (role IN ('OWNER', 'MANAGER', 'EMPLOYEE', 'GUEST')),
        version bigint NOT NULL,
        CONSTRAINT membership_place UNIQUE (account_id, business_id)
    );

    CREATE TABLE business_name (
        business_id uuid PRIMARY KEY,
        name text COLLATE "und-x-icu" NOT NULL,
        version bigint NOT NULL
    );

    CREATE TABLE session (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account,
        generation bigint NOT NULL CHECK (generation > 0),
        rotated_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        ended_at timestamptz,
        end_reason text CHECK (end_reason IN ('SIGNED_OUT', 'TOKEN_REUSED', 'PASSWORD_RESET')),
        CHECK ((ended_at IS NULL) = (end_reason IS NULL))
    );
    CREATE INDEX session_account ON session (account_id);

    CREATE TABLE one_time_token (
        hash bytea PRIMARY KEY CHECK (length(hash) = 32),
        account_id uuid NOT NULL REFERENCES account,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        spent_at timestamptz
    );
    CREATE INDEX one_time_token_account ON one_time_token (account_id);

    CREATE TABLE signing_key (
        kid text PRIMARY KEY,
        public_key bytea NOT NULL CHECK (length(public_key) = 32),
        sealed_seed bytea NOT NULL,
        signs_from timestamptz NOT NULL
    );

    GRANT SELECT, INSERT, UPDATE ON account, membership, business_name TO auth_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON session, one_time_token TO auth_app;
    GRANT SELECT, INSERT, DELETE ON signing_key TO auth_app;
"#;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[expect(elided_lifetimes_in_paths, reason = "the trait elides it, and async_trait wants the same")]
#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(TABLES).await?;
        connection.execute_unprepared(&outbox::migration_sql("auth")).await?;
        Ok(())
    }
}
