//! Mail that waits to be sent, proved addresses, invitations.

use sea_orm_migration::prelude::*;

const TABLES: &str = r#"
    -- Content is sealed, and gone as soon as the mail is sent or given up.
    CREATE TABLE outgoing_mail (
        id uuid PRIMARY KEY,
        recipient text NOT NULL,
        sealed bytea,
        queued_at timestamptz NOT NULL,
        due_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        refusal text,
        given_up_at timestamptz,
        CHECK ((sealed IS NULL) = (given_up_at IS NOT NULL))
    );
    CREATE INDEX outgoing_mail_due ON outgoing_mail (due_at) WHERE sealed IS NOT NULL;

    CREATE TABLE mail_count (
        name text PRIMARY KEY,
        mails integer NOT NULL,
        ends_at timestamptz NOT NULL
    );
    CREATE INDEX mail_count_end ON mail_count (ends_at);

    -- A link of a registration holds what its own person chose: whoever registered first with
    -- somebody else's address is left with nothing when that person opens theirs.
    CREATE TABLE email_proof (
        hash bytea PRIMARY KEY CHECK (length(hash) = 32),
        account_id uuid NOT NULL REFERENCES account,
        email text NOT NULL,
        name text,
        password_hash text,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CHECK ((name IS NULL) = (password_hash IS NULL))
    );
    CREATE INDEX email_proof_account ON email_proof (account_id);

    CREATE TABLE invitation (
        id uuid PRIMARY KEY,
        business_id uuid NOT NULL,
        email text NOT NULL,
        role text NOT NULL CHECK (role IN ('OWNER', 'MANAGER', 'EMPLOYEE', 'GUEST')),
        hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
        invited_by uuid REFERENCES account,
        invited_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT invitation_address UNIQUE (business_id, email)
    );
    CREATE INDEX invitation_latest ON invitation (business_id, invited_at DESC, id DESC);
    CREATE INDEX membership_business ON membership (business_id) WHERE role IS NOT NULL;

    -- For an address without an account a token of the nil account is kept, which nobody holds,
    -- so that the time of an answer tells nothing; a foreign key would.
    ALTER TABLE one_time_token DROP CONSTRAINT one_time_token_account_id_fkey;

    GRANT SELECT, INSERT, UPDATE, DELETE ON outgoing_mail, mail_count, invitation TO auth_app;
    GRANT SELECT, INSERT, DELETE ON email_proof TO auth_app;
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
