//! What is forgotten, and the least that is kept.

use sea_orm_migration::prelude::*;

const TABLES: &str = r#"
    -- The least that is kept of each account's record, which is not the app's to choose. Whoever
    -- migrates for an installation sets its profile's.
    CREATE TABLE security_event_floor (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        most integer NOT NULL CHECK (most >= 50),
        age interval NOT NULL CHECK (age >= interval '1 day')
    );
    INSERT INTO security_event_floor (most, age) VALUES (50, interval '1 day');

    -- Whoever holds a session can have any number of calls refused: those have a tenth of the
    -- places, and take no other's. Old is what the server's own clock says is old.
    CREATE INDEX security_event_refused ON security_event (account_id, id DESC) WHERE kind = 'REFUSED';
    CREATE OR REPLACE FUNCTION prune_security_events(account uuid, most integer, oldest timestamptz)
    RETURNS void
    LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DELETE FROM public.security_event WHERE account_id = account AND kind = 'REFUSED' AND id <= (
            SELECT id FROM public.security_event WHERE account_id = account AND kind = 'REFUSED'
            ORDER BY id DESC
            OFFSET (SELECT GREATEST(prune_security_events.most, floor.most) / 10
                FROM public.security_event_floor AS floor) LIMIT 1);
        DELETE FROM public.security_event WHERE account_id = account AND id <= (
            SELECT id FROM public.security_event WHERE account_id = account
            ORDER BY id DESC
            OFFSET (SELECT GREATEST(prune_security_events.most, floor.most)
                FROM public.security_event_floor AS floor) LIMIT 1);
        DELETE FROM public.security_event WHERE id IN (
            SELECT id FROM public.security_event
            WHERE at < (SELECT LEAST(oldest, now() - floor.age) FROM public.security_event_floor AS floor)
            ORDER BY at LIMIT 100 FOR UPDATE SKIP LOCKED);
    $$;

    CREATE INDEX email_proof_expiry ON email_proof (expires_at);
    CREATE INDEX one_time_token_expiry ON one_time_token (expires_at);
    CREATE INDEX invitation_expiry ON invitation (expires_at);
    CREATE INDEX invitation_inviter ON invitation (invited_by) WHERE invited_by IS NOT NULL;
    CREATE INDEX security_event_actor ON security_event (actor_id) WHERE actor_id IS NOT NULL;
    CREATE INDEX account_unproved ON account (created_at) WHERE email_verified_at IS NULL;

    -- The app deletes no account. This forgets those that nobody has proved in thirty days and that
    -- belong nowhere, with what hangs on them; their records grow old like any other.
    CREATE FUNCTION forget_unproved_accounts(before timestamptz, most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        unproved uuid[];
    BEGIN
        SELECT array_agg(id) INTO unproved FROM (
            SELECT id FROM public.account
            WHERE email_verified_at IS NULL AND NOT admin
              AND created_at < LEAST(before, now() - interval '30 days')
              AND NOT EXISTS (SELECT FROM public.membership WHERE account_id = account.id)
              AND NOT EXISTS (SELECT FROM public.invitation WHERE invited_by = account.id)
              AND NOT EXISTS (SELECT FROM public.security_event WHERE actor_id = account.id)
            ORDER BY created_at LIMIT most FOR UPDATE SKIP LOCKED) AS old;
        DELETE FROM public.handoff WHERE account_id = ANY (unproved);
        DELETE FROM public.identity WHERE account_id = ANY (unproved);
        DELETE FROM public.email_proof WHERE account_id = ANY (unproved);
        DELETE FROM public.device_code WHERE account_id = ANY (unproved);
        DELETE FROM public.session WHERE account_id = ANY (unproved);
        DELETE FROM public.trusted_device WHERE account_id = ANY (unproved);
        DELETE FROM public.one_time_token WHERE account_id = ANY (unproved);
        DELETE FROM public.account WHERE id = ANY (unproved);
        RETURN COALESCE(cardinality(unproved), 0);
    END
    $$;
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
