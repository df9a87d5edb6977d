-- Accounts belong to no business, so none of these is a tenant table: a membership is read for the account that
-- has it. Only the outbox is under row-level security.
--
-- Names sort as people expect, alike on every server: the database's own collation is the machine's.

-- Accounts.

CREATE TABLE account (
    id uuid PRIMARY KEY,
    email text NOT NULL CONSTRAINT account_email UNIQUE,
    name text NOT NULL,
    admin boolean NOT NULL,
    password_hash text,
    created_at timestamptz NOT NULL,
    email_verified_at timestamptz,
    disabled_at timestamptz
);
CREATE INDEX account_unproved ON account (created_at) WHERE email_verified_at IS NULL;

-- An identity at a sign-in provider.
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

-- A mailed link proves an address and nothing else: the account's owner opens it while signed in, so it carries
-- no password.
CREATE TABLE email_proof (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    account_id uuid NOT NULL REFERENCES account,
    email text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX email_proof_account ON email_proof (account_id);
CREATE INDEX email_proof_expiry ON email_proof (expires_at);

-- Without a foreign key: for an address that has no account, a token of the nil account is written, which does
-- not exist, so that the response time reveals nothing.
CREATE TABLE one_time_token (
    hash bytea PRIMARY KEY CHECK (length(hash) = 32),
    account_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    spent_at timestamptz
);
CREATE INDEX one_time_token_account ON one_time_token (account_id);
CREATE INDEX one_time_token_expiry ON one_time_token (expires_at);

GRANT SELECT, INSERT, UPDATE ON account TO auth_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON identity, one_time_token TO auth_app;
GRANT SELECT, INSERT, DELETE ON email_proof TO auth_app;

-- Memberships.

CREATE TABLE business_name (
    business_id uuid PRIMARY KEY,
    name text COLLATE "und-x-icu" NOT NULL,
    version bigint NOT NULL
);

-- A removed membership keeps its row without a role, so that its version never restarts.
CREATE TABLE membership (
    business_id uuid NOT NULL,
    account_id uuid NOT NULL CONSTRAINT membership_account REFERENCES account,
    role text CHECK (role IN ('OWNER', 'MANAGER', 'EMPLOYEE', 'GUEST')),
    version bigint NOT NULL,
    PRIMARY KEY (business_id, account_id)
);
CREATE INDEX membership_of_account ON membership (account_id, business_id);

-- A token is 32 random bytes, so its hash is unique without a constraint.
CREATE TABLE invitation (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL CHECK (role IN ('OWNER', 'MANAGER', 'EMPLOYEE', 'GUEST')),
    hash bytea NOT NULL CHECK (length(hash) = 32),
    invited_by uuid REFERENCES account,
    invited_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT invitation_address UNIQUE (business_id, email)
);
CREATE INDEX invitation_token ON invitation (hash);
CREATE INDEX invitation_latest ON invitation (business_id, invited_at DESC, id DESC);
CREATE INDEX invitation_expiry ON invitation (expires_at);
CREATE INDEX invitation_inviter ON invitation (invited_by) WHERE invited_by IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON business_name, membership TO auth_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON invitation TO auth_app;

-- Sessions.

CREATE TABLE trusted_device (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    secret_hash bytea NOT NULL CHECK (length(secret_hash) = 32),
    browser text NOT NULL,
    trusted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    CONSTRAINT trusted_device_owner UNIQUE (account_id, id)
);

-- The foreign key to the device includes the account, so that both belong to the same one.
CREATE TABLE session (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account,
    device_id uuid,
    address text,
    browser text NOT NULL DEFAULT '',
    generation bigint NOT NULL CHECK (generation > 0),
    rotated_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    end_reason text CHECK (end_reason IN ('SIGNED_OUT', 'TOKEN_REUSED', 'PASSWORD_RESET', 'PASSWORD_CHANGED',
        'ENDED', 'SIGNED_OUT_EVERYWHERE', 'TAKEN_OVER', 'DISABLED')),
    CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
    CONSTRAINT session_device FOREIGN KEY (account_id, device_id)
        REFERENCES trusted_device (account_id, id) ON DELETE SET NULL (device_id)
);
CREATE INDEX session_account ON session (account_id);
CREATE INDEX session_device ON session (account_id, device_id) WHERE device_id IS NOT NULL;

-- Spent codes are kept for an hour, for the limit on how many an account may request.
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

CREATE TABLE signing_key (
    kid text PRIMARY KEY,
    public_key bytea NOT NULL CHECK (length(public_key) = 32),
    sealed_seed bytea NOT NULL,
    signs_from timestamptz NOT NULL
);

GRANT SELECT, INSERT, DELETE ON trusted_device, handoff, signing_key TO auth_app;
-- The sweep of `provider_transaction` locks rows, which needs UPDATE.
GRANT SELECT, INSERT, UPDATE, DELETE ON session, device_code, provider_transaction TO auth_app;

-- Mail.

-- The sealed content is cleared when the mail is given up; a sent mail's row is deleted.
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

GRANT SELECT, INSERT, UPDATE, DELETE ON outgoing_mail, mail_count TO auth_app;

-- The security record of each account, and what is deleted after a while.

-- A sign-in to an address without an account is an event of the nil account, which does not exist: it is written
-- so that the response time reveals nothing, and a foreign key would refuse it.
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
CREATE INDEX security_event_refused ON security_event (account_id, id DESC) WHERE kind = 'REFUSED';
CREATE INDEX security_event_actor ON security_event (actor_id) WHERE actor_id IS NOT NULL;

GRANT SELECT, INSERT ON security_event TO auth_app;

-- The minimum that is kept of each account's record. The app can't change it: migrating an installation sets it
-- from the security profile.
CREATE TABLE security_event_floor (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    most integer NOT NULL CHECK (most >= 50),
    age interval NOT NULL CHECK (age >= interval '1 day')
);
INSERT INTO security_event_floor (most, age) VALUES (50, interval '1 day');

-- The app adds and reads events; this decides which ones it may delete, whatever limits it passes. A session can
-- cause any number of refused calls, so those have a tenth of the record and displace no other event. Age counts
-- by the server's own clock.
CREATE FUNCTION prune_security_events(account uuid, most integer, oldest timestamptz)
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

-- The app deletes no account itself. This deletes accounts without a membership whose address stayed unproved for
-- thirty days, with all that refers to them; their security events expire like any other.
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
