-- Projection of tenancy's businesses: days and floating times in calendars are in their zone.
CREATE TABLE business (
    business_id uuid NOT NULL,
    time_zone text NOT NULL,
    PRIMARY KEY (business_id)
);

-- The key that seals a business's secrets, wrapped with a master key.
CREATE TABLE data_key (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    master_key text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT data_key_one UNIQUE (business_id)
);
CREATE INDEX data_key_by_master ON data_key (master_key, id);

ALTER TABLE calendar DROP CONSTRAINT calendar_kind_check;
ALTER TABLE calendar ADD CONSTRAINT calendar_kind_check CHECK (kind IN ('DEMO', 'CALDAV'));

-- A calendar on a CalDAV server. The password is sealed under the calendar's id.
CREATE TABLE caldav_calendar (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    collection text NOT NULL,
    username text NOT NULL,
    data_key_id uuid NOT NULL,
    sealed_password bytea NOT NULL,
    password_changed_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT caldav_calendar_once UNIQUE (business_id, collection),
    FOREIGN KEY (business_id, id) REFERENCES calendar (business_id, id),
    FOREIGN KEY (business_id, data_key_id) REFERENCES data_key (business_id, id)
);

-- A calendar that is being disconnected: what was told of it is taken back before its rows go.
ALTER TABLE sync_state ADD COLUMN leaving boolean NOT NULL DEFAULT false;

-- Entries of a calendar that can't be read at all. What was told of each before still holds.
CREATE TABLE unread_entry (
    business_id uuid NOT NULL,
    calendar_id uuid NOT NULL,
    object_id text NOT NULL,
    reason text NOT NULL,
    since timestamptz NOT NULL,
    PRIMARY KEY (business_id, calendar_id, object_id),
    FOREIGN KEY (business_id, calendar_id) REFERENCES calendar (business_id, id)
);
