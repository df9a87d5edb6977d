//! Where sessions are, trusted devices, the record of each account.

use sea_orm_migration::prelude::*;

const TABLES: &str = r#"
    ALTER TABLE account ADD COLUMN disabled_at timestamptz;

    CREATE TABLE trusted_device (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account,
        secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
        browser text NOT NULL,
        trusted_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT trusted_device_owner UNIQUE (account_id, id)
    );

    -- The device and the session are the same person's: the key carries the account.
    ALTER TABLE session
        ADD COLUMN address text,
        ADD COLUMN browser text NOT NULL DEFAULT '',
        ADD COLUMN device_id uuid,
        ADD CONSTRAINT session_device FOREIGN KEY (account_id, device_id)
            REFERENCES trusted_device (account_id, id) ON DELETE SET NULL (device_id),
        DROP CONSTRAINT session_end_reason_check,
        ADD CONSTRAINT session_end_reason_check CHECK (end_reason IN ('SIGNED_OUT', 'TOKEN_REUSED',
            'PASSWORD_RESET', 'PASSWORD_CHANGED', 'ENDED', 'SIGNED_OUT_EVERYWHERE', 'TAKEN_OVER', 'DISABLED'));
    CREATE INDEX session_device ON session (account_id, device_id) WHERE device_id IS NOT NULL;

    -- Used codes are kept for an hour: they count how many were asked for.
    CREATE TABLE device_code (
        id uuid PRIMARY KEY,
        account_id uuid NOT NULL REFERENCES account,
        session_id uuid NOT NULL,
        mac bytea NOT NULL CHECK (length(mac) = 32),
        wrong integer NOT NULL DEFAULT 0,
        asked_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        spent_at timestamptz
    );
    CREATE INDEX device_code_account ON device_code (account_id);
    CREATE UNIQUE INDEX device_code_open ON device_code (session_id) WHERE spent_at IS NULL;

    -- Of the nil account: a sign-in to one there is not. It is written all the same, so that
    -- its time tells nothing; a foreign key would.
    CREATE TABLE security_event (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        account_id uuid NOT NULL,
        kind text NOT NULL,
        at timestamptz NOT NULL,
        address text,
        browser text NOT NULL,
        actor_id uuid REFERENCES account,
        business_id uuid,
        detail text NOT NULL CHECK (length(detail) <= 400)
    );
    CREATE INDEX security_event_account ON security_event (account_id, id DESC);
    CREATE INDEX security_event_at ON security_event (at);

    -- The app adds and reads; what it may drop is decided here. The weakest profile's limits
    -- are the least this keeps, whatever it is told.
    CREATE FUNCTION prune_security_events(account uuid, most integer, oldest timestamptz) RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DELETE FROM public.security_event WHERE account_id = account AND id <= (
            SELECT id FROM public.security_event WHERE account_id = account
            ORDER BY id DESC OFFSET GREATEST(most, 50) LIMIT 1);
        DELETE FROM public.security_event WHERE id IN (
            SELECT id FROM public.security_event
            WHERE at < LEAST(oldest, (SELECT max(at) FROM public.security_event) - interval '1 day')
            ORDER BY at LIMIT 100 FOR UPDATE SKIP LOCKED);
    $$;

    GRANT SELECT, INSERT, DELETE ON trusted_device TO auth_app;
    GRANT SELECT, INSERT, UPDATE, DELETE ON device_code TO auth_app;
    GRANT SELECT, INSERT ON security_event TO auth_app;
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
