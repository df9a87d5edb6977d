ALTER TABLE calendar DROP CONSTRAINT calendar_kind_check;
ALTER TABLE calendar ADD CONSTRAINT calendar_kind_check CHECK (kind IN ('DEMO', 'CALDAV', 'PROVIDER', 'GOOGLE'));

-- Which consent was asked for. The verifier proves to the provider that the code comes back to where it was asked
-- from; it is worth nothing without the code and the client's secret.
ALTER TABLE consent_request ADD COLUMN kind text NOT NULL DEFAULT 'DEMO' CHECK (kind IN ('DEMO', 'GOOGLE'));
ALTER TABLE consent_request ADD COLUMN verifier text;

-- A person's leave to use their calendars at Google. Its tokens are sealed under its id with a key of its own, which
-- a master key wraps. `refused_at`: Google honours it no more, and its tokens are forgotten.
CREATE TABLE google_grant (
    user_id uuid PRIMARY KEY,
    id uuid NOT NULL,
    account text NOT NULL,
    key_id uuid NOT NULL,
    master_key text NOT NULL,
    sealed_key bytea NOT NULL,
    sealed_refresh bytea,
    sealed_access bytea,
    access_expires_at timestamptz,
    granted_at timestamptz NOT NULL,
    refused_at timestamptz,
    -- Whose turn it is to spend the refresh token.
    refresher uuid,
    refreshing_until timestamptz,
    -- Calls are counted up to here; it runs ahead of the clock by a burst at most.
    called_up_to timestamptz NOT NULL DEFAULT 'epoch',
    -- How often in a row Google asked to slow down.
    throttled integer NOT NULL DEFAULT 0,
    CHECK ((refused_at IS NULL) = (sealed_refresh IS NOT NULL)),
    CHECK ((refresher IS NULL) = (refreshing_until IS NULL)),
    CHECK ((sealed_access IS NULL) = (access_expires_at IS NULL))
);
CREATE INDEX google_grant_by_master ON google_grant (master_key, user_id);

-- A calendar of an account at Google, and whose leave it is read and written by.
CREATE TABLE google_calendar (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    account text NOT NULL,
    external_id text NOT NULL,
    -- When its channel is looked after next.
    watch_due_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT google_calendar_once UNIQUE (business_id, external_id),
    FOREIGN KEY (business_id, id) REFERENCES calendar (business_id, id)
);
CREATE INDEX google_calendar_of_user ON google_calendar (user_id);
CREATE INDEX google_calendar_watch_due ON google_calendar (watch_due_at);

-- A channel that Google pushes hints through. Its token is kept as a hash.
CREATE TABLE google_channel (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    id uuid NOT NULL,
    resource_id text NOT NULL,
    token_hash bytea NOT NULL,
    opened_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES google_calendar (business_id, id)
);
CREATE INDEX google_channel_of_calendar ON google_channel (business_id, calendar_id);
CREATE INDEX google_channel_pushed ON google_channel (calendar_id, id);
